#!/usr/bin/env python3
"""musl_test.py PROGRAM: what `check` says of files for musl, against musl's loader (Debian's package musl).

Made modules, and the modules of the wheels in wheels.tsv, which pip downloads. Names of CPython are defined by a
library that is loaded first, because no CPython is linked with musl here.
"""

import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "corpus"), str(HERE.parent / "hostile")]

import corpus
import fetch
import zip_maker

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
MUSL_GCC = "musl-gcc"
NAMES = HERE.parents[1] / "data" / "c_names" / "musl.txt"


def run(*command: str, **how) -> subprocess.CompletedProcess:
    return subprocess.run(command, capture_output=True, text=True, check=False, **how)


def installed_release() -> tuple[int, ...]:
    """Of musl: its loader prints it where it is called without a program."""
    said = run("/lib/ld-musl-x86_64.so.1").stderr
    return tuple(int(part) for part in re.search(r"Version (\d+\.\d+\.\d+)", said).group(1).split("."))


def findings(wheel: pathlib.Path) -> list[dict]:
    done = run(PROGRAM, "check", "--no-config", "--format", "json", "--", str(wheel))
    return json.loads(done.stdout)["wheels"][0]["findings"]


class Loader:
    """A process of musl in `folder`, in which the names of CPython are defined."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.program = folder / "open"
        done = run(MUSL_GCC, "-o", str(self.program), str(HERE / "open.c"))
        assert done.returncode == 0, done.stderr

    def opens(self, module: pathlib.Path) -> str:
        """What the loader says; "loaded" if nothing is wrong."""
        listed = run("nm", "-D", "--undefined-only", str(module)).stdout.split()
        names = sorted({name for name in listed if re.match(r"_?Py[A-Z_]", name)})
        source, stubs = self.folder / "python.c", self.folder / "libpython-names.so"
        source.write_text("".join(f"char {name}[4096];\n" for name in names))
        done = run("gcc", "-w", "-shared", "-nostdlib", "-fno-builtin", "-fPIC", "-o", str(stubs), str(source))
        assert done.returncode == 0, done.stderr
        environment = {"PATH": os.environ["PATH"], "LD_PRELOAD": str(stubs)}
        done = run(str(self.program), str(module), env=environment)
        return done.stdout.strip() or f"ended with {done.returncode}"


def is_too_new(finding: dict, release: tuple[int, ...]) -> bool:
    """Whether the finding says that this release of musl lacks a name."""
    said = re.search(r"only musl ([\d.]+) and newer have|musl before ([\d.]+) ignores", finding["message"])
    if said:
        return release < tuple(int(part) for part in (said.group(1) or said.group(2)).split("."))
    gone = re.search(r"musl ([\d.]+) and newer do not have", finding["message"])
    return not gone or release >= tuple(int(part) for part in gone.group(1).split("."))


class Names(unittest.TestCase):
    def test_are_those_of_the_installed_release(self) -> None:
        release = installed_release()
        offered = set()
        for line in NAMES.read_text().splitlines():
            name, _, note = line.partition(" ")
            words = [tuple(map(int, part.split("."))) for part in note.split() if part != "dropped"]
            since = (0,) if "dropped" in note else (*words, (0,))[0]
            dropped = words[-1] if "dropped" in note else (9,)
            if since <= release < dropped:
                offered.add(name)
        lines = run("nm", "-D", "--defined-only", "/lib/ld-musl-x86_64.so.1").stdout.splitlines()
        # Debian adds the functions of fts.h, which Alpine Linux has as a library of its own.
        real = {name for line in lines if not (name := line.split()[-1]).startswith("fts_")}
        self.assertEqual(real - offered, set())
        # It leaves crypt to libxcrypt.
        without = {"crypt", "crypt_r", "encrypt", "setkey"}
        self.assertEqual({name for name in offered - real - without if not name.startswith("_")}, set())


class Made(unittest.TestCase):
    def case(self, source: str, codes: set[str], loads: bool, *options: str, says: str = "") -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            module = folder / "core.cpython-311-x86_64-linux-musl.so"
            (folder / "core.c").write_text(source + "\nvoid *PyInit_core(void) { return 0; }\n")
            command = [MUSL_GCC, "-shared", "-fPIC", "-O0", "-w", "-o", str(module), str(folder / "core.c"), *options]
            done = run(*command, cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            real = Loader(folder).opens(module)
            self.assertEqual(real == "loaded", loads, real)
            self.assertIn(says, real)
            wheel = folder / "foo-1.0-cp311-cp311-musllinux_1_2_x86_64.whl"
            members = zip_maker.wheel_members(
                {f"foo/{module.name}": module.read_bytes()},
                tag="cp311-cp311-musllinux_1_2_x86_64",
                metadata=b"Metadata-Version: 2.1\nName: foo\nVersion: 1.0\nLicense: MIT\n\n",
                dist_info="foo-1.0.dist-info",
            )
            wheel.write_bytes(zip_maker.Archive(members).build())
            found = [one for one in findings(wheel) if one["severity"] in ("error", "warning") or one["code"] == "WC516"]
            release = installed_release()
            fails = {one["code"] for one in found if is_too_new(one, release)}
            self.assertEqual(fails, codes, found)
            self.assertEqual(loads, not codes)

    def test_a_plain_module(self) -> None:
        self.case("#include <stdlib.h>\nint f(void *a) { qsort(a, 1, 1, 0); return 0; }", set(), True)

    def test_a_name_that_only_glibc_has(self) -> None:
        self.case("int __cxa_thread_atexit_impl(); int f() { return __cxa_thread_atexit_impl(); }", {"WC306"}, False,
                  says="__cxa_thread_atexit_impl: symbol not found")

    def test_names_of_other_releases(self) -> None:
        release = installed_release()
        for name, since in (("qsort_r", (1, 2, 3)), ("preadv2", (1, 2, 5)), ("reallocarray", (1, 2, 2))):
            loads = release >= since
            self.case(f"int {name}(); int f() {{ return {name}(); }}", set() if loads else {"WC306"}, loads)

    def test_initial_exec_variables(self) -> None:
        variable = 'static __thread int v {}; int f() {{ return v++; }}'
        self.case(variable.format('__attribute__((tls_model("initial-exec")))'), {"WC508"}, False,
                  says="initial-exec TLS resolves to dynamic definition")
        self.case(variable.format(""), set(), True)

    def test_glibcs_names_for_parts_of_musl(self) -> None:
        for name in ("libm.so.6", "libpthread.so.0", "librt.so.1", "libdl.so.2"):
            with tempfile.TemporaryDirectory() as folder:
                part = pathlib.Path(folder) / name
                run("gcc", "-shared", "-nostdlib", f"-Wl,-soname,{name}", "-o", str(part), "-x", "c", "/dev/null")
                self.case("int f() { return 0; }", set(), True, "-Wl,--no-as-needed", str(part))

    def test_packed_relocations(self) -> None:
        # gcc of Debian 12 links none by itself; lld does.
        knows = installed_release() >= (1, 2, 4)
        source = "int v; int *p = &v; __attribute__((constructor)) static void f(void) { *p = 1; }"
        self.case(source, set() if knows else {"WC516"}, knows, "-Wl,-z,pack-relative-relocs")

    def test_a_library_that_is_nowhere(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            part = pathlib.Path(folder) / "libnowhere.so.1"
            run("gcc", "-shared", "-nostdlib", f"-Wl,-soname,{part.name}", "-o", str(part), "-x", "c", "/dev/null")
            options = ("-Wl,--no-as-needed", str(part))
            self.case("int f() { return 0; }", {"WC101", "WC103"}, False, *options, says="libnowhere.so.1")


class Real(unittest.TestCase):
    def wheels(self) -> list[pathlib.Path]:
        folder = corpus.cache() / "musl"
        with (HERE / "wheels.tsv").open(newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
        result = []
        for row in rows:
            _, _, python, abi, *_ = row["file"].removesuffix(".whl").split("-")
            platform = re.search(r"musllinux_\d_\d", row["file"]).group()
            recipe = corpus.Recipe(
                file=row["file"], requirement=row["requirement"], sha256=row["sha256"], bytes=int(row["bytes"]),
                pip={"platforms": [f"{platform}_x86_64"], "python_version": "311", "implementation": "cp",
                     "abi": "abi3" if abi == "abi3" else "cp311"},
                auditwheel={}, directory=folder)
            if recipe.fault():
                self.assertEqual(fetch.fetch(recipe, fetch.pip_python()), "", recipe.file)
            result.append(recipe.path)
        return result

    def test_the_loader_agrees(self) -> None:
        release = installed_release()
        wheels = self.wheels()
        self.assertGreaterEqual(len(wheels), 20)
        modules = crashed = 0
        for wheel in wheels:
            # WC516 is a note: every Alpine Linux with such a musl is past its end of life
            found = [one for one in findings(wheel)
                     if (one["severity"] != "note" or one["code"] == "WC516") and is_too_new(one, release)]  # fmt: skip
            fails = {one["member"] for one in found if one["code"] in ("WC306", "WC508", "WC506", "WC103", "WC708")}
            packed = any(one["code"] == "WC516" for one in found)
            with tempfile.TemporaryDirectory() as name, zipfile.ZipFile(wheel) as archive:
                archive.extractall(name)
                loader = Loader(pathlib.Path(name))
                for module in sorted(pathlib.Path(name).rglob("*.so")):
                    path = str(module.relative_to(name))
                    if not re.search(r"\.(cpython-311-x86_64-linux-musl|abi3)\.so$", path):
                        continue
                    real = loader.opens(module)
                    modules += 1
                    with self.subTest(wheel=wheel.name, module=path):
                        if packed and real == "ended with -11":
                            crashed += 1
                        else:
                            self.assertEqual(real == "loaded", path not in fails, real)
        self.assertGreater(modules, 100)
        self.assertEqual(crashed > 0, release < (1, 2, 4))


if __name__ == "__main__":
    unittest.main()
