"""Names and kinds of members."""

import stat

from hostile import PURE_TAG, VICTIM, Case, pure
from zip_maker import Archive, Member, wheel_members

REJECT = "absolute, `..`, `.`, `//`, backslash, drive, empty, NUL/C0/DEL, not UTF-8, over length"
FINDING = "bidi, zero-width, C1, UTF-8 without bit 11, case or accent collision, odd blanks, symlink, device, setuid"
BOTH = "file that is also a directory; directory with data"

REJECTED = {
    "absolute": b"/etc/evil.py",
    "absolute-only": b"/",
    "absolute-twice": b"//etc/evil.py",
    "dotdot": b"../evil.py",
    "dotdot-inside": b"hostile/../../evil.py",
    "dotdot-harmless": b"hostile/../hostile/a.py",
    "dotdot-last": b"hostile/..",
    "dotdot-directory": b"hostile/../",
    "dot": b"./hostile/a.py",
    "dot-inside": b"hostile/./a.py",
    "dot-only": b".",
    "empty-part": b"hostile//a.py",
    "slash-twice-last": b"hostile/a//",
    "backslash": b"hostile\\evil.py",
    "backslash-dotdot": b"..\\..\\evil.py",
    "backslash-unc": b"\\\\server\\share\\evil.py",
    "drive": b"C:/evil.py",
    "drive-relative": b"C:evil.py",
    "drive-backslash": b"c:\\evil.py",
    "empty": b"",
    "nul": b"hostile/a.py\0.txt",
    "nul-first": b"\0a.py",
    "newline": b"hostile/a\nb.py",
    "carriage-return": b"hostile/a\rb.py",
    "tab": b"hostile/a\tb.py",
    "escape": b"hostile/\x1b[31mred.py",
    "bell": b"hostile/\a.py",
    "delete": b"hostile/a\x7f.py",
    "unit-separator": b"hostile/a\x1f",
    "not-utf8": b"hostile/\xff\xfe.py",
    "overlong": b"hostile/\xc0\xaf.py",
    "overlong-dotdot": b"\xc0\xae\xc0\xae/a.py",
    "surrogate": b"hostile/\xed\xa0\x80.py",
    "cut-utf8": b"hostile/\xe2\x82",
    "above-unicode": b"hostile/\xf5\x80\x80\x80",
    "latin1": b"hostile/gr\xfc\xdfe.py",
    "cp437": b"hostile/\x81.py",
    "part-256": b"hostile/" + b"p" * 256,
    "long-1025": b"/".join([b"q" * 40] * 26),
    "long-60000": b"r/" * 30000 + b"r",
    "deep-65": b"/".join([b"d"] * 65),
    "deep-500": b"/".join([b"d"] * 500),
}
FOUND = {
    "bidi-override": "hostile/a\u202etxt.py",
    "bidi-embedding": "hostile/\u202aa.py",
    "bidi-isolate": "hostile/\u2066a\u2069.py",
    "bidi-mark": "hostile/a\u200f.py",
    "bidi-arabic-mark": "hostile/a\u061c.py",
    "zero-width-space": "hostile/a\u200bb.py",
    "zero-width-joiner": "hostile/a\u200db.py",
    "byte-order-mark": "hostile/\ufeffa.py",
    "word-joiner": "hostile/a\u2060b.py",
    "soft-hyphen": "hostile/a\u00adb.py",
    "c1-csi": "hostile/\u009b31m.py",
    "c1-next-line": "hostile/a\u0085b.py",
    "line-separator": "hostile/a\u2028b.py",
    "paragraph-separator": "hostile/a\u2029b.py",
    "tag-letters": "hostile/a\U000e0041.py",
    "empty-braille": "hostile/a\u2800b.py",
    "no-break-space": "hostile/a\u00a0b.py",
    "em-space": "hostile/a\u2003b.py",
    "ideographic-space": "hostile/a\u3000b.py",
    "ogham-space": "hostile/a\u1680b.py",
    "hangul-filler": "hostile/a\u3164b.py",
    "blank-last": "hostile/a.py ",
    "blank-part": "hostile /a.py",
    "dot-last": "hostile/a.",
    "private-use": "hostile/\ue000.py",
    "no-character": "hostile/\ufffe.py",
}
PAIRS = {
    "case": ("hostile/Data.txt", "hostile/data.txt"),
    "case-directory": ("Hostile/b.py", "hostile/b.py"),
    "case-umlaut": ("hostile/\u00c4.py", "hostile/\u00e4.py"),
    "case-sharp-s": ("hostile/stra\u00dfe", "hostile/strasse"),
    "accent-composed": ("hostile/\u00e9.py", "hostile/e\u0301.py"),
    "accent-angstrom": ("hostile/\u212b.py", "hostile/\u00c5.py"),
    "case-kelvin": ("hostile/\u212a.py", "hostile/k.py"),
    "case-sigma": ("hostile/\u03c3", "hostile/\u03c2"),
    "case-dist-info": ("hostile-1.0.dist-info/license", "hostile-1.0.dist-info/LICENSE"),
}
MODES = {
    "symlink": stat.S_IFLNK | 0o777,
    "pipe": stat.S_IFIFO | 0o644,
    "device": stat.S_IFCHR | 0o644,
    "block-device": stat.S_IFBLK | 0o644,
    "socket": stat.S_IFSOCK | 0o644,
    "setuid": stat.S_IFREG | 0o4755,
    "setgid": stat.S_IFREG | 0o2755,
    "unknown-type": 0o170644,
}


def with_members(*members: Member, record: bytes | None = None) -> bytes:
    return pure([Member("hostile/__init__.py", b""), *members], record_text=record).build()


def cases():
    for name, text in REJECTED.items():
        # RECORD does not matter, because nothing in such a wheel is checked.
        yield Case(f"name-{name}", "reject", REJECT, with_members(Member(text, b"x = 1\n"), record=b""))
    for name in ("empty", "not-utf8", "newline"):
        yield Case(
            f"name-{name}-directory", "reject", REJECT, with_members(Member(REJECTED[name] + b"/", b""), record=b"")
        )
    # Readers that do not use the central directory see another name. Both names are shown escaped.
    for name, text in FOUND.items():
        yield Case(
            f"name-{name}", "finding", FINDING, with_members(Member(text, b"x = 1\n")), code="WC704", says="name|path"
        )
    plain = "hostile/gr\u00fc\u00dfe.py"
    yield Case("name-utf8", "ok", FINDING, with_members(Member(plain, b"x = 1\n")))
    yield Case(
        "name-utf8-without-flag",
        "finding",
        FINDING,
        with_members(Member(plain, b"x = 1\n", flags=0)),
        says="UTF-8 flag",
    )
    yield Case("name-ascii-with-flag", "ok", FINDING, with_members(Member("hostile/a.py", b"x = 1\n", flags=1 << 11)))
    yield Case("name-emoji", "ok", FINDING, with_members(Member("hostile/\U0001f40d.py", b"x = 1\n")))
    yield Case(
        "name-emoji-with-variation-selector", "remarked", FINDING, with_members(Member("hostile/\u2764\ufe0f.py", b""))
    )
    yield Case("name-blank-first", "ok", FINDING, with_members(Member(" hostile/a.py", b"x = 1\n")))
    yield Case("name-cjk", "ok", FINDING, with_members(Member("hostile/\u4e2d\u6587.py", b"x = 1\n")))
    yield Case("name-longest", "ok", REJECT, with_members(Member("/".join(["n" * 200] * 5), b"")))
    yield Case("name-deepest", "ok", REJECT, with_members(Member("/".join(["d"] * 64), b"")))
    yield Case("name-quotes", "ok", REJECT, with_members(Member('hostile/it\'s "quoted", so.py', b"")))
    yield Case("name-three-dots", "remarked", REJECT, with_members(Member("hostile/.../a.py", b"")))
    for name, (first, second) in PAIRS.items():
        yield Case(
            f"collision-{name}",
            "finding",
            FINDING,
            with_members(Member(first, b"1"), Member(second, b"2")),
            code="WC704",
        )
    for name, mode in MODES.items():
        data = b"../../etc/passwd" if name == "symlink" else b"x = 1\n"
        yield Case(
            f"type-{name}",
            "finding",
            FINDING,
            with_members(Member(VICTIM, data, mode=mode)),
            member=VICTIM,
            code="WC704",
        )
    yield Case(
        "type-symlink-in-scripts",
        "finding",
        FINDING,
        with_members(Member("hostile-1.0.data/scripts/run", b"/bin/sh", mode=stat.S_IFLNK | 0o777)),
        member="hostile-1.0.data/scripts/run",
    )
    yield Case(
        "type-symlink-to-directory",
        "finding",
        FINDING,
        with_members(Member("hostile/dir", b"..", mode=stat.S_IFLNK | 0o777)),
        member="hostile/dir",
    )
    yield Case(
        "type-symlink-and-below",
        "reject",
        BOTH,
        with_members(Member("hostile/dir", b"/etc", mode=stat.S_IFLNK | 0o777), Member("hostile/dir/passwd", b"x")),
    )
    yield Case("type-no-mode", "ok", FINDING, with_members(Member(VICTIM, b"x = 1\n", mode=0)))
    yield Case("type-world-writable", "ok", FINDING, with_members(Member(VICTIM, b"x = 1\n", mode=0o100666)))

    yield Case(
        "both-file-and-directory",
        "reject",
        BOTH,
        with_members(Member("hostile/a", b"1"), Member("hostile/a/", b"", method=0)),
    )
    yield Case(
        "both-file-and-path", "reject", BOTH, with_members(Member("hostile/a", b"1"), Member("hostile/a/b.py", b"2"))
    )
    yield Case(
        "both-path-and-file", "reject", BOTH, with_members(Member("hostile/a/b.py", b"2"), Member("hostile/a", b"1"))
    )
    yield Case(
        "both-deep", "reject", BOTH, with_members(Member("a/b", b"1"), Member("a/b-c", b"1"), Member("a/b/c/d/e", b"2"))
    )
    yield Case(
        "directory-with-data", "reject", BOTH, with_members(Member("hostile/sub/", b"data")), member="hostile/sub/"
    )
    yield Case(
        "directory-with-stored-data",
        "reject",
        BOTH,
        with_members(Member("hostile/sub/", b"data", method=0)),
        member="hostile/sub/",
    )
    yield Case(
        "directory-with-packed-bytes",
        "reject",
        BOTH,
        with_members(Member("hostile/sub/", b"", packed=b"hidden", both={"packed_size": 6})),
        member="hostile/sub/",
    )
    yield Case(
        "directory-plain", "ok", BOTH, with_members(Member("hostile/sub/", b"", method=0, mode=stat.S_IFDIR | 0o755))
    )
    yield Case(
        "directory-deflated-nothing", "ok", BOTH, with_members(Member("hostile/sub/", b"", mode=stat.S_IFDIR | 0o755))
    )
    yield Case(
        "directory-twice",
        "reject",
        BOTH,
        with_members(Member("hostile/sub/", b"", method=0), Member("hostile/sub/", b"", method=0)),
    )
    yield Case(
        "directory-by-mode-only", "reject", BOTH, with_members(Member("hostile/sub", b"", mode=stat.S_IFDIR | 0o755))
    )
    yield Case(
        "directory-by-dos-only",
        "reject",
        BOTH,
        with_members(Member("hostile/sub", b"", made_by=20, central={"attributes": 0x10})),
    )
    assert Archive(wheel_members({}, tag=PURE_TAG)).build()
