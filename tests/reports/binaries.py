"""Published failures of compiled files (see published.py). 2019 to 2026."""

from __future__ import annotations

import dataclasses
import hashlib
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "hostile"))

import zip_maker
from elf_format import BUILD_ID
from elf_maker import PT_TLS, Import, Library, R, Segment, W, X
from published import Report, module, name_only, wheel

GNU = "cpython-311-x86_64-linux-gnu.so"
MUSL = "cpython-311-x86_64-linux-musl.so"
CP311 = "foo-1.0-cp311-cp311-manylinux_2_17_x86_64.whl"
MUSL_1_2 = "foo-1.0-cp311-cp311-musllinux_1_2_x86_64.whl"
CREATE = name_only("PyModule_Create2")

VMOVAPS_YMM = bytes.fromhex("c5fc28c1 c5f877 31c0 c3".replace(" ", ""))
VMOVDQU64_ZMM = bytes.fromhex("62f1fe486f07 31c0 c3".replace(" ", ""))
PALIGNR = bytes.fromhex("660f3a0fc804 31c0 c3".replace(" ", ""))
MULX = bytes.fromhex("c4e2fbf6c1 31c0 c3".replace(" ", ""))
CPUID_FIRST = bytes.fromhex("31c0 0fa2 85d2 7407 c5fc28c1 c5f877 31c0 c3".replace(" ", ""))


def report(source: str, outcome: str, file: str, code: str, files: dict[str, bytes], says: str = "", **how) -> Report:
    options = {key: how.pop(key) for key in ("severity", "silent", "options", "unsaid") if key in how}
    return Report(source, outcome, file, wheel(file, *how.pop("lines", ()), files=files, **how), code, says=says, **options)


def thread_local(size: int = 8, libc: str = "libc.musl-x86_64.so.1") -> bytes:
    """A module with initial-exec variables of its own: R_X86_64_TPOFF64 without a symbol."""

    def edit(library: Library) -> None:
        library.put("rela", "QQQ", library.at("words"), 18, 0)

    def segments(library: Library, list_: list[Segment]) -> list[Segment]:
        return [*list_, Segment(PT_TLS, R, library.offset("words"), library.at("words"), 8, size, 8)]

    return module(CREATE, needed=[libc], edit=edit, edit_segments=segments)


def instructions() -> list[Report]:
    killed = "Illegal instruction (core dumped) at import"

    def one(source: str, code: bytes, says: str, severity: str = "error") -> Report:
        return report(source, killed, CP311, "WC120", {f"foo/core.{GNU}": module(CREATE, code=code)}, says,
                      severity=severity)  # fmt: skip

    return [
        one("pypa/manylinux#1725", PALIGNR, "x86-64-v2", "warning"),
        one("hiddenSymmetries/simsopt#652", VMOVDQU64_ZMM, "AVX-512"),
        one("qilimanjaro-tech/qilisdk#434", VMOVAPS_YMM, "AVX"),
        one("anuga-community/anuga_core#204", VMOVDQU64_ZMM, "PyInit_core"),
        one("lnccbrown/ssm-simulators#303", VMOVAPS_YMM, "x86-64-v3"),
        one("fundthmcalculus/tribble-fis#124", VMOVDQU64_ZMM, "x86-64-v4"),
        one("jhkorhonen/MOODS#47", VMOVAPS_YMM, "SIGILL"),
        one("OHF-Voice/webrtc-noise-gain#3", VMOVAPS_YMM, "vmovaps at"),
        one("EricLBuehler/mistral.rs#1269", MULX, "BMI"),
        report("ermig1979/Simd#71", "works: CPUID is tested first", CP311, "",
               {f"foo/core.{GNU}": module(CREATE, code=CPUID_FIRST)}, silent=("WC120",)),  # fmt: skip
    ]


def undefined() -> list[Report]:
    missing = "ImportError: undefined symbol"

    def one(source: str, says: str, *names: str, **how) -> Report:
        imports = [CREATE, *map(name_only, names)]
        return report(source, missing, CP311, "WC306", {f"foo/core.{GNU}": module(*imports)}, says, **how)

    library = Library(soname="libf2c-e943422c.so.0.23", imports=[name_only("MAIN__")], exports=["f2c"]).build()
    user = module(CREATE, needed=["libf2c-e943422c.so.0.23", "libc.so.6"], dynamic=[("RUNPATH", "$ORIGIN/../foo.libs")])
    rego = Library(soname="librego.so", needed=["libc.musl-x86_64.so.1"], exports=["rego"],
                   imports=[name_only("__cxa_thread_atexit_impl")])  # fmt: skip
    opens = b"import ctypes, os\nctypes.CDLL(os.path.join(os.path.dirname(__file__), 'librego.so'))\n"
    return [
        one("tblite/tblite#286", "_gfortran_os_error_at", "_gfortran_os_error_at"),
        one("tblite/tblite#278", "_ZGVbN2v_exp", "_ZGVbN2v_exp"),
        one("SugiharaLab/pyEDM#12", "GNU Fortran", "_gfortran_transfer_integer_write"),
        one("flexible-atomic-code/fac#491", "GNU Fortran", "_gfortran_stop_numeric_f08"),
        report("amnsbr/cubnm#3", "ImportError: undefined symbol: shm_open (glibc 2.28)",
               "foo-1.0-cp311-cp311-manylinux_2_27_x86_64.whl", "WC306",
               {f"foo/core.{GNU}": module(CREATE, name_only("shm_open"), Import("memcpy", "libc.so.6", "GLIBC_2.14"))},
               "librt.so.1, which defines it before glibc 2.34"),  # fmt: skip
        one("mideind/Icegrams#7", "__gxx_personality_v0", "__gxx_personality_v0"),
        report("FRBs/pygedm#14", missing, CP311, "WC306",
               {f"foo/core.{GNU}": user, "foo.libs/libf2c-e943422c.so.0.23": library}, "MAIN__"),  # fmt: skip
        report("microsoft/rego-cpp#226", "OSError: __cxa_thread_atexit_impl: symbol not found",
               "foo-1.4.0-py3-none-musllinux_1_2_x86_64.whl", "WC306",
               {"foo/librego.so": rego.build(), "foo/load.py": opens}, "__cxa_thread_atexit_impl"),  # fmt: skip
        report("mwilliamson/jq.py#43", "symbol scalbln, version GLIBC_2.2.5 not defined in file libc.so.6",
               "foo-1.0.0-cp36-cp36m-manylinux2010_x86_64.whl", "WC516",
               {"foo/core.cpython-36m-x86_64-linux-gnu.so": module(Import("scalbln", "libc.so.6", "GLIBC_2.2.5"))},
               "libm.so.6 only"),  # fmt: skip
        report("asottile-archive/dockerfile#113", "musl: initial-exec TLS resolves to dynamic definition", MUSL_1_2,
               "WC508", {f"foo/core.{MUSL}": thread_local()}, "which musl refuses"),  # fmt: skip
        report("gramineproject/gramine#1393", "programs for musl 1.2.4 crash under 1.2.2 (DT_RELR)", MUSL_1_2, "WC516",
               {f"foo/core.{MUSL}": module(CREATE, needed=["libc.musl-x86_64.so.1"],
                                           dynamic=[(36, 0x1000), (35, 0), (37, 8)])},
               "DT_RELR", severity="note"),  # fmt: skip
    ]


def interpreters() -> list[Report]:
    def one(source: str, outcome: str, file: str, code: str, path: str, *names: str, says: str = "", **how) -> Report:
        return report(source, outcome, file, code, {path: module(CREATE, *map(name_only, names))}, says, **how)

    abi3 = "manylinux_2_17_x86_64.whl"
    return [
        one("tohtsky/irspack#116", "ModuleNotFoundError on CPython 3.13", f"foo-1.0-cp312-abi3-{abi3}", "WC802",
            "foo/core.cpython-312-x86_64-linux-gnu.so"),  # fmt: skip
        one("theopolis/uefi-firmware-parser#152", "ImportError on CPython 3.13", f"foo-1.11-cp310-abi3-{abi3}", "WC802",
            "foo/core.cpython-310-x86_64-linux-gnu.so"),  # fmt: skip
        one("pyutils/line_profiler#393", "not abi3", f"foo-1.0-cp38-abi3-{abi3}", "WC801", "foo/core.abi3.so",
            "_PyDict_GetItem_KnownHash", says="_PyDict_GetItem_KnownHash"),  # fmt: skip
        one("silx-kit/silx#4410", "not abi3", f"foo-1.0-cp310-abi3-{abi3}", "WC801", "foo/core.abi3.so",
            "_PyUnicode_FastCopyCharacters", says="_PyUnicode_FastCopyCharacters"),  # fmt: skip
        one("OpenMined/PyDP#119", "installed everywhere, works nowhere else", "foo-1.0-py2.py3-none-any.whl", "WC705",
            "foo/pydp.so"),  # fmt: skip
    ]


def slots(*numbers: int) -> bytes:
    """Code that writes the numbers of slots, each with the value 1, as pybind11 3 does: mov dword/qword [rip+x], imm."""
    code = b""
    for index, number in enumerate([*numbers, 0]):
        for prefix, offset, value in ((b"", 0, number), (b"\x48", 8, 1)):
            code += prefix
            code += b"\xc7\x05" + struct.pack("<iI", 0x1000 + 16 * index + offset - len(code) - 10, value)
    return code + b"\xc3"


def threads() -> list[Report]:
    """Modules for free-threaded CPython."""
    enabled = "RuntimeWarning: The global interpreter lock (GIL) has been enabled to load module"
    file = "foo-1.0-cp314-cp314t-manylinux_2_28_x86_64.whl"
    start = name_only("PyModuleDef_Init")
    key = [("texts", b"__pybind11_internals_v11_system_libstdcpp_gxx_abi_1xxx_use_cxx11_abi_1__\0")]

    def one(source: str, code: str, elf: bytes, **how) -> Report:
        files = {"foo/core.cpython-314t-x86_64-linux-gnu.so": elf}
        return report(source, enabled if code else "the GIL stays off", file, code, files, **how)

    cython = module(start, name_only("PyUnstable_Module_SetGIL"))
    return [
        one("uber/h3-py#488", "WC805", cython, severity="warning", says="freethreading_compatible"),
        one("osqp/osqp-python#216", "WC805", module(start, code=slots(1, 2, 3), extras=key), severity="warning",
            says="mod_gil_not_used"),  # fmt: skip
        one("osqp/osqp-python#216", "", module(start, code=slots(1, 2, 3, 4), extras=key), silent=("WC805",)),
        one("adamchainz/time-machine#530", "WC805", module(CREATE), severity="warning", says="Py_mod_gil"),
    ]


def untagged() -> list[Report]:
    """Compiled files in wheels for any system."""
    program = Library(interpreter="/lib64/ld-linux-x86-64.so.2", header={"type": 2}, exports=["main"]).build()
    library = Library(soname="libportal.so", exports=["f"]).build()
    anywhere = "foo-1.0-py3-none-any.whl"
    return [
        report("JonathonReinhart/staticx#150", "the program does not start on i386", anywhere, "WC705",
               {"foo/assets/bootloader": program}),  # fmt: skip
        report("livekit/portal#26", "OSError on other systems", anywhere, "WC705", {"foo/libportal.so": library}),
        report("flashinfer-ai/flashinfer#1105", "OSError on other systems", anywhere, "WC705",
               {"foo/aot/libops.so": library}),  # fmt: skip
    ]


def loading() -> list[Report]:
    stack = "ImportError: cannot enable executable stack"
    missing = "ImportError: cannot open shared object file"

    def executable(source: str) -> Report:
        return report(source, stack, CP311, "WC601", {f"foo/core.{GNU}": module(CREATE, stack=R | W | X)})

    def version(source: str, file: str, node: str) -> Report:
        elf = module(CREATE, Import("f", "libc.so.6", node))
        return report(source, f"version `{node}' not found", file, "WC102", {f"foo/core.{GNU}": elf}, node)

    def unreached(source: str, path: str, runpath: str, library: str, says: str) -> Report:
        dynamic = [("RUNPATH", runpath)] if runpath else []
        elf = module(CREATE, needed=[library.rpartition("/")[2], "libc.so.6"], dynamic=dynamic)
        inside = Library(soname=library.rpartition("/")[2], exports=["f"]).build()
        return report(source, missing, CP311, "WC506", {path: elf, library: inside}, says)

    greens = module(CREATE, needed=["libgreens_functions.so", "libc.so.6"])
    program = Library(interpreter="/lib64/ld-linux-x86-64.so.2", header={"type": 2},
                      imports=[Import("getentropy", "libc.so.6", "GLIBC_2.25")])  # fmt: skip
    # patchelf 0.14.3 changed the search path but not the name, and the path names a file.
    half_repaired = module(CREATE, needed=["libLibraryName.so", "libc.so.6"],
                           dynamic=[("RUNPATH", "$ORIGIN/../foo.libs/libLibraryName-1a2b3c4d.so")])  # fmt: skip
    renamed = Library(soname="libLibraryName-1a2b3c4d.so", exports=["f"])
    return [
        executable("mala-project/mala#667"),
        executable("alibaba/MNN#3390"),
        executable("google/sling#291"),
        version("AutoGPTQ/AutoGPTQ#272", CP311, "GLIBC_2.32"),
        version("vinecopulib/pyvinecopulib#119", CP311, "GLIBC_2.29"),
        version("pyg-team/pyg-lib#266", CP311, "GLIBC_2.27"),
        version("PrimeIntellect-ai/pccl#20", CP311, "GLIBC_2.38"),
        report("generaltranslation/gt#1282", "version `GLIBC_2.25' not found",
               "foo-1.0-py3-none-manylinux_2_17_x86_64.whl", "WC102", {"foo/bin/gt": program.build()}, "GLIBC_2.25"),
        report("pypa/auditwheel#722", missing, CP311, "WC103",
               {f"foo/core.{GNU}": half_repaired, "foo.libs/libLibraryName-1a2b3c4d.so": renamed.build()},
               "--replace-needed libLibraryName.so libLibraryName-1a2b3c4d.so"),  # fmt: skip
        report("ecell/ecell4_base#339", missing, CP311, "WC103", {f"foo/core.{GNU}": greens}, "libgreens_functions.so"),
        unreached("pypa/auditwheel#557", f"foo/graph.{GNU}", "$ORIGIN/../foo.libs", "foo/libfoo.so",
                  "--set-rpath '$ORIGIN"),  # fmt: skip
        unreached("pypa/auditwheel#562", f"foo/lib/core.{GNU}", "/build/tvm", "foo/lib/libtvm_runtime.so",
                  "--set-rpath '$ORIGIN'"),  # fmt: skip
        unreached("pypa/auditwheel#416", f"foo/core.{GNU}", "", "foo.libs/libffi-1c6807d3.so.6.0.4",
                  "--set-rpath '$ORIGIN/../foo.libs'"),  # fmt: skip
        unreached("pypa/auditwheel#285", f"foo/core.{GNU}", "", "foo/libAvogadroCore.so.1", "--set-rpath '$ORIGIN'"),
    ]


def init_functions() -> list[Report]:
    def one(source: str, name: str, init: str) -> Report:
        elf = module(CREATE, init=init)
        says = "dynamic module does not define module export function"
        return report(source, f"ImportError: {says}", CP311, "WC803", {f"foo/{name}.{GNU}": elf}, init)

    return [
        one("lexus2k/tinyproto#46", "tinyproto", "PyInit_tinyproto_"),
        one("dgrunwald/rust-cpython#224", "libfastpython", "PyInit_rust2py"),
        one("pybind/python_example#99", "python_example_v2", "PyInit_python_example"),
    ]


def programs() -> list[Report]:
    elf = Library(interpreter="/lib64/ld-linux-x86-64.so.2", header={"type": 2}, exports=["main"]).build()
    file = "foo-1.0-py3-none-manylinux_2_17_x86_64.whl"
    denied = "PermissionError: [Errno 13] Permission denied"
    return [
        report(source, denied, file, "WC715", {path: elf}, severity="warning")
        for source, path in (
            ("superradcompany/microsandbox#1408", "foo/_bundled/bin/msb"),
            ("github/copilot-sdk#419", "foo/bin/copilot"),
            ("sophgo/sophon-tools#168", "foo/output/dfss-cpp-linux-amd64"),
        )
    ]


def packages() -> list[Report]:
    """Wheels without a part of their own package."""
    missing = "ModuleNotFoundError: No module named"
    file = "foo-1.0-py3-none-manylinux_2_17_x86_64.whl"

    def one(source: str, severity: str, says: str, **files: str) -> Report:
        members = {f"foo/{name}.py": text.encode() for name, text in files.items()}
        return report(source, missing, file, "WC720", members, says, severity=severity)

    return [
        one("BodenmillerGroup/steinbock#128", "warning", "._cli", __main__="from ._cli import steinbock_cmd_group\n"),
        one("descriptinc/cargan#2", "error", ".model", __init__="from . import model\n"),
        one("gpt-cmdr/ras-commander#142", "note", "foo.sources", catalog="from foo.sources.base import Source\n"),
        one("repowise-dev/repowise#110", "note", ".dotnet", csharp="from .dotnet import get_or_build_index\n"),
    ]  # fmt: skip


def tags() -> list[Report]:
    refused = "pip: is not a supported wheel on this platform"

    def one(source: str, file: str) -> Report:
        return report(source, refused, file, "WC117", {f"foo/core.{GNU}": module(CREATE)})

    return [
        one("acon96/home-llm#271", "foo-0.3.5-cp311-cp311-linux_amd64.whl"),
        report("pydantic/pydantic#376", refused, "foo-0.18.2-py36+-none-any.whl", "WC703", {}, "python tags"),
        report("mherkazandjian/fastgrab#72", "ModuleNotFoundError: No module named 'fastgrab._linux_x11'",
               "foo-0.3.0-cp311-cp311-manylinux_2_35_x86_64.whl", "WC118",
               {"foo/grab.py": b"from ._linux_x11 import grab\n"}, "_linux_x11"),  # fmt: skip
        report("python-sdbus/python-sdbus#113", "ImportError: cannot open shared object file, which is there",
               "sdbus-0.14.1-cp39-abi3-manylinux_2_28_aarch64.whl", "WC109",
               {"sdbus/sd_bus_internals.abi3.so": Library(machine="aarch64", number=0).build()}, "the ELF header is damaged"),
        report("luvsound/pippi#75", "PyPI answers 400", "foo-2.0.0b4-cp311-cp311-linux_x86_64.whl", "WC850",
               {f"foo/core.{GNU}": module(CREATE)}, options=("--index", "pypi")),  # fmt: skip
    ]


def files() -> list[Report]:
    pure = "foo-1.0-py3-none-any.whl"
    large = module(CREATE) + hashlib.shake_256(b"noise").digest(1_200_000)
    return [
        report("X-DataInitiative/tick#402", "each library twice in the repaired wheel", CP311, "WC513",
               {"foo/lib/libx.so": large, "foo/libx.so.1": large}, "libx.so.1", severity="warning"),  # fmt: skip
        report("ai-dynamo/nixl#1567", "UCX asserts: its plugin is loaded under two names", CP311, "WC513",
               {f"foo.libs/ucx/{name}": large for name in ("libuct_ib.so", "libuct_ib.so.0", "libuct_ib.so.0.0.0")},
               "libuct_ib.so.0.0.0", severity="warning"),  # fmt: skip
        report("astral-sh/uv#8798", "uv: RECORD file doesn't match wheel contents", pure, "WC702", {},
               record=b"foo/__init__.py,,\nfoo/gone.dll,,\nfoo-1.0.dist-info/RECORD,,\n"),  # fmt: skip
        report("aivrar/vllm-windows-build#5", "uv: RECORD file is invalid: 6 fields", pure, "WC702", {},
               record=b"foo/__init__.py,,\nfoo/a,b,c,sha256=x,1,2\nfoo-1.0.dist-info/RECORD,,\n"),  # fmt: skip
        report("astral-sh/uv#15400", "wheel unpack: hash mismatch (hex, not base64)", pure, "WC702", {},
               record=b"foo/__init__.py,sha256=" + b"ab" * 32 + b",6\nfoo-1.0.dist-info/RECORD,,\n"),  # fmt: skip
    ]


def without_code() -> list[Report]:
    """Wheels whose build left out the Python code."""

    def one(source: str, code: str, path: str, **how) -> Report:
        file = module(CREATE, init="PyInit_" + path.rpartition("/")[2])
        return report(source, "import finds an empty package", CP311, code, {f"{path}.{GNU}": file},
                      severity="warning", bare=True, **how)  # fmt: skip

    return [
        one("Forest-Neurotech/mach#32", "WC721", "mach/_cuda_impl", says="import mach"),
        one("Forest-Neurotech/mach#32", "", "mach/kernel", silent=("WC721",)),
        one("Forest-Neurotech/mach#32", "", "_mach", silent=("WC721",)),
    ]


def certificates() -> list[Report]:
    failed = "curl error 77 on Debian and Ubuntu"

    def one(source: str, *lines: str, **how) -> Report:
        curl = Library(soname="libcurl-1a2b3c4d.so.4", exports=["curl_easy_init"], sections=False,
                       needed=[*how.pop("tls", ["libssl-1a2b3c4d.so.3"]), "libc.so.6"],
                       extras=[("texts", b"\0/etc/pki/tls/certs/ca-bundle.crt\0")]).build()  # fmt: skip
        user = module(CREATE, needed=["libcurl-1a2b3c4d.so.4", "libc.so.6"],
                      dynamic=[("RUNPATH", "$ORIGIN/../foo.libs")])  # fmt: skip
        files = {f"foo/core.{GNU}": user, "foo.libs/libcurl-1a2b3c4d.so.4": curl}
        return report(source, failed, CP311, how.pop("code", "WC610"), files, lines=lines, severity="warning", **how)

    return [
        one("pycurl/pycurl#834", says="/etc/pki/tls/certs/ca-bundle.crt"),
        one("pycurl/pycurl#1066", says="Red Hat"),
        one("Unidata/netcdf4-python#1246", says="CURLOPT_CAINFO"),
        one("pysam-developers/pysam#1257", says="HTTPS fails on other systems"),
        one("geopandas/pyogrio#66", says="certifi.where()"),
        one("bioio-devs/aicspylibczi#138", "Requires-Dist: certifi", code="", silent=("WC610",)),
        one("ifm3dpy 1.6.16", tls=[], code="", silent=("WC610",)),
    ]


def of_requirements() -> list[Report]:
    """Libraries that another distribution installs. The import works, and auditwheel needs --exclude for each."""
    works = "the import works"

    def one(source: str, needed: str, *lines: str, files: dict[str, bytes] | None = None, runpath: str = "", **how):
        dynamic = [("RUNPATH", runpath)] if runpath else []
        user = module(CREATE, needed=[needed, "libc.so.6"], dynamic=dynamic)
        return report(source, works, CP311, how.pop("code", ""), {f"foo/core.{GNU}": user, **(files or {})},
                      lines=lines, **how)  # fmt: skip

    silent = ("WC101", "WC103", "WC106")
    return [
        one("pypa/auditwheel#580", "libtorch_cpu.so", "Requires-Dist: torch>=2.7", silent=silent),
        one("pypa/auditwheel#368", "libvulkan_of_base.so.1", "Requires-Dist: vulkan-of-base", silent=silent,
            runpath="$ORIGIN/../vulkan_of_base/lib"),  # fmt: skip
        one("rapidsai/cugraph#5663", "libkvikio.so", "Requires-Dist: libcudf-cu13", silent=silent),
        one("pytorch/ao#2892", "libcudart.so.13", "Requires-Dist: torch", silent=silent),
        one("pytorch/ao#2892", "libcudart.so.13", "Requires-Dist: nvidia-cuda-runtime-cu12", code="WC103"),
        one("pypa/auditwheel#580", "libtorch_cpu.so", "Requires-Dist: torch>=2.7", code="WC103",
            options=("--self-contained",)),  # fmt: skip
    ]


def more_than_one_file() -> list[Report]:
    """What only the whole wheel shows: calls of Python code, copies, tags and directories."""
    opens = b"import ctypes, os\nctypes.CDLL(os.path.join(os.path.dirname(__file__), '%s'))\n"
    avogadro, io = "libAvogadroQuantumIO.so.1", "libAvogadroIO.so.1"
    user = module(CREATE, needed=[avogadro, "libc.so.6"], dynamic=[("RPATH", "$ORIGIN")])
    quantum = Library(soname=avogadro, exports=["f"], needed=[io, "libc.so.6"])
    files = {
        f"foo/core.{GNU}": user,
        f"foo/{avogadro}": quantum.build(),
        f"foo/{io}": Library(soname=io, exports=["g"], needed=["libc.so.6"]).build(),
    }
    found = {**files, f"foo/{avogadro}": dataclasses.replace(quantum, dynamic=[("RUNPATH", "$ORIGIN")]).build()}
    there = b"os.path.join(os.path.dirname(__file__), 'libAvogadroQuantum*.so.1')"
    opened = (
        ("2", opens % avogadro.encode()),
        ("3", b"import cffi, os\nffi = cffi.FFI()\nffi.dlopen(%s)\n" % there.replace(b"*", b"IO")),
        ("3", b"import ctypes, glob, os\nfor path in glob.glob(%s):\n    ctypes.CDLL(path)\n" % there),
    )
    noise = hashlib.shake_256(b"noise").digest(1_200_000)

    def whisper(last_of_build_id: bytes) -> dict[str, bytes]:
        one = Library(soname="libwhisper.so.1", exports=["w"], notes=BUILD_ID)
        other = Library(soname="libwhisper-40042964.so.1.7.1", exports=["w"], dynamic=[("RPATH", "$ORIGIN")],
                        notes=BUILD_ID[:-1] + last_of_build_id)  # fmt: skip
        return {"foo/libwhisper.so.1": one.build() + noise,
                "foo.libs/libwhisper-40042964.so.1.7.1": other.build() + noise}  # fmt: skip

    program = Library(interpreter="/lib64/ld-linux-x86-64.so.2", header={"type": 2}, exports=["main"]).build()
    placed = "foo-1.0-cp35-cp35m-manylinux_2_17_x86_64.whl"

    def everywhere(source: str, library: str) -> Report:
        svm = Library(soname="libsvm.so", exports=["svm"], needed=[library, "libc.so.6"]).build()
        outcome = f"OSError: {library}: cannot open shared object file"
        return report(source, outcome, "foo-1.0-py3-none-any.whl", "WC103", {"foo/libsvm.so": svm}, library)

    def stored(source: str) -> Report:
        tag = "cp311-cp311-manylinux_2_17_x86_64"
        member = zip_maker.Member(f"hostile/core.{GNU}", module(CREATE) + bytes(200_000), method=0)
        data = zip_maker.Archive(zip_maker.wheel_members([member], tag)).build()
        return Report(source, "the wheel is three times as large", zip_maker.wheel_name(tag), data, "WC710",
                      severity="warning", says="without compression")  # fmt: skip

    return [
        *map(stored, ("mesonbuild/meson-python#519", "ai-dynamo/nixl#497", "microsoft/playwright-python#2662")),
        everywhere("Xtra-Computing/thundersvm#168", "libcusparse.so.9.0"),
        everywhere("Xtra-Computing/thundergbm#47", "libcusparse.so.10.0"),
        *(report("pypa/auditwheel#285", f"OSError: {io}: cannot open shared object file", CP311, "WC506",
                 {**files, "foo/__init__.py": text}, f"foo/__init__.py:{line}", bare=True)
          for line, text in opened),
        *(report("pypa/auditwheel#285", "works: the library has a search path", CP311, "",
                 {**found, "foo/__init__.py": text}, bare=True, silent=("WC506",)) for _, text in opened),
        report("absadiki/pywhispercpp#81", "the wheel contains libwhisper.so twice", CP311, "WC513",
               whisper(BUILD_ID[-1:]), "same code", severity="warning"),  # fmt: skip
        report("absadiki/pywhispercpp#81", "two builds", CP311, "", whisper(b"?"), silent=("WC513",)),
        report("scikit-build/scikit-build#434", "ModuleNotFoundError: the module is in PREFIX/lib", placed, "WC802",
               {"foo-1.0.data/data/lib/core.cpython-35m-x86_64-linux-gnu.so": module(CREATE)}, "outside of site-packages"),
        report("ray-project/ray#59969", "four equal wheels, one for each CPython", CP311, "WC113",
               {"foo/bin/ray-cpp": program}, "py3-none", severity="warning"),  # fmt: skip
        report("deepmodeling/deepmd-kit#2180", "one equal wheel for each CPython", CP311, "WC113",
               {"foo/lib/libdeepmd_cc.so": Library(exports=["f"], needed=["libc.so.6"]).build()}, "py3-none",
               severity="warning"),  # fmt: skip
    ]


def all_binaries() -> list[Report]:
    groups = (instructions, undefined, interpreters, threads, untagged, loading, init_functions, programs, packages, tags,
              files, without_code, certificates, of_requirements, more_than_one_file)  # fmt: skip
    return [one for group in groups for one in group()]
