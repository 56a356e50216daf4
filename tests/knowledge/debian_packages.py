#!/usr/bin/env python3
"""debian_packages.py: compares the rows of Debian in data/systems.json with the packages of a mirror, using apt. Ends
with 77 if there is none.

apt runs in a directory of its own, so that the system is not changed. Only the keys and the name of the mirror come
from the system.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEYS = pathlib.Path("/usr/share/keyrings/debian-archive-keyring.gpg")
SUITES = ("bullseye", "bookworm", "trixie")
# The newest GLIBCXX and CXXABI version by release of GCC: docs/runs-on.md.
NODES = {10: ("3.4.28", "1.3.12"), 12: ("3.4.30", "1.3.13"), 14: ("3.4.33", "1.3.15")}


def apt(tool, folder, *words):
    where = ["-o", f"Dir={folder}", "-o", f"Dir::State::status={folder}/status", "-o", "APT::Architecture=amd64"]
    return subprocess.run([tool, *where, "-o", "Acquire::Languages=none", *words], capture_output=True, text=True,
                          check=False, timeout=600)


def mirror():
    """The mirror of the system; empty if it is not Debian or has no package lists."""
    done = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages",
                           "Origin: Debian", "Label: Debian"], capture_output=True, text=True, check=False)
    return next(iter(done.stdout.split()), "")


def versions(folder):
    """{(suite, package): upstream version}"""
    out = {}
    for line in apt("apt-cache", folder, "madison", "libc6", "libstdc++6").stdout.splitlines():
        package, version, source = (part.strip() for part in line.split("|"))
        out[re.search(r" (\w+)/main ", source)[1], package] = re.match(r"[0-9.]+", version)[0]
    return out


def main():
    uri = mirror() if shutil.which("apt-get") and KEYS.exists() else ""
    if not uri:
        print("no apt here that knows a mirror of Debian")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for part in ("etc/apt/preferences.d", "etc/apt/apt.conf.d", "var/lib/apt/lists/partial",
                     "var/cache/apt/archives/partial"):
            (folder / part).mkdir(parents=True)
        (folder / "status").touch()
        (folder / "etc/apt/sources.list").write_text(
            "".join(f"deb [signed-by={KEYS}] {uri} {suite} main\n" for suite in SUITES))
        apt("apt-get", folder, "update")
        found = versions(folder)
    if not found:
        print("the mirror does not answer")
        return 77
    rows = {row.get("codename"): row for row in json.loads((ROOT / "data/systems.json").read_text())["systems"]}
    wrong = 0
    for suite in SUITES:
        row, gcc = rows[suite], found[suite, "libstdc++6"]
        want = (found[suite, "libc6"], *NODES[int(gcc.split(".")[0])])
        have = (row["libc"]["version"], row["nodes"]["GLIBCXX"], row["nodes"]["CXXABI"])
        print(f"{row['id']}: glibc, GLIBCXX, CXXABI {have}; libc6 {want[0]}, GCC {gcc}: {want[1:]}")
        wrong += have != want
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
