"""Names in ELF files that could attack the program or terminal that displays them."""

from elf_maker import Import, Library
from hostile import elf_case

ROW = "names with escapes, newlines, quotes, bad UTF-8, CI commands"
NAMES = {
    "escape": b"lib\x1b[2J\x1b[1;1Hok.so",
    "newline": b"lib\nerror.so",
    "carriage-return": b"lib\rclean.so",
    "quote": b'lib",\n"status":"kept.so',
    "bell": b"lib\x07.so",
    "delete": b"lib\x7f\x08.so",
    "bad-utf8": b"lib\xff\xfe\x80.so",
    "c1": "lib\u009b31m.so".encode(),
    "cut-utf8": b"lib.so\xe2\x82",
    "surrogate": b"lib\xed\xa0\x80.so",
    "bidi": "lib\u202eos.so".encode(),
    "line-separator": "lib\u2028x.so".encode(),
    "zero-width": "lib\u200bc.so".encode(),
    "byte-order-mark": b"\xef\xbb\xbflib.so",
    "github": b"::error file=x::injected",
    "github-newline": b"lib\n::warning::injected\n.so",
    "azure": b"##vso[task.setvariable variable=x]y",
    "group": b"##[group]lib.so",
    "teamcity": b"##teamcity[message text='x']",
    "markup": b"<script>alert(1)</script>.so",
    "markdown": b"[x](http://evil)|`rm -rf`",
    "format": b"lib{0}%s%n{:>99999999}.so",
    "backslashes": b"lib\\x1b\\n\\.so",
    "shell": b"lib$(reboot);`reboot`.so",
    "json-escape": b"lib\\u0000.so",
    "tab": b"lib\t.so",
    "long": b"lib" + b"l" * 20_000 + b".so",
    "long-escapes": b"\x1b" * 20_000,
    "slash": b"lib/../../x.so",
    "looks-allowed": b"libc.so.6\x1b",
    "looks-allowed-newline": b"libc.so.6\n",
    "overlong": b"lib\xc0\x80.so",
}


def cases():
    for name, text in NAMES.items():
        yield elf_case(
            f"said-needed-{name}", "finding", ROW, Library(needed=["libc.so.6", text]), fails=True, loads=False
        )
    for name in ("escape", "bad-utf8", "github-newline", "long", "bidi"):
        text = NAMES[name]
        expected = "lower" if name == "long" else "finding"  # real C++ names can have thousands of bytes too
        yield elf_case(
            f"said-version-{name}", "finding", ROW, Library(imports=[Import("free", version=text)]), loads=False
        )
        yield elf_case(
            f"said-version-library-{name}",
            "finding",
            ROW,
            Library(needed=["libc.so.6", text], imports=[Import("free", text, "V_1")]),
            loads=False,
        )
        yield elf_case(f"said-soname-{name}", expected, ROW, Library(soname=text), loads=True)
        yield elf_case(f"said-export-{name}", expected, ROW, Library(exports=["PyInit_core", text]), loads=True)
        yield elf_case(
            f"said-import-{name}",
            "finding",
            ROW,
            Library(imports=[Import("free"), Import(text, None, None)]),
            loads=False,
        )
        yield elf_case(
            f"said-definition-{name}",
            expected,
            ROW,
            Library(soname="libcore.so", defines=[text.decode("latin-1")])
            if name == "escape"
            else Library(soname="libcore.so", defines=[text]),
            loads=True,
        )
        yield elf_case(f"said-rpath-{name}", "finding", ROW, Library(dynamic=[("RUNPATH", text)]), loads=True)
        yield elf_case(
            f"said-interpreter-{name}",
            "finding",
            ROW,
            Library(interpreter=text, dynamic=[("DEBUG", 0), ("FLAGS_1", 0x08000000)]),
            loads=False,
        )
