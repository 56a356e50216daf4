"""Many small wheels: variants of the wheels in wheels/made and of the demo wheel, each with its own version."""

import base64
import hashlib
import itertools
import pathlib
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def originals(folder, made_wheels=None):
    """The demo wheel, and the wheels of wheels/made if made_wheels (a target of the build) exists."""
    folder.mkdir(parents=True)
    subprocess.run([sys.executable, ROOT / "scripts/demo_wheel.py", folder], check=True, capture_output=True)
    if made_wheels:
        subprocess.run([made_wheels, folder], check=True, capture_output=True)
    return sorted(folder.glob("*.whl"))


def variant(path, folder, number):
    """The same wheel as version 0.NUMBER, with another name, dist-info and RECORD and one more Python file."""
    name, version, *tags = path.stem.split("-")
    old, new = f"{name}-{version}", f"{name}-0.{number}"
    target = folder / "-".join([name, f"0.{number}", *tags])
    rows = []
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(f"{target}.whl", "w", zipfile.ZIP_DEFLATED, True, 1) as out:
        for one in source.infolist():
            data, member = source.read(one), one.filename.replace(old, new)
            if member.endswith(".dist-info/RECORD"):
                continue
            if member.endswith(".dist-info/METADATA"):
                data = data.replace(f"Version: {version}".encode(), f"Version: 0.{number}".encode())
            rows.append(row(member, data))
            out.writestr(zipfile.ZipInfo(member), data)
        extra = f"{name}_number.py", f"NUMBER = {number}\n".encode()
        rows.append(row(*extra))
        out.writestr(zipfile.ZipInfo(extra[0]), extra[1])
        record = f"{new}.dist-info/RECORD"
        out.writestr(zipfile.ZipInfo(record), "".join([*rows, f"{record},,\n"]))
    return pathlib.Path(f"{target}.whl")


def row(member, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{member},sha256={digest},{len(data)}\n"


def variants(folder, count, made_wheels=None):
    """`count` wheels in folder/wheels, made from the originals in turn."""
    paths = originals(folder / "originals", made_wheels)
    (folder / "wheels").mkdir()
    turns = itertools.islice(itertools.cycle(paths), count)
    return [variant(path, folder / "wheels", number // len(paths)) for number, path in enumerate(turns)]
