"""Published run-time failures: small wheels with the same fault, what happens when they are imported, and the finding.

Each case was reported for real wheels. The wheels here have the same structure: who exports, needs, opens or replaces
what. `fixed` are the wheels that take the place of those of the same name, with which everything works.
"""

from __future__ import annotations

import dataclasses
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "conflict_oracle"))

from clash import Binary, Wheel


@dataclasses.dataclass
class Run:
    """A process and what must be observed."""

    code: str
    says: str = ""  # all of its stdout
    fails: str = ""  # part of the last line of its stderr
    signal: str = ""


@dataclasses.dataclass
class Case:
    source: list[str]  # owner/repository#number on GitHub
    outcome: str  # the error in the report
    wheels: list[Wheel]
    runs: list[Run]
    code: str  # of the finding
    severity: str
    fixed: list[Wheel]
    fixed_runs: list[Run]
    says: str = ""  # in message, evidence or fix of the finding
    options: list[str] = dataclasses.field(default_factory=list)
    linked: list[Wheel] = dataclasses.field(default_factory=list)  # built first, for the linker; not installed
    command: str = "conflicts"  # or check


class Source(str):
    """The text of a source file, which the test writes before the compiler runs."""

    suffix = ".c"


class Cxx(Source):
    suffix = ".cpp"


def module(body: str, name: str = "_ext", methods: str = "METHOD(value)", kind=Source) -> Source:
    return kind(f'#include "module.h"\n{body}\nMODULE({name}, {methods})\n')


def ext(path: str, source: Source, **how) -> Binary:
    return Binary(path, [source], **how)


GLOBAL = """import os, sys
flags = sys.getdlopenflags()
sys.setdlopenflags(flags | os.RTLD_GLOBAL)
from ._C import value
sys.setdlopenflags(flags)
"""


def takes(package: str, file: str = "_ext") -> dict[str, str]:
    return {f"{package}/__init__.py": f"from .{file} import *\n"}


def both(one: str, two: str, **seen) -> list[Run]:
    return [Run(f"import {one}, {two}; print({two}.value())", **seen)]


def not_loaded_first() -> list[Case]:
    """The extension needs what another package loads, and does not import that package."""
    variable = module("EXPORTED int THPVariableClass = 7;\nNUMBER(value, THPVariableClass)", "_C")
    torch = Wheel("torch", [ext("torch/_C.abi3.so", variable)], {"torch/__init__.py": GLOBAL})
    user = module("extern int THPVariableClass;\nNUMBER(value, THPVariableClass)")

    def lltm(init: str) -> Wheel:
        return Wheel("lltm", [ext("lltm/_ext.abi3.so", user)], {"lltm/__init__.py": init}, requires=["torch"])

    singleton = "namespace at { struct UndefinedTensorImpl { static UndefinedTensorImpl _singleton; int number; }; }\n"
    aten = module(
        singleton + "at::UndefinedTensorImpl at::UndefinedTensorImpl::_singleton = {5};\n"
        "NUMBER(value, at::UndefinedTensorImpl::_singleton.number)",
        "_C",
        kind=Cxx,
    )
    caffe = Wheel("torch", [ext("torch/_C.abi3.so", aten)], {"torch/__init__.py": GLOBAL})
    wave = module(singleton + "NUMBER(value, at::UndefinedTensorImpl::_singleton.number)", kind=Cxx)

    def wavenet(init: str) -> Wheel:
        return Wheel(
            "nvwavenet", [ext("nvwavenet/_ext.abi3.so", wave)], {"nvwavenet/__init__.py": init}, requires=["torch"]
        )

    library = Source('__attribute__((visibility("default"))) int c10_number(void) { return 3; }\n')
    c10 = Wheel(
        "torch",
        [
            ext("torch/lib/libc10.so", library, soname="libc10.so"),
            ext(
                "torch/_C.abi3.so",
                module("int c10_number(void);\nNUMBER(value, c10_number())", "_C"),
                needed=["torch/lib/libc10.so"],
                runpath="$ORIGIN/lib",
            ),
        ],
        {"torch/__init__.py": "from ._C import value\n"},
    )

    def trilinear(init: str) -> Wheel:
        # The library is of the same soname and not installed: the extension has no search path that leads to it.
        return Wheel(
            "trilinear",
            [
                ext(
                    "trilinear/_ext.abi3.so",
                    module("int c10_number(void);\nNUMBER(value, c10_number())"),
                    needed=["../torch/torch/lib/libc10.so"],
                )
            ],
            {"trilinear/__init__.py": init},
            requires=["torch"],
        )

    plain, imports = "from ._ext import value\n", "import torch\nfrom ._ext import value\n"
    return [
        Case(
            ["pytorch/pytorch#8036", "pytorch/extension-cpp#6", "pytorch/pytorch#6097"],
            "ImportError: undefined symbol: THPVariableClass",
            [torch, lltm(plain)],
            [
                Run("import lltm", fails="undefined symbol: THPVariableClass"),
                Run("import torch, lltm; print(lltm.value())", says="7\n"),
            ],
            "WC230",
            "error",
            [lltm(imports)],
            [Run("import lltm; print(lltm.value())", says="7\n")],
            says="THPVariableClass",
        ),
        Case(
            ["NVIDIA/nv-wavenet#92", "lufficc/SSD#125"],
            "ImportError: undefined symbol: _ZN2at19UndefinedTensorImpl10_singletonE",
            [caffe, wavenet(plain)],
            [
                Run("import nvwavenet", fails="undefined symbol: _ZN2at19UndefinedTensorImpl10_singletonE"),
                Run("import torch, nvwavenet; print(nvwavenet.value())", says="5\n"),
            ],
            "WC230",
            "error",
            [wavenet(imports)],
            [Run("import nvwavenet; print(nvwavenet.value())", says="5\n")],
            says="UndefinedTensorImpl",
        ),
        Case(
            ["HuiZeng/Image-Adaptive-3DLUT#28", "facebookresearch/pytorch3d#1563", "pytorch/extension-cpp#127"],
            "ImportError: libc10.so: cannot open shared object file",
            [c10, trilinear(plain)],
            [
                Run("import trilinear", fails="libc10.so: cannot open shared object file"),
                Run("import torch, trilinear; print(trilinear.value())", says="3\n"),
            ],
            "WC230",
            "error",
            [trilinear(imports)],
            [Run("import trilinear; print(trilinear.value())", says="3\n")],
            says="libc10.so",
        ),
    ]


def registries() -> list[Case]:
    """Two files enter the same name into the registry of one library, which ends the process."""
    registry = Cxx(
        """#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
namespace google::protobuf::internal {
struct DescriptorTable { const char* file; bool done; };
__attribute__((visibility("default"))) void AddDescriptors(const DescriptorTable* table) {
  static std::set<std::string> files;
  DescriptorTable* const own = const_cast<DescriptorTable*>(table);
  if (own->done) return;
  own->done = true;
  if (files.insert(table->file).second) return;
  std::fprintf(stderr, "[libprotobuf ERROR] File already exists in database: %s\\n", table->file);
  std::abort();
}
}
"""
    )
    uses = """namespace google::protobuf::internal {
struct DescriptorTable { const char* file; bool done; };
void AddDescriptors(const DescriptorTable* table);
}
%s google::protobuf::internal::DescriptorTable descriptor_table_%s = {"%s", false};
static const int dummy = (google::protobuf::internal::AddDescriptors(&descriptor_table_%s), 1);
NUMBER(value, dummy)"""

    def proto(package: str, mangled: str, name: str, visible: bool = True) -> Wheel:
        linkage = "" if visible else "static"
        return Wheel(
            package,
            [
                ext(
                    f"{package}/_ext.abi3.so",
                    module(uses % (linkage, mangled, name, mangled), kind=Cxx),
                    needed=["../protobuf_lib/protobuf_lib/libprotobuf.so.32"],
                    runpath="$ORIGIN/../protobuf_lib",
                )
            ],
            takes(package),
            requires=["protobuf-lib"],
        )

    library = Wheel(
        "protobuf_lib",
        [ext("protobuf_lib/libprotobuf.so.32", registry, soname="libprotobuf.so.32")],
        {"protobuf_lib/__init__.py": ""},
    )
    return [
        Case(
            ["protocolbuffers/protobuf#3469"],
            "File already exists in database: caffe.proto; Aborted",
            [
                library,
                proto("caffe", "caffe_2eproto", "caffe.proto"),
                proto("apollocaffe", "caffe_2eproto", "caffe.proto"),
            ],
            [
                Run("import caffe, apollocaffe", fails="File already exists", signal="SIGABRT"),
                Run("import apollocaffe, caffe", fails="File already exists", signal="SIGABRT"),
            ],
            "WC237",
            "error",
            [proto("apollocaffe", "apollocaffe_2eproto", "apollocaffe.proto")],
            [Run("import caffe, apollocaffe; print(caffe.value())", says="1\n")],
            says="caffe.proto",
        ),
        Case(
            [
                "onnx/onnx-mlir#2413",
                "onnx/onnx#6579",
                "pyg-team/pytorch_geometric#9220",
                "protocolbuffers/protobuf#15194",
            ],
            "File already exists in database: onnx/onnx-ml.proto; Aborted",
            [
                library,
                proto("onnx", "onnx_2fonnx_2dml_2eproto", "onnx/onnx-ml.proto"),
                proto("pycompile", "onnx_2fonnx_2dml_2eproto", "onnx/onnx-ml.proto"),
            ],
            [Run("import onnx, pycompile", fails="onnx/onnx-ml.proto", signal="SIGABRT")],
            "WC237",
            "error",
            [
                Wheel(
                    "pycompile",
                    [
                        Binary(
                            "pycompile/_ext.abi3.so",
                            [
                                module(
                                    uses
                                    % (
                                        "static",
                                        "onnx_2fonnx_2dml_2eproto",
                                        "onnx/onnx-ml.proto",
                                        "onnx_2fonnx_2dml_2eproto",
                                    ),
                                    kind=Cxx,
                                ),
                                registry,
                            ],
                            ["-fvisibility=hidden", "-Wl,-Bsymbolic"],
                        )
                    ],
                    takes("pycompile"),
                )
            ],
            [Run("import onnx, pycompile; print(onnx.value())", says="1\n")],
            says="onnx/onnx-ml.proto",
        ),
        *flags_cases(),
    ]


def flags_cases() -> list[Case]:
    registry = Cxx(
        """#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
namespace google {
class FlagRegisterer {
 public:
  template <typename FlagType>
  FlagRegisterer(const char* name, const char* help, const char* file, FlagType* current, FlagType* defvalue);
};
template <typename FlagType>
FlagRegisterer::FlagRegisterer(const char* name, const char*, const char* file, FlagType*, FlagType*) {
  static std::set<std::string> flags;
  if (flags.insert(name).second) return;
  std::fprintf(stderr, "ERROR: flag '%s' was defined more than once (%s).\\n", name, file);
  std::exit(1);
}
template __attribute__((visibility("default")))
FlagRegisterer::FlagRegisterer(const char*, const char*, const char*, bool*, bool*);
}
"""
    )
    uses = """namespace google {
class FlagRegisterer {
 public:
  template <typename FlagType>
  FlagRegisterer(const char* name, const char* help, const char* file, FlagType* current, FlagType* defvalue);
};
}
namespace fLB { bool FLAGS_%s = false, FLAGS_no%s = false; }
static google::FlagRegisterer o_flag("%s", "", "src/logging.cc", &fLB::FLAGS_%s, &fLB::FLAGS_no%s);
NUMBER(value, fLB::FLAGS_%s)"""

    def user(package: str, flag: str) -> Wheel:
        return Wheel(
            package,
            [
                ext(
                    f"{package}/_ext.abi3.so",
                    module(uses.replace("%s", flag), kind=Cxx),
                    needed=["../gflags_lib/gflags_lib/libgflags.so.2.2"],
                    runpath="$ORIGIN/../gflags_lib",
                )
            ],
            takes(package),
            requires=["gflags-lib"],
        )

    library = Wheel(
        "gflags_lib",
        [ext("gflags_lib/libgflags.so.2.2", registry, soname="libgflags.so.2.2")],
        {"gflags_lib/__init__.py": ""},
    )
    return [
        Case(
            ["google/glog#874", "facebookresearch/robust_cvd#18", "cvg/pyceres#55"],
            "ERROR: flag 'logtostderr' was defined more than once",
            [library, user("oldglog", "logtostderr"), user("newglog", "logtostderr")],
            [Run("import oldglog, newglog", fails="flag 'logtostderr' was defined more than once")],
            "WC237",
            "error",
            [user("newglog", "alsologtostderr")],
            [Run("import oldglog, newglog; print(newglog.value())", says="0\n")],
            says="logtostderr",
        )
    ]
