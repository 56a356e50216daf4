"""Published run-time failures in which a file of one wheel takes the place of another's; see runtime_cases.py."""

from __future__ import annotations

from clash import Binary, Wheel
from runtime_cases import GLOBAL, Case, Run, Source, ext, module, takes

VISIBLE = '__attribute__((visibility("default")))'


def functions(names: dict[str, int]) -> Source:
    return Source("\n".join(f"{VISIBLE} int {name}(void) {{ return {number}; }}" for name, number in names.items()))


def caller(*names: str, name: str = "_ext") -> Source:
    declared = "".join(f"int {each}(void);\n" for each in names)
    return module(f"{declared}NUMBER(value, {' + '.join(f'{each}()' for each in names)})", name)


def with_library(name: str, file: str, source: Source, *uses: str, requires: list[str] | None = None) -> Wheel:
    """A wheel with a library of its own and a module that uses it."""
    return Wheel(
        name,
        [
            ext(f"{name}/lib/{file}", source, soname=file),
            ext(f"{name}/_ext.abi3.so", caller(*uses), needed=[f"{name}/lib/{file}"], runpath="$ORIGIN/lib"),
        ],
        takes(name),
        requires=requires or [],
    )


def only_library(name: str, folder: str, file: str, source: Source, version: str = "1.0") -> Wheel:
    return Wheel(name, [ext(f"{folder}/{file}", source, soname=file)], {f"{folder}/__init__.py": ""}, version=version)


def nccl() -> Case:
    """Another package loads an older library of the same name first."""
    old = functions({"ncclAllReduce": 1})
    new = functions({"ncclAllReduce": 2, "ncclCommRegister": 3})
    return Case(
        ["NVIDIA/nccl#1180", "pytorch/pytorch#119072", "pytorch/pytorch#119932", "microsoft/BitBLAS#39"],
        "ImportError: libtorch_cuda.so: undefined symbol: ncclCommRegister",
        [
            with_library("msamp", "libnccl.so.2", old, "ncclAllReduce"),
            with_library("torch", "libnccl.so.2", new, "ncclAllReduce", "ncclCommRegister"),
        ],
        [
            Run("import msamp, torch", fails="undefined symbol: ncclCommRegister"),
            Run("import torch, msamp; print(torch.value(), msamp.value())", says="5 2\n"),
        ],
        "WC210",
        "error",
        [with_library("msamp", "libnccl.so.2", new, "ncclAllReduce")],
        [Run("import msamp, torch; print(torch.value())", says="5\n")],
        says="ncclCommRegister",
    )


def mkl() -> Case:
    """A requirement was installed in a release that no longer has a name."""
    old = functions({"mkl_serv": 1, "iJIT_NotifyEvent": 2})
    new = functions({"mkl_serv": 1})

    def torch(requirement: str) -> Wheel:
        return Wheel(
            "torch",
            [
                ext(
                    "torch/lib/libtorch_cpu.so",
                    Source(
                        "int mkl_serv(void), iJIT_NotifyEvent(void);\n"
                        f"{VISIBLE} int cpu(void) {{ return mkl_serv() + iJIT_NotifyEvent(); }}"
                    ),
                    soname="libtorch_cpu.so",
                    options=["-Wl,--unresolved-symbols=ignore-all"],
                    needed=["../mkl/mkl/libmkl_core.so.2"],
                    runpath="$ORIGIN/../../mkl",
                ),
                ext(
                    "torch/_C.abi3.so",
                    caller("cpu", name="_C"),
                    needed=["torch/lib/libtorch_cpu.so"],
                    runpath="$ORIGIN/lib",
                ),
            ],
            {"torch/__init__.py": "from ._C import value\n"},
            requires=[requirement],
        )

    return Case(
        ["pytorch/pytorch#123097", "intel/intel-extension-for-pytorch#572", "open-mmlab/mmpretrain#1900"],
        "ImportError: libtorch_cpu.so: undefined symbol: iJIT_NotifyEvent (mkl 2024.1)",
        [only_library("mkl", "mkl", "libmkl_core.so.2", new, "2024.1"), torch("mkl>=2018")],
        [Run("import torch", fails="undefined symbol: iJIT_NotifyEvent")],
        "WC230",
        "error",
        [only_library("mkl", "mkl", "libmkl_core.so.2", old, "2024.0")],
        [Run("import torch; print(torch.value())", says="3\n")],
        says="mkl 2024.1",
    )


def one_path() -> Case:
    def cv2(name: str, number: int, folder: str = "cv2") -> Wheel:
        return Wheel(name, [ext(f"{folder}/_ext.abi3.so", module(f"NUMBER(value, {number})"))], takes(folder))

    return Case(
        ["opencv/opencv-python#467", "opencv/opencv-python#962", "bmaltais/kohya_ss#1267", "roboflow/supervision#351"],
        "the package that is installed later overwrites cv2 of the other",
        [cv2("opencv_python", 1), cv2("opencv_python_headless", 2)],
        [Run("import cv2; print(cv2.value())", says="2\n")],
        "WC542",
        "error",
        [cv2("opencv_python_headless", 2, "cv2_headless")],
        [Run("import cv2; print(cv2.value())", says="1\n")],
        says="cv2/_ext.abi3.so",
    )


def variables() -> list[Case]:
    def reader(name: str, variable: str, library: str) -> Wheel:
        text = (
            f"#include <stdlib.h>\n{VISIBLE} const char* %s(void) {{\n"
            f'  const char* v = getenv("{variable}");\n  return v ? v : "own";\n}}\n'
        )
        uses = module("const char* where(void);\nTEXT(value, where())")
        return Wheel(
            name,
            [
                ext(f"{name}.libs/{library}", Source(text % "where"), soname=library),
                ext(f"{name}/_ext.abi3.so", uses, needed=[f"{name}.libs/{library}"], runpath=f"$ORIGIN/../{name}.libs"),
            ],
            takes(name),
        )

    def setter(name: str, variable: str, library: str, sets: bool) -> Wheel:
        wheel = reader(name, variable, library)
        line = f'import os\nos.environ["{variable}"] = "{name} data"\n' if sets else ""
        wheel.python = {f"{name}/__init__.py": f"{line}from ._ext import *\n"}
        return wheel

    def case(source: list[str], outcome: str, variable: str, one: str, two: str, libraries: tuple[str, str]) -> Case:
        code = f"import {one}, {two}; print({two}.value())"
        return Case(
            source,
            outcome,
            [setter(one, variable, libraries[0], True), reader(two, variable, libraries[1])],
            [Run(code, says=f"{one} data\n"), Run(f"import {two}; print({two}.value())", says="own\n")],
            "WC543",
            "warning",
            [setter(one, variable, libraries[0], False)],
            [Run(code, says="own\n")],
            says=variable,
        )

    return [
        case(
            [
                "opencv/opencv-python#736",
                "opencv/opencv-python#447",
                "raspberrypi/picamera2#251",
                "CASIA-LMC-Lab/FastSAM#42",
            ],
            'Could not load the Qt platform plugin "xcb" in "cv2/qt/plugins" even though it was found',
            "QT_QPA_PLATFORM_PLUGIN_PATH",
            "cv2",
            "PyQt5",
            ("libQt5Gui-1c6e29b1.so.5.15.16", "libQt5Gui.so.5"),
        ),
        case(
            ["Toblerity/Fiona#439", "Toblerity/Fiona#849"],
            "importing fiona sets PROJ_LIB, and PROJ of another package does not find its grids",
            "PROJ_LIB",
            "fiona",
            "pyproj",
            ("libproj-a1b2c3d4.so.25", "libproj-e5f60718.so.25"),
        ),
        case(
            ["rasterio/rasterio#888", "Toblerity/Fiona#673"],
            "OGR failure after import rasterio, which sets GDAL_DATA",
            "GDAL_DATA",
            "rasterio",
            "osgeo",
            ("libgdal-0f1e2d3c.so.34", "libgdal.so.34"),
        ),
    ]


def blas() -> list[Case]:
    """A BLAS of other integers, or another LAPACK, in the global scope."""
    lapack = ["dgees_", "dgesv_", "dgemm_", "dgemv_", "ddot_", "dpotrf_", "dsyevd_"]
    routines = "\n".join(f"{VISIBLE} int {name}(void) {{ return %d; }}" for name in lapack)

    def provider(name: str, file: str, number: int, init: str) -> Wheel:
        return Wheel(
            name,
            [
                ext(f"{name}/lib/{file}", Source(routines.replace("%d", str(number))), soname=file),
                ext(
                    f"{name}/_C.abi3.so",
                    caller("dgees_", name="_C"),
                    needed=[f"{name}/lib/{file}"],
                    runpath="$ORIGIN/lib",
                ),
            ],
            {f"{name}/__init__.py": init},
        )

    local = "from ._C import value\n"
    return [
        Case(
            ["rpy2/rpy2#505", "scipy/scipy#9466"],
            "On entry to DGEES parameter number 6 had an illegal value; SIGSEGV if rpy2 was imported before scipy",
            [
                provider("rpy2", "libRlapack.so", 1, GLOBAL),
                with_library("scipy", "libopenblas-r0-f650aae0.3.3.so", Source(routines.replace("%d", "2")), "dgees_"),
            ],
            [
                Run("import rpy2, scipy; print(scipy.value())", says="1\n"),
                Run("import scipy, rpy2; print(scipy.value())", says="2\n"),
            ],
            "WC204",
            "warning",
            [provider("rpy2", "libRlapack.so", 1, local)],
            [Run("import rpy2, scipy; print(scipy.value())", says="2\n")],
            says="dgees_",
        ),
        Case(
            ["numpy/numpy#30299", "numpy/numpy#21643", "Cytnx-dev/Cytnx#765"],
            "segmentation fault or wrong results: a BLAS with 32-bit integers answers for 64-bit ones",
            [
                provider("cytnx", "libmkl_intel_lp64.so.2", 1, GLOBAL),
                with_library("numpy", "libmkl_intel_ilp64.so.2", Source(routines.replace("%d", "2")), "dgees_"),
            ],
            [
                Run("import cytnx, numpy; print(numpy.value())", says="1\n"),
                Run("import numpy, cytnx; print(numpy.value())", says="2\n"),
            ],
            "WC204",
            "error",
            [provider("cytnx", "libmkl_intel_lp64.so.2", 1, local)],
            [Run("import cytnx, numpy; print(numpy.value())", says="2\n")],
            says="dgees_",
        ),
        Case(
            ["JuliaPy/PyCall.jl#65"],
            "undefined symbol zgelsd_: another libopenblas is loaded, which has no LAPACK",
            [
                with_library("julia", "libopenblas.so.0", functions({"dgemm_": 1}), "dgemm_"),
                with_library("numpy", "libopenblas.so.0", functions({"dgemm_": 2, "zgelsd_": 3}), "dgemm_", "zgelsd_"),
            ],
            [
                Run("import julia, numpy", fails="undefined symbol: zgelsd_"),
                Run("import numpy, julia; print(numpy.value())", says="5\n"),
            ],
            "WC210",
            "error",
            [with_library("julia", "libopenblas-1234abcd.so.0", functions({"dgemm_": 1}), "dgemm_")],
            [Run("import julia, numpy; print(numpy.value())", says="5\n")],
            says="zgelsd_",
        ),
    ]


def libffi() -> Case:
    """A library under the old file name is a newer one with other version nodes."""
    old = functions({"ffi_call": 7, "ffi_type_pointer": 1})
    new = functions({"ffi_call": 8, "ffi_type_pointer": 1})

    def wheel(name: str, file: str, soname: str, source: Source, nodes: str) -> Wheel:
        return Wheel(
            name,
            [
                Binary(f"{name}/lib/{file}", [source], [f"-Wl,--version-script={{maps}}/{nodes}"], soname=soname),
                ext(f"{name}/_ext.abi3.so", caller("ffi_call"), needed=[f"{name}/lib/{file}"], runpath="$ORIGIN/lib"),
            ],
            takes(name),
        )

    return Case(
        ["libffi/libffi#775", "OpenSC/libp11#490", "mapillary/OpenSfM#978", "lpercc/HA3D_simulator#11"],
        "ImportError: libp11-kit.so.0: undefined symbol: ffi_type_pointer, version LIBFFI_BASE_7.0",
        [
            wheel("conda", "libffi.so.7", "libffi.so.7", new, "ffi-8.map"),
            wheel("p11kit", "libffi.so.7", "libffi.so.7", old, "ffi-7.map"),
        ],
        [
            Run("import conda, p11kit", fails="LIBFFI_BASE_7.0"),
            Run("import p11kit, conda", fails="LIBFFI_BASE_8.0"),
        ],
        "WC210",
        "error",
        [wheel("conda", "libffi.so.8", "libffi.so.8", new, "ffi-8.map")],
        [Run("import conda, p11kit; print(conda.value(), p11kit.value())", says="8 7\n")],
        says="LIBFFI_BASE_7.0",
    )


def versions_of_objects() -> Case:
    """One wheel makes libxml2's objects, and another release of libxml2 in the other wheel works on them."""
    source = module(
        """EXPORTED const char* const xmlParserVersion = PARSER_VERSION;
EXPORTED void xmlInitParser(void) {}
EXPORTED void* xmlNewDoc(void) { return NULL; }
EXPORTED void* xmlNewNode(void) { return NULL; }
EXPORTED void xmlFreeDoc(void* document) { (void)document; }
EXPORTED int xmlParseChunk(void) { return 0; }
EXPORTED int xmlParseDocument(void) { return 0; }
EXPORTED void* xmlCtxtReadMemory(void) { return NULL; }
TEXT(value, xmlParserVersion)"""
    )
    check = """from ._ext import value
import lxml
if lxml.value() != value():
    raise ImportError("lxml & xmlsec libxml2 library version mismatch")
"""

    def wheel(name: str, version: str, init: str, requires: list[str]) -> Wheel:
        options = [f'-DPARSER_VERSION="{version}"', "-Wl,-Bsymbolic"]
        return Wheel(
            name,
            [ext(f"{name}/_ext.abi3.so", source, options=options)],
            {f"{name}/__init__.py": init},
            requires=requires,
        )

    lxml = wheel("lxml", "21206", "from ._ext import *\n", [])
    return Case(
        [
            "xmlsec/python-xmlsec#316",
            "xmlsec/python-xmlsec#317",
            "xmlsec/python-xmlsec#352",
            "xmlsec/python-xmlsec#361",
            "xmlsec/python-xmlsec#415",
            "python-social-auth/social-core#957",
        ],
        "xmlsec.InternalError: (-1, 'lxml & xmlsec libxml2 library version mismatch')",
        [lxml, wheel("xmlsec", "20913", check, ["lxml"])],
        [Run("import xmlsec", fails="library version mismatch")],
        "WC234",
        "warning",
        [wheel("xmlsec", "21206", check, ["lxml"])],
        [Run("import xmlsec; print(xmlsec.value())", says="21206\n")],
        says="libxml2",
    )


def cudnn() -> Case:
    """A library opens a part of itself whose own needs are met by another release, which is loaded already."""
    name = "_ZN5cudnn3cnn34layerNormFwd_execute_internal_implEv"
    old = functions({"cudnnCreate": 1})
    new = functions({"cudnnCreate": 1, name: 2})
    train = Source(f"int {name}(void);\n{VISIBLE} int cudnnTrain(void) {{ return {name}(); }}")
    dispatcher = Source(
        f"""#include <dlfcn.h>
#include <stdio.h>
int cudnnCreate(void);
{VISIBLE} int cudnnConvolutionBackward(void) {{
  if (dlopen("libcudnn_cnn_train.so.8", RTLD_NOW)) return cudnnCreate();
  fprintf(stderr, "Could not load library libcudnn_cnn_train.so.8. Error: %s\\n", dlerror());
  return -1;
}}
"""
    )

    def torch() -> Wheel:
        library = "torch/lib/libcudnn_cnn_infer.so.8"
        return Wheel(
            "torch",
            [
                Binary(library, [new], ["-Wl,--version-script={maps}/cudnn.map"], soname="libcudnn_cnn_infer.so.8"),
                ext(
                    "torch/lib/libcudnn_cnn_train.so.8",
                    train,
                    soname="libcudnn_cnn_train.so.8",
                    needed=[library],
                    runpath="$ORIGIN",
                ),
                ext("torch/lib/libcudnn.so.8", dispatcher, soname="libcudnn.so.8", needed=[library], runpath="$ORIGIN"),
                ext(
                    "torch/_ext.abi3.so",
                    caller("cudnnConvolutionBackward"),
                    needed=["torch/lib/libcudnn.so.8"],
                    runpath="$ORIGIN/lib",
                ),
            ],
            takes("torch"),
        )

    def other(source: Source) -> Wheel:
        library = "tensorrt/lib/libcudnn_cnn_infer.so.8"
        return Wheel(
            "tensorrt",
            [
                Binary(library, [source], ["-Wl,--version-script={maps}/cudnn.map"], soname="libcudnn_cnn_infer.so.8"),
                ext("tensorrt/_ext.abi3.so", caller("cudnnCreate"), needed=[library], runpath="$ORIGIN/lib"),
            ],
            takes("tensorrt"),
        )

    code = "import tensorrt, torch; print(torch.value())"
    return Case(
        ["pytorch/pytorch#119989", "wenet-e2e/wetts#177", "RVC-Boss/GPT-SoVITS#490", "ultralytics/ultralytics#10203"],
        "Could not load library libcudnn_cnn_train.so.8: undefined symbol, version libcudnn_cnn_infer.so.8",
        [other(old), torch()],
        [Run(code, says="-1\n"), Run("import torch; print(torch.value())", says="1\n")],
        "WC210",
        "warning",
        [other(new)],
        [Run(code, says="1\n")],
        says="layerNormFwd",
    )


def qt() -> Case:
    """Parts of two releases of Qt in one process: QObjectPrivate compares its version with that of the caller."""

    def core(release: int) -> Source:
        return Source(
            f"""#include <stdio.h>
#include <stdlib.h>
{VISIBLE} const char qt_build[] = "Qt 5.15.{release} (x86_64-little_endian-lp64 shared (dynamic) release build)";
{VISIBLE} int qt_core(void) {{ return {release}; }}
{VISIBLE} int qt_object_private(int version) {{
  if (version == {release}) return version;
  fprintf(stderr, "Cannot mix incompatible Qt library (5.15.%d) with this library (5.15.{release})\\n", version);
  abort();
}}
"""
        )

    def gui(release: int) -> Source:
        return Source(
            f"int qt_object_private(int version);\n"
            f"{VISIBLE} int qt_gui(void) {{ return qt_object_private({release}); }}\n"
        )

    def wheel(name: str, release: int, *parts: str) -> Wheel:
        libraries = [
            ext(f"{name}/Qt/lib/libQt5Core.so.5", core(release), soname="libQt5Core.so.5"),
            ext(
                f"{name}/Qt/lib/libQt5Gui.so.5",
                gui(release),
                soname="libQt5Gui.so.5",
                needed=[f"{name}/Qt/lib/libQt5Core.so.5"],
                runpath="$ORIGIN",
            ),
        ]
        used = [f"{name}/Qt/lib/libQt5{part}.so.5" for part in parts]
        function = f"qt_{parts[-1].lower()}"
        return Wheel(
            name,
            [*libraries, ext(f"{name}/_ext.abi3.so", caller(function), needed=used, runpath="$ORIGIN/Qt/lib")],
            takes(name),
        )

    code = "import PyQt5, PySide2; print(PySide2.value())"
    return Case(
        [
            "conda/conda#9432",
            "conda-forge/conda-forge.github.io#921",
            "UmSenhorQualquer/pyforms#80",
            "lukas-blecher/LaTeX-OCR#323",
        ],
        "Cannot mix incompatible Qt library (version 0x50905) with this library (version 0x50b01); Aborted",
        [wheel("PyQt5", 11, "Core"), wheel("PySide2", 2, "Core", "Gui")],
        [Run(code, fails="Cannot mix incompatible Qt library", signal="SIGABRT")],
        "WC507",
        "error",
        [wheel("PySide2", 11, "Core", "Gui")],
        [Run(code, says="11\n")],
        says="Qt",
    )


def all_cases() -> list[Case]:
    return [qt(), nccl(), mkl(), one_path(), *variables(), *blas(), libffi(), versions_of_objects(), cudnn()]
