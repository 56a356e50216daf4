"""Bytes that belong to no member, two archives in one file, and comments: files that readers interpret differently."""

import tarfile
import zlib

from elf_maker import Library
from hostile import VICTIM, VICTIM_AT, Case, pure
from zip_maker import Archive, Member, wheel_members

ROW = (
    "bytes before, between, after members; after the end record; polyglots; two archives; end-record signature in the "
    "comment"
)
COMMENT = "printable archive comment"
DIRECTORY = "directory comment; consistent data descriptor on a deflated member"


def spoiled(**how) -> bytes:
    archive = pure()
    for key, value in how.items():
        setattr(archive, key, value)
    return archive.build()


def member(**how) -> bytes:
    archive = pure()
    for key, value in how.items():
        setattr(archive.members[VICTIM_AT], key, value)
    return archive.build()


def png() -> bytes:
    def chunk(kind, data):
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", b"\0\0\0\1\0\0\0\1\x08\0\0\0\0")
        + chunk(b"IDAT", zlib.compress(b"\0\0"))
        + chunk(b"IEND", b"")
    )


def tar_polyglot() -> bytes:
    """A tar file whose only member is the archive. Offsets count from the start of the tar file."""
    archive = pure()
    info = tarfile.TarInfo("inner.whl")
    archive.prefix = info.tobuf() if hasattr(info, "tobuf") else bytes(512)
    return archive.build()


def cases():
    yield Case("bytes-before", "reject", ROW, spoiled(prefix=b"#!/bin/sh\nexit\n"))
    yield Case("bytes-before-uncounted", "reject", ROW, spoiled(prefix=b"#!/bin/sh\nexit\n", counted=False))
    yield Case("bytes-before-one", "reject", ROW, spoiled(prefix=b"\0"))
    yield Case("bytes-before-one-uncounted", "reject", ROW, spoiled(prefix=b"\0", counted=False))
    yield Case("bytes-before-spanned", "reject", ROW, spoiled(prefix=b"PK\x07\x08"))
    yield Case("bytes-between-members", "reject", ROW, member(before=b"between"))
    yield Case("bytes-between-zeros", "reject", ROW, member(before=bytes(512)))
    yield Case("bytes-between-one", "reject", ROW, member(after=b"\0"))
    yield Case("bytes-behind-member", "reject", ROW, member(after=b"like a descriptor"), member=VICTIM)
    yield Case(
        "bytes-behind-undeclared-descriptor", "reject", ROW, member(descriptor=b"PK\x07\x08" + bytes(12)), member=VICTIM
    )
    yield Case("bytes-before-directory", "reject", ROW, spoiled(before_directory=b"gap"))
    yield Case(
        "bytes-before-directory-signing-block", "reject", ROW, spoiled(before_directory=bytes(32) + b"APK Sig Block 42")
    )
    yield Case("bytes-in-directory", "reject", ROW, spoiled(in_directory=b"\0" * 46))
    yield Case("bytes-digital-signature", "reject", ROW, spoiled(in_directory=b"PK\x05\x05\x04\0sign"))
    yield Case("bytes-before-end", "reject", ROW, spoiled(before_end=b"gap"))
    yield Case("bytes-after-end", "reject", ROW, spoiled(suffix=b"trailing"))
    yield Case("bytes-after-end-one-zero", "reject", ROW, spoiled(suffix=b"\0"))
    yield Case("bytes-after-end-zeros", "reject", ROW, spoiled(suffix=bytes(70000)))
    yield Case("bytes-after-end-line", "reject", ROW, spoiled(suffix=b"\n"))

    yield Case("polyglot-png", "reject", ROW, spoiled(prefix=png()))
    yield Case("polyglot-elf", "reject", ROW, spoiled(prefix=Library().build()))
    yield Case("polyglot-elf-uncounted", "reject", ROW, spoiled(prefix=Library().build(), counted=False))
    yield Case("polyglot-pdf", "reject", ROW, spoiled(suffix=b"\n%PDF-1.4\n%%EOF\n"))
    yield Case("polyglot-tar", "reject", ROW, tar_polyglot())
    yield Case("polyglot-python", "reject", ROW, spoiled(prefix=b"#!/usr/bin/env python3\n"))

    other = pure({"hostile/__init__.py": b"evil = 1\n"}).build()
    yield Case("two-archives", "reject", ROW, pure().build() + other)
    yield Case("two-archives-in-front", "reject", ROW, spoiled(prefix=other))
    yield Case("two-archives-in-comment", "reject", ROW, spoiled(comment=other))
    end = b"PK\x05\x06" + bytes(18)
    yield Case("comment-with-end-signature", "reject", ROW, spoiled(comment=b"about PK\x05\x06 it"))
    yield Case("comment-is-an-end-record", "reject", ROW, spoiled(comment=end))
    yield Case("comment-ends-in-an-end-record", "reject", ROW, spoiled(comment=b"x" * 40 + end))
    yield Case(
        "comment-holds-end-that-reaches",
        "reject",
        ROW,
        spoiled(comment=b"x" * 40 + end[:20] + (10).to_bytes(2, "little") + b"y" * 10),
    )
    yield Case("comment-length-short", "reject", ROW, spoiled(comment=b"a comment", end={"comment_length": 4}))
    yield Case("comment-length-zero", "reject", ROW, spoiled(comment=b"a comment", end={"comment_length": 0}))
    yield Case("comment-length-long", "reject", ROW, spoiled(comment=b"a comment", end={"comment_length": 60}))
    inner = Archive(wheel_members({"hostile/inner.py": b""}, tag="py3-none-any")).build()
    yield Case(
        "archive-stored-inside-is-data",
        "ok",
        ROW,
        pure([Member("hostile/__init__.py", b""), Member("hostile/data.bin", inner + b"tail", method=0)]).build(),
    )

    yield Case("comment-printable", "ok", COMMENT, spoiled(comment=b"made by hand, 2026"))
    yield Case("comment-printable-longest", "ok", COMMENT, spoiled(comment=b"c" * 0xFFFF))
    yield Case("comment-utf8", "ok", COMMENT, spoiled(comment="gr\u00fc\u00dfe".encode()))
    for name, text in {
        "escape": b"\x1b[2J",
        "newline": b"one\ntwo",
        "nul": b"a\0b",
        "start-of-heading": b"\1\2\3",
    }.items():
        yield Case(f"comment-{name}", "finding", COMMENT, spoiled(comment=text), says="comment")
    yield Case("comment-bell", "finding", COMMENT, spoiled(comment=b"\a"), says="comment")
    yield Case("comment-delete", "finding", COMMENT, spoiled(comment=b"a\x7f"), says="comment")

    yield Case(
        "directory-comment", "finding", DIRECTORY, member(comment=b"about the member"), member=VICTIM, says="comment"
    )
    yield Case(
        "directory-comment-control", "finding", DIRECTORY, member(comment=b"\x1b[31m\0"), member=VICTIM, says="comment"
    )
    yield Case("directory-comment-longest", "finding", DIRECTORY, member(comment=b"c" * 0xFFFF), member=VICTIM)
    yield Case(
        "directory-comment-holds-header", "finding", DIRECTORY, member(comment=b"PK\1\2" + bytes(60)), member=VICTIM
    )
    yield Case(
        "directory-comment-length-long", "reject", DIRECTORY, member(comment=b"c", central={"comment_length": 900})
    )
