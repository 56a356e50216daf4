"""The values of enumerations that several parts of a report use."""

from typing import Literal

Severity = Literal["error", "warning", "note"]
Confidence = Literal["low", "medium", "high"]
TagResult = Literal["compatible", "incompatible", "no-minimum", "unknown"]
Family = Literal["any", "linux", "manylinux", "musllinux", "android", "other"]
Arch = Literal[
    "x86_64",
    "i686",
    "aarch64",
    "armv7l",
    "armv6l",
    "ppc64le",
    "ppc64",
    "s390x",
    "riscv64",
    "loongarch64",
    "other",
]
X86Isa = Literal["x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"]
StringKind = Literal["none", "old", "new", "both"]
