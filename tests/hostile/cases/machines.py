"""Machines, classes, byte orders, C libraries."""

from elf_maker import BUILD_ID, FIRST_GLIBC, MACHINES, Import, Library
from hostile import elf_case

ODD = "x32, 386 in a 64-bit class, big-endian x86, s390 31-bit, ppc64 in ppc64le, glibc in musllinux and the reverse"
GOOD = "i686, aarch64, armv7l, ppc64le, ppc64 (BE), s390x (64-bit DT_HASH words), riscv64, loongarch64, musl"
LEVEL = {"riscv64": "2_31", "loongarch64": "2_36"}


def tag(machine: str, family: str = "manylinux") -> str:
    level = "1_2" if family == "musllinux" else LEVEL.get(machine, "2_17")
    return f"cp311-cp311-{family}_{level}_{machine}"


def musl(machine: str, **how) -> Library:
    return Library(machine=machine, needed=["libc.so"], imports=[Import("free", None, None)], **how)


def wrong(name: str, library: Library, claimed: str, **told):
    return elf_case(
        f"machine-{name}", "finding", ODD, library, tag=claimed, **{"fails": True, "machine_is_this": False, **told}
    )


def cases():
    named = ("i686", "aarch64", "armv7l", "ppc64le", "ppc64", "s390x", "riscv64", "loongarch64", "x86_64")
    for machine in named:
        here = machine == "x86_64"
        for kind in ("gnu", "sysv", "both"):
            for sections in (True, False):
                name = f"machine-{machine}-{kind}" + ("" if sections else "-no-sections")
                yield elf_case(
                    name,
                    "ok",
                    GOOD,
                    Library(machine=machine, hash=kind, sections=sections),
                    tag=tag(machine),
                    machine_is_this=here,
                    shows=f'"arch": "{machine}".*extension module|extension module.*"arch": "{machine}"',
                )
        if machine not in ("ppc64", "loongarch64"):
            yield elf_case(
                f"machine-{machine}-musl",
                "ok",
                GOOD,
                musl(machine),
                tag=tag(machine, "musllinux"),
                machine_is_this=False,
            )
            yield wrong(
                f"{machine}-glibc-in-musllinux",
                Library(machine=machine),
                tag(machine, "musllinux"),
                member="hostile/core.so",
            )
            yield wrong(f"{machine}-musl-in-manylinux", musl(machine), tag(machine), member="hostile/core.so")
        # A version that is too new, read in every byte order and class.
        new = Library(
            machine=machine,
            sections=False,
            imports=[Import("free", version=FIRST_GLIBC[machine]), Import("f", version="GLIBC_2.99")],
        )
        yield elf_case(
            f"machine-{machine}-too-new",
            "finding",
            GOOD,
            new,
            tag=tag(machine),
            code="WC102",
            says="GLIBC_2.99",
            fails=True,
            machine_is_this=here,
        )
        other = "aarch64" if machine != "aarch64" else "x86_64"
        yield wrong(f"{machine}-in-{other}", Library(machine=machine), tag(other), code="WC109")
    yield wrong("x32", Library(machine="x32"), tag("x86_64"))
    yield wrong("i386-in-64-bit", Library(number=3), tag("i686"))
    yield wrong("i386-in-64-bit-in-x86-64", Library(number=3), tag("x86_64"))
    yield wrong("x86-64-big-endian", Library(machine="ppc64", number=62), tag("x86_64"))
    yield wrong("i386-big-endian", Library(machine="s390", number=3), tag("i686"))
    yield wrong("s390-31-bit", Library(machine="s390"), tag("s390x"))
    yield wrong("s390x-little-endian", Library(number=22), tag("s390x"))
    yield wrong("ppc64-in-ppc64le", Library(machine="ppc64"), tag("ppc64le"))
    yield wrong("ppc64le-in-ppc64", Library(machine="ppc64le"), tag("ppc64"))
    yield wrong("ppc64le-abi-1", Library(machine="ppc64le", header={"flags": 1}), tag("ppc64le"))
    yield wrong("aarch64-big-endian", Library(machine="ppc64", number=183), tag("aarch64"))
    yield wrong("aarch64-32-bit", Library(machine="i686", number=183), tag("aarch64"))
    yield wrong("arm-big-endian", Library(machine="s390", number=40, header={"flags": 0x05000400}), tag("armv7l"))
    yield wrong("arm-soft-float", Library(machine="armv7l", header={"flags": 0x05000200}), tag("armv7l"))
    yield wrong("arm-old-abi", Library(machine="armv7l", header={"flags": 0}), tag("armv7l"))
    yield wrong("riscv-32", Library(machine="i686", number=243), tag("riscv64"))
    yield wrong("riscv-soft-float", Library(machine="riscv64", header={"flags": 1}), tag("riscv64"))
    yield wrong("loongarch-soft-float", Library(machine="loongarch64", header={"flags": 0x41}), tag("loongarch64"))
    for number, name in {
        2: "sparc",
        4: "68k",
        8: "mips",
        20: "ppc",
        50: "ia64",
        0x9026: "alpha",
        0xFFFF: "unknown",
        6: "iamcu",
    }.items():
        yield wrong(f"number-{name}", Library(number=number), tag("x86_64"), code="WC109")
    yield elf_case(
        "machine-two-in-linux",
        "finding",
        ODD,
        Library(),
        tag="cp311-cp311-linux_x86_64",
        more={"hostile/arm.so": Library(machine="aarch64").build()},
        member="hostile/arm.so",
    )
    yield elf_case(
        "machine-build-id-big-endian",
        "ok",
        GOOD,
        Library(machine="ppc64", notes=bytes(BUILD_ID[3::-1] + BUILD_ID[7:3:-1] + BUILD_ID[11:7:-1]) + BUILD_ID[12:]),
        tag=tag("ppc64"),
        shows="000102030405",
        machine_is_this=False,
    )
    assert set(named) <= MACHINES.keys()
