"""Archives that end at the boundary of a structure, or in the middle of one."""

from hostile import VICTIM_AT, Case, pure
from zip_maker import described

ROW = "empty file, other format, no end record, truncated at any structure boundary"


def kinds():
    yield "plain", pure()
    wide = pure()
    wide.end64 = {}
    yield "zip64", wide
    later = pure()
    described(later.members[VICTIM_AT])
    yield "descriptor", later
    talked = pure()
    talked.comment = b"a comment of some length"
    yield "comment", talked


def cases():
    for kind, archive in kinds():
        whole = archive.build()
        keep = {
            "plain": ("local", "name", "data", "behind", "directory", "central", "end"),
            "zip64": ("end64", "locator", "end", "end of"),
            "descriptor": ("behind 1",),
            "comment": ("end",),
        }[kind]
        for place, at in sorted(archive.places.items(), key=lambda item: item[1]):
            if not place.startswith(keep) or place[-1:] in "3456":
                continue
            word = place.replace(" ", "-")
            if 0 < at < len(whole):
                yield Case(f"cut-{kind}-at-{word}", "reject", ROW, whole[:at])
            yield Case(f"cut-{kind}-in-{word}", "reject", ROW, whole[: at + 5])
        yield Case(f"cut-{kind}-last-byte", "reject", ROW, whole[:-1])
        # The end records are complete, but what they refer to is missing.
        yield Case(f"cut-{kind}-first-byte", "reject", ROW, whole[1:])
    plain = pure()
    whole = plain.build()
    end = plain.places["end"]
    yield Case("cut-hole-in-data", "reject", ROW, whole[: plain.places["data 1"]] + whole[plain.places["behind 1"] :])
    yield Case("cut-no-directory", "reject", ROW, whole[: plain.places["directory"]] + whole[end:])
    yield Case("cut-end-twenty-bytes", "reject", ROW, whole[: end + 20])
