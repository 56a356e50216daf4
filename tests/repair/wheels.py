"""Small wheels for the tests of `fix` and `repair`: a Python extension in C and the libraries that it needs."""

import base64
import hashlib
import os
import pathlib
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

import tools

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
TOOLS = tools.tools()
SUFFIX = ".cpython-311-x86_64-linux-gnu.so"
MODULE = """
#include <stddef.h>
struct PyModuleDef { char all[256]; };
void* PyInit__core(void);
int answer(void);
int foo(void);
void* PyInit__core(void) { return (void*)(size_t)%s; }
"""


def run(*words, env=None, **options):
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "SOURCE_DATE_EPOCH")}
    environment["PATH"] = f"{TOOLS}:{environment['PATH']}"
    environment.update(env or {})
    return subprocess.run(
        [PROGRAM, *map(str, words)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=environment,
        **options,
    )


def compile_library(path, code, *words, compiler="gcc"):
    path.parent.mkdir(parents=True, exist_ok=True)
    source = path.with_name(path.name + ".c")
    source.write_text(code)
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", path, source, *map(str, words)], check=True)
    source.unlink()
    return path


def extension(path, *words, needs="0"):
    return compile_library(path, MODULE % needs, *words)


def record_row(path, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{path},sha256={digest},{len(data)}"


def wheel(folder, members, name="demo", tag="cp311-cp311-linux_x86_64", wheel_tag=None, record=None, modes=None,
          requires=()):
    """A wheel of the files `members`, by path: bytes, text or a file to read."""
    info = f"{name}-1.0.dist-info"
    tags = "".join(f"Tag: {tag.rpartition('-')[0]}-{one}\n" for one in (wheel_tag or tag).rpartition("-")[2].split("."))
    files = {
        path: data.read_bytes() if isinstance(data, pathlib.Path) else data.encode() if isinstance(data, str) else data
        for path, data in members.items()
    }
    lines = "".join(f"Requires-Dist: {one}\n" for one in requires)
    files[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n{lines}".encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\n{tags}".encode()
    rows = [record_row(path, data) for path, data in files.items()]
    files[f"{info}/RECORD"] = (record or "\n".join([*rows, f"{info}/RECORD,,", ""])).encode()
    path = pathlib.Path(folder) / f"{name}-1.0-{tag}.whl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for member, data in files.items():
            entry = zipfile.ZipInfo(member, (2024, 5, 6, 7, 8, 10))
            entry.external_attr = (modes or {}).get(member, 0o100644) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return path


def dynamic(wheel_path, member):
    """{"NEEDED": [...], "SONAME": ..., "RUNPATH": ...} of a member."""
    with zipfile.ZipFile(wheel_path) as archive:
        data = archive.read(member)
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        text = subprocess.run(["readelf", "-dW", file.name], capture_output=True, check=True, text=True).stdout
    out = {"NEEDED": []}
    for line in text.splitlines():
        for kind in ("NEEDED", "SONAME", "RUNPATH", "RPATH"):
            if f"({kind})" in line:
                value = line.partition("[")[2].rpartition("]")[0]
                if kind == "NEEDED":
                    out[kind].append(value)
                else:
                    out[kind] = value
    return out


def names(wheel_path):
    with zipfile.ZipFile(wheel_path) as archive:
        return archive.namelist()


def include():
    return f"-I{sysconfig.get_paths()['include']}"
