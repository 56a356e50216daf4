"""WHEEL, METADATA and .dist-info."""

from elf_maker import Library
from hostile import CORE, ELF_TAG, FILES, PURE_TAG, Case, elf_wheel, pure
from zip_maker import DIST_INFO, METADATA, Archive, Member, wheel_file, wheel_members, wheel_name

MISSING = "WHEEL/METADATA/RECORD missing, wrong .dist-info, two .dist-info"
CLAIMS = "Wheel-Version 2.x, WHEEL tags not those of the file name, ELF in purelib, ELF in an `any` wheel"


def with_wheel(text: bytes) -> bytes:
    return pure(wheel=text).build()


def with_metadata(text: bytes) -> bytes:
    return pure(metadata=text).build()


def cases():
    for name in ("WHEEL", "METADATA", "RECORD"):
        yield Case(
            f"missing-{name.lower()}",
            "finding",
            MISSING,
            pure(without=(name,)).build(),
            says="missing",
            code="WC706" if name != "RECORD" else None,
            fails=True,
        )
        members = pure().members
        for m in members:
            if m.name == f"{DIST_INFO}/{name}":
                m.name = f"{DIST_INFO}/{name.lower()}"
        yield Case(
            f"missing-{name.lower()}-but-in-lower-case",
            "finding",
            MISSING,
            Archive(members).build(),
            says="missing",
            fails=True,
        )
    yield Case("missing-all", "finding", MISSING, Archive([Member(n, d) for n, d in FILES.items()]).build(), fails=True)
    yield Case(
        "dist-info-of-another-project",
        "finding",
        MISSING,
        pure(dist_info="other-1.0.dist-info").build(),
        fails=True,
        code="WC706",
    )
    yield Case(
        "dist-info-of-another-version",
        "finding",
        MISSING,
        pure(dist_info="hostile-2.0.dist-info").build(),
        fails=True,
        code="WC706",
    )
    yield Case("dist-info-without-version", "finding", MISSING, pure(dist_info="hostile.dist-info").build(), fails=True)
    yield Case("dist-info-deeper", "finding", MISSING, pure(dist_info="sub/hostile-1.0.dist-info").build(), fails=True)
    yield Case("dist-info-other-spelling", "remarked", MISSING, pure(dist_info="Hostile-1.0.dist-info").build())
    two = pure()
    two.members += wheel_members({}, dist_info="other-1.0.dist-info")
    yield Case("dist-info-two", "reject", MISSING, two.build(), says="dist-info")
    two = pure()
    two.members += wheel_members({}, dist_info="hostile-1.0.0.dist-info")
    yield Case("dist-info-two-of-the-same", "reject", MISSING, two.build(), says="dist-info")
    two = pure()
    two.members += [Member("Hostile-1.0.dist-info/METADATA", METADATA)]
    yield Case("dist-info-two-by-case", "reject", MISSING, two.build(), says="dist-info")

    tags = wheel_file(PURE_TAG, pure=True)
    for name, version in {
        "2": "2.0",
        "99": "99.0",
        "text": "one",
        "none": "",
        "negative": "-1.0",
        "huge": "9" * 400,
    }.items():
        yield Case(
            f"wheel-version-{name}",
            "finding",
            CLAIMS,
            with_wheel(wheel_file(PURE_TAG, version=version, pure=True)),
            fails=True,
        )
    yield Case("wheel-version-1-9", "remarked", CLAIMS, with_wheel(wheel_file(PURE_TAG, version="1.9", pure=True)))
    yield Case("wheel-version-absent", "finding", CLAIMS, with_wheel(tags.split(b"\n", 1)[1]), fails=True)
    for name, tag in {"platform": "py3-none-linux_x86_64", "python": "py2-none-any", "abi": "py3-abi3-any"}.items():
        yield Case(f"tags-other-{name}", "finding", CLAIMS, with_wheel(wheel_file(tag, pure=True)), fails=True)
    yield Case("tags-more", "finding", CLAIMS, with_wheel(wheel_file("py2.py3-none-any", pure=True)), fails=True)
    yield Case("tags-none", "finding", CLAIMS, with_wheel(b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\n"))
    yield Case(
        "tags-broken",
        "finding",
        CLAIMS,
        with_wheel(b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3\n"),
        fails=True,
    )
    yield Case(
        "tags-escape",
        "finding",
        CLAIMS,
        with_wheel(b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: \x1b]0;x\x07-none-any\n"),
        fails=True,
    )
    yield Case(
        "tags-10000",
        "finding",
        CLAIMS,
        with_wheel(tags + b"".join(b"Tag: py3-none-p%d\n" % n for n in range(10_000))),
        fails=True,
    )
    yield Case("wheel-empty", "finding", CLAIMS, with_wheel(b""), fails=True)
    yield Case("wheel-binary", "finding", CLAIMS, with_wheel(bytes(range(256)) * 8), fails=True)
    yield Case("wheel-not-utf8", "finding", CLAIMS, with_wheel(tags + b"Generator: caf\xe9\n"), fails=True)
    yield Case("wheel-purelib-absent", "remarked", CLAIMS, with_wheel(tags.replace(b"Root-Is-Purelib: true\n", b"")))
    yield Case("wheel-purelib-nonsense", "remarked", CLAIMS, with_wheel(tags.replace(b"true", b"perhaps")))
    yield Case(
        "wheel-lone-return",
        "finding",
        CLAIMS,
        with_wheel(tags + b"Generator: x\rTag: cp311-cp311-manylinux_2_99_x86_64\n"),
        code="WC706",
        says="carriage return",
        fails=True,
    )
    yield Case(
        "metadata-lone-return",
        "finding",
        MISSING,
        with_metadata(METADATA.replace(b"License: MIT", b"License: MIT\rRequires-Dist: evil")),
        code="WC706",
        says="carriage return",
        fails=True,
    )
    for name, script in {
        "leaves": b"../../../evil = hostile:main",
        "path": b"sub/evil = hostile:main",
        "no-callable": b"evil = hostile",
        "code": b"evil = hostile;import os:main",
        "odd-line-end": b"good = hostile:main\x0bevil = hostile:main",
    }.items():
        scripts = pure()
        scripts.members.append(Member(f"{DIST_INFO}/entry_points.txt", b"[console_scripts]\n" + script + b"\n"))
        yield Case(
            f"entry-points-{name}",
            "finding",
            MISSING,
            scripts.build(),
            member=f"{DIST_INFO}/entry_points.txt",
            code="WC706",
            fails=True,
        )
    yield Case("metadata-empty", "finding", MISSING, with_metadata(b""), fails=True)
    yield Case(
        "metadata-other-name", "finding", MISSING, with_metadata(METADATA.replace(b"hostile", b"other")), fails=True
    )
    yield Case(
        "metadata-other-version", "finding", MISSING, with_metadata(METADATA.replace(b"1.0", b"9.9")), fails=True
    )
    yield Case(
        "metadata-two-names",
        "finding",
        MISSING,
        with_metadata(METADATA.replace(b"Version: 1.0", b"Name: other\nVersion: 1.0")),
        fails=True,
    )
    yield Case("metadata-binary", "finding", MISSING, with_metadata(bytes(range(256)) * 8), fails=True)
    yield Case("metadata-not-utf8", "remarked", MISSING, with_metadata(METADATA + b"caf\xe9\n"))
    yield Case(
        "metadata-control",
        "remarked",
        MISSING,
        with_metadata(METADATA.replace(b"License: MIT", b"License: MIT\x1b[2J\x07")),
    )
    yield Case(
        "metadata-long-line",
        "remarked",
        MISSING,
        with_metadata(METADATA.replace(b"License: MIT", b"License: MIT\nKeywords: " + b"k" * 1_000_000)),
    )
    yield Case(
        "metadata-100000-requirements",
        "remarked",
        MISSING,
        with_metadata(
            METADATA.replace(b"License: MIT", b"License: MIT\n" + b"Requires-Dist: a; python_version > '3'\n" * 100_000)
        ),
    )
    yield Case(
        "metadata-nested-marker",
        "remarked",
        MISSING,
        with_metadata(
            METADATA.replace(
                b"License: MIT",
                b"License: MIT\nRequires-Dist: a; " + b"(" * 100_000 + b"os_name == 'x'" + b")" * 100_000,
            )
        ),
    )
    yield Case(
        "metadata-marker-chain",
        "remarked",
        MISSING,
        with_metadata(
            METADATA.replace(
                b"License: MIT", b"License: MIT\nRequires-Dist: a; os_name == 'x'" + b" or os_name == 'x'" * 50_000
            )
        ),
    )
    yield Case(
        "metadata-long-version",
        "remarked",
        MISSING,
        with_metadata(METADATA.replace(b"License: MIT", b"License: MIT\nRequires-Python: >=" + b"1." * 200_000 + b"0")),
    )

    elf = Library().build()
    yield Case(
        "elf-in-any",
        "finding",
        CLAIMS,
        elf_wheel({CORE: elf}, PURE_TAG),
        wheel_name(PURE_TAG),
        member=CORE,
        code="WC705",
        fails=True,
    )
    name = "hostile-1.0.data/purelib/hostile/core.so"
    yield Case(
        "elf-in-purelib",
        "finding",
        CLAIMS,
        elf_wheel({name: elf}),
        wheel_name(ELF_TAG),
        member=name,
        code="WC705",
        fails=False,
    )
    members = wheel_members({CORE: elf}, tag=ELF_TAG, wheel=wheel_file(ELF_TAG, pure=True))
    yield Case(
        "elf-in-pure-root",
        "finding",
        CLAIMS,
        Archive(members).build(),
        wheel_name(ELF_TAG),
        member=CORE,
        code="WC705",
    )
    for word in ("TRUE", "True"):
        text = wheel_file(ELF_TAG).replace(b"false", word.encode())
        yield Case(
            f"elf-in-pure-root-{word}",
            "finding",
            CLAIMS,
            Archive(wheel_members({CORE: elf}, tag=ELF_TAG, wheel=text)).build(),
            wheel_name(ELF_TAG),
            member=CORE,
            code="WC705",
        )
    odd = "hostile-1.0.data/nowhere/core.so"
    yield Case("elf-below-unknown-data", "finding", CLAIMS, elf_wheel({odd: elf}), wheel_name(ELF_TAG), member=odd)
