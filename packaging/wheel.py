#!/usr/bin/env python3
"""wheel.py DIRECTORY [--built PROGRAM]: the wheel of wheelcheck, under the platform tag that its own check finds.

Run by the interpreter of tests/package/tools.py; scripts/wheel does so. --built packs a program that is there already.
pip gives a wheel the tag linux_x86_64, which no index takes: what a program asks of a system is known once it is linked.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python"))
import wheelcheck  # noqa: E402


def build(folder, built):
    options = [f"--config-settings=cmake.define.WHEELCHECK_BUILT={built.resolve()}"] if built else []
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps",
               "--no-build-isolation", f"--wheel-dir={folder}", *options, ROOT]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr)
    (wheel,) = folder.glob("*.whl")
    return wheel


def program_of(wheel, folder):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".data/scripts/wheelcheck")]
        program = pathlib.Path(archive.extract(name, folder))
    program.chmod(0o755)
    return program


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--built", type=pathlib.Path)
    words = parser.parse_args()
    words.directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        wheel = build(folder, words.built)
        program = program_of(wheel, folder)
        tag = wheelcheck.check(wheel, program=program, fail_on="never").checked[0].best_tag
        retag = [sys.executable, "-m", "wheel", "tags", "--remove", f"--platform-tag={tag}", wheel]
        name = subprocess.run(retag, check=True, capture_output=True, text=True).stdout.split()[-1]
        tagged = words.directory / name
        tagged.write_bytes((folder / name).read_bytes())
        for finding in wheelcheck.check(tagged, program=program, fail_on="never"):
            print(f"{finding.severity} {finding.code}: {finding.message}", file=sys.stderr)
            if finding.severity == "error":
                sys.exit(f"{name} breaks its promise")
    print(tagged)


if __name__ == "__main__":
    main()
