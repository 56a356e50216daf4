#!/usr/bin/env python3
"""stand_in.py DIRECTORY: builds the pure-Python wheel for machines without a program and prints its path.

pip installs it only if no wheel with a program is compatible. packaging/stand_in/__main__.py is its command.
"""

import base64
import hashlib
import pathlib
import re
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]


def own_version():
    return re.search(r"^project\(wheelcheck VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]


def members(version):
    """The name and the content of every file except RECORD."""
    info = f"wheelcheck-{version}.dist-info"
    package = ROOT / "python/wheelcheck"
    sources = [*package.iterdir(), *(package / "answers").glob("*.py")]
    files = {f"wheelcheck/{path.relative_to(package).as_posix()}": path.read_bytes()
             for path in sorted(sources) if path.is_file()}
    files["wheelcheck/__main__.py"] = (ROOT / "packaging/stand_in/__main__.py").read_bytes()
    metadata = (f"Metadata-Version: 2.4\nName: wheelcheck\nVersion: {version}\n"
                "Summary: Checks Linux wheels; this build contains no program\n"
                "License-Expression: MIT\nLicense-File: LICENSE\nRequires-Python: >=3.9\n")
    wheel = "Wheel-Version: 1.0\nGenerator: wheelcheck\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files |= {f"{info}/METADATA": metadata.encode(), f"{info}/WHEEL": wheel.encode(),
              f"{info}/entry_points.txt": b"[console_scripts]\nwheelcheck = wheelcheck.__main__:main\n",
              f"{info}/licenses/LICENSE": (ROOT / "LICENSE").read_bytes()}
    return info, files


def main():
    version = own_version()
    info, files = members(version)
    rows = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = f"{rows}{info}/RECORD,,\n".encode()
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"wheelcheck-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            member = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            member.external_attr = 0o100644 << 16
            archive.writestr(member, data, zipfile.ZIP_DEFLATED)
    print(path)


if __name__ == "__main__":
    main()
