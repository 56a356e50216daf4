"""Counts, sizes and offsets in the end records, including ZIP64; ZIP64 extra fields; the Unicode path."""

import struct
import zlib

from hostile import VICTIM, VICTIM_AT, VICTIM_TEXT, Case, pure
from zip_maker import deflate, extra, zip64_extra

END = (
    "counts, sizes, offsets, disks of the end records wrong; ZIP64 record without locator, extensible, disagreeing, "
    "huge"
)
EXTRA = "ZIP64 extra missing, short, long, doubled, overriding; Unicode Path that differs"
ONES16, ONES32, ONES64 = 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF
COUNT = len(pure().members)


def ended(end=None, end64=None, **how) -> bytes:
    archive = pure()
    archive.end = end or {}
    archive.end64 = end64
    for key, value in how.items():
        setattr(archive, key, value)
    return archive.build()


def with_extra(local: bytes = b"", central: bytes = b"", in_local=None, in_central=None) -> bytes:
    archive = pure()
    m = archive.members[VICTIM_AT]
    m.local_extra, m.central_extra = local, central
    m.local, m.central = in_local or {}, in_central or {}
    return archive.build()


def unicode_path(name: str, version: int = 1, crc: int | None = None) -> bytes:
    value = zlib.crc32(VICTIM.encode()) if crc is None else crc
    return extra(0x7075, struct.pack("<BI", version, value) + name.encode())


def cases():
    size = len(VICTIM_TEXT)
    packed = len(deflate(VICTIM_TEXT))
    for name, fields in {
        "count-low": {"members": COUNT - 1, "members_here": COUNT - 1},
        "count-high": {"members": COUNT + 1, "members_here": COUNT + 1},
        "count-zero": {"members": 0, "members_here": 0},
        "count-largest": {"members": 65534, "members_here": 65534},
        "counts-differ": {"members_here": 1},
        "counts-differ-other": {"members": COUNT + 2},
        "disk": {"disk": 1},
        "directory-disk": {"directory_disk": 1},
        "disks": {"disk": 1, "directory_disk": 1},
        "size-low": {"directory_size": 46},
        "size-zero": {"directory_size": 0},
        "size-huge": {"directory_size": 0x7FFFFFFF},
        "offset-zero": {"directory_offset": 0},
        "offset-low": {"directory_offset": 100},
        "offset-huge": {"directory_offset": 0xFFFFFFF0},
        "count-says-zip64": {"members": ONES16, "members_here": ONES16},
        "size-says-zip64": {"directory_size": ONES32},
        "offset-says-zip64": {"directory_offset": ONES32},
    }.items():
        yield Case(f"end-{name}", "reject", END, ended(fields))
    yield Case("end-offset-one-more", "reject", END, ended({"directory_offset": len(ended()) // 2}))
    twisted = pure()
    twisted.build()
    start = twisted.places["directory"]
    second = twisted.places["central 1"]
    twisted.end = {
        "directory_offset": second,
        "directory_size": twisted.places["end"] - second,
        "members": COUNT - 1,
        "members_here": COUNT - 1,
    }
    yield Case("end-skips-first-entry", "reject", END, twisted.build())
    assert start < second

    ones = {"members": ONES16, "members_here": ONES16, "directory_size": ONES32, "directory_offset": ONES32}
    yield Case("zip64-end-good", "ok", END, ended(ones, {}))
    yield Case("zip64-end-good-all-ones", "ok", END, ended({**ones, "disk": ONES16, "directory_disk": ONES16}, {}))
    yield Case("zip64-end-same-twice", "ok", END, ended({}, {}))
    yield Case("zip64-end-no-locator", "reject", END, ended(ones, {}, no_locator=True))
    yield Case("zip64-end-no-locator-same", "reject", END, ended({}, {}, no_locator=True))
    yield Case("zip64-locator-alone", "reject", END, ended({}, None, locator={}))
    yield Case("zip64-locator-alone-ones", "reject", END, ended(ones, None, locator={}))
    for name, fields in {
        "offset-zero": {"end64_offset": 0},
        "offset-huge": {"end64_offset": ONES64},
        "offset-one-less": {"end64_offset": 3},
        "disk": {"disk": 1},
        "disks-zero": {"disks": 0},
        "disks-two": {"disks": 2},
        "signature": {"signature": 0x07064B51},
    }.items():
        yield Case(f"zip64-locator-{name}", "reject", END, ended(ones, {}, locator=fields))
    for name, fields in {
        "count-huge": {"members": ONES64, "members_here": ONES64},
        "count-high": {"members": COUNT + 1, "members_here": COUNT + 1},
        "counts-differ": {"members_here": 2},
        "size-huge": {"directory_size": ONES64 - 100},
        "size-wraps": {"directory_size": ONES64, "directory_offset": 1},
        "offset-huge": {"directory_offset": 1 << 63},
        "offset-zero": {"directory_offset": 0},
        "disk": {"disk": 1},
        "directory-disk": {"directory_disk": 7},
        "version": {"version": 62},
        "length-short": {"length": 43},
        "length-long": {"length": 45},
        "length-huge": {"length": ONES64},
        "signature": {"signature": 0x06064B51},
        "count-billions": {"members": 1 << 33, "members_here": 1 << 33},
    }.items():
        yield Case(f"zip64-end-{name}", "reject", END, ended(ones, fields))
    for name, fields in {
        "count": {"members": COUNT - 1, "members_here": COUNT - 1},
        "size": {"directory_size": 46},
        "offset": {"directory_offset": 1},
        "disk": {"disk": 3},
    }.items():
        yield Case(f"zip64-end-disagrees-{name}", "reject", END, ended(fields, {}))
    yield Case("zip64-end-extensible", "reject", END, ended(ones, {}, end64_tail=b"\1\0\4\0\0\0data"))
    yield Case(
        "zip64-end-extensible-undeclared", "reject", END, ended(ones, {"length": 44}, end64_tail=b"\1\0\4\0\0\0data")
    )
    yield Case("zip64-end-gap", "reject", END, ended(ones, {}, between_ends=b"gap"))
    yield Case("zip64-gap-behind-locator", "reject", END, ended(ones, {}, after_locator=b"gap"))

    # One ZIP64 record where a locator points to, and another right before the locator.
    both = pure()
    both.end64 = {}
    both.end = ones
    both.before_end = pure().build()[:0] + b"PK\6\6" + bytes(52)
    yield Case("zip64-end-two-records", "reject", END, both.build())

    big = {"size": ONES32, "packed_size": ONES32}
    good = zip64_extra(size, packed)
    yield Case("zip64-extra-good", "ok", EXTRA, with_extra(good, good, big, big))
    yield Case("zip64-extra-in-local-only", "ok", EXTRA, with_extra(good, b"", big))
    yield Case("zip64-extra-local-not-needed", "ok", EXTRA, with_extra(good))
    yield Case("zip64-extra-not-needed", "reject", EXTRA, with_extra(good, good), member=VICTIM)  # uv refuses it
    yield Case("zip64-extra-not-needed-size", "reject", EXTRA, with_extra(b"", zip64_extra(size)), member=VICTIM)
    yield Case("zip64-extra-missing", "reject", EXTRA, with_extra(b"", b"", big, big), member=VICTIM)
    yield Case("zip64-extra-missing-central", "reject", EXTRA, with_extra(good, b"", big, big), member=VICTIM)
    yield Case("zip64-extra-missing-local", "reject", EXTRA, with_extra(b"", good, big, big), member=VICTIM)
    yield Case("zip64-extra-short", "reject", EXTRA, with_extra(good, zip64_extra(size), big, big), member=VICTIM)
    yield Case("zip64-extra-cut-value", "reject", EXTRA, with_extra(good, extra(1, bytes(12)), big, big), member=VICTIM)
    yield Case("zip64-extra-empty", "reject", EXTRA, with_extra(good, extra(1, b""), big, big), member=VICTIM)
    yield Case(
        "zip64-extra-long", "reject", EXTRA, with_extra(good, zip64_extra(size, packed, 0, 0), big, big), member=VICTIM
    )
    yield Case("zip64-extra-doubled", "reject", EXTRA, with_extra(good, good + good, big, big), member=VICTIM)
    yield Case("zip64-extra-doubled-local", "reject", EXTRA, with_extra(good + good, good, big, big), member=VICTIM)
    yield Case(
        "zip64-extra-doubled-differs",
        "reject",
        EXTRA,
        with_extra(good, good + zip64_extra(1, 2), big, big),
        member=VICTIM,
    )
    yield Case("zip64-extra-overrides", "reject", EXTRA, with_extra(b"", zip64_extra(size + 1, packed)), member=VICTIM)
    yield Case(
        "zip64-extra-overrides-local", "reject", EXTRA, with_extra(zip64_extra(size + 1, packed), b""), member=VICTIM
    )
    yield Case(
        "zip64-extra-overrides-offset", "reject", EXTRA, with_extra(b"", zip64_extra(size, packed, 4)), member=VICTIM
    )
    yield Case(
        "zip64-extra-swapped", "reject", EXTRA, with_extra(good, zip64_extra(packed, size), big, big), member=VICTIM
    )
    yield Case(
        "zip64-extra-huge",
        "reject",
        EXTRA,
        with_extra(zip64_extra(ONES64, packed), zip64_extra(ONES64, packed), big, big),
        member=VICTIM,
    )
    yield Case(
        "zip64-extra-offset-huge",
        "reject",
        EXTRA,
        with_extra(b"", zip64_extra(ONES64), None, {"offset": ONES32}),
        member=VICTIM,
    )
    yield Case(
        "zip64-extra-disk",
        "reject",
        EXTRA,
        with_extra(b"", extra(1, b"\1\0\0\0"), None, {"disk": ONES16}),
        member=VICTIM,
    )
    yield Case("member-on-another-disk", "reject", END, with_extra(in_central={"disk": 2}), member=VICTIM)

    same = unicode_path(VICTIM)
    yield Case("unicode-path-same", "ok", EXTRA, with_extra(same, same))
    for name, text in {
        "other": unicode_path("hostile/other.py"),
        "other-wrong-crc": unicode_path("hostile/other.py", crc=1),
        "escapes": unicode_path("../../evil.py"),
        "version": unicode_path("hostile/other.py", version=2),
        "short": extra(0x7075, b"\1\0"),
        "doubled": same + same,
        "nul": unicode_path(VICTIM + "\0"),
    }.items():
        yield Case(f"unicode-path-{name}", "reject", EXTRA, with_extra(b"", text), member=VICTIM)
        yield Case(f"unicode-path-local-{name}", "reject", EXTRA, with_extra(text, b""), member=VICTIM)
