"""Data descriptors: sizes after the data of a member."""

from hostile import VICTIM, VICTIM_AT, Case, pure
from zip_maker import DESCRIBED, deflate, described

FINDING = "directory comment; consistent data descriptor on a deflated member"
REJECT = "data descriptor missing, wrong, or on a stored member"


def spoiled(change) -> bytes:
    archive = pure()
    change(archive.members[VICTIM_AT])
    return archive.build()


def told(**fields):
    return spoiled(lambda m: described(m, **fields))


def stored(m):
    m.method = 0
    described(m)


def stored_told_before(m):
    stored(m)
    m.local = {}


def missing(m):
    described(m)
    m.descriptor = b""


def local_flag_only(m):
    described(m)
    m.both = {}
    m.local = {**m.local, "flags": DESCRIBED}


def central_flag_only(m):
    described(m)
    m.both = {}
    m.local = {}
    m.central = {"flags": DESCRIBED}


def cut(m):
    described(m)
    m.descriptor = m.descriptor[:-4]


def long(m):
    described(m)
    m.descriptor += bytes(4)


def wide_without_extra(m):
    described(m, wide=True)
    m.local_extra = b""
    m.local = {"crc": 0, "packed_size": 0, "size": 0}


def narrow_with_extra(m):
    described(m, wide=True)
    narrow = pure().members[VICTIM_AT]
    described(narrow)
    m.descriptor = narrow.descriptor


def sizes_before(m):
    described(m)
    m.local = {}


def wrong_sizes_before(m):
    described(m)
    m.local = {"packed_size": 7, "size": 9}


def inner_descriptor(m):
    """The compressed bytes contain a data descriptor that matches if the data ends earlier."""
    text = deflate(b"short")
    m.packed = text + b"PK\x07\x08" + bytes(12) + deflate(m.data)
    described(m)


def cases():
    yield Case("descriptor-good", "finding", FINDING, told(), member=VICTIM, says="descriptor")
    yield Case(
        "descriptor-without-signature", "finding", FINDING, told(signature=False), member=VICTIM, says="descriptor"
    )
    yield Case("descriptor-zip64", "finding", FINDING, told(wide=True), member=VICTIM, says="descriptor")
    yield Case(
        "descriptor-sizes-also-before", "finding", FINDING, spoiled(sizes_before), member=VICTIM, says="descriptor"
    )
    every = pure()
    for m in every.members:
        described(m)
    yield Case("descriptor-everywhere", "finding", FINDING, every.build(), member=VICTIM, says="descriptor")
    for name, change in {
        "missing": missing,
        "local-flag-only": local_flag_only,
        "central-flag-only": central_flag_only,
        "cut": cut,
        "too-long": long,
        "stored": stored,
        "stored-with-sizes": stored_told_before,
        "wide-without-extra": wide_without_extra,
        "narrow-with-extra": narrow_with_extra,
        "wrong-sizes-before": wrong_sizes_before,
        "inner": inner_descriptor,
    }.items():
        yield Case(f"descriptor-{name}", "reject", REJECT, spoiled(change), member=VICTIM)
    yield Case("descriptor-wrong-crc", "reject", REJECT, told(crc=1), member=VICTIM)
    yield Case("descriptor-wrong-packed-size", "reject", REJECT, told(packed_size=3), member=VICTIM)
    yield Case("descriptor-wrong-size", "reject", REJECT, told(size=3), member=VICTIM)
    yield Case("descriptor-zeros", "reject", REJECT, told(crc=0, packed_size=0, size=0), member=VICTIM)
