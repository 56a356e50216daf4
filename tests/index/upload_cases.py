"""Wheels made from Warehouse's tests of uploads. A case has the line of the test at commit 6b6215712 of pypi/warehouse.

Each case is a whole wheel that differs from a correct one in the tested part. Tests about accounts, projects that
exist, form data and source distributions have no counterpart in a wheel.
"""

from __future__ import annotations

import dataclasses
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "hostile"))

import zip_maker
from zip_maker import Archive, Member, described, extra, zip64_extra

LEGACY, METADATA = "tests/unit/forklift/test_legacy.py", "tests/unit/forklift/test_metadata.py"
WHEEL, ZIPFILES = "tests/unit/utils/test_wheel.py", "tests/unit/utils/test_zipfiles.py"


@dataclasses.dataclass
class Case:
    source: str  # file and line
    name: str
    data: bytes
    code: str = ""  # of the finding; "" if Warehouse accepts the wheel
    file: str = "foo-1.0-py3-none-any.whl"


def metadata(*lines: str, version: str = "2.1", name: str = "foo", release: str = "1.0") -> bytes:
    head = [f"Metadata-Version: {version}", f"Name: {name}", f"Version: {release}"]
    return ("\n".join([*head, *lines]) + "\n\n").encode()


def members(
    text: bytes | None = None,
    tag: str = "py3-none-any",
    files: dict[str, bytes] | None = None,
    dist_info: str = "foo-1.0.dist-info",
    record: bool = True,
    without: tuple[str, ...] = (),
) -> list[Member]:
    all_files = {"foo/__init__.py": b"x = 1\n", **(files or {})}
    found = zip_maker.wheel_members(
        all_files,
        tag=tag,
        metadata=metadata() if text is None else text,
        dist_info=dist_info,
        without=without if record else (*without, "RECORD"),
    )
    for member in found:
        member.method = 0
    return found


def wheel(*args, **kwargs) -> bytes:
    return Archive(members(*args, **kwargs)).build()


def platform_cases() -> list[Case]:
    accepted = (
        "any win32 win_amd64 win_ia64 manylinux1_i686 manylinux1_x86_64 manylinux2010_i686 manylinux2010_x86_64 "
        "manylinux2014_i686 manylinux2014_x86_64 manylinux2014_aarch64 manylinux2014_armv7l manylinux2014_ppc64 "
        "manylinux2014_ppc64le manylinux2014_s390x manylinux_2_5_i686 manylinux_2_12_x86_64 manylinux_2_17_aarch64 "
        "manylinux_2_17_armv7l manylinux_2_17_ppc64 manylinux_2_17_ppc64le manylinux_2_39_riscv64 manylinux_3_0_s390x "
        "musllinux_1_1_x86_64 macosx_10_5_ppc macosx_10_5_ppc64 macosx_10_5_i386 macosx_10_5_intel macosx_10_5_fat "
        "macosx_10_5_fat3 macosx_10_5_fat64 macosx_10_5_universal macosx_10_13_x86_64 macosx_11_0_x86_64 "
        "macosx_10_15_arm64 macosx_15_0_universal2 macosx_26_0_arm64 ios_13_0_arm64_iphoneos "
        "ios_13_0_arm64_iphonesimulator ios_13_0_x86_64_iphonesimulator ios_15_4_arm64_iphoneos "
        "ios_15_4_arm64_iphonesimulator ios_15_4_x86_64_iphonesimulator android_27_armeabi_v7a android_27_arm64_v8a "
        "android_27_x86 android_27_x86_64 "
        "macosx_10_6_intel.macosx_10_9_intel.macosx_10_9_x86_64.macosx_10_10_intel.macosx_10_10_x86_64 "
        "pyemscripten_2026_0_wasm32"
    ).split()
    refused = (
        "linux_x86_64 linux_x86_64.win32 macosx_9_2_x86_64 macosx_11_2_arm64 macosx_16_2_arm64 macosx_10_15_amd64 "
        "macosx_27_0_arm64"
    ).split()
    # Not among Warehouse's tests: machines and systems that its tables lack.
    more_refused = (
        "manylinux_2_36_loongarch64 musllinux_1_2_ppc64 manylinux2010_aarch64 musllinux_1_2_loongarch64 linux_aarch64 "
        "android_27_riscv64 ios_13_0_arm64_watchos plan9_x86_64 manylinux_2_17_x86_64_v3 pyemscripten_2026_wasm32"
    ).split()
    more_accepted = "linux_armv6l linux_armv7l win_arm64 musllinux_1_2_riscv64".split()

    def case(line: int, tag: str, code: str) -> Case:
        source = f"{LEGACY}:{line}" if line else "warehouse/forklift/legacy.py:62"
        file = f"foo-1.0-cp34-none-{tag}.whl"
        return Case(source, tag[:60], wheel(tag=f"cp34-none-{tag}"), code, file)

    return [
        *(case(3146, tag, "") for tag in accepted),
        *(case(3699, tag, "WC850") for tag in refused),
        *(case(0, tag, "WC850") for tag in more_refused),
        *(case(0, tag, "") for tag in more_accepted),
    ]


def name_cases() -> list[Case]:
    def case(line: int, project: str, file: str, code: str, release: str = "1.0", where: str = "") -> Case:
        dist_info = where or "-".join(file.split("-")[:2]) + ".dist-info"
        text = metadata(name=project, release=release)
        return Case(f"{LEGACY}:{line}", file, wheel(text, dist_info=dist_info), code, file)

    return [
        case(3355, "flufl.enum", "flufl_enum-1.0-py3-none-any.whl", ""),
        case(3355, "foo-.bar", "foo_bar-1.0-py3-none-any.whl", ""),
        case(5726, "Some_Thing", "Some_Thing-1.0-py3-none-any.whl", "WC851"),
        case(5726, "some.thing", "some.thing-1.0-py3-none-any.whl", "WC851"),
        case(2426, "something_else", "nope-1.0-py3-none-any.whl", "WC706"),
        case(2426, "no", "nope-1.0-py3-none-any.whl", "WC706"),
        case(2426, "no", "no_way-1.0-py3-none-any.whl", "WC706"),
        case(2426, "foo-.bar", "foobar-1.0-py3-none-any.whl", "WC706"),
        case(2500, "wutang", "wutang-6.6.6-py3-none-any.whl", "WC706", "1.2.3"),
        case(5213, "foo", "foo-1.0.0-py3-none-any.whl", "", "1.0"),
        case(3643, "foo", "foo-1.0.whl", "not a wheel"),
        case(3643, "foo", "foo-1.0-q-py3-none-any.whl", "not a wheel"),
        case(3643, "foo", "foo-0.0.4test1-py3-none-any.whl", "not a wheel"),
        case(433, "foo", "cheese.whl", "not a wheel"),
        case(2604, "foo", "foo-1.0-py3-none-any.wat", "not a wheel"),
        case(2684, "foo", "foo\x01-1.0-py3-none-any.whl", "not a wheel"),
        case(2684, "foo", "foo\x7f-1.0-py3-none-any.whl", "not a wheel"),
        case(2645, "foo", "\\foo-1.0-py3-none-any.whl", "not a wheel"),
        case(2115, "f" * 240, "f" * 231 + "-1.0-py3-none-any.whl", "WC851"),
        # Not among Warehouse's tests.
        case(410, "foo", "foo-1.0-py3-none-any.whl", "WC859", "1.0", "foo-1.0.0.dist-info"),
        case(3643, "foo", "foo-1.0-py3-none-manylinux_2_17_x86_64-x86_64_v3.whl", "WC851"),
    ]


def archive_cases() -> list[Case]:
    def case(line: int, name: str, code: str, data: bytes, source: str = ZIPFILES) -> Case:
        return Case(f"{source}:{line}", name, data, code)

    def with_first(change) -> bytes:
        found = members()
        change(found[0])
        return Archive(found).build()

    def change(**values):
        def apply(member: Member) -> None:
            for key, value in values.items():
                setattr(member, key, value)

        return apply

    def unicode_path(name: bytes, text: bytes) -> bytes:
        return extra(0x7075, b"\x01" + zip_maker.zlib.crc32(name).to_bytes(4, "little") + text)

    first = b"foo/__init__.py"
    path = unicode_path(first, first)
    bad = "WC703"
    huge = {"foo/zeros.bin": b"0" * (65 << 20)}
    zeros = members(files=huge)
    for member in zeros:
        member.method = 8
    methods = [with_first(change(both={"method": method})) for method in (12, 14)]
    twin = Member("foo/__init__.py", b"x = 2\n", 0)
    size = Archive(members())
    size.build()
    return [
        case(371, "stored and deflated", "", with_first(change(method=8)), LEGACY),
        case(383, "bzip2", bad, methods[0], LEGACY),
        case(383, "LZMA", bad, methods[1], LEGACY),
        case(396, "compression ratio", "WC703", Archive(zeros).build(), LEGACY),
        case(225, "not a ZIP file", "not a wheel", b"not a zip file", LEGACY),
        case(610, "also a tar file", bad, b"\x1f\x8b" + bytes(60) + wheel(), LEGACY),
        case(28, "8bitcomment", bad, Archive(members(), comment=b"PK\1\2\xff", end={"comment_length": 2}).build()),
        case(28, "cd_extra_entry", bad, Archive([*members(), dataclasses.replace(twin, present=False)]).build()),
        case(28, "cd_missing_entry", bad, Archive([*members(), Member("foo/b.py", b"", 0, listed=False)]).build()),
        case(28, "data_descriptor", "WC852", Archive([described(Member("foo/b.py", b"y = 1\n")), *members()]).build()),
        case(28, "data_descriptor_bad_crc", bad, Archive([described(Member("b.py", b"y"), crc=1), *members()]).build()),
        case(
            28,
            "data_descriptor_bad_csize",
            bad,
            Archive([described(Member("b.py", b"y"), packed_size=7), *members()]).build(),
        ),
        case(
            28, "data_descriptor_bad_usize", bad, Archive([described(Member("b.py", b"y"), size=7), *members()]).build()
        ),
        case(
            28,
            "data_descriptor_bad_usize_no_sig",
            bad,
            Archive([described(Member("b.py", b"y"), signature=False, size=7), *members()]).build(),
        ),
        case(
            28,
            "data_descriptor_zip64",
            "WC852",
            Archive([described(Member("foo/b.py", b"y"), wide=True), *members()]).build(),
        ),
        case(
            28,
            "data_descriptor_zip64_csize",
            bad,
            Archive([described(Member("b.py", b"y"), wide=True, packed_size=7), *members()]).build(),
        ),
        case(
            28,
            "data_descriptor_zip64_usize",
            bad,
            Archive([described(Member("b.py", b"y"), wide=True, size=7), *members()]).build(),
        ),
        case(28, "dupe_eocd", bad, wheel() + wheel()[-22:]),
        case(28, "eocd64_locator_mismatch", bad, Archive(members(), end64={}, locator={"end64_offset": 3}).build()),
        case(28, "eocd64_non_locator", bad, Archive(members(), end64={}, locator={"signature": 0}).build()),
        case(28, "eocd64_without_locator", bad, Archive(members(), end64={}, no_locator=True).build()),
        case(28, "eocd64_without_eocd", bad, Archive(members(), end64={}).build()[:-22]),
        case(28, "missing_local_file", bad, Archive([*members(), Member("foo/b.py", b"", present=False)]).build()),
        case(28, "extra3byte", bad, with_first(change(local_extra=b"abc"))),
        case(28, "non_ascii_original_name", bad, with_first(change(local_name=b"foo/__init__\xff.py"))),
        case(28, "prefix", bad, Archive(members(), prefix=b"#!/bin/sh\n").build()),
        case(28, "prefix, not counted", bad, Archive(members(), prefix=b"#!/bin/sh\n", counted=False).build()),
        case(28, "second_unicode_extra", bad, with_first(change(local_extra=path + unicode_path(first, b"b")))),
        case(28, "shortextra", bad, with_first(change(central_extra=extra(0x7075, b"\1ab"), local_extra=b""))),
        case(28, "suffix_not_comment", bad, Archive(members(), suffix=b"more").build()),
        case(28, "unicode_extra_chain", bad, with_first(change(local_extra=path + path))),
        case(28, "wheel-1.0-py3-none-any", bad, Archive([*members(), twin]).build()),
        case(28, "zip64_eocd_confusion", bad, Archive(members(), end64={"members": 1}, end64_tail=b"x" * 8).build()),
        case(28, "zip64_eocd_extensible_data", bad, Archive(members(), end64={}, end64_tail=b"x" * 8).build()),
        case(28, "zip64_extra_csize", bad, with_first(change(local_extra=zip64_extra(6, 7)))),
        case(28, "zip64_extra_too_long", bad, with_first(change(local_extra=zip64_extra(6, 6, 0, 0)))),
        case(28, "zip64_extra_too_short", bad, with_first(change(central={"size": 0xFFFFFFFF}))),
        case(28, "zip64_extra_usize", bad, with_first(change(local_extra=zip64_extra(7, 6)))),
        case(28, "zipinzip", bad, Archive([*members(), Member("foo/b", wheel(), 0, listed=False)]).build()),
        case(95, "comment", "", Archive(members(), comment=b"a comment").build()),
        case(95, "deflate", "", with_first(change(method=8))),
        case(95, "subdir", "", Archive([Member("foo/", b"", 0, mode=0o40755), *members()]).build()),
        case(95, "zip64_eocd", "", Archive(members(), end64={}).build()),
        case(
            95,
            "short_usize_zip64",
            "",
            with_first(
                change(local={"size": 0xFFFFFFFF, "packed_size": 0xFFFFFFFF}, local_extra=zip64_extra(6, 6))
            ),
        ),
        case(230, "name with DEL", bad, with_first(change(name="foo/a\x7f.py"))),
        case(240, "other name in the Unicode path", bad, with_first(change(local_extra=unicode_path(first, b"a\0b")))),
        case(249, "Unicode path is not UTF-8", bad, with_first(change(local_extra=unicode_path(first, b"\xf7")))),
        case(266, "comment of a member", "WC852", with_first(change(comment=b"x"))),
        case(274, "NUL in a name", bad, with_first(change(name=b"foo/\0.py"))),
        case(282, "counts differ", bad, Archive(members(), end={"members_here": 100}).build()),
        case(290, "counts differ in ZIP64", bad, Archive(members(), end64={"members_here": 100}).build()),
        case(321, "too many members", bad, Archive(members(), end={"members": 9, "members_here": 9}).build()),
        case(348, "sizes differ", bad, with_first(change(local={"size": 10}))),
        case(367, "spoofed size", bad, with_first(change(central={"size": 6 << 20}))),
        case(404, "offset of the directory", bad, Archive(members(), end={"directory_offset": 1}).build()),
        case(438, "size of the directory", bad, Archive(members(), end={"directory_size": 1}).build()),
        case(28, "name of code page 437", "WC852", with_first(change(name="foo/é.py".encode(), flags=0))),
        case(95, "name in UTF-8", "", with_first(change(name="foo/é.py"))),
    ]


def metadata_cases() -> list[Case]:
    def case(line: int, code: str, *lines: str, version: str = "2.1", release: str = "1.0", source: str = METADATA):
        dist_info, file = f"foo-{release}.dist-info", f"foo-{release}-py3-none-any.whl"
        text = metadata(*lines, version=version, release=release)
        files = {f"foo-{release}.dist-info/licenses/LICENSE": b"MIT"}
        name = "; ".join(lines)[:60] or f"{version} {release}"
        return Case(f"{source}:{line}", name, wheel(text, dist_info=dist_info, files=files), code, file)

    direct = "foo @ https://example.com/foo-1.0.tar.gz"
    urls = [",", "", "a" * 100 + ", https://example.com/", "IRC,", "IRC, irc://example.com/"]
    emails = ["Author-email", "Maintainer-email"]
    return [
        case(25, "", "License-File: LICENSE", version="2.4"),
        case(35, "", "Import-Name: widget", "Import-Namespace: gadget", version="2.5"),
        case(78, "WC706", version="100000.0"),
        case(788, "WC706", version="-1", source=LEGACY),
        case(98, "WC854", release="2.0+local"),
        case(104, "", "Summary: " + "a" * 511),
        case(104, "", "Summary: " + "a" * 512),
        case(104, "WC854", "Summary: " + "a" * 513),
        case(988, "WC706", "Summary: A", "        B", source=LEGACY),
        *(case(130, "", f"{field}: test@example.org") for field in emails),
        *(case(141, "WC854", f"{field}: Foo <test>") for field in emails),
        *(case(153, "", f"{field}: Foo <>") for field in emails),
        case(163, "", "Classifier: Topic :: Utilities"),
        case(171, "WC855", "Classifier: Something :: Or :: Other"),
        case(1606, "WC855", "Classifier: Environment :: Other Environment", "Classifier: Foo", source=LEGACY),
        case(181, "WC855", "Classifier: Natural Language :: Ukranian"),
        case(199, "WC855", "Classifier: Topic :: Communications :: Chat :: AOL Instant Messenger"),
        case(5208, "WC855", "Classifier: Private :: Do Not Upload", source=LEGACY),
        case(218, "", "Home-page: https://example.com/"),
        case(226, "WC854", "Home-page: irc://example.com/"),
        *(case(235, "WC854", f"Project-URL: {value}") for value in urls),
        case(253, "", "Project-URL: Foo, https://example.com/"),
        *(case(261, "", f"{field}: foo>=1.0") for field in ("Provides-Dist", "Obsoletes-Dist", "Requires-Dist")),
        *(case(275, "WC854", f"{field}: foo >= dog") for field in ("Provides-Dist", "Obsoletes-Dist")),
        case(275, "WC706", "Requires-Dist: foo >= dog"),
        *(case(275, "WC856", f"{field}: {direct}") for field in ("Provides-Dist", "Obsoletes-Dist", "Requires-Dist")),
        case(312, "", "Dynamic: keywords", "Dynamic: author", version="2.2"),
        case(319, "WC854", "Dynamic: Invalid", version="2.2"),
        case(364, "WC706", "Summary: one", "Summary: two"),
        case(374, "WC854", "Project-URL: one, https://example.com/1/", "Project-URL: one, https://example.com/2/"),
        case(6065, "WC857", "License-File: LICENSE", "License-File: NO", version="2.4", source=LEGACY),
        case(6147, "WC854", "License: MIT", "License-Expression: MIT", version="2.4", source=LEGACY),
        case(988, "WC706", release="1.0.dev.a1", source=LEGACY).__class__(
            f"{LEGACY}:988", "no version", wheel(metadata(release="dog")), "WC706"
        ),
        # Not among Warehouse's tests.
        case(98, "", "License-File: absent", version="2.1"),  # setuptools before 77 wrote it in this version
        case(218, "", "Home-page: http://example.com:8080/a%20b?c=d#é"),
        case(226, "WC854", "Home-page: example.com"),
        case(226, "", "Download-URL: https://example.com/a b"),
        case(226, "WC854", "Download-URL: https://example.com:99999/"),
        case(130, "", 'Author-email: "Doe, Jane" <jane@example.com>, Joe <joe@example.com>'),
        case(141, "WC854", "Author-email: jane@localhost"),
        case(141, "WC854", "Author-email: none"),
        *(case(78, "WC854", version=version) for version in ("2.0", "1.3", "2.9")),
        case(275, "WC856", "Requires-Dist: foo[bar] @ git+https://example.com/foo ; python_version > '3'"),
    ]


def dist_info_cases() -> list[Case]:
    def case(source: str, name: str, code: str, data: bytes) -> Case:
        return Case(source, name, data, code)

    def points(text: bytes) -> bytes:
        return wheel(files={"foo-1.0.dist-info/entry_points.txt": text})

    good = ("foo foo.bar foo_bar foo-bar foo123 123foo _foo foo_ foo. .foo foo..bar _ -_-").split(" ")
    bad = [
        *("' '", "''", "foo bar", "foo\tbar", "foo\rbar", "foo/bar", "foo\\bar", "foo:bar", "'foo:bar'"),
        *("C:\\foo", "'C:\\foo'", "..\\..\\foo", "/foo", "../../../../foo"),
    ]
    groups = ("console_scripts", "gui_scripts")
    specification = b"""
[console_scripts]
foo = foomod:main
# One which depends on extras:
foobar = foomod:main_bar [bar,baz]

# pytest plugins refer to a module, so there is no ':obj'
[pytest11]
nbval = nbval.plugin
"""
    backslash = members()
    text = backslash[-1].data.replace(b"foo/__init__.py", b"foo\\__init__.py")
    backslash[-1].data = text
    return [
        case(f"{LEGACY}:410", "no WHEEL", "WC706", wheel(without=("WHEEL",))),
        case(f"{LEGACY}:421", "WHEEL", "", wheel()),
        case(f"{LEGACY}:3742", "no RECORD", "WC702", wheel(record=False)),
        case(f"{LEGACY}:4218", "no METADATA", "WC706", wheel(without=("METADATA",))),
        case(f"{LEGACY}:3860", "directory", "", Archive([Member("foo/", b"", 0, mode=0o40755), *members()]).build()),
        case(f"{LEGACY}:4155", "entry points", "WC858", points(b"[console_scripts]\nfoo/bar = foo:main\n")),
        *(
            case(f"{WHEEL}:225", f"{group} {name!r}", code, points(f"[{group}]\n{name}=foo:main\n".encode()))
            for group in groups
            for names, code in ((good, ""), (bad, "WC858"))
            for name in names
        ),
        case(f"{WHEEL}:281", "not UTF-8", "WC858", points(b"\xff\xfe\xfd")),
        case(f"{WHEEL}:281", "colon", "WC858", points(b"[console_scripts]\nfoo:main\n")),
        case(f"{WHEEL}:300", "other group", "", points(b"[not_console_scripts]\n/foo/ = bar:main\n")),
        case(f"{WHEEL}:308", "specification", "", points(specification)),
        # Not among Warehouse's tests: files that configparser refuses.
        case(f"{WHEEL}:281", "section twice", "WC858", points(b"[a]\nx = y\n[a]\n")),
        case(f"{WHEEL}:281", "name twice", "WC858", points(b"[a]\nx = y\nx = z\n")),
        case(f"{WHEEL}:281", "no section", "WC858", points(b"x = y\n")),
        case(f"{WHEEL}:281", "no name", "WC858", points(b"[a]\n= y\n")),
        case(f"{WHEEL}:308", "continued value", "", points(b"[a]\nx = y\n  z/w\n; comment\n")),
    ]


def all_cases() -> list[Case]:
    return [*platform_cases(), *name_cases(), *archive_cases(), *metadata_cases(), *dist_info_cases()]
