"""Local headers that differ from the central directory: in the fields of one member, or in the list of members."""

import copy
import struct

from elf_maker import Library
from hostile import FILES, VICTIM, VICTIM_AT, VICTIM_TEXT, Case, pure
from zip_maker import Archive, Member, deflate, wheel_members

DOUBLED = "duplicate names, ghost local files, aliases, overlap, offsets outside"
DIFFER = "local/central differ in name, sizes, CRC, method, flags"


def spoiled(where: str, **fields) -> bytes:
    archive = pure()
    setattr(archive.members[VICTIM_AT], where, fields)
    return archive.build()


def with_member(*more: Member, at: int = VICTIM_AT + 1) -> Archive:
    """An archive with additional members. RECORD is that of the correct members."""
    archive = pure()
    archive.members[at:at] = more
    return archive


def cases():
    twice = Member(VICTIM, b"the other one\n")
    yield Case("name-twice", "reject", DOUBLED, with_member(twice).build(), member=VICTIM, says="two members")
    yield Case(
        "name-twice-same-bytes", "reject", DOUBLED, with_member(Member(VICTIM, VICTIM_TEXT)).build(), member=VICTIM
    )
    yield Case("name-twice-first-last", "reject", DOUBLED, with_member(twice, at=0).build(), member=VICTIM)
    yield Case(
        "name-twice-record",
        "reject",
        DOUBLED,
        with_member(Member("hostile-1.0.dist-info/RECORD", b"")).build(),
        member="hostile-1.0.dist-info/RECORD",
    )
    library = Member("hostile/core.so", Library().build())
    yield Case(
        "name-twice-elf",
        "reject",
        DOUBLED,
        with_member(library, Member("hostile/core.so", Library(needed=["libevil.so"]).build())).build(),
        member="hostile/core.so",
    )
    yield Case(
        "ghost-local-file", "reject", DOUBLED, with_member(Member("hostile/ghost.py", b"", listed=False)).build()
    )
    yield Case("ghost-of-a-listed-name", "reject", DOUBLED, with_member(Member(VICTIM, b"other", listed=False)).build())
    yield Case("ghost-first", "reject", DOUBLED, with_member(Member("ghost.py", b"", listed=False), at=0).build())
    ghost_last = pure()
    ghost_last.members.append(Member("hostile/ghost.py", b"", listed=False))
    yield Case("ghost-last", "reject", DOUBLED, ghost_last.build())
    shared = pure()
    shared.members.append(Member("hostile/alias.py", VICTIM_TEXT, present=False, share=VICTIM_AT))
    yield Case("alias-other-name", "reject", DOUBLED, shared.build())
    shared = pure()
    shared.members.append(Member(VICTIM, VICTIM_TEXT, present=False, share=VICTIM_AT))
    yield Case("alias-same-name", "reject", DOUBLED, shared.build(), member=VICTIM)
    for name, offset in {"end": 10**6, "last-byte": None, "directory": "directory", "all-but-ones": 0xFFFFFFFE}.items():
        archive = pure()
        whole = archive.build()
        at = len(whole) - 1 if offset is None else archive.places[offset] if isinstance(offset, str) else offset
        yield Case(f"offset-{name}", "reject", DOUBLED, spoiled("central", offset=at), member=VICTIM)
    archive = pure()
    archive.build()
    yield Case("offset-inside-data", "reject", DOUBLED, spoiled("central", offset=archive.places["data 0"]))
    yield Case("offset-one-off", "reject", DOUBLED, spoiled("central", offset=archive.places["local 1"] + 1))
    yield Case("offset-zero", "reject", DOUBLED, spoiled("central", offset=0))
    swapped = pure()
    swapped.members[0].central = {"offset": archive.places["local 1"]}
    swapped.members[1].central = {"offset": 0}
    yield Case("offset-swapped", "reject", DOUBLED, swapped.build())

    # A member whose compressed bytes are the next member's header and data (Fifield's quoting).
    quoting = pure()
    inner = quoting.members[VICTIM_AT]
    quoted = inner.local_record() + inner.packed_bytes()
    block = b"\0" + len(quoted).to_bytes(2, "little") + (0xFFFF ^ len(quoted)).to_bytes(2, "little")
    outer = Member(
        "hostile/outer.py", b"", packed=block, both={"packed_size": len(block) + len(quoted), "size": len(quoted)}
    )
    quoting.members.insert(VICTIM_AT, outer)
    yield Case("overlap-quoted", "reject", DOUBLED, quoting.build())
    grown = pure()
    grown.members[VICTIM_AT].both = {"packed_size": len(deflate(VICTIM_TEXT)) + 20}
    yield Case("overlap-next-header", "reject", DOUBLED, grown.build(), member=VICTIM)
    grown = pure()
    grown.members[-1].both = {"packed_size": len(grown.members[-1].packed_bytes()) + 40}
    yield Case("overlap-directory", "reject", DOUBLED, grown.build(), member="hostile-1.0.dist-info/RECORD")
    shrunk = pure()
    shrunk.members[VICTIM_AT].both = {"packed_size": len(deflate(VICTIM_TEXT)) - 1}
    yield Case("overlap-none-but-gap", "reject", DOUBLED, shrunk.build(), member=VICTIM)
    stacked = pure()
    kernel = copy.copy(stacked.members[VICTIM_AT])
    for number in range(20):
        stacked.members.append(Member(f"hostile/copy{number}.py", kernel.data, present=False, share=VICTIM_AT))
    yield Case("overlap-twenty-aliases", "reject", DOUBLED, stacked.build())

    ordered = pure()
    ordered.order = list(reversed(range(len(ordered.members))))
    yield Case("directory-in-another-order", "ok", DOUBLED, ordered.build())

    size = len(deflate(VICTIM_TEXT))
    for where in ("local", "central"):
        for name, fields in {
            "crc": {"crc": 0x12345678},
            "crc-zero": {"crc": 0},
            "size": {"size": len(VICTIM_TEXT) - 1},
            "size-zero": {"size": 0},
            "packed-size": {"packed_size": size - 1},
            "method": {"method": 0},
            "flag-descriptor": {"flags": 8},
            "flag-utf8": {"flags": 1 << 11},
            "version": {"version": 63},
            "signature": {"signature": 0x04034B51},
        }.items():
            says = None if name in ("signature", "crc-zero", "size-zero") else VICTIM
            yield Case(f"differs-{where}-{name}", "reject", DIFFER, spoiled(where, **fields), member=says)
    for name, local in {
        "other": b"hostile/vertex.py",
        "shorter": b"hostile/victim.p",
        "case": b"hostile/Victim.py",
        "backslash": b"hostile\\victim.py",
        "absolute": b"/ostile/victim.py",
        "nul": b"hostile/victim\0py",
        "empty": b"",
    }.items():
        archive = pure()
        archive.members[VICTIM_AT].local_name = local
        yield Case(f"differs-name-{name}", "reject", DIFFER, archive.build(), member=VICTIM)
    # A wheel with valid names, in which all local headers have the names of other members.
    crossed = pure()
    for m, other in zip(crossed.members, reversed(pure().members), strict=True):
        m.local_name = other.raw_name()
    yield Case("differs-names-crossed", "reject", DIFFER, crossed.build())
    for name, tag in {"local": "local_extra", "central": "central_extra"}.items():
        for kind, text in {
            "longer-than-all": b"\x55\x54\xff\0abc",
            "cut": b"\x55\x54\x01",
            "three-bytes": b"\0\0\0",
        }.items():
            archive = pure()
            setattr(archive.members[VICTIM_AT], tag, text)
            yield Case(f"extra-{name}-{kind}", "reject", DIFFER, archive.build(), member=VICTIM)
    # libarchive reads the mode of a member from extra field 0x6c78 of its local header, unzip from 0x756e. Here it is a
    # symbolic link.
    kinds = {
        "experimental-mode": struct.pack("<HHBI", 0x6C78, 5, 4, 0o120777 << 16),
        "asi-unix": struct.pack("<HHIHIHH", 0x756E, 14, 0, 0o120777, 0, 0, 0),
        "aes": struct.pack("<HH7s", 0x9901, 7, b"\2\0AE\3\0\0"),
        "unknown": struct.pack("<HH", 0x4242, 0),
    }
    for kind, field in kinds.items():
        for tag in ("local_extra", "central_extra"):
            archive = pure()
            setattr(archive.members[VICTIM_AT], tag, field)
            yield Case(f"extra-{kind}-{tag[:5]}", "reject", DIFFER, archive.build(), member=VICTIM, says="extra field 0x")
    archive = pure()
    archive.members[VICTIM_AT].local_extra = b"\x55\x54\x05\0\1" + bytes(4)
    archive.members[VICTIM_AT].central_extra = b"\x55\x54\x05\0\1" + bytes(4)
    yield Case("extra-timestamp", "ok", DIFFER, archive.build())
    archive = pure()
    archive.members[VICTIM_AT].central = {"internal": 1}
    yield Case("internal-says-text", "ok", DIFFER, archive.build())
    assert len(FILES) == 3
    both = Archive(wheel_members(FILES, tag="py3-none-any"))
    both.members[VICTIM_AT].both = {"time": 0xFFFF, "date": 0xFFFF}
    yield Case("date-impossible", "ok", DIFFER, both.build())
