"""The command `wheelcheck` on machines for which there is no program. It never accepts a wheel that it did not read.

cibuildwheel runs `audit-command` on the host, which may be macOS or Windows. wheelcheck does not judge wheels for these
systems, so they pass. A wheel for Linux, or for any system, is refused.
"""

import pathlib
import sys

from wheelcheck import __version__

PASSED, USAGE, UNREADABLE = 0, 2, 3
LINUX = ("linux", "manylinux", "musllinux", "android", "any")


def is_for_linux(name: str) -> bool:
    """Whether the platform tags of the file name (PEP 427) include Linux. A name without tags counts as Linux."""
    parts = name[: -len(".whl")].split("-")
    return len(parts) < 5 or any(tag.startswith(LINUX) for tag in parts[-1].split("."))


def wheels_of(words: "list[str]") -> "list[pathlib.Path]":
    paths = [pathlib.Path(word) for word in words if not word.startswith("-")]
    found = [wheel for path in paths if path.is_dir() for wheel in sorted(path.glob("*.whl"))]
    return found + [path for path in paths if path.suffix == ".whl"]


def main() -> int:
    words = sys.argv[1:]
    if words in (["--version"], ["-V"]):
        print(f"wheelcheck {__version__} (no program for this machine)")
        return PASSED
    wheels = wheels_of(words)
    missing = [wheel for wheel in wheels if not wheel.is_file()]
    if missing:
        print(f"wheelcheck: {missing[0]}: no such file", file=sys.stderr)
        return UNREADABLE
    if not wheels or any(is_for_linux(wheel.name) for wheel in wheels):
        print(f"wheelcheck: no wheelcheck program for this machine ({sys.platform}); run it on Linux", file=sys.stderr)
        return USAGE
    for wheel in wheels:
        print(f"{wheel.name}: not a Linux wheel, nothing to check")
    return PASSED


if __name__ == "__main__":
    sys.exit(main())
