"""Generates an archive byte by byte, with any field changed: archives that no library would write.

A Member or an Archive sets the fields that differ. All others have the correct value.
"""

from __future__ import annotations

import base64
import dataclasses
import functools
import hashlib
import struct
import zlib

LOCAL, CENTRAL, END = 0x04034B50, 0x02014B50, 0x06054B50
END64, LOCATOR, DESCRIPTOR = 0x06064B50, 0x07064B50, 0x08074B50
UTF8, DESCRIBED, ENCRYPTED = 1 << 11, 1 << 3, 1

LOCAL_FIELDS = {
    "signature": "I",
    "version": "H",
    "flags": "H",
    "method": "H",
    "time": "H",
    "date": "H",
    "crc": "I",
    "packed_size": "I",
    "size": "I",
    "name_length": "H",
    "extra_length": "H",
}
CENTRAL_FIELDS = {
    "signature": "I",
    "made_by": "H",
    "version": "H",
    "flags": "H",
    "method": "H",
    "time": "H",
    "date": "H",
    "crc": "I",
    "packed_size": "I",
    "size": "I",
    "name_length": "H",
    "extra_length": "H",
    "comment_length": "H",
    "disk": "H",
    "internal": "H",
    "attributes": "I",
    "offset": "I",
}
END_FIELDS = {
    "signature": "I",
    "disk": "H",
    "directory_disk": "H",
    "members_here": "H",
    "members": "H",
    "directory_size": "I",
    "directory_offset": "I",
    "comment_length": "H",
}
END64_FIELDS = {
    "signature": "I",
    "length": "Q",
    "made_by": "H",
    "version": "H",
    "disk": "I",
    "directory_disk": "I",
    "members_here": "Q",
    "members": "Q",
    "directory_size": "Q",
    "directory_offset": "Q",
}
LOCATOR_FIELDS = {"signature": "I", "disk": "I", "end64_offset": "Q", "disks": "I"}
STAMP = {"time": 0, "date": (40 << 9) | (1 << 5) | 1}  # 2020-01-01


def record(fields: dict[str, str], values: dict[str, int], told: dict[str, int]) -> bytes:
    """The fixed part of a structure. The values in `told` replace others and must be names of fields."""
    unknown = told.keys() - fields.keys()
    assert not unknown, unknown
    merged = {**values, **told}
    return struct.pack("<" + "".join(fields.values()), *(merged[name] for name in fields))


@functools.lru_cache(maxsize=8)  # the records of a member ask for its size
def deflate(data: bytes, level: int = 9) -> bytes:
    packer = zlib.compressobj(level, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def extra(tag: int, payload: bytes, length: int | None = None) -> bytes:
    return struct.pack("<HH", tag, len(payload) if length is None else length) + payload


def zip64_extra(*values: int) -> bytes:
    return extra(1, b"".join(struct.pack("<Q", value) for value in values))


@dataclasses.dataclass
class Member:
    name: bytes | str
    data: bytes = b""
    method: int = 8
    flags: int | None = None  # None: the UTF-8 flag if the name needs it
    mode: int = 0o100644
    made_by: int = (3 << 8) | 20  # Unix
    packed: bytes | None = None  # replaces the correct compressed bytes
    local: dict[str, int] = dataclasses.field(default_factory=dict)
    central: dict[str, int] = dataclasses.field(default_factory=dict)
    both: dict[str, int] = dataclasses.field(default_factory=dict)
    local_name: bytes | None = None
    local_extra: bytes = b""
    central_extra: bytes = b""
    comment: bytes = b""
    descriptor: bytes | None = None  # the bytes after the data; see described()
    before: bytes = b""  # bytes before the local header
    after: bytes = b""  # bytes after the data
    listed: bool = True  # has a central header
    present: bool = True  # has a local header and data
    share: int | None = None  # index of the member whose local header the central header points to

    def raw_name(self) -> bytes:
        return self.name.encode() if isinstance(self.name, str) else self.name

    def packed_bytes(self) -> bytes:
        if self.packed is not None:
            return self.packed
        return deflate(self.data) if self.method == 8 else self.data

    def values(self) -> dict[str, int]:
        name = self.raw_name()
        flags = (0 if name.isascii() else UTF8) if self.flags is None else self.flags
        return {
            "version": 20,
            "flags": flags,
            "method": self.method,
            "crc": zlib.crc32(self.data),
            "size": len(self.data),
            "packed_size": len(self.packed_bytes()),
            **STAMP,
            **self.both,
        }

    def local_record(self) -> bytes:
        name = self.raw_name() if self.local_name is None else self.local_name
        values = {"signature": LOCAL, **self.values(), "name_length": len(name), "extra_length": len(self.local_extra)}
        return record(LOCAL_FIELDS, values, self.local) + name + self.local_extra

    def central_record(self, offset: int) -> bytes:
        name = self.raw_name()
        values = {
            "signature": CENTRAL,
            "made_by": self.made_by,
            **self.values(),
            "name_length": len(name),
            "extra_length": len(self.central_extra),
            "comment_length": len(self.comment),
            "disk": 0,
            "internal": 0,
            "attributes": (self.mode << 16) & 0xFFFFFFFF,
            "offset": offset,
        }
        return record(CENTRAL_FIELDS, values, self.central) + name + self.central_extra + self.comment


def described(member: Member, signature: bool = True, wide: bool = False, **told: int) -> Member:
    """Gives the member a data descriptor after its data. `told` are fields of the descriptor with other values."""
    values = {**member.values(), **told}
    kind = "<IQQ" if wide else "<III"
    text = struct.pack(kind, values["crc"], values["packed_size"], values["size"])
    member.descriptor = (struct.pack("<I", DESCRIPTOR) if signature else b"") + text
    member.both = {**member.both, "flags": member.values()["flags"] | DESCRIBED}
    if not wide:
        member.local = {"crc": 0, "packed_size": 0, "size": 0, **member.local}
    else:
        member.local = {"crc": 0, "packed_size": 0xFFFFFFFF, "size": 0xFFFFFFFF, **member.local}
        member.local_extra = zip64_extra(0, 0)
    return member


@dataclasses.dataclass
class Archive:
    members: list[Member]
    end: dict[str, int] = dataclasses.field(default_factory=dict)
    end64: dict[str, int] | None = None  # writes a ZIP64 end record with these fields
    locator: dict[str, int] | None = None  # likewise; None: written if there is a ZIP64 end record
    no_locator: bool = False
    end64_tail: bytes = b""  # extensible data
    comment: bytes = b""
    order: list[int] | None = None  # of the central headers
    prefix: bytes = b""  # bytes before everything; offsets include them if `counted`
    counted: bool = True
    before_directory: bytes = b""
    in_directory: bytes = b""  # bytes after the last central header, included in the directory's size
    before_end: bytes = b""
    between_ends: bytes = b""  # bytes between the ZIP64 record and the locator
    after_locator: bytes = b""
    suffix: bytes = b""
    # The start of each structure by name; build() fills it.
    places: dict[str, int] = dataclasses.field(default_factory=dict)

    def build(self) -> bytes:
        out = bytearray(self.prefix)
        base = 0 if self.counted else len(self.prefix)
        offsets: list[int] = []
        for number, member in enumerate(self.members):
            out += member.before
            offsets.append(len(out) - base)
            if not member.present:
                continue
            self.places[f"local {number}"] = len(out)
            header = member.local_record()
            self.places[f"name {number}"] = len(out) + 30
            out += header
            self.places[f"data {number}"] = len(out)
            out += member.packed_bytes()
            self.places[f"behind {number}"] = len(out)
            out += (member.descriptor or b"") + member.after
        out += self.before_directory
        directory = len(out)
        self.places["directory"] = directory
        for number in self.order or range(len(self.members)):
            member = self.members[number]
            if not member.listed:
                continue
            self.places[f"central {number}"] = len(out)
            out += member.central_record(offsets[number if member.share is None else member.share])
        out += self.in_directory
        size = len(out) - directory
        count = sum(member.listed for member in self.members)
        out += self.before_end
        self.places["end of directory"] = len(out)
        shared = {
            "disk": 0,
            "directory_disk": 0,
            "members_here": count,
            "members": count,
            "directory_size": size,
            "directory_offset": directory - base,
        }
        if self.end64 is not None:
            self.places["end64"] = len(out)
            values = {
                "signature": END64,
                "length": 44 + len(self.end64_tail),
                "made_by": (3 << 8) | 45,
                "version": 45,
                **shared,
            }
            place = len(out) - base
            out += record(END64_FIELDS, values, self.end64) + self.end64_tail + self.between_ends
            self.locator = self.locator if self.locator is not None else {}
            if not self.no_locator:
                self.places["locator"] = len(out)
                values = {"signature": LOCATOR, "disk": 0, "end64_offset": place, "disks": 1}
                out += record(LOCATOR_FIELDS, values, self.locator)
        elif self.locator is not None:
            out += record(
                LOCATOR_FIELDS, {"signature": LOCATOR, "disk": 0, "end64_offset": 0, "disks": 1}, self.locator
            )
        out += self.after_locator
        self.places["end"] = len(out)
        values = {"signature": END, **shared, "comment_length": len(self.comment)}
        out += record(END_FIELDS, values, self.end) + self.comment + self.suffix
        return bytes(out)


# Wheels.

TAG = "py3-none-manylinux_2_17_x86_64"
DIST_INFO = "hostile-1.0.dist-info"


def digest(data: bytes, kind: str = "sha256") -> str:
    return f"{kind}=" + base64.urlsafe_b64encode(hashlib.new(kind, data).digest()).rstrip(b"=").decode()


def row(name: str, data: bytes) -> str:
    quoted = '"' + name.replace('"', '""') + '"' if any(c in name for c in ',"\n\r') else name
    return f"{quoted},{digest(data)},{len(data)}\n"


def wheel_file(tag: str = TAG, version: str = "1.0", pure: bool = False, more: str = "") -> bytes:
    python, abi, platforms = tag.split("-")
    tags = "".join(
        f"Tag: {p}-{a}-{m}\n" for p in python.split(".") for a in abi.split(".") for m in platforms.split(".")
    )
    return f"Wheel-Version: {version}\nGenerator: made\nRoot-Is-Purelib: {str(pure).lower()}\n{tags}{more}".encode()


METADATA = b"Metadata-Version: 2.1\nName: hostile\nVersion: 1.0\nLicense: MIT\n\n"


def wheel_members(
    files: dict[str, bytes] | list[Member],
    tag: str = TAG,
    record_text: bytes | None = None,
    wheel: bytes | None = None,
    metadata: bytes | None = METADATA,
    dist_info: str = DIST_INFO,
    without: tuple[str, ...] = (),
) -> list[Member]:
    """The members of a correct wheel with these files, RECORD last."""
    members = [Member(n, d) for n, d in files.items()] if isinstance(files, dict) else list(files)
    pure = tag.endswith("-any")
    own = {"WHEEL": wheel_file(tag, pure=pure) if wheel is None else wheel, "METADATA": metadata}
    members += [Member(f"{dist_info}/{n}", d) for n, d in own.items() if n not in without and d is not None]
    if "RECORD" in without:
        return members
    if record_text is None:
        rows = [
            row(m.raw_name().decode("utf-8", "surrogateescape"), m.data)
            for m in members
            if not m.raw_name().endswith(b"/") and m.listed
        ]
        record_text = ("".join(rows) + f"{dist_info}/RECORD,,\n").encode("utf-8", "surrogateescape")
    return [*members, Member(f"{dist_info}/RECORD", record_text)]


def wheel_name(tag: str = TAG) -> str:
    return f"hostile-1.0-{tag}.whl"
