"""Bad practices that cause no failure, so they must not fail a check by themselves. Exceptions are a program's own
loader and an executable stack, because such files do not start or load on current systems."""

from elf_maker import Library
from hostile import elf_case

ROW = "RPATH absolute or empty, execstack, W+X, TEXTREL, odd interpreter"


def cases():
    for name, path in {
        "absolute": "/home/build/lib",
        "absolute-and-origin": "/opt/lib:$ORIGIN/../hostile.libs",
        "empty-element": "$ORIGIN::",
        "empty-element-first": ":$ORIGIN",
        "empty": "",
        "relative": "lib",
        "origin": "$ORIGIN",
        "origin-braces": "${ORIGIN}/x",
        "unknown-token": "$EVIL/lib",
        "dotdot": "$ORIGIN/../../../../../../..",
        "long": "$ORIGIN/" + "a/" * 3000,
        "many": ":".join(f"$ORIGIN/{n}" for n in range(2000)),
        "tmp": "/tmp",
    }.items():
        for tag in ("RPATH", "RUNPATH"):
            # The table has no row for a path that depends on the current directory.
            expect = {"origin": "ok", "relative": "remarked", "unknown-token": "remarked"}.get(name, "lower")
            yield elf_case(f"{tag.lower()}-{name}", expect, ROW, Library(dynamic=[(tag, path)]), loads=True)
    yield elf_case("both-paths", "lower", ROW, Library(dynamic=[("RPATH", "/a"), ("RUNPATH", "/b")]), loads=True)
    yield elf_case("textrel", "lower", ROW, Library(dynamic=[("TEXTREL", 0)]), loads=True)
    yield elf_case("textrel-flag", "lower", ROW, Library(dynamic=[("FLAGS", 4)]), loads=True)
    program = {"header": {"entry": 0x1000}, "dynamic": [("DEBUG", 0), ("FLAGS_1", 0x08000000)]}
    for name, path in {
        "usual": "/lib64/ld-linux-x86-64.so.2",
        "nix": "/nix/store/abc-glibc/lib/ld-linux-x86-64.so.2",
        "relative": "./ld.so",
        "long": "/" + "l" * 5000,
        "empty": "",
        "escape": "/lib\x1b[2J/ld.so",
    }.items():
        yield elf_case(
            f"interpreter-{name}",
            "ok" if name == "usual" else "finding",
            ROW,
            Library(interpreter=path, **program),
            member="hostile/tool.so",  # no WC715
        )
