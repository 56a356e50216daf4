"""Python files that are other code than their bytes show: CPython decodes them (PEP 263), or runs bytecode instead."""

import struct

from hostile import VICTIM, Case, pure

ROW = "Python code in an encoding that does not contain ASCII"
CODE = "import ctypes\nctypes.CDLL('libhidden.so.9')\n"


def case(name: str, code: bytes, expect: str = "finding") -> Case:
    told = {"member": VICTIM, "code": "WC717", "fails": True} if expect == "finding" else {}
    return Case(f"python-{name}", expect, ROW, pure({VICTIM: code}).build(), **told)


def escaped(text: str) -> bytes:
    return b"".join(b"\n" if c == "\n" else b"\\x%02x" % ord(c) for c in text)


def bytecode(name: str, member: str, flags: int, code: bytes, rule: str = "WC717") -> Case:
    """A file of CPython 3.11 with these flags (PEP 552). WC728 is a warning; without a rule, nothing is reported."""
    data = b"\xa7\r\r\n" + struct.pack("<IQ", flags, 0) + code
    told = {"member": member, "code": rule, "fails": rule == "WC717"} if rule else {}
    expect = "finding" if rule else "ok"
    return Case(f"bytecode-{name}", expect, ROW, pure({VICTIM: b"value = 1\n", member: data}).build(), **told)


def bytecode_cases() -> list[Case]:
    cache, loads, plain = "hostile/__pycache__/victim.cpython-311.pyc", b"\xe3ctypes\xdaCDLL", b"\xe3value"
    return [
        bytecode("unchecked", cache, 1, plain),
        bytecode("unchecked-loads", cache, 1, loads),
        bytecode("without-source", "hostile/other.pyc", 0, loads),
        bytecode("without-source-hash", "hostile/other.pyc", 3, loads),
        bytecode("checked", cache, 3, loads, "WC728"),
        bytecode("by-time", cache, 0, loads, "WC728"),
        bytecode("without-source-plain", "hostile/other.pyc", 0, plain, ""),
    ]


def cases() -> list[Case]:
    plain, ebcdic = CODE.encode(), CODE.replace("\n", "\x85").encode("cp500")
    hidden_string = b"# coding: gbk\nx = '\x81\\'; import ctypes; ctypes.CDLL('libhidden.so.9') #'\n"
    return [
        case("utf-7", b"# -*- coding: utf-7 -*-\n" + b"+AGkAbQBwAG8AcgB0- os\n"),
        case("utf-7-alias", b"#coding=U7\n" + b"+AGkAbQBwAG8AcgB0- os\n"),
        case("utf-7-second-line", b"#!/usr/bin/python\r\n# vim: set fileencoding=utf_7 :\r\nx = 1\n"),
        case("utf-7-after-a-blank-line", b"\n# coding: UTF-7\n" + b"x = 1\n"),
        case("unicode-escape", b"# coding: unicode_escape\n" + escaped(CODE)),
        case("raw-unicode-escape", b"# coding: raw-unicode-escape\n" + plain.replace(b"ctypes", b"\\u0063types")),
        case("utf-16", b"# coding: utf-16\n" + CODE.encode("utf-16")),
        case("iso-2022", b"# coding: iso-2022-jp\n" + plain),
        case("hz", b"# coding: hz\n" + plain),
        case("ebcdic", b"# coding: cp500\n" + ebcdic),
        case("ebcdic-number", b"# coding: 1140\n" + ebcdic),
        case("gbk-backslash", hidden_string),
        case("big5", b"# coding: Big5-HKSCS\n# \xa4\\\n" + plain),
        case("shift-jis", b"# coding: shift_jis\n# \x83\\\n" + plain),
        case("gbk-without-loads", b"# coding: gbk\nname = '\xc4\xe3'\n", "ok"),
        case("gbk-of-ascii", b"# coding: gbk\nimport ctypes\n", "ok"),
        case("latin-1", b"# coding: latin-1\nname = '\xe9'\nimport ctypes\n", "ok"),
        case("utf-8", b"# -*- coding: utf-8 -*-\nname = 'x'\nimport ctypes\n", "ok"),
        case("word-in-the-third-line", b"# 1\n# 2\n# coding: utf-7\nimport ctypes\n", "ok"),
        case("word-behind-code", b"x = 1\n# coding: utf-7\nimport ctypes\n", "ok"),
    ] + bytecode_cases()
