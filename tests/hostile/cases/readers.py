"""Wheels that pip 23.2, uv 0.13, zipfile and bsdtar unpack: headers of METADATA, modes and makers of members, names,
extra fields, rows of RECORD. A wheel that one of them refuses or sees differently does not pass."""

import struct

import zip_maker
from hostile import PURE_TAG, Case
from zip_maker import METADATA, Member, digest, extra, wheel_members, wheel_name, zip64_extra

ROW = "members that pip, uv and other installers put in different places"
BASE = {"hostile/__init__.py": b"value = 1\n", "hostile/a.py": b"a = 1\n"}
X = b"x = 1\n"


def described_by(metadata: bytes) -> bytes:
    return zip_maker.Archive(wheel_members(BASE, tag=PURE_TAG, metadata=metadata)).build()


def header(line: bytes) -> bytes:
    return described_by(METADATA.replace(b"License", line + b"\nLicense"))


def with_members(*more: Member) -> bytes:
    members = [Member(name, data) for name, data in BASE.items()]
    return zip_maker.Archive(wheel_members([*members, *more], tag=PURE_TAG)).build()


def recorded(change) -> bytes:
    members = wheel_members(BASE, tag=PURE_TAG)
    members[-1].data = change(members[-1].data)
    return zip_maker.Archive(members).build()


def other_row(text: bytes, row: bytes) -> bytes:
    return b"\n".join(row if line.startswith(b"hostile/a.py") else line for line in text.split(b"\n"))


def rehashed(algorithm: str) -> bytes:
    row = b"hostile/a.py," + digest(BASE["hostile/a.py"], algorithm).encode() + b",6"
    return recorded(lambda text: other_row(text, row))


# name, wheel, expected result, rule
WHEELS = [
    ("name-folded", described_by(METADATA.replace(b"Name: hostile", b"Name: hos\n tile")), "finding", "WC706"),
    (
        "name-encoded-word",
        described_by(METADATA.replace(b"Name: hostile", b"Name: =?utf-8?q?hostile?=")),
        "finding",
        "WC706",
    ),
    (
        "name-homoglyph",
        described_by(METADATA.replace(b"Name: hostile", "Name: h\u043estile".encode())),
        "finding",
        "WC706",
    ),
    ("name-case", described_by(METADATA.replace(b"Name: hostile", b"Name: HOSTILE")), "ok", None),
    (
        "version-epoch",
        described_by(
            METADATA.replace(b"Version: 1.0\n", b"Version: 1!1.0\n").replace(
                b"Metadata-Version: 1!1.0", b"Metadata-Version: 2.1"
            )
        ),
        "finding",
        "WC706",
    ),
    ("version-local", described_by(METADATA.replace(b"\nVersion: 1.0\n", b"\nVersion: 1.0+x\n")), "finding", "WC706"),
    ("version-v", described_by(METADATA.replace(b"\nVersion: 1.0\n", b"\nVersion: v1.0\n")), "ok", None),
    ("version-zero", described_by(METADATA.replace(b"\nVersion: 1.0\n", b"\nVersion: 1.0.0\n")), "ok", None),
    (
        "version-twice",
        described_by(METADATA.replace(b"\nVersion: 1.0\n", b"\nVersion: 1.0\nVersion: 2.0\n")),
        "finding",
        "WC706",
    ),
    (
        "metadata-version-2.9",
        described_by(METADATA.replace(b"Metadata-Version: 2.1", b"Metadata-Version: 2.9")),
        "ok",
        None,
    ),
    ("metadata-nul", described_by(METADATA.replace(b"License: MIT", b"License: M\0T")), "ok", None),
    ("metadata-crlf", described_by(METADATA.replace(b"\n", b"\r\n")), "ok", None),
    ("metadata-empty", described_by(b""), "finding", "WC706"),
    ("metadata-utf16", described_by(METADATA.decode().encode("utf-16")), "finding", "WC706"),
    ("metadata-from", described_by(b"From x@y\n" + METADATA), "finding", "WC706"),
    ("metadata-no-colon", header(b"garbage line"), "finding", "WC706"),
    ("body-headers", described_by(METADATA + b"\nName: other\nVersion: 9\n"), "ok", None),
    ("python-99", header(b"Requires-Python: >=3.99"), "finding", "WC706"),
    ("python-garbage", header(b"Requires-Python: garbage"), "finding", "WC706"),
    ("python-star", header(b"Requires-Python: >=3.6.*"), "finding", "WC706"),
    ("python-compat", header(b"Requires-Python: ~=3"), "finding", "WC706"),
    ("dist-marker", header(b"Requires-Dist: p; python_vers > '3'"), "finding", "WC706"),
    ("dist-self", header(b"Requires-Dist: hostile>2"), "ok", None),
    ("dist-newline", header(b"Requires-Dist: p\n ; extra == 'x'"), "ok", None),
    ("dist-option", header(b"Requires-Dist: --index-url=http://x"), "finding", "WC706"),
    ("mode-000", with_members(Member("hostile/x.py", X, mode=0o100000)), "ok", None),
    ("mode-777", with_members(Member("hostile/x.py", X, mode=0o100777)), "ok", None),
    ("mode-setgid", with_members(Member("hostile/x.py", X, mode=0o102755)), "finding", "WC704"),
    ("mode-sticky", with_members(Member("hostile/x.py", X, mode=0o101755)), "ok", None),
    ("mode-fifo", with_members(Member("hostile/x.py", X, mode=0o010644)), "finding", "WC704"),
    ("mode-socket", with_members(Member("hostile/x.py", X, mode=0o140644)), "finding", "WC704"),
    ("mode-dir-file", with_members(Member("hostile/x.py", X, mode=0o040755)), "reject", None),
    ("mode-link", with_members(Member("hostile/x.py", b"a.py", mode=0o120777)), "finding", "WC704"),
    ("dos-made", with_members(Member("hostile/x.py", X, made_by=20)), "ok", None),
    ("dos-link", with_members(Member("hostile/x.py", b"a.py", mode=0o120777, made_by=20)), "finding", "WC704"),
    ("mac-made", with_members(Member("hostile/x.py", X, made_by=(19 << 8) | 20)), "ok", None),
    (
        "mac-link",
        with_members(Member("hostile/x.py", b"a.py", mode=0o120777, made_by=(19 << 8) | 20)),
        "finding",
        "WC704",
    ),
    (
        "dos-dir-bit",
        with_members(Member("hostile/x.py", X, central={"attributes": (0o100644 << 16) | 0x10})),
        "ok",
        None,
    ),
    (
        "dos-volume-bit",
        with_members(Member("hostile/x.py", X, central={"attributes": (0o100644 << 16) | 0x08})),
        "ok",
        None,
    ),
    (
        "dos-readonly",
        with_members(Member("hostile/x.py", X, central={"attributes": (0o100644 << 16) | 0x01})),
        "ok",
        None,
    ),
    ("dir-with-data", with_members(Member("hostile/x/", X)), "reject", None),
    ("dir-mode-file", with_members(Member("hostile/x/", b"", mode=0o100644)), "finding", "WC704"),
    ("dir-link", with_members(Member("hostile/x/", b"", mode=0o120777)), "reject", None),
    ("name-trailing-dot", with_members(Member("hostile/x.", X)), "finding", "WC704"),
    ("name-trailing-space", with_members(Member("hostile/x ", X)), "finding", "WC704"),
    (
        "nfd-nfc",
        with_members(Member("hostile/e\u0301.py", X), Member("hostile/\u00e9.py", b"y = 2\n")),
        "finding",
        "WC704",
    ),
    ("name-nbsp", with_members(Member("hostile/x\u00a0.py", X)), "finding", "WC704"),
    ("name-fullwidth", with_members(Member("hostile/\uff58.py", X)), "ok", None),
    ("name-con", with_members(Member("hostile/CON", X)), "ok", None),
    ("name-star", with_members(Member("hostile/a*.py", X)), "ok", None),
    ("name-dash", with_members(Member("-rf/x.py", X)), "ok", None),
    ("name-255", with_members(Member("hostile/" + "x" * 255, X)), "ok", None),
    ("name-256", with_members(Member("hostile/" + "x" * 256, X)), "reject", None),
    ("name-cp437", with_members(Member(b"hostile/\x82.py", X, flags=0)), "reject", None),
    ("latin-flag", with_members(Member(b"hostile/\xe9.py", X, flags=0x800)), "reject", None),
    (
        "extra-ntfs",
        with_members(
            Member("hostile/x.py", X, central_extra=extra(0x0A, b"\0" * 32), local_extra=extra(0x0A, b"\0" * 32))
        ),
        "ok",
        None,
    ),
    ("extra-ut", with_members(Member("hostile/x.py", X, local_extra=extra(0x5455, b"\x01\0\0\0\0"))), "ok", None),
    (
        "extra-ux",
        with_members(Member("hostile/x.py", X, local_extra=extra(0x7875, b"\x01\x04\0\0\0\0\x04\0\0\0\0"))),
        "ok",
        None,
    ),
    ("extra-short", with_members(Member("hostile/x.py", X, local_extra=b"\x01\x02\x03")), "reject", None),
    (
        "extra-asi-link",
        with_members(
            Member(
                "hostile/x.py",
                b"a.py",
                central_extra=extra(0x756E, struct.pack("<IHIHH", 0, 0o120777, 4, 0, 0) + b"a.py"),
            )
        ),
        "reject",
        None,
    ),
    ("extra-zip64-unneeded", with_members(Member("hostile/x.py", X, central_extra=zip64_extra(6, 6))), "reject", None),
    (
        "extra-comment",
        with_members(Member("hostile/x.py", X, central_extra=extra(0x6375, b"\x01" + b"\0" * 4 + b"c"))),
        "reject",
        None,
    ),
    ("version-needed-63", with_members(Member("hostile/x.py", X, both={"version": 63})), "reject", None),
    ("flag-patch", with_members(Member("hostile/x.py", X, flags=0x20)), "reject", None),
    ("flag-strong", with_members(Member("hostile/x.py", X, flags=0x40)), "reject", None),
    ("flag-reserved", with_members(Member("hostile/x.py", X, flags=0x8000)), "reject", None),
    ("flag-level", with_members(Member("hostile/x.py", X, flags=6)), "ok", None),
    ("time-bad", with_members(Member("hostile/x.py", X, both={"date": 0, "time": 0xFFFF})), "ok", None),
    ("date-1980", with_members(Member("hostile/x.py", X, both={"date": 0})), "ok", None),
    ("internal-text", with_members(Member("hostile/x.py", X, central={"internal": 1})), "ok", None),
    ("rec-absolute", recorded(lambda t: t + b"/etc/passwd,,\n"), "finding", "WC702"),
    ("rec-dotdot", recorded(lambda t: t + b"../x,,\n"), "finding", "WC702"),
    ("rec-blank-line", recorded(lambda t: t + b"\n\n"), "finding", "WC702"),
    ("rec-self-hash", recorded(lambda t: t.replace(b"RECORD,,", b"RECORD,sha256=AAAA,1")), "finding", "WC702"),
    ("rec-bom", recorded(lambda t: b"\xef\xbb\xbf" + t), "finding", "WC702"),
    ("rec-crlf", recorded(lambda t: t.replace(b"\n", b"\r\n")), "ok", None),
    ("rec-cr", recorded(lambda t: t.replace(b"\n", b"\r")), "finding", "WC702"),
    ("rec-nul", recorded(lambda t: t + b"\0,,\n"), "finding", "WC702"),
    ("rec-four", recorded(lambda t: t.replace(b",,\n", b",,,\n")), "finding", "WC702"),
    ("rec-two", recorded(lambda t: t.replace(b",,\n", b",\n")), "finding", "WC702"),
    ("rec-dot-slash", recorded(lambda t: t.replace(b"hostile/a.py", b"./hostile/a.py")), "finding", "WC702"),
    ("rec-double-slash", recorded(lambda t: t.replace(b"hostile/a.py", b"hostile//a.py")), "finding", "WC702"),
    ("rec-backslash", recorded(lambda t: t.replace(b"hostile/a.py", b"hostile\\a.py")), "finding", "WC702"),
    ("rec-twice", recorded(lambda t: t + next(line for line in t.split(b"\n") if b"a.py" in line) + b"\n"), "ok", None),
    ("rec-case", recorded(lambda t: t.replace(b"hostile/a.py", b"hostile/A.py")), "finding", "WC702"),
    ("rec-sha512", rehashed("sha512"), "ok", None),
    ("rec-md5", rehashed("md5"), "finding", "WC702"),
    (
        "rec-padded",
        recorded(
            lambda t: b"\n".join(line.replace(b",6", b"=,6") if b"a.py" in line else line for line in t.split(b"\n"))
        ),
        "finding",
        "WC702",
    ),
    (
        "rec-plus-size",
        recorded(lambda t: b"\n".join(line[:-1] + b"+6" if line.endswith(b",6") else line for line in t.split(b"\n"))),
        "finding",
        "WC702",
    ),
    ("rec-semicolon", recorded(lambda t: t.replace(b",", b";")), "finding", "WC702"),
    ("sitecustomize", with_members(Member("sitecustomize.py", X)), "ok", None),
    ("usercustomize", with_members(Member("usercustomize.py", X)), "ok", None),
    ("stdlib-shadow", with_members(Member("os.py", X)), "ok", None),
    ("namespace-init", with_members(Member("google/__init__.py", X)), "ok", None),
    ("dist-file", header(b"Requires-Dist: p @ file:///etc/passwd"), "finding", "WC706"),
    ("dist-url-of-a-page", header(b"Requires-Dist: p @ https://example.org/p"), "finding", "WC706"),
    ("dist-url-of-a-wheel", header(b"Requires-Dist: p @ https://example.org/p-1.0-py3-none-any.whl"), "ok", None),
    ("dist-url-of-git", header(b"Requires-Dist: p @ git+https://example.org/p"), "ok", None),
]


def cases() -> list[Case]:
    return [
        Case(f"readers-{name}", expect, ROW, data, wheel_name(PURE_TAG), code=code)
        for name, data, expect, code in WHEELS
    ]
