#!/usr/bin/env python3
"""process_test.py PROGRAM [WORLDS]: bindings in processes of musl, against `conflicts --plan`.

A world is a few libraries in three directories and a program that opens some of them. The libraries define and use the
same few names, need each other by name or by path, and some cannot be opened. The program prints which definition each
address belongs to.
"""

import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "hostile")]

import zip_maker

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
WORLDS = int(sys.argv.pop(1)) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 30
FLAGS = {"n": "NOW", "l": "LAZY", "g": "GLOBAL", "o": "NOLOAD"}
NAMES = [f"f{i}" for i in range(6)] + [f"d{i}" for i in range(3)]


def run(*command: str, **how) -> subprocess.CompletedProcess:
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **how)


class Library:
    def __init__(self, dice: random.Random, number: int, folder: pathlib.Path, others: list["Library"]) -> None:
        self.owner = f"o{number}"
        # Two files may have one name.
        self.path = folder / dice.choice(["a", "b", "c"]) / f"lib{number - (dice.random() < 0.2)}.so"
        self.soname = self.path.name if dice.random() < 0.6 else ""
        self.needed = dice.sample(others, min(len(others), dice.choice([0, 0, 1, 1, 2])))
        self.defined = dice.sample(NAMES, dice.randint(1, 4))
        near = sorted({name for one in self.needed for name in one.defined} | set(self.defined))
        self.used = dice.sample(near, dice.randint(1, len(near)))
        self.used += [name for name in NAMES if name not in self.used and dice.random() < 0.03]
        if dice.random() < 0.04:
            self.used.append("f99")
        self.weak_uses = dice.random() < 0.3
        self.called = [name for name in self.used if name[0] == "f" and dice.random() < 0.6]
        self.tables = [name for name in self.used if name not in self.called or dice.random() < 0.5]
        self.weak_definitions = dice.random() < 0.3
        self.old = dice.choice(self.defined) if dice.random() < 0.2 else ""  # defined with a version that is no default
        self.unique = dice.random() < 0.2
        self.initial_exec = dice.random() < 0.1
        self.rpath = dice.choice(["", "$ORIGIN", "$ORIGIN/../a:$ORIGIN/../c", "${ORIGIN}/../b:$ORIGIN/../$LIB", "$ORIGIN/../b:"])
        self.runpath = dice.random() < 0.5

    def source(self) -> str:
        lines = ["struct reference { const char *name; const void *address; };"]
        for name in sorted({*self.used, *self.defined}):
            weak = "__attribute__((weak))" if self.weak_uses and name not in self.defined else ""
            if self.weak_definitions and name in self.defined:
                weak = "__attribute__((weak))"
            lines.append(f"extern const char *{name}(void) {weak};" if name[0] == "f" else f"extern char {name}[8] {weak};")
        for name in self.defined:
            if name == self.old:
                lines.append(f'asm(".symver old_{name}, {name}@OLD");')
                name = f"old_{name}"
            if name[0] == "f" or name.startswith("old_f"):
                lines.append(f'const char *{name}(void) {{ return "{self.owner}"; }}')
            else:
                lines.append(f'char {name}[8] = "{self.owner}";')
                if self.unique:
                    lines.append(f'asm(".type {name}, @gnu_unique_object");')
        lines += [f"const char *call_{name}(void) {{ return {name}(); }}" for name in self.called]
        if self.initial_exec:
            lines.append('static __thread int v __attribute__((tls_model("initial-exec"))); int *tls(void) { return &v; }')
        rows = "".join(f'{{"{name}", (const void *){name}}}, ' for name in self.tables)
        return "\n".join([*lines, f"const struct reference table[] = {{{rows}{{0, 0}}}};", ""])

    def build(self, folder: pathlib.Path) -> None:
        self.path.parent.mkdir(exist_ok=True)
        (folder / "library.c").write_text(self.source())
        (folder / "versions").write_text("OLD { global: none; };\n")
        command = ["musl-gcc", "-shared", "-fPIC", "-O0", "-w", "-fno-builtin", "-Wl,-z,lazy", "-Wl,--no-as-needed",
                   "-Wl,--allow-shlib-undefined", "-o", self.path, folder / "library.c"]
        command += [f"-Wl,-soname,{self.soname}"] if self.soname else []
        command += [f"-Wl,--version-script={folder}/versions"] if self.old else []
        command += [f"-Wl,-rpath,{self.rpath}", f"-Wl,--{'enable' if self.runpath else 'disable'}-new-dtags"]
        done = run(*command, *(library.path for library in self.needed))
        assert done.returncode == 0, done.stderr


class World:
    def __init__(self, seed: int, folder: pathlib.Path) -> None:
        dice = random.Random(seed)
        self.folder = folder
        self.libraries: list[Library] = []
        for number in range(dice.randint(4, 8)):
            library = Library(dice, number, folder, self.libraries)
            if all(library.path != other.path for other in self.libraries):
                library.build(folder)
                self.libraries.append(library)
        self.main = folder / "main"
        started = [one.path for one in self.libraries if one.soname and dice.random() < 0.15]
        done = run("musl-gcc", "-rdynamic", "-w", "-o", self.main, HERE / "process.c", "-Wl,--no-as-needed", *started,
                   "-Wl,--allow-shlib-undefined", "-Wl,--unresolved-symbols=ignore-all",
                   f"-Wl,-rpath,{folder}/a:{folder}/b:{folder}/c")
        assert done.returncode == 0, done.stderr
        self.opens = []
        for _ in range(dice.randint(5, 12)):
            library = dice.choice(self.libraries)
            name = library.path.name if dice.random() < 0.3 else str(library.path)
            self.opens.append((dice.choice(["n", "n", "l", "ng", "lg", "n", "no"]), name))
        self.opens.append(("n", "nowhere.so"))

    def predicted(self) -> dict:
        opens = [{"path": name, "flags": [FLAGS[flag] for flag in flags], "op": "dlopen"} for flags, name in self.opens]
        plan = self.folder / "plan.json"
        plan.write_text(json.dumps({"main": "main", "steps": [{"opens": opens}]}))
        done = run(PROGRAM, "conflicts", "--environment", self.folder, "--plan", plan, "--sysroot", "/", "--format",
                   "bindings")
        assert done.returncode in (0, 1), done.stderr
        return json.loads(done.stdout)

    def relative(self, path: str) -> str:
        return str(pathlib.Path(path).resolve().relative_to(self.folder))

    def owner(self, path: str) -> str:
        return next((one.owner for one in self.libraries if self.relative(str(one.path)) == path), path)


def plain(error: str) -> str:
    """Without the reason: if a file has several, the order of its relocations decides which one is named."""
    return re.sub(r"^(Error relocating \S+: ).*", r"\1", error)


class Processes(unittest.TestCase):
    bound = failed = 0

    def test_random_worlds(self) -> None:
        for seed in range(WORLDS):
            with tempfile.TemporaryDirectory() as name, self.subTest(seed=seed):
                self.compare(World(seed, pathlib.Path(name).resolve()))
        self.assertGreater(self.bound, WORLDS)
        self.assertGreater(self.failed, WORLDS)

    def compare(self, world: World) -> None:
        predicted = world.predicted()
        kept = [one for one in predicted["bindings"] if "undone" not in one and one["symbol"] in (*NAMES, "f99")]
        to = {(one["from"], one["symbol"]): world.owner(one["to"]) if one["to"] else "null"
              for one in kept if one["how"] != "missing"}
        by_path = {world.relative(str(one.path)): one for one in world.libraries}
        calls = [(of, name) for of, name in to if of in by_path and name in by_path[of].called and to[of, name] != "null"]
        done = run(world.main, *(f"{flags}:{name}" for flags, name in world.opens),
                   *(f"call:{world.folder / of}:{name}" for of, name in calls))
        lines = [line.split(" ", 1) for line in done.stdout.splitlines()]
        if predicted["refused"]:
            self.assertEqual(done.returncode, 127, done.stderr)
            return
        self.assertEqual(done.returncode, 0, (done.stderr, predicted))
        failures = {one["open"]: plain(one["error"]) for one in predicted["failed_steps"]}
        real = [rest[0] if rest else "" for word, *rest in lines if word in ("opened", "failed")]
        self.assertEqual({i: plain(error) for i, error in enumerate(real, 1) if error}, failures)
        loaded = [world.relative(rest) for word, rest in (line for line in lines if len(line) == 2) if word == "loaded"]
        self.assertEqual(loaded, [one for one in predicted["loaded"] if one in by_path])
        for word, *rest in lines:
            if word not in ("bound", "call"):
                continue
            path, symbol, owner = rest[0].split(" ")
            self.assertEqual(owner, to.get((world.relative(path), symbol)), (word, path, symbol))
            type(self).bound += 1
        type(self).failed += len(failures)


class Wheels(unittest.TestCase):
    """What `conflicts` says of musllinux wheels with one module each."""

    def conflicts(self, *sources: str) -> subprocess.CompletedProcess:
        with tempfile.TemporaryDirectory() as name:
            folder, wheels = pathlib.Path(name), []
            for number, source in enumerate(sources):
                project = f"p{number}"
                module = folder / f"{project}.cpython-311-x86_64-linux-musl.so"
                (folder / "module.c").write_text(f"{source}\nvoid *PyInit_{project}(void) {{ return 0; }}\n")
                done = run("musl-gcc", "-shared", "-fPIC", "-w", "-fno-builtin", "-o", module, folder / "module.c")
                self.assertEqual(done.returncode, 0, done.stderr)
                wheels.append(folder / f"{project}-1.0-cp311-cp311-musllinux_1_2_x86_64.whl")
                members = zip_maker.wheel_members(
                    {module.name: module.read_bytes()}, tag="cp311-cp311-musllinux_1_2_x86_64",
                    metadata=f"Metadata-Version: 2.1\nName: {project}\nVersion: 1.0\n\n".encode(),
                    dist_info=f"{project}-1.0.dist-info")
                wheels[-1].write_bytes(zip_maker.Archive(members).build())
            return run(PROGRAM, "conflicts", *wheels)

    def test_calm(self) -> None:
        done = self.conflicts("int shared(void) { return 1; } int f(void) { return shared() + getpid(); }",
                              "int shared(void) { return 2; } int g(void) { return shared(); }")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("in one process of an assumed CPython and musl", done.stdout)
        self.assertIn("no conflict found", done.stdout)

    def test_initial_exec_variables(self) -> None:
        variable = 'static __thread int v __attribute__((tls_model("initial-exec"))); int f(void) { return v++; }'
        done = self.conflicts(variable, "int g(void) { return 1; }")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("error WC541", done.stdout)
        self.assertNotIn("GLIBC", done.stdout)

    def test_a_name_that_only_glibc_has(self) -> None:
        done = self.conflicts("int __res_nclose(); int f(void) { return __res_nclose(); }", "int g(void) { return 1; }")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("__res_nclose: symbol not found", done.stdout)


if __name__ == "__main__":
    unittest.main()
