"""Encryption, compression methods, versions, and data that does not match the headers."""

import bz2
import lzma
import zlib

from elf_maker import Library
from hostile import CORE, ELF_TAG, VICTIM, VICTIM_AT, VICTIM_TEXT, Case, pure
from zip_maker import Archive, Member, deflate, wheel_members, wheel_name

METHOD = "encrypted, patched, masked; any method but 0 and 8; version needed > 4.5"
CONTENT = "CRC wrong, deflate damaged, bytes after its end, sizes not as declared, in *any* member (.py too)"


def spoiled(**how) -> bytes:
    archive = pure()
    for key, value in how.items():
        setattr(archive.members[VICTIM_AT], key, value)
    return archive.build()


def packed_as(text: bytes, **both) -> bytes:
    return spoiled(packed=text, both={"packed_size": len(text), **both})


def cases():
    text = deflate(VICTIM_TEXT)
    yield Case("method-encrypted", "reject", METHOD, spoiled(both={"flags": 1}), member=VICTIM, says="encrypted")
    yield Case(
        "method-encrypted-with-header",
        "reject",
        METHOD,
        spoiled(packed=bytes(12) + text, both={"flags": 1, "packed_size": len(text) + 12}),
        member=VICTIM,
    )
    yield Case(
        "method-strong-encryption", "reject", METHOD, spoiled(both={"flags": 0x41, "version": 50}), member=VICTIM
    )
    yield Case("method-strong-encryption-bit-alone", "reject", METHOD, spoiled(both={"flags": 0x40}), member=VICTIM)
    yield Case("method-encrypted-in-local-only", "reject", METHOD, spoiled(local={"flags": 1}), member=VICTIM)
    yield Case("method-aes", "reject", METHOD, spoiled(both={"flags": 1, "method": 99}), member=VICTIM)
    yield Case("method-patched", "reject", METHOD, spoiled(both={"flags": 0x20}), member=VICTIM)
    yield Case("method-masked", "reject", METHOD, spoiled(both={"flags": 0x2000}), member=VICTIM)
    for number, name in {
        1: "shrunk",
        2: "reduced",
        6: "imploded",
        9: "deflate64",
        12: "bzip2",
        14: "lzma",
        20: "zstd-old",
        93: "zstd",
        95: "xz",
        96: "jpeg",
        98: "ppmd",
        0xFFFF: "largest",
    }.items():
        data = bz2.compress(VICTIM_TEXT) if number == 12 else lzma.compress(VICTIM_TEXT) if number == 95 else text
        yield Case(
            f"method-{name}",
            "reject",
            METHOD,
            spoiled(packed=data, both={"method": number, "packed_size": len(data)}),
            member=VICTIM,
            says=str(number),
        )
    for version in (46, 51, 63, 255):
        yield Case(f"version-needed-{version}", "reject", METHOD, spoiled(both={"version": version}), member=VICTIM)
    for version in (0, 10, 45):
        yield Case(f"version-needed-{version}", "ok", METHOD, spoiled(both={"version": version}))
    yield Case("method-stored", "ok", METHOD, spoiled(method=0))
    yield Case("method-fast-deflate-flags", "ok", METHOD, spoiled(both={"flags": 6}))
    yield Case("method-reserved-flags", "reject", METHOD, spoiled(both={"flags": 0x8000}), member=VICTIM)

    crc = zlib.crc32(VICTIM_TEXT)
    for name in (
        VICTIM,
        "hostile-1.0.dist-info/METADATA",
        "hostile-1.0.dist-info/WHEEL",
        "hostile-1.0.dist-info/RECORD",
    ):
        archive = pure()
        for m in archive.members:
            if m.name == name:
                m.both = {"crc": zlib.crc32(m.data) ^ 1}
        yield Case(f"crc-wrong-{name.rsplit('/')[-1]}", "reject", CONTENT, archive.build(), member=name)
    elf = Archive(wheel_members({CORE: Library().build()}, tag=ELF_TAG))
    elf.members[0].both = {"crc": 0}
    yield Case("crc-wrong-elf", "reject", CONTENT, elf.build(), wheel_name(ELF_TAG), member=CORE)
    stored = pure()
    stored.members[VICTIM_AT].method = 0
    stored.members[VICTIM_AT].both = {"crc": crc ^ 0x80000000}
    yield Case("crc-wrong-stored", "reject", CONTENT, stored.build(), member=VICTIM)
    yield Case(
        "crc-wrong-data-file",
        "reject",
        CONTENT,
        wheel_with(Member("hostile/data.bin", bytes(range(256)) * 20, both={"crc": 1})),
        member="hostile/data.bin",
    )
    yield Case(
        "crc-wrong-empty-file",
        "reject",
        CONTENT,
        wheel_with(Member("hostile/empty", b"", method=0, both={"crc": 1})),
        member="hostile/empty",
    )
    yield Case("content-two-bytes-for-nothing", "ok", CONTENT, wheel_with(Member("hostile/empty", b"")))

    flipped = bytearray(text)
    flipped[len(text) // 2] ^= 0x10
    yield Case("deflate-bit-flipped", "reject", CONTENT, packed_as(bytes(flipped)), member=VICTIM)
    yield Case("deflate-cut", "reject", CONTENT, packed_as(text[:-4]), member=VICTIM)
    yield Case("deflate-no-bytes", "reject", CONTENT, packed_as(b""), member=VICTIM)
    yield Case("deflate-bytes-after-end", "reject", CONTENT, packed_as(text + b"after"), member=VICTIM)
    yield Case("deflate-one-byte-after-end", "reject", CONTENT, packed_as(text + b"\0"), member=VICTIM)
    yield Case("deflate-two-streams", "reject", CONTENT, packed_as(text + text), member=VICTIM)
    yield Case("deflate-bad-block-type", "reject", CONTENT, packed_as(b"\x07" + text[1:]), member=VICTIM)
    yield Case("deflate-stored-block-lie", "reject", CONTENT, packed_as(b"\1\x10\0\0\0" + bytes(16)), member=VICTIM)
    yield Case("deflate-zlib-header", "reject", CONTENT, packed_as(zlib.compress(VICTIM_TEXT)), member=VICTIM)
    yield Case(
        "deflate-distance-before-start", "reject", CONTENT, packed_as(b"\x4b\x04\x82\x24\x80\x01\0"), member=VICTIM
    )
    endless = b"\0\1\0\xfe\xff#" * 64  # none of the blocks is the last one
    yield Case("deflate-never-last", "reject", CONTENT, packed_as(endless), member=VICTIM)
    yield Case("deflate-empty-blocks", "reject", CONTENT, packed_as(b"\0\0\0\xff\xff" * 20000), member=VICTIM)
    yield Case("deflate-empty-blocks-then-text", "ok", CONTENT, packed_as(b"\0\0\0\xff\xff" * 200 + text))
    yield Case("deflate-flushed", "ok", CONTENT, packed_as(flushed()))
    size = len(VICTIM_TEXT)
    for name, told in {
        "one-less": size - 1,
        "one-more": size + 1,
        "zero": 0,
        "half": size // 2,
        "double": 2 * size,
    }.items():
        yield Case(f"size-{name}", "reject", CONTENT, packed_as(text, size=told), member=VICTIM)
        right_crc = zlib.crc32(VICTIM_TEXT[:told])
        if told < size:
            yield Case(
                f"size-{name}-and-its-crc", "reject", CONTENT, packed_as(text, size=told, crc=right_crc), member=VICTIM
            )
    yield Case("size-stored-differs", "reject", CONTENT, spoiled(method=0, both={"size": size - 3}), member=VICTIM)


def flushed() -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    parts = [packer.compress(VICTIM_TEXT[:100]) + packer.flush(zlib.Z_FULL_FLUSH), packer.compress(VICTIM_TEXT[100:])]
    return b"".join(parts) + packer.flush()


def wheel_with(member: Member) -> bytes:
    return pure([Member("hostile/__init__.py", b""), member]).build()
