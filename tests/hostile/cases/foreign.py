"""Members that are not checked. Each is listed with its kind, and none makes the wheel fail."""

import gzip
import io
import struct
import zipfile

from elf_maker import MACHINES, Library, Section
from hostile import CORE, ELF_TAG, Case, elf_wheel, pure
from zip_maker import Member, wheel_name

ROW = (
    "nested wheels and zips, .gz, fatbins, PTX, bitcode, wasm, ar, .o, eBPF, core, Mach-O, PE, text named .so, "
    "ELF bytes inside data"
)
DEVICE = "EM_CUDA 190, EM_AMDGPU 224, EM_BPF 247, EM_VE 251, ..."


def nested_zip() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as inner:
        inner.writestr("inner/../../evil.so", Library(needed=["libevil.so"]).build())
    return out.getvalue()


def zip_bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as inner:
        inner.writestr("zeros", bytes(8 << 20))
    return out.getvalue()


def relocatable(machine: int, **header) -> bytes:
    """An object file: no program headers, one section of code."""
    library = Library(header={"type": 1, "phnum": 0, "phoff": 0, "phentsize": 0, "machine": machine, **header})
    library.edit_sections = lambda lib, out: [
        Section("", 0, flags=0),
        Section(".text", 1, 0, lib.offset("code"), 1, flags=6),
        out[-1],
    ]
    return library.build()


def archive_of(name: bytes, data: bytes) -> bytes:
    head = name.ljust(16) + b"0           0     0     100644  " + str(len(data)).encode().ljust(10) + b"`\n"
    return b"!<arch>\n" + head + data + b"\n" * (len(data) % 2)


def portable_executable() -> bytes:
    dos = b"MZ" + bytes(58) + struct.pack("<I", 64)
    return dos + b"PE\0\0" + struct.pack("<HHIIIHH", 0x8664, 0, 0, 0, 0, 0, 0x2000)


def mach_o() -> bytes:
    return struct.pack("<IIIIIIII", 0xFEEDFACF, 0x01000007, 3, 6, 0, 0, 0, 0)


def fatbin() -> bytes:
    ptx = b".version 8.0\n.target sm_80\n.address_size 64\n\0"
    entry = struct.pack("<HHIQ", 1, 0x101, 64, len(ptx)) + bytes(48) + ptx
    return struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(entry)) + entry


DATA = {
    "nested-wheel": ("hostile/inner-1.0-py3-none-any.whl", nested_zip()),
    "nested-zip": ("hostile/data.zip", nested_zip()),
    "nested-zip-bomb": ("hostile/bomb.zip", zip_bomb()),
    "nested-named-so": ("hostile/archive.so", nested_zip()),
    "gzip": ("hostile/core.so.gz", gzip.compress(Library(needed=["libevil.so"]).build(), mtime=0)),
    "fatbin": ("hostile/kernel.fatbin", fatbin()),
    "ptx": ("hostile/kernel.ptx", b".version 8.0\n.target sm_80\n.address_size 64\n"),
    "bitcode": ("hostile/kernel.bc", b"BC\xc0\xde" + bytes(60)),
    "bitcode-wrapped": ("hostile/wrapped.bc", b"\xde\xc0\x17\x0b" + bytes(60)),
    "wasm": ("hostile/core.wasm", b"\0asm\1\0\0\0"),
    "ar": ("hostile/libcore.a", archive_of(b"core.o/", relocatable(62))),
    "ar-thin": ("hostile/libthin.a", b"!<thin>\n"),
    "mach-o": ("hostile/core.dylib", mach_o()),
    "mach-o-named-so": ("hostile/mac.so", mach_o()),
    "mach-o-fat": ("hostile/fat.dylib", struct.pack(">IIIIIII", 0xCAFEBABE, 1, 0x01000007, 3, 28, 4, 0) + b"\0\0\0\0"),
    "pe": ("hostile/core.dll", portable_executable()),
    "pe-named-so": ("hostile/win.so", portable_executable()),
    "linker-script": ("hostile/libscript.so", b"/* GNU ld script */\nGROUP ( libcore.so.1 AS_NEEDED ( libm.so.6 ) )\n"),
    "text-named-so": ("hostile/text.so", b"not machine code\n"),
    "empty-so": ("hostile/empty.so", b""),
    "elf-inside": ("hostile/firmware.bin", b"HDR0" + Library(needed=["libevil.so"]).build()),
}
OBJECTS = {
    "object": ("hostile/core.o", relocatable(62), "relocatable object"),
    "object-aarch64": ("hostile/arm.o", relocatable(183), "relocatable object"),
    "core": ("hostile/core.dump", Library(header={"type": 4}).build(), "core dump"),
    "ebpf": ("hostile/probe.bpf.o", relocatable(247), "device code"),
}
# Files that the loader cannot open, although their names say so (WC718).
UNLOADABLE = ("nested-named-so", "mach-o-named-so", "pe-named-so", "text-named-so", "empty-so")
DEVICES = {"cuda": 190, "amdgpu": 224, "bpf": 247, "ve": 251, "intel-gpu": 205, "hexagon": 164, "xtensa": 94}


def cases():
    yield Case("foreign-none", "ok", ROW, elf_wheel({CORE: Library().build()}), wheel_name(ELF_TAG))
    for name, (path, data) in DATA.items():
        found = {"code": "WC718", "fails": True} if name in UNLOADABLE else {}
        yield Case(
            f"foreign-{name}",
            "finding" if found else "ignore",
            ROW,
            elf_wheel({CORE: Library().build(), path: data}),
            wheel_name(ELF_TAG),
            member=path,
            **found,
        )
    for name, (path, data, _) in OBJECTS.items():
        yield Case(
            f"foreign-{name}",
            "ignore",
            ROW,
            elf_wheel({CORE: Library().build(), path: data}),
            wheel_name(ELF_TAG),
            member=path,
        )
    for name, number in DEVICES.items():
        data = Library(
            number=number,
            needed=[],
            imports=[],
            ident={7: 51} if name in ("cuda",) else {7: 64} if name == "amdgpu" else {},
        ).build()
        yield Case(
            f"device-{name}",
            "ignore",
            DEVICE,
            elf_wheel({CORE: Library().build(), f"hostile/{name}.bin": data}),
            wheel_name(ELF_TAG),
            member=f"hostile/{name}.bin",
        )
        yield Case(
            f"device-{name}-in-any",
            "ignore",
            DEVICE,
            pure([Member("hostile/__init__.py", b""), Member(f"hostile/{name}.bin", data)]).build(),
            member=f"hostile/{name}.bin",
        )
    broken = Library(number=190, header={"phoff": 1 << 40}).build()
    yield Case(
        "device-cuda-broken",
        "ignore",
        DEVICE,
        elf_wheel({CORE: Library().build(), "hostile/k.cubin": broken}),
        wheel_name(ELF_TAG),
        member="hostile/k.cubin",
    )
    assert "x86_64" in MACHINES
