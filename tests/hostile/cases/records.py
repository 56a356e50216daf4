"""RECORD: all the ways in which it can differ from the contents of the archive."""

import hashlib

from elf_maker import Library
from hostile import CORE, ELF_TAG, FILES, VICTIM, VICTIM_TEXT, Case, pure
from zip_maker import DIST_INFO, METADATA, Archive, Member, digest, row, wheel_file, wheel_members, wheel_name

ROW = (
    "RECORD: unlisted or absent file, wrong/absent/weak hash, wrong size, conflicting rows, not CSV, not UTF-8, "
    "paths outside"
)
RECORD = f"{DIST_INFO}/RECORD"


def rows(victim: str | None, more: str = "", own: str = f"{RECORD},,\n") -> bytes:
    """The correct rows, except that of the victim."""
    every = {**FILES, f"{DIST_INFO}/WHEEL": wheel_file("py3-none-any", pure=True), f"{DIST_INFO}/METADATA": METADATA}
    lines = [row(n, d) if n != VICTIM or victim is None else victim for n, d in every.items()]
    return ("".join(lines) + more + own).encode()


def recorded(text: bytes, **how) -> bytes:
    return pure(record_text=text, **how).build()


def cases():
    right = digest(VICTIM_TEXT)
    size = len(VICTIM_TEXT)
    yield Case("record-right", "ok", ROW, recorded(rows(None)))
    hexed = hashlib.sha256(VICTIM_TEXT).hexdigest()
    for name, line in {
        "unlisted": "",
        "wrong-hash": f"{VICTIM},{digest(b'other')},{size}\n",
        "no-hash": f"{VICTIM},,{size}\n",
        "no-hash-no-size": f"{VICTIM},,\n",
        "md5": f"{VICTIM},{digest(VICTIM_TEXT, 'md5')},{size}\n",
        "sha1": f"{VICTIM},{digest(VICTIM_TEXT, 'sha1')},{size}\n",
        "sha224": f"{VICTIM},{digest(VICTIM_TEXT, 'sha224')},{size}\n",
        "unknown-hash": f"{VICTIM},crc32=AAAA,{size}\n",
        "hash-without-name": f"{VICTIM},{right[7:]},{size}\n",
        "empty-digest": f"{VICTIM},sha256=,{size}\n",
        "short-digest": f"{VICTIM},{right[:-4]},{size}\n",
        "hex": f"{VICTIM},sha256={hexed},{size}\n",
        "padded": f"{VICTIM},{right}=,{size}\n",
        "swapped-case": f"{VICTIM},{right.swapcase()},{size}\n",
        "wrong-size": f"{VICTIM},{right},{size + 1}\n",
        "size-zero": f"{VICTIM},{right},0\n",
        "size-text": f"{VICTIM},{right},many\n",
        "size-negative": f"{VICTIM},{right},-1\n",
        "size-huge": f"{VICTIM},{right},99999999999999999999999\n",
        "conflicting": f"{VICTIM},{right},{size}\n{VICTIM},{digest(b'x')},1\n",
        "conflicting-hash": f"{VICTIM},{digest(b'x')},{size}\n{VICTIM},{right},{size}\n",
        "absolute-path": f"/{VICTIM},{right},{size}\n",
        "dotted-path": f"./{VICTIM},{right},{size}\n",
        "backslash-path": VICTIM.replace("/", "\\") + f",{right},{size}\n",
        "case-of-path": f"{VICTIM.upper()},{right},{size}\n",
        "two-fields": f"{VICTIM},{right}\n",
        "four-fields": f"{VICTIM},{right},{size},x\n",
        "one-field": f"{VICTIM}\n",
        "semicolons": f"{VICTIM};{right};{size}\n",
        "blank-in-path": f" {VICTIM},{right},{size}\n",
        "open-quote": f'"{VICTIM},{right},{size}\n',
    }.items():
        yield Case(
            f"record-{name}",
            "finding",
            ROW,
            recorded(rows(line)),
            code="WC702",
            fails=True,
            member=VICTIM
            if "path" not in name
            and "field" not in name
            and name not in ("semicolons", "open-quote", "size-text", "size-negative", "size-huge")
            else None,
        )
    for name, line in {
        "absent": f"hostile/absent.py,{right},{size}\n",
        "outside": f"../../outside.py,{right},{size}\n",
        "absolute-more": f"/etc/passwd,{right},{size}\n",
        "directory": "hostile/,,\n",
        "empty-path": f",{right},{size}\n",
        "escape-in-path": f"\x1b[2Jevil,{right},1\n",
        "newline-in-path": f'"a\nb",{right},1\n',
        "not-csv-quote": f'a"b"c",{right},1\n',
        "bidi-in-path": f"a\u202eb,{right},1\n",
        "long-path": "p" * 100_000 + f",{right},1\n",
        "command-in-path": f"::error::injected,{right},1\n",
        "deep-path": "d/" * 40000 + f"x,{right},1\n",
    }.items():
        fails = name != "directory"  # every installer accepts it
        yield Case(f"record-{name}", "finding", ROW, recorded(rows(None, line)), code="WC702", fails=fails)
    yield Case("record-same-row-twice", "remarked", ROW, recorded(rows(None, f"{VICTIM},{right},{size}\n")))
    yield Case(
        "record-not-utf8",
        "finding",
        ROW,
        recorded(rows(None, "x").replace(b"x" + RECORD.encode(), b"caf\xe9,,\n" + RECORD.encode())),
        code="WC702",
        fails=True,
    )
    yield Case("record-utf16", "finding", ROW, recorded(rows(None).decode().encode("utf-16")), code="WC702", fails=True)
    yield Case("record-byte-order-mark", "finding", ROW, recorded(b"\xef\xbb\xbf" + rows(None)), code="WC702")
    yield Case("record-nul", "finding", ROW, recorded(rows(None, "a\0b,,\n")), code="WC702", fails=True)
    yield Case("record-empty", "finding", ROW, recorded(b""), code="WC702", fails=True, member=VICTIM)
    yield Case("record-binary", "finding", ROW, recorded(bytes(range(256)) * 16), code="WC702", fails=True)
    yield Case("record-no-end", "finding", ROW, recorded(rows(None, own="")[:-20]), code="WC702", fails=True)
    yield Case("record-windows-lines", "ok", ROW, recorded(rows(None).replace(b"\n", b"\r\n")))
    yield Case(
        "record-all-quoted",
        "ok",
        ROW,
        recorded(
            b"".join(b",".join(b'"' + f + b'"' for f in line.split(b",")) + b"\n" for line in rows(None).splitlines())
        ),
    )
    yield Case("record-without-itself", "remarked", ROW, recorded(rows(None, own="")))
    yield Case("record-own-hash", "remarked", ROW, recorded(rows(None, own=f"{RECORD},{right},{size}\n")))
    sha512 = f"{VICTIM},{digest(VICTIM_TEXT, 'sha512')},{size}\n"
    yield Case("record-sha512", "ok", ROW, recorded(rows(sha512)))
    # It has the right length for a digest, but other bytes.
    yield Case(
        "record-wrong-sha512",
        "finding",
        ROW,
        recorded(rows(f"{VICTIM},{digest(b'x', 'sha512')},{size}\n")),
        code="WC702",
        member=VICTIM,
        fails=True,
    )
    yield Case(
        "record-wrong-sha384",
        "finding",
        ROW,
        recorded(rows(f"{VICTIM},{digest(b'x', 'sha384')},{size}\n")),
        code="WC702",
        member=VICTIM,
        fails=True,
    )
    yield Case("record-no-rows-only-commas", "finding", ROW, recorded(b",,\n" * 5000), code="WC702", fails=True)
    yield Case(
        "record-50000-absent",
        "finding",
        ROW,
        recorded(rows(None, "".join(f"hostile/a{n},,\n" for n in range(50_000)))),
        code="WC702",
        fails=True,
    )
    yield Case("record-one-row-of-quotes", "finding", ROW, recorded(b'"' * 1_000_001), code="WC702", fails=True)
    yield Case(
        "record-over-rows",
        "reject",
        "archive over ratio or size limits",
        recorded(rows(None, "x,,\n" * 200_001)),
        says="--limit members",
    )

    evil = Library(needed=["libevil.so.1"]).build()
    for name, text in {"unlisted": "", "listed-wrong": f"{CORE},{digest(b'x')},1\n"}.items():
        members = wheel_members({CORE: evil}, tag=ELF_TAG)
        record = text + "".join(row(m.name, m.data) for m in members if m.name not in (CORE, RECORD)) + f"{RECORD},,\n"
        data = Archive(wheel_members({CORE: evil}, tag=ELF_TAG, record_text=record.encode())).build()
        yield Case(
            f"record-elf-{name}-is-judged",
            "finding",
            ROW,
            data,
            wheel_name(ELF_TAG),
            code="WC103",
            member=CORE,
            says="libevil",
            fails=True,
        )
    extra = pure()
    extra.members.append(Member(f"{DIST_INFO}/RECORD.jws", b"{}"))
    yield Case("record-signature-unlisted", "remarked", ROW, extra.build())
    other = pure()
    other.members.append(Member("RECORD", b"no record\n"))
    yield Case("record-elsewhere-unlisted", "finding", ROW, other.build(), member="RECORD", code="WC702", fails=True)
