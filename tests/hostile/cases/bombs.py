"""Data that decompresses to far more than its size, or claims to."""

import struct
import zlib

from elf_maker import Library, Section
from hostile import CORE, ELF_TAG, VICTIM, VICTIM_AT, Case, pure
from zip_maker import Archive, Member, deflate, wheel_members, wheel_name, zip64_extra

DECLARED = "declared size > 1032 x compressed + 1 KiB"
LIMITS = "archive over ratio or size limits"
DEBUG = "compressed debug sections, also a 2 GiB one"
MB, GB = 1 << 20, 1 << 30


def zeros(size: int) -> tuple[bytes, int]:
    """`size` zeros, deflated, and their CRC, without all of them in memory."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    out, crc, block = [], 0, bytes(MB)
    for _ in range(size // MB):
        out.append(packer.compress(block))
        crc = zlib.crc32(block, crc)
    return b"".join(out) + packer.flush(), crc


def with_member(member: Member) -> bytes:
    archive = pure([Member("hostile/__init__.py", b"")])
    archive.members.insert(1, member)
    return archive.build()


def declared(packed: bytes, size: int, crc: int = 0, name: str = "hostile/big.bin") -> Member:
    both = {"packed_size": len(packed), "crc": crc}
    if size < 0xFFFFFFFF:
        return Member(name, b"", packed=packed, both={**both, "size": size})
    field = zip64_extra(size, len(packed))
    member = Member(name, b"", packed=packed, local_extra=field, central_extra=field)
    member.both = {**both, "packed_size": 0xFFFFFFFF, "size": 0xFFFFFFFF}
    return member


def debug_library(size: int) -> bytes:
    """A complete library with a compressed .debug_info that would inflate to `size` bytes."""
    packed = struct.pack("<IIQQ", 1, 0, size, 1) + zlib.compress(bytes(4096))
    library = Library(extras=[("debug", packed)])

    def sections(lib, out):
        return [*out[:-1], Section(".debug_info", 1, 0, lib.offset("debug"), len(packed), flags=0x800), out[-1]]

    library.edit_sections = sections
    return library.build()


def cases():
    big = "hostile/big.bin"
    text = deflate(b"small")
    yield Case("declared-4-gib-of-five-bytes", "reject", DECLARED, with_member(declared(text, 0xFFFFFFFE)), member=big)
    yield Case("declared-7-gib-of-five-bytes", "reject", DECLARED, with_member(declared(text, 7 * GB)), member=big)
    yield Case("declared-2-63", "reject", LIMITS, with_member(declared(text, 1 << 63)), member=big)
    yield Case(
        "declared-just-above", "reject", DECLARED, with_member(declared(text, 1032 * len(text) + 1025)), member=big
    )
    yield Case(
        "declared-just-below-and-wrong",
        "reject",
        DECLARED,
        with_member(declared(text, 1032 * len(text) + 1024)),
        member=big,
    )
    yield Case("declared-nothing-packed", "reject", DECLARED, with_member(declared(b"", 4096)), member=big)
    yield Case(
        "declared-python-4-gib", "reject", DECLARED, with_member(declared(text, 0xFFFFFFFE, name=VICTIM)), member=VICTIM
    )
    record = pure()
    record.members[-1] = declared(text, GB, name="hostile-1.0.dist-info/RECORD")
    yield Case("declared-record-1-gib", "reject", DECLARED, record.build(), member="hostile-1.0.dist-info/RECORD")
    yield Case(
        "declared-over-member-limit",
        "reject",
        LIMITS,
        with_member(declared(bytes(9 * MB), 9 * GB)),
        member=big,
        says="--limit member-bytes",
    )
    yield Case("declared-over-total-limit", "reject", LIMITS, total(), says="--limit total-bytes")

    small, crc = zeros(MB)
    yield Case("ratio-high-but-small", "ok", LIMITS, ok_member(declared(small, MB, crc), MB))
    large, crc = zeros(96 * MB)
    yield Case("ratio-96-mib", "reject", LIMITS, with_member(declared(large, 96 * MB, crc)), says="--limit ratio")
    huge, crc = zeros(1024 * MB)
    yield Case("ratio-1-gib", "reject", LIMITS, with_member(declared(huge, GB, crc)), says="--limit ratio")
    yield Case("ratio-sum-of-many", "reject", LIMITS, many(small, zlib.crc32(bytes(MB))), says="--limit ratio")
    yield Case(
        "inflates-past-declared",
        "reject",
        LIMITS,
        with_member(declared(large, 100, zlib.crc32(bytes(100)))),
        member=big,
    )
    yield Case("inflates-1-gib-past-declared", "reject", LIMITS, with_member(declared(huge, 5 * MB, crc)), member=big)
    yield Case(
        "python-inflates-past-declared",
        "reject",
        LIMITS,
        with_member(declared(large, 10, zlib.crc32(bytes(10)), VICTIM)),
        member=VICTIM,
    )

    for name, option in {
        "RECORD": "--limit record-bytes",
        "METADATA": "--limit metadata-bytes",
        "WHEEL": "--limit wheel-file-bytes",
    }.items():
        size = {"RECORD": 33, "METADATA": 9, "WHEEL": 2}[name] * MB
        packed, crc = zeros(size)
        archive = pure()
        for number, m in enumerate(archive.members):
            if m.name == f"hostile-1.0.dist-info/{name}":
                archive.members[number] = declared(packed, size, crc, m.name)
        yield Case(
            f"limit-{name.lower()}",
            "reject",
            LIMITS,
            archive.build(),
            member=f"hostile-1.0.dist-info/{name}",
            says=option,
        )
    crowd = pure([Member(f"m/{n}", b"", method=0) for n in range(200_001)], record_text=b"")
    crowd.end64 = {}
    crowd.end = {"members": 0xFFFF, "members_here": 0xFFFF}
    yield Case("limit-members", "reject", LIMITS, crowd.build(), says="--limit members")
    said = pure()
    said.end64 = {"members": 10**6, "members_here": 10**6}
    said.end = {"members": 0xFFFF, "members_here": 0xFFFF}
    yield Case("limit-members-said", "reject", LIMITS, said.build())
    yield Case("limit-many-members", "ok", LIMITS, pure({f"hostile/m{n}": b"" for n in range(5_000)}).build())
    assert VICTIM_AT == 1

    for name, size in {"4-kib": 4096, "2-gib": 2 * GB, "all-ones": (1 << 64) - 1}.items():
        elf = debug_library(size)
        yield Case(
            f"debug-compressed-{name}",
            "ok",
            DEBUG,
            Archive(wheel_members({CORE: elf}, tag=ELF_TAG)).build(),
            wheel_name(ELF_TAG),
            elf=elf,
            loads=True,
        )


def ok_member(member: Member, size: int) -> bytes:
    data = bytes(size)
    return pure([Member("hostile/__init__.py", b""), Member(member.raw_name(), data)]).build()


def total() -> bytes:
    """Three members below the limit for one member, but together above the limit for all."""
    packed = bytes(7 * MB)
    archive = pure([Member("hostile/__init__.py", b"")])
    archive.members[1:1] = [declared(packed, 6 * GB, name=f"hostile/big{n}") for n in range(3)]
    return archive.build()


def many(packed: bytes, crc: int) -> bytes:
    archive = pure([Member("hostile/__init__.py", b"")])
    archive.members[1:1] = [declared(packed, MB, crc, f"hostile/part{n}") for n in range(96)]
    return archive.build()
