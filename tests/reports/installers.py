"""Published failures of installers, indexes and loaders (see published.py). 2013 to 2026.

The outcomes of wheels that pip installs or refuses were tried with pip 26, packaging 26 and uv; those of the loader are
as the reports say.
"""

from __future__ import annotations

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "hostile"))

from elf_maker import Import, Library
from published import PYPI, REFUSED, Report, module, name_only, wheel

GNU = "cpython-311-x86_64-linux-gnu.so"
CP311 = "foo-1.0-cp311-cp311-manylinux_2_17_x86_64.whl"
PURE = "foo-1.0-py3-none-any.whl"
CREATE = name_only("PyModule_Create2")


def report(source: str, outcome: str, file: str, code: str, files: dict[str, bytes], says: str = "", **how) -> Report:
    options = {key: how.pop(key) for key in ("severity", "silent", "options") if key in how}
    lines = how.pop("lines", ())
    return Report(source, outcome, file, wheel(file, *lines, files=files, **how), code, says=says, **options)


def names() -> list[Report]:
    """Names and directories that do not agree."""
    return [
        report("flattrade/pythonAPI#11", "pip: .dist-info directory does not start with the name",
               "NorenRestApiPy-0.0.16-py2.py3-none-any.whl", "WC706", {}, "Api", dist_info="Api-0.0.3.dist-info",
               text=b"Metadata-Version: 2.1\nName: Api\nVersion: 0.0.3\n\n"),  # fmt: skip
        report("pytorch/pytorch#482", "pip: .dist-info directory not found",
               "torch_cuda80-0.1.6.post17-cp35-cp35m-linux_x86_64.whl", "WC706", {}, "torch",
               dist_info="torch-0.1.6.post17.dist-info",
               text=b"Metadata-Version: 2.1\nName: torch\nVersion: 0.1.6.post17\n\n"),  # fmt: skip
        report("astral-sh/uv#2106", "uv refuses the local version that the file name lacks",
               "mypackage-0.10.3-cp311-cp311-linux_x86_64.whl", "WC706", {}, "0.10.3+123.ab1cd2e",
               dist_info="mypackage-0.10.3+123.ab1cd2e.dist-info",
               text=b"Metadata-Version: 2.1\nName: mypackage\nVersion: 0.10.3+123.ab1cd2e\n\n"),  # fmt: skip
        report("pradyunsg/pip-resolver-benchmarks#12", "pip: multiple .dist-info directories found",
               "wcwidth-0.2.1-py2.py3-none-any.whl", "WC703",
               {"wcwidth-0.2.0.dist-info/METADATA": b"Metadata-Version: 2.1\nName: wcwidth\nVersion: 0.2.0\n\n"},
               "wcwidth-0.2.0.dist-info"),  # fmt: skip
        report("jvolkman/repairwheel#40", "pip: multiple .dist-info directories found",
               "MultiResImagePy-0.1-cp311-cp311-linux_x86_64.whl", "WC703",
               {"multiresimagepy-0.1.dist-info/WHEEL": b"Wheel-Version: 1.0\n"}, "multiresimagepy-0.1.dist-info"),
        report("mitmproxy/mitmproxy#1065", "pip: is not a valid wheel filename", "mitmproxy-latest-py2-none-any.whl",
               "WC703", {}, "latest"),  # fmt: skip
        report("pypa/pip#4169", "pip: is not a valid wheel filename", "foo-_invalid_-py3-none-any.whl", "WC703", {},
               "_invalid_"),  # fmt: skip
        report("pypa/pip#9206", "pip: Invalid version", "aubio-0.4.3_libaubio-cp311-cp311-manylinux_2_17_x86_64.whl",
               "WC703", {}, "0.4.3_libaubio"),  # fmt: skip
    ]


def entry_points() -> list[Report]:
    def one(source: str, outcome: str, text: str, says: str) -> Report:
        return report(source, outcome, PURE, "WC706", {"foo-1.0.dist-info/entry_points.txt": text.encode()}, says)

    suffix = "pip: A callable suffix is required"
    return [
        one("pypa/pip#8573", suffix, "[console_scripts]\na = a:\n", "a:"),
        one("hustlei/QssStylesheetEditor#26", suffix, "[gui_scripts]\nQssStylesheetEditor = bootstrapper\n",
            "bootstrapper"),  # fmt: skip
        one("marcan/blitzloop#42", suffix, "[console_scripts]\nblitzloop = blitzloop.main\n", "blitzloop.main"),
        one("pypa/installer#198", "pip and installer refuse the hyphen",
            "[console_scripts]\nmy-script = my-project.app:main\n", "my-project.app:main"),  # fmt: skip
    ]


def metadata() -> list[Report]:
    def one(source: str, outcome: str, code: str, *lines: str, **how) -> Report:
        return report(source, outcome, PURE, code, {}, lines=lines, **how)

    return [
        one("polis-community/red-dwarf#19", "400 for uv of early 2025; twine drops the field, and PyPI accepts it", "",
            "License-File: LICENSE", version="2.2", options=PYPI, silent=("WC706", "WC854")),  # fmt: skip
        one("pdfminer/pdfminer.six#1094", REFUSED, "WC855", "Classifier: License-Expression :: MIT", options=PYPI),
        one("python-morgan/morgan#34", "packaging refuses the specifier", "WC706", "Requires-Python: >=3.6.*"),
        one("pypi/warehouse#15629", REFUSED, "WC854", "Home-page: ", "Project-URL: Source,", options=PYPI),
        one("ziglang/zig-pypi#40", "the tags in WHEEL must be written out", "WC701", info=(
            b"Wheel-Version: 1.0\nGenerator: zig\nRoot-Is-Purelib: true\nTag: py2.py3-none-any\n")),
    ]


def elf_files() -> list[Report]:
    import_error = "ImportError: "
    core = f"foo/core.{GNU}"

    def segments(edit):
        return module(CREATE, edit_segments=edit)

    def past_end(library, list_):
        list_[2].offset = list_[2].address = 0x400000
        return list_

    def unaligned(library, list_):
        list_[2].offset += 0x100
        return list_

    def huge(library, list_):
        list_[2].align = 0x200000
        list_[2].address += 0x1000
        return list_

    aarch64 = "foo-1.0-cp311-cp311-manylinux_2_17_aarch64.whl"
    a64 = "cpython-311-aarch64-linux-gnu.so"
    small_pages = Library(machine="aarch64", imports=[Import("exp", "libm.so.6", "GLIBC_2.17")],
                          needed=["libm.so.6", "libc.so.6"]).build()  # fmt: skip
    for at in range(0x40, 0x40 + 3 * 56, 56):
        small_pages = small_pages[: at + 48] + (0x1000).to_bytes(8, "little") + small_pages[at + 56 :]
    mach_o = bytes.fromhex("cffaedfe0700000103000000") + bytes(500)
    pointer = (b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"ab" * 32 + b"\nsize 123456\n")
    opens = b"import ctypes, os\nlib = ctypes.CDLL(os.path.join(os.path.dirname(__file__), 'libdds.so'))\n"
    return [
        report("python-sdbus/python-sdbus#113", import_error + "cannot open shared object file", aarch64, "WC109",
               {f"foo/core.{a64}": Library(machine="aarch64", number=0).build()}),  # fmt: skip
        report("jvolkman/repairwheel#33", import_error + "ELF load command past end of file", CP311, "WC708",
               {core: module(CREATE, edit_segments=past_end)}),  # fmt: skip
        report("pypa/auditwheel#716", import_error + "ELF load command address/offset not page-aligned", CP311,
               "WC511", {core: module(CREATE, edit_segments=unaligned)}),  # fmt: skip
        report("RobotLocomotion/drake#19261", import_error + "ELF load command address/offset not properly aligned",
               CP311, "WC511", {core: module(CREATE, edit_segments=huge)}),  # fmt: skip
        report("numpy/numpy#16677", "ImportError on kernels with pages of 64 KiB", aarch64, "WC511",
               {f"foo/core.{a64}": small_pages}),  # fmt: skip
        report("biolab/orange3#4956", "loads, but patchelf and readelf refuse the truncated file", CP311, "WC709",
               {core: module(CREATE)[:-0x200]}, severity="note"),  # fmt: skip
        report("dragnet-org/dragnet#102", import_error + "invalid ELF header", CP311, "WC718",
               {"foo/blocks.so": mach_o, core: module(CREATE)}, "foo/blocks.so"),  # fmt: skip
        report("anntzer/redeal#32", "OSError: invalid ELF header", PURE, "WC718",
               {"foo/libdds.so": pointer, "foo/load.py": opens}, "foo/libdds.so", severity="warning"),  # fmt: skip
        report("pypa/wheel#367", import_error + "wrong ELF class", aarch64, "WC109",
               {f"foo/core.{a64}": Library(machine="armv7l", needed=["libc.so.6"]).build()}),  # fmt: skip
        report("pypa/packaging#221", import_error + "soft-float code on armhf", CP311.replace("x86_64", "armv7l"),
               "WC109", {"foo/core.cpython-311-arm-linux-gnueabihf.so":
                         Library(machine="armv7l", header={"flags": 0x05000200}).build()}),  # fmt: skip
    ]


def libraries() -> list[Report]:
    missing = "ImportError: cannot open shared object file"
    core = f"foo/core.{GNU}"
    cubert = {
        "cuBERT.so": module(CREATE, init="initcuBERT", needed=["libcuBERT.so", "libc.so.6"],
                            dynamic=[("RPATH", "$ORIGIN/.libscuBERT")]),
        ".libscuBERT/libcuBERT-d011984c.so": Library(soname="libcuBERT-d011984c.so", exports=["f"]).build(),
    }  # fmt: skip
    h5py = {
        f"h5py/_errors.{GNU}": module(CREATE, init="PyInit__errors", needed=["libhdf5.so.8", "libc.so.6"],
                                      dynamic=[("RUNPATH", "$ORIGIN/.libs")]),
        "h5py/.libs/libhdf5.so.8": Library(soname="libhdf5.so.8", needed=["libsz.so.2"], exports=["f"]).build(),
        "h5py/.libs/libsz.so.2": Library(soname="libsz.so.2", exports=["f"]).build(),
    }  # fmt: skip
    arbor = {
        f"arbor/_arbor.{GNU}": module(CREATE, init="PyInit__arbor", needed=["libxml2-3998bec4.so.2.9.1", "libc.so.6"]),
        "arbor.libs/libxml2-3998bec4.so.2.9.1": Library(soname="libxml2-3998bec4.so.2.9.1", exports=["f"]).build(),
    }
    python = ["libpython3.10.so.1.0", "libc.so.6"]
    armv7l = Library(machine="armv7l", needed=["libpython3.7m.so.1.0", "libc.so.6"], exports=["PyInit__C"]).build()
    return [
        report("pypa/auditwheel#160", missing, "cuBERT-0.0.1-cp27-cp27mu-manylinux1_x86_64.whl", "WC103", cubert,
               "libcuBERT-d011984c.so"),  # fmt: skip
        report("pypa/auditwheel#14", missing, CP311, "WC506", h5py, "libsz.so.2"),
        report("pypa/auditwheel#363", missing, CP311, "WC506", arbor, "--set-rpath '$ORIGIN/../arbor.libs'"),
        report("dashingsoft/pyarmor#682", missing, "foo-1.0-cp310-cp310-manylinux_2_17_x86_64.whl", "WC510",
               {"foo/core.cpython-310-x86_64-linux-gnu.so": module(CREATE, needed=python)}, "libpython3.10.so.1.0"),
        report("cztomczak/cefpython#554", missing, "cefpython3-66.0-cp37-cp37m-manylinux1_x86_64.whl", "WC510",
               {"cefpython3/cefpython_py37.so": module(CREATE, init="PyInit_cefpython_py37",
                                                       needed=["libpython3.7m.so.1.0", "libc.so.6"])}),  # fmt: skip
        report("Kashu7100/pytorch-armv7l#5", missing, "torch-1.7.0-cp37-cp37m-linux_armv7l.whl", "WC510",
               {"torch/_C.cpython-37m-arm-linux-gnueabihf.so": armv7l}),  # fmt: skip
        report("cvg/limap#2", "ImportError: version `GLIBCXX_3.4.30' not found", CP311, "WC102",
               {core: module(CREATE, Import("_ZSt21ios_base_library_initv", "libstdc++.so.6", "GLIBCXX_3.4.30"),
                             needed=["libstdc++.so.6", "libc.so.6"])}, "GLIBCXX_3.4.30"),  # fmt: skip
        report("bmerry/birdisle-py#20", "musl: backtrace: symbol not found",
               "foo-1.0-cp311-cp311-musllinux_1_2_x86_64.whl", "WC306",
               {"foo/core.cpython-311-x86_64-linux-musl.so":
                module(CREATE, name_only("backtrace"), needed=["libc.musl-x86_64.so.1"])}, "backtrace"),  # fmt: skip
    ]


def interpreters() -> list[Report]:
    return [
        report("cython/cython#7147", "abi3audit: uses the ABI of 3.8; CPython 3.7 exports the name",
               "pyjess-0.7.0a5-cp37-abi3-manylinux_2_17_x86_64.whl", "WC801",
               {"pyjess/core.abi3.so": module(CREATE, name_only("PyImport_GetModule"))}, "PyImport_GetModule",
               severity="note"),  # fmt: skip
        report("TkTech/py_yyjson#23", "not abi3", "yyjson-4.0.6-cp310-abi3-manylinux_2_17_x86_64.whl", "WC801",
               {"cyyjson.abi3.so": module(CREATE, name_only("PyUnicode_New"), init="PyInit_cyyjson")},
               "PyUnicode_New"),  # fmt: skip
        report("al45tair/netifaces#2", "ImportError: undefined symbol: PyUnicodeUCS2_FromString",
               "netifaces-0.10.6-cp27-cp27mu-manylinux1_x86_64.whl", "WC807",
               {"netifaces.so": module(name_only("PyUnicodeUCS2_FromString"), init="initnetifaces")},
               "PyUnicodeUCS2_FromString"),  # fmt: skip
    ]


def tags() -> list[Report]:
    return [
        report("PyO3/maturin#341", "pip: is not a supported wheel on this platform",
               "foo-1.0-cp311-cp311-manylinux2014_arm7l.whl", "WC117",
               {"foo/core.cpython-311-arm-linux-gnueabihf.so": Library(machine="armv7l").build()}, "armv7l"),
        report("G-Research/ahocorasick_rs#14", "pip before 20.3 knows manylinux1 only",
               "ahocorasick_rs-0.2.0-cp36-cp36m-manylinux_2_5_x86_64.whl", "WC121",
               {"ahocorasick_rs.cpython-36m-x86_64-linux-gnu.so": module(CREATE, init="PyInit_ahocorasick_rs")},
               "manylinux1_x86_64", severity="note"),  # fmt: skip
        report("Maxioum/Peeler#127", "a valid tag of PEP 738", "mmh3-5.1.0-cp313-cp313-android_21_arm64_v8a.whl", "",
               {}, silent=("WC117", "WC850"), options=PYPI),  # fmt: skip
        report("pypa/pip#7626", "works with pip 20.0.2 and later", "mxnet-1.3.1-py2.py3-none-manylinux1_x86_64.whl",
               "", {"mxnet/libmxnet.so": Library(exports=["f"]).build()},
               silent=("WC117", "WC118", "WC705")),  # fmt: skip
    ]


def files() -> list[Report]:
    def tests(source: str, top: str) -> Report:
        return report(source, "other wheels install a package of the same name", PURE, "WC719",
                      {f"{top}/__init__.py": b"", f"{top}/test_foo.py": b"x = 1\n"}, top, severity="warning")

    return [
        tests("lasp/cdflib#273", "benchmarks"),
        tests("meeb/whoisit#46", "tests"),
        tests("boxed/mutmut#452", "tests"),
        tests("home-assistant-libs/aioshelly#705", "tools"),
    ]


def all_installers() -> list[Report]:
    groups = (names, entry_points, metadata, elf_files, libraries, interpreters, tags, files)
    return [one for group in groups for one in group()]
