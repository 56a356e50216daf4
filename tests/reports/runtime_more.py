"""More published run-time failures; see runtime_cases.py."""

from __future__ import annotations

from clash import Binary, Wheel
from runtime_cases import Case, Cxx, Run, Source, both, ext, module, takes

STATIC = ["-Wl,--whole-archive", "-l:libstdc++.a", "-Wl,--no-whole-archive", "-static-libstdc++", "-static-libgcc"]
HIDDEN = ["-static-libstdc++", "-static-libgcc", "-Wl,--exclude-libs,ALL"]


# Version scripts by file name. The test writes them beside the sources; "{maps}" in an option is their directory.
MAPS = {
    "glibcxx.map": "GLIBCXX_3.4 { global: _ZN*; };\nGLIBCXX_3.4.18 { };\nCXXABI_1.3 { };\nCXXABI_1.3.9 { };\n",
    "cudnn.map": "libcudnn_cnn_infer.so.8 { global: *; };\n",
    "ffi-7.map": "LIBFFI_BASE_7.0 { global: ffi_*; };\n",
    "ffi-8.map": "LIBFFI_BASE_8.0 { global: ffi_*; };\n",
    "zlib-old.map": "ZLIB_1.2.0 { global: zlibVersion; };\n",
    "zlib-new.map": "ZLIB_1.2.0 { global: zlibVersion; };\nZLIB_1.2.9 { global: inflateValidate; } ZLIB_1.2.0;\n",
}


def old_runtime() -> Case:
    """A wheel's old libstdc++ is loaded first under the name of the system's."""
    old = Source('__attribute__((visibility("default"))) int _ZNSt8ios_base4InitC1Ev(void) { return 0; }\n')

    def thin(name: str) -> Wheel:
        return Wheel(
            "nupic",
            [
                Binary(f"nupic/{name}", [old], ["-Wl,--version-script={maps}/glibcxx.map"], soname=name),
                ext(
                    "nupic/_ext.abi3.so",
                    module("NUMBER(value, 1)"),
                    needed=[f"nupic/{name}"],
                    runpath="$ORIGIN",
                ),
            ],
            takes("nupic"),
        )

    new = module(
        "#include <sstream>\nstatic int made() { std::ostringstream out; out << 4; return out.str()[0] - '0'; }\n"
        "NUMBER(value, made())",
        kind=Cxx,
    )
    return Case(
        ["bloomberg/memray#148", "HaarigerHarald/geant4_pybind#29"],
        "ImportError: libstdc++.so.6: version `GLIBCXX_3.4.x' not found",
        [thin("libstdc++.so.6"), Wheel("memray", [ext("memray/_ext.abi3.so", new)], takes("memray"))],
        [
            Run("import nupic, memray", fails="not found (required by"),
            *both("memray", "memray", says="4\n"),
        ],
        "WC210",
        "error",
        [thin("libstdc++-5d0d2f4b.so.6")],
        both("nupic", "memray", says="4\n"),
        says="GLIBCXX",
    )


def static_runtime() -> Case:
    text = module(
        "#include <sstream>\n#include <string>\n"
        "static std::string made() { std::ostringstream out; out << 42; return out.str(); }\n"
        "TEXT(value, made().c_str())",
        kind=Cxx,
    )

    def wheel(name: str, options: list[str]) -> Wheel:
        return Wheel(name, [ext(f"{name}/_ext.abi3.so", text, options=options)], takes(name))

    return Case(
        ["pytorch/pytorch#2507"],
        "free(): invalid pointer in std::locale of torch/lib/libshm.so if zmq was imported before torch",
        [wheel("zmq", []), wheel("torch", STATIC)],
        [
            Run("import torch, zmq; print(zmq.value(), torch.value())", says="42 \n"),
            Run("import torch; print(torch.value())", says="42\n"),
        ],
        "WC232",
        "error",
        [wheel("torch", HIDDEN)],
        [Run("import torch, zmq; print(zmq.value(), torch.value())", says="42 42\n")],
    )


def checked_version() -> Case:
    """HDF5 compares the version of the headers with its own, and ends the process."""

    def library(release: int) -> Source:
        return Source(
            f"""#include <stdio.h>
#include <stdlib.h>
#define EXPORTED __attribute__((visibility("default")))
EXPORTED const char H5_lib_vers_info_g[] = "HDF5 library version: 1.10.{release}";
EXPORTED int H5open(void) {{ return 0; }}
EXPORTED int H5Fopen(void) {{ return {release}; }}
EXPORTED int H5Fcreate(void) {{ return {release}; }}
EXPORTED int H5check_version(unsigned major, unsigned minor, unsigned release) {{
  if (release == {release}) return 0;
  fprintf(stderr, "Headers are %u.%u.%u, library is 1.10.{release}\\n", major, minor, release);
  abort();
}}
"""
        )

    def wheel(name: str, release: int) -> Wheel:
        body = (
            "int H5check_version(unsigned, unsigned, unsigned);\nint H5Fopen(void);\n"
            f"NUMBER(value, H5check_version(1, 10, {release}) + H5Fopen())"
        )
        return Wheel(
            name,
            [
                ext(f"{name}/lib/libhdf5.so.103", library(release), soname="libhdf5.so.103"),
                ext(
                    f"{name}/_ext.abi3.so",
                    module(body),
                    needed=[f"{name}/lib/libhdf5.so.103"],
                    runpath="$ORIGIN/lib",
                ),
            ],
            takes(name),
        )

    mismatch = {"fails": "library is 1.10.", "signal": "SIGABRT"}
    return Case(
        ["h5py/h5py#1068", "Unidata/netcdf4-python#876", "brycefrank/pyfor#41", "ContinuumIO/anaconda-issues#846"],
        "HDF5 library version mismatched error: Headers are 1.10.1, library is 1.10.2; Aborted",
        [wheel("h5py", 1), wheel("netcdf4", 2)],
        [*both("h5py", "netcdf4", **mismatch), *both("netcdf4", "h5py", **mismatch)],
        "WC507",
        "error",
        [wheel("netcdf4", 1)],
        [*both("h5py", "netcdf4", says="1\n"), *both("netcdf4", "h5py", says="1\n")],
        says="HDF5",
    )


def two_openmp() -> Case:
    def library(name: str, text: str) -> Source:
        return Source(
            f"""#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define EXPORTED __attribute__((visibility("default")))
EXPORTED const char kmp_version[] = "@(#) {text} version: 5.0.20140926";
EXPORTED int __kmpc_global_thread_num(void* where) {{ return where != NULL; }}
EXPORTED int __kmpc_fork_call(void) {{
  const char* const other = getenv("__KMP_REGISTERED_LIB");
  if (other && strcmp(other, "{name}") != 0) {{
    fprintf(stderr, "OMP: Error #15: Initializing {name}, but found %s already initialized.\\n", other);
    abort();
  }}
  setenv("__KMP_REGISTERED_LIB", "{name}", 1);
  return 4;
}}
"""
        )

    def wheel(name: str, file: str, text: str) -> Wheel:
        return Wheel(
            name,
            [
                ext(f"{name}.libs/{file}", library(file, text), soname=file),
                ext(
                    f"{name}/_ext.abi3.so",
                    module("int __kmpc_fork_call(void);\nNUMBER(value, __kmpc_fork_call())"),
                    needed=[f"{name}.libs/{file}"],
                    runpath=f"$ORIGIN/../{name}.libs",
                ),
            ],
            takes(name),
        )

    code = "import faiss, mkl; print(faiss.value(), mkl.value())"
    return Case(
        ["facebookresearch/faiss#471"],
        "OMP: Error #15: Initializing libiomp5.so, but found libiomp5.so already initialized",
        [wheel("faiss", "libiomp5-a34b3233.so", "Intel(R) OMP"), wheel("mkl", "libiomp5.so", "Intel(R) OMP")],
        [Run(code, fails="OMP: Error #15", signal="SIGABRT")],
        "WC509",
        "error",
        [wheel("mkl", "libiomp5-a34b3233.so", "Intel(R) OMP")],
        [Run(code, says="4 4\n")],
        says="libiomp5",
    )


def static_tls() -> list[Case]:
    def wheel(name: str, size: int, *options: str, model: str = "initial-exec") -> Wheel:
        attribute = f'__attribute__((tls_model("{model}")))'
        body = f"static __thread {attribute} char block[{size}];\nNUMBER(value, (block[0] += 1))"
        return Wheel(name, [ext(f"{name}/_ext.abi3.so", module(body), options=["-O1", *options])], takes(name))

    full = {"fails": "cannot allocate memory in static TLS block"}
    descriptors = "-mtls-dialect=gnu2"
    return [
        Case(
            ["scikit-learn/scikit-learn#17231", "lightgbm-org/LightGBM#6509", "FederatedAI/FATE#4790"],
            "ImportError: libgomp.so.1: cannot allocate memory in static TLS block",
            [wheel("tensorflow", 1500), wheel("sklearn", 400)],
            [Run("import tensorflow, sklearn", **full), Run("import sklearn, tensorflow", **full)],
            "WC541",
            "error",
            [wheel("sklearn", 100)],
            both("tensorflow", "sklearn", says="1\n"),
            says="sklearn",
        ),
        Case(
            ["opencv/opencv#14884", "hiyouga/LlamaFactory#8768", "NVIDIA/DALI#5519", "keras-team/keras-tuner#317"],
            "ImportError: libgomp.so.1: cannot allocate memory in static TLS block (TLS descriptors took the space)",
            [wheel("cv2", 500, descriptors, model="global-dynamic"), wheel("gomp", 1400)],
            [Run("import cv2, gomp", **full), Run("import gomp, cv2; print(gomp.value())", says="1\n")],
            "WC541",
            "error",
            [wheel("gomp", 900)],
            [Run("import cv2, gomp; print(gomp.value())", says="1\n")],
            says="gomp",
        ),
    ]


def old_zlib() -> Case:
    """A wheel's old libz.so.1 takes the place of the one that another wheel was built with."""
    old = Source('__attribute__((visibility("default"))) int zlibVersion(void) { return 8; }\n')
    new = Source(
        '__attribute__((visibility("default"))) int zlibVersion(void) { return 11; }\n'
        '__attribute__((visibility("default"))) int inflateValidate(void) { return 29; }\n'
    )

    def wheel(name: str, file: str, source: Source, nodes: str, uses: str) -> Wheel:
        return Wheel(
            name,
            [
                Binary(f"{name}/{file}", [source], [f"-Wl,--version-script={nodes}"], soname=file),
                ext(
                    f"{name}/_ext.abi3.so",
                    module(f"int {uses}(void);\nNUMBER(value, {uses}())"),
                    needed=[f"{name}/{file}"],
                    runpath="$ORIGIN",
                ),
            ],
            takes(name),
        )

    older, newer = "{maps}/zlib-old.map", "{maps}/zlib-new.map"
    return Case(
        ["longcw/MOTDT#19", "DFRobot/uPyCraft#30", "rllola/ZeronetBrowser#76", "mherrmann/fbs#185"],
        "ImportError: libz.so.1: version `ZLIB_1.2.9' not found (required by libpng16.so.16)",
        [
            wheel("browser", "libz.so.1", old, older, "zlibVersion"),
            wheel("png", "libz.so.1", new, newer, "inflateValidate"),
        ],
        [
            Run("import browser, png", fails="version `ZLIB_1.2.9' not found (required by"),
            Run("import png, browser; print(browser.value())", says="11\n"),
        ],
        "WC210",
        "error",
        [wheel("browser", "libz-0f3a.so.1", old, older, "zlibVersion")],
        both("browser", "png", says="29\n"),
        says="ZLIB_1.2.9",
    )


def old_strings() -> Case:
    """An extension was built with the other std::string of libstdc++ than the library that it uses."""
    library = Cxx(
        '#include <string>\nnamespace torch::jit { __attribute__((visibility("default"))) '
        "int parseSchema(const std::string& text) { return static_cast<int>(text.size()); } }\n"
    )
    user = module(
        "#include <string>\nnamespace torch::jit { int parseSchema(const std::string& text); }\n"
        'NUMBER(value, torch::jit::parseSchema("abc"))',
        kind=Cxx,
    )
    torch = Wheel(
        "torch",
        [
            ext("torch/lib/libtorch.so", library, soname="libtorch.so"),
            ext(
                "torch/_C.abi3.so",
                module("NUMBER(value, 1)", "_C"),
                needed=["torch/lib/libtorch.so"],
                runpath="$ORIGIN/lib",
            ),
        ],
        {"torch/__init__.py": "from ._C import value\n"},
    )

    def extension(abi: int) -> Wheel:
        return Wheel(
            "extension_cpp",
            [
                ext(
                    "extension_cpp/_ext.abi3.so",
                    user,
                    options=[f"-D_GLIBCXX_USE_CXX11_ABI={abi}"],
                    needed=["../torch/torch/lib/libtorch.so"],
                )
            ],
            {"extension_cpp/__init__.py": "import torch\nfrom ._ext import value\n"},
            requires=["torch"],
        )

    return Case(
        ["pytorch/extension-cpp#103", "pytorch/pytorch#2104", "pytorch/pytorch#10234"],
        "ImportError: undefined symbol: _ZN5torch3jit11parseSchemaERKSsb",
        [torch, extension(0)],
        [Run("import extension_cpp", fails="undefined symbol: _ZN5torch3jit11parseSchemaERKSs")],
        "WC230",
        "error",
        [extension(1)],
        [Run("import extension_cpp; print(extension_cpp.value())", says="3\n")],
        says="parseSchema",
    )


def all_cases() -> list[Case]:
    return [
        old_runtime(),
        static_runtime(),
        checked_version(),
        two_openmp(),
        *static_tls(),
        old_zlib(),
        old_strings(),
    ]
