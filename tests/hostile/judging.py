"""Classifies a result, and compares it with the expectation of a case."""

from __future__ import annotations

import json
import re
import typing

if typing.TYPE_CHECKING:
    from hostile import Case

SERIOUS = ("error", "warning")
FOREIGN_ROLES = ("device code", "debug information", "relocatable object", "core dump")
# Rules that compare the content with a tag: on a newer system, or for a newer tag, the wheel may be fine.
ABOUT_THE_TAG = {"WC101", "WC102", "WC103", "WC104", "WC105", "WC111", "WC115"}


def listed_kind(wheel: dict, member: str) -> str | None:
    """The kind with which a member that is not checked is listed."""
    for elf in wheel["elf_files"]:
        if elf["member"] == member:
            return elf["role"] if elf["role"] in FOREIGN_ROLES else None
    for other in wheel.get("foreign_files", []):
        if other["member"] == member:
            return other["kind"]
    return None


def class_of(code: int, report: dict, case: Case) -> str:
    (wheel,) = report["wheels"]
    if wheel["type"] == "unreadable":
        refused = code == (1 if wheel["rule"] == "WC703" else 3)
        return "reject" if refused and wheel["status"] == "rejected" else f"unreadable with exit code {code}"
    if code not in (0, 1):
        return f"a report with exit code {code}"
    if any(finding["severity"] in SERIOUS for finding in wheel["findings"]):
        return "finding"
    if code != 0:
        return f"no finding with exit code {code}"
    if case.expect == "ignore":
        return "ignore" if listed_kind(wheel, case.member) else "ok, and the member is not listed"
    return "ok"


def must_fail(report: dict) -> tuple[set[str], tuple[str, ...]]:
    """The rules of the errors of a wheel that `check` fails, and the commands that must not sound calm about it."""
    errors = {
        finding["code"]
        for wheel in report["wheels"]
        for finding in wheel.get("findings", ())
        if finding["severity"] == "error"
    }
    return errors, ("why",) if errors and errors <= ABOUT_THE_TAG else ("why", "tree", "runs-on", "interfaces")


def matching(case: Case, wheel: dict) -> list[dict]:
    """The findings that match the expectation of the case."""
    out = []
    for finding in wheel["findings"]:
        text = " ".join([finding["message"], *(str(e["value"]) for e in finding.get("evidence", []))])
        if finding["severity"] == "note" and case.expect not in ("lower", "remarked"):
            continue
        if (
            case.member is not None
            and finding.get("member") != case.member
            and not named_in(case.member, finding, wheel)
        ):
            continue
        if case.code is not None and finding["code"] != case.code:
            continue
        if case.says is not None and not re.search(case.says, text):
            continue
        out.append(finding)
    return out


def named_in(member: str, finding: dict, wheel: dict) -> bool:
    return finding["place"].endswith(f"::{member}") or member in finding["message"]


def faults_of(case: Case, code: int, report: dict) -> list[str]:
    """The differences between the result and the expectation of the case."""
    got = class_of(code, report, case)
    (wheel,) = report["wheels"]
    expected = {"lower": ("ok", "finding"), "remarked": ("ok", "finding")}.get(case.expect, (case.expect,))
    if got not in expected:
        return [f"{got}{told(wheel)}"]
    faults = []
    if case.expect == "reject":
        if case.member is not None and case.member not in wheel["message"]:
            faults.append(f"the message does not name the member: {wheel['message']}")
        if case.says is not None and not re.search(case.says, wheel["message"]):
            faults.append(f"the message does not say {case.says!r}: {wheel['message']}")
        return faults
    asked = case.member is not None or case.code is not None or case.says is not None
    if case.expect == "finding" and asked and not matching(case, wheel):
        wanted = " ".join(filter(None, (case.code, case.member, case.says and repr(case.says))))
        faults.append(f"no finding {wanted}{told(wheel)}")
    if case.expect == "lower" and code != 0:
        faults.append(f"exit code {code}{told(wheel)}")
    if case.shows is not None:
        shown = [json.dumps(elf, ensure_ascii=False) for elf in wheel["elf_files"] if elf["member"] == case.of]
        if not any(re.search(case.shows, text) for text in shown):
            faults.append(f"the report of {case.of} does not show {case.shows!r}")
    if case.fails is not None and case.fails != (code == 1):
        faults.append(f"exit code {code}{told(wheel)}")
    return faults


def told(wheel: dict) -> str:
    if wheel["type"] == "unreadable":
        return f": {wheel['message']}"
    texts = [
        f"{f['severity']} {f['code']} {f.get('member') or ''}: {f['message']}"
        for f in wheel["findings"]
        if f["severity"] in SERIOUS
    ]
    return "".join("; " + text for text in texts[:4])
