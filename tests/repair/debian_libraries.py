#!/usr/bin/env python3
"""debian_libraries.py PROGRAM DIR...: names the packages of bundled libraries of real Debian releases.

Each DIR contains .deb files of one release, base-files among them (`scripts/debian_roots OUT --package NAME ...` writes
OUT/debian-12/amd64). The libraries are bundled into a wheel by `repair --strip-level all`; `sbom --library-index` with
the index of all releases must name the package of each. Run by hand; nothing of the packages is executed.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ARGUMENTS = [pathlib.Path(word).resolve() for word in sys.argv[2:]]
from wheels import SUFFIX, compile_library, extension, run, wheel  # noqa: E402


def output(*words):
    return subprocess.run(list(map(str, words)), capture_output=True, check=True, text=True).stdout


def unpack(debs, root):
    """As dpkg does, with its database and without maintainer scripts. {path: purl} of the libraries."""
    info = root / "var/lib/dpkg/info"
    info.mkdir(parents=True)
    status, owners = "", {}
    for deb in sorted(debs.glob("*.deb")):
        name, version, arch = (output("dpkg-deb", "-f", deb, one).strip() for one in ("Package", "Version", "Architecture"))
        listed = output("dpkg-deb", "-c", deb)
        paths = re.findall(r"^\S+ \S+ +\d+ \S+ \S+ \.(/\S*?)(?: (?:->|link to) .*)?$", listed, re.M)
        (info / f"{name}:{arch}.list").write_text("\n".join(path.rstrip("/") for path in paths) + "\n")
        status += f"Package: {name}\nStatus: install ok installed\nArchitecture: {arch}\nVersion: {version}\n\n"
        subprocess.run(["dpkg-deb", "-x", deb, root], check=True)
        owners |= {path: (name, version) for path in paths}
    (root / "var/lib/dpkg/status").write_text(status)
    return owners


def soname_of(library):
    found = re.search(r"\(SONAME\).*\[(.*)\]", output("readelf", "-dW", library))
    return found and found[1]


def repaired(folder, root, sonames):
    """A wheel whose module requires the libraries; the linker gets stubs."""
    stubs = [
        compile_library(folder / "stubs" / name, f"int stub_{i};", f"-Wl,-soname,{name}")
        for i, name in enumerate(sonames)
    ]
    core = extension(folder / "core.so", "-nostdlib", "-Wl,--no-as-needed", *stubs)
    path = wheel(folder, {f"demo/_core{SUFFIX}": core})
    exclude = []
    while True:
        done = run("repair", "-w", folder / "out", "--sysroot", root, "--strip-level", "all", *exclude, path)
        missing = re.search(r"requires (\S+), which was not found", done.stderr)
        if done.returncode == 0:
            [new] = (folder / "out").iterdir()
            return new, re.findall(r"^  (\S+) -> (\S+)", done.stdout, re.M)
        if not missing:
            raise SystemExit(done.stderr)
        exclude += ["--exclude", missing[1]]


def main():
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        roots = {}
        for i, debs in enumerate(ARGUMENTS):
            root = folder / f"root{i}"
            owners = unpack(debs, root)
            release = re.search(r'VERSION_ID="(.*)"', (root / "usr/lib/os-release").read_text())[1]
            roots[release] = (root, owners)
        index = folder / "index.json"
        done = run("library-index", *(root for root, _ in roots.values()), "-o", index)
        print(f"index: {len(json.loads(index.read_text())['libraries'])} libraries {done.stderr.strip()}")
        for release, (root, owners) in roots.items():
            files = sorted(path for path in root.rglob("*.so*") if path.is_file() and not path.is_symlink())
            sonames = sorted({soname_of(path) for path in files if path.parent.name == "x86_64-linux-gnu"} - {None})
            (folder / f"w{release}").mkdir()
            new, bundled = repaired(folder / f"w{release}", root, sonames)
            bill = json.loads(run("sbom", "--library-index", index, new).stdout)
            found = {
                place["location"]: one["purl"]
                for one in bill["components"] if one.get("purl", "").startswith("pkg:deb/")
                for place in one["evidence"]["occurrences"]
            }
            count = collections.Counter()
            for source, member in bundled:
                path = source if source in owners else source.removeprefix("/usr")
                name, version = owners.get(path) or owners["/usr" + source]
                expected = f"pkg:deb/debian/{name}@{version.replace('+', '%2B')}?arch=amd64&distro=debian-{release}"
                got = found.get(member)
                count["named" if got == expected else "none" if got is None else "wrong"] += 1
                if got != expected:
                    print(f"  {source}: {got}, not {expected}")
            print(f"Debian {release}: {len(bundled)} libraries bundled, {dict(count)}")


main()
