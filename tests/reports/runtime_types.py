"""Published run-time failures about C++ types and functions, and libraries of other builds; see runtime_cases.py."""

from __future__ import annotations

from clash import Binary, Wheel
from runtime_cases import Case, Cxx, Run, Source, both, ext, module, takes
from runtime_names import functions, only_library

# What pybind11 does for py::class_<T>: the record, its constructor and the table of types, which is kept in builtins.
PYBIND11 = """#include "module.h"
#include <typeinfo>
#include <string.h>
#include <new>
extern "C" {
extern PyObject *PyExc_ImportError;
PyObject *PyImport_ImportModule(const char*), *PyObject_GetAttrString(PyObject*, const char*);
PyObject* PyErr_Format(PyObject*, const char*, ...);
int PyObject_SetAttrString(PyObject*, const char*, PyObject*), PyObject_HasAttrString(PyObject*, const char*);
}
static const char* volatile internals_id = "__pybind11_internals_v4_gcc_libstdcpp_cxxabi1014__";
struct callback { void* storage[2]; void (*manage)(); void (*call)(); };
struct type_record {
  __attribute__((noinline)) type_record()
      : multiple_inheritance(false), dynamic_attr(false), buffer_protocol(false), default_holder(true),
        module_local(false), is_final(false) {}
  void* scope = nullptr;
  const char* name = nullptr;
  const std::type_info* type = nullptr;
  size_t type_size = 0, type_align = 0, holder_size = 0;
  void* (*operator_new)(size_t) = nullptr;
  void (*init_instance)() = nullptr;
  void (*dealloc)() = nullptr;
  void* bases = nullptr;
  const char* doc = nullptr;
  void* metaclass = nullptr;
  callback setup{};
  bool multiple_inheritance : 1, dynamic_attr : 1, buffer_protocol : 1, default_holder : 1, module_local : 1,
      is_final : 1;
};
static __attribute__((noinline)) bool initialize(const type_record& record) {
  if (record.module_local) return true;
  char key[200] = {};
  strncat(key, internals_id, 80);
  strncat(key, record.type->name(), 100);
  PyObject* const table = PyImport_ImportModule("builtins");
  if (PyObject_HasAttrString(table, key)) {
    PyErr_Format(PyExc_ImportError, "generic_type: type \\"%s\\" is already registered!", record.name);
    return false;
  }
  return PyObject_SetAttrString(table, key, table) == 0;
}
template <class T, class... Extra>
bool class_(void* scope, const char* name, Extra... extra) {
  type_record record;
  record.scope = scope;
  record.name = name;
  record.type = &typeid(T);
  record.type_size = sizeof(T);
  record.type_align = alignof(T);
  record.holder_size = 8;
  record.default_holder = true;
  ((record.module_local = extra), ...);
  return initialize(record);
}
struct gpt_params { virtual ~gpt_params() {} int tokens = 5; };
NUMBER(value, 5)
static PyMethodDef methods[] = {METHOD(value), {NULL, NULL, 0, NULL}};
static PyModuleDef definition = {{1, NULL, NULL, 0, NULL}, "_ext", NULL, -1, methods, NULL, NULL, NULL, NULL};
EXPORTED PyObject* PyInit__ext(void) {
  PyObject* const made = PyModule_Create2(&definition, 3);
  return class_<gpt_params>(made, "gpt_params"LOCAL) ? made : NULL;
}
"""


def registered() -> Case:
    def user(name: str, local: bool = False) -> Wheel:
        source = Cxx(PYBIND11.replace("LOCAL", ", true" if local else ""))
        options = ["-std=c++17", "-O2", "-fvisibility=hidden"]
        return Wheel(name, [Binary(f"{name}/_ext.abi3.so", [source], options)], takes(name))

    already = 'generic_type: type "gpt_params" is already registered!'
    return Case(
        ["nomic-ai/pygpt4all#95", "RosettaCommons/binder#248", "AcademySoftwareFoundation/OpenTimelineIO#1323"],
        'ImportError: generic_type: type "gptj_gpt_params" is already registered!',
        [user("pyllamacpp"), user("pygptj")],
        [Run("import pyllamacpp, pygptj", fails=already), Run("import pygptj, pyllamacpp", fails=already)],
        "WC241",
        "error",
        [user("pygptj", local=True)],
        both("pyllamacpp", "pygptj", says="5\n"),
        says="py::module_local() to py::class_<gpt_params>",
    )


# What pybind11_abseil does (import_status_module.cc) where absl::StatusCode is not a known type.
STATUS = """#include "module.h"
extern PyObject* PyExc_ImportError;
PyObject *PyImport_AddModule(const char*), *PyErr_Format(PyObject*, const char*, ...);
int PyObject_SetAttrString(PyObject*, const char*, PyObject*), PyObject_HasAttrString(PyObject*, const char*);
static const char* volatile internals_id = "__pybind11_internals_ID__";
NUMBER(value, internals_id[0] == '_')
static PyMethodDef methods[] = {METHOD(value), {NULL, NULL, 0, NULL}};
static PyModuleDef definition = {{1, NULL, NULL, 0, NULL}, "_ext", NULL, -1, methods, NULL, NULL, NULL, NULL};
EXPORTED PyObject* PyInit__ext(void) {
  PyObject* const made = PyModule_Create2(&definition, 3);
  PyObject* const status = PyImport_AddModule("pybind11_abseil.status");
  if (PyObject_HasAttrString(status, internals_id)) return made;
  if (PyObject_HasAttrString(status, "StatusCode"))
    return PyErr_Format(PyExc_ImportError,
                        "generic_type: cannot initialize type \\"StatusCode\\": an object with that name is already "
                        "defined");
  PyObject_SetAttrString(status, "StatusCode", made);
  PyObject_SetAttrString(status, internals_id, made);
  return made;
}
"""


def status() -> Case:
    def user(name: str, internals: str) -> Wheel:
        source = Source(STATUS.replace("_ID_", f"_{internals}_"))
        return Wheel(name, [ext(f"{name}/_ext.abi3.so", source)], takes(name))

    clang, gcc = "v4_clang_libstdcpp_cxxabi1002", "v4_gcc_libstdcpp_cxxabi1013"
    defined = 'cannot initialize type "StatusCode": an object with that name is already defined'
    return Case(
        ["pybind/pybind11_abseil#12", "tensorflow/tflite-support#952", "google-deepmind/envlogger#3"],
        'ImportError: generic_type: cannot initialize type "StatusCode": an object with that name is already defined',
        [user("tensorflow", clang), user("tflite_support", gcc)],
        [Run("import tensorflow, tflite_support", fails=defined), Run("import tflite_support, tensorflow", fails=defined)],
        "WC242",
        "error",
        [user("tflite_support", clang)],
        both("tensorflow", "tflite_support", says="1\n"),
        says="pybind11_abseil.status",
    )


def without_address() -> Case:
    """The first user of libstdc++ defines one of its virtual functions at address 0."""

    def osmium(zero: bool) -> Wheel:
        body = module("#include <string>\nNUMBER(value, (long long)std::string(\"abc\").size())", kind=Cxx)
        options = ["-Wl,--defsym=_ZNKSt5ctypeIcE10do_toupperEc=0"] if zero else []
        return Wheel("osmium", [Binary("osmium/_ext.abi3.so", [body], options)], takes("osmium"))

    upper = """#include <locale>
NUMBER(value, std::use_facet<std::ctype<char>>(std::locale::classic()).toupper('a'))"""
    pyproj = Wheel("pyproj", [ext("pyproj/_ext.abi3.so", module(upper, kind=Cxx))], takes("pyproj"))
    return Case(
        ["osmcode/pyosmium#116"],
        "import osmium, pyproj: Segmentation fault; the other order works",
        [osmium(True), pyproj],
        [
            Run("import osmium, pyproj; print(pyproj.value())", signal="SIGSEGV"),
            Run("import pyproj, osmium; print(pyproj.value())", says="65\n"),
        ],
        "WC240",
        "error",
        [osmium(False)],
        both("osmium", "pyproj", says="65\n"),
        says="import in the order pyproj, then osmium",
    )


def other_build() -> Case:
    """The library of a requirement has another hash in its name: auditwheel made it from another build."""

    def h5py(hashed: str, version: str, name: str = "h5py") -> Wheel:
        return only_library(name, "h5py.libs", f"libhdf5-{hashed}.so.310.5.1", functions({"H5open": 4}), version)

    user = Wheel(
        "versioned_hdf5",
        [
            ext(
                "versioned_hdf5/_ext.abi3.so",
                module("int H5open(void);\nNUMBER(value, H5open())"),
                runpath="$ORIGIN/../h5py.libs",
                needed=["../linked/h5py.libs/libhdf5-8c29085d.so.310.5.1"],
            )
        ],
        takes("versioned_hdf5"),
        requires=["h5py>=3.8.0"],
    )
    return Case(
        ["deshaw/versioned-hdf5#466"],
        "ImportError: libhdf5-8c29085d.so.310.5.1: cannot open shared object file",
        [h5py("7d060e2f", "3.15.1"), user],
        [Run("import versioned_hdf5", fails="libhdf5-8c29085d.so.310.5.1: cannot open shared object file")],
        "WC230",
        "error",
        [h5py("8c29085d", "3.14.0")],
        [Run("import versioned_hdf5; print(versioned_hdf5.value())", says="4\n")],
        says="h5py>=3.8.0,!=3.15.1",
        linked=[h5py("8c29085d", "3.14.0", "linked")],
    )


def opened_before() -> Case:
    """Python code opens a library by the name in an argument, and then imports a module that needs it."""

    def torch(names: dict[str, int], version: str) -> Wheel:
        return Wheel(
            "torch",
            [
                ext("torch/lib/libtorch.so", functions(names), soname="libtorch.so"),
                ext(
                    "torch/_C.abi3.so",
                    module("int at_empty(void);\nNUMBER(value, at_empty())", "_C"),
                    needed=["torch/lib/libtorch.so"],
                    runpath="$ORIGIN/lib",
                ),
            ],
            takes("torch", "_C"),
            version=version,
        )

    old, new = {"at_empty": 1}, {"at_empty": 1, "guard_bool": 2}
    loads = """import ctypes, pathlib
import torch
_LIB_DIR = pathlib.Path(__file__).parent / "lib"
def _path(lib):
    return _LIB_DIR / f"{lib}.so"
def load_lib(lib):
    path = _path(lib)
    if not path.exists():
        return False
    ctypes.CDLL(path)
    return True
"""
    init = """from .utils import load_lib
load_lib("libtorchaudio")
from .lib._torchaudio import *
"""
    library = Source('int guard_bool(void);\n__attribute__((visibility("default"))) int audio(void) { return guard_bool(); }')
    audio = Wheel(
        "torchaudio",
        [
            ext(
                "torchaudio/lib/libtorchaudio.so",
                library,
                soname="libtorchaudio.so",
                needed=["../linked/torch/lib/libtorch.so"],
                options=["-Wl,-z,now"],
            ),
            ext(
                "torchaudio/lib/_torchaudio.abi3.so",
                module("int audio(void);\nNUMBER(value, audio())", "_torchaudio"),
                needed=["torchaudio/lib/libtorchaudio.so"],
            ),
        ],
        {"torchaudio/__init__.py": init, "torchaudio/utils.py": loads, "torchaudio/lib/__init__.py": ""},
        requires=["torch==2.1.2"],
    )
    linked = torch(new, "2.1.2")
    linked.name = "linked"
    return Case(
        ["RangiLyu/nanodet#547"],
        "OSError: libtorchaudio.so: undefined symbol: _ZNK3c107SymBool10guard_boolEPKcl",
        [torch(old, "1.13.1"), audio],
        [Run("import torchaudio", fails="undefined symbol: guard_bool")],
        "WC230",
        "error",
        [torch(new, "2.1.2")],
        [Run("import torchaudio; print(torchaudio.value())", says="2\n")],
        says="pip install torch==2.1.2",
        linked=[linked],
    )


def overwritten() -> Case:
    def kotor(name: str, number: int, folder: str = "pykotor", **requires) -> Wheel:
        return Wheel(name, [ext(f"{folder}/_ext.abi3.so", module(f"NUMBER(value, {number})"))], takes(folder), **requires)

    return Case(
        ["NickHugi/PyKotor#3"],
        "the files of the requirement are overwritten",
        [kotor("PyKotor", 1), kotor("PyKotorGL", 2, requires=["PyKotor"])],
        [Run("import pykotor; print(pykotor.value())", says="2\n")],
        "WC542",
        "error",
        [kotor("PyKotorGL", 2, "pykotor_gl", requires=["PyKotor"])],
        [Run("import pykotor; print(pykotor.value())", says="1\n")],
        says="its wheel must not contain the files of PyKotor",
    )


def later_release() -> Case:
    """The missing name contains the release of CUDA that introduced it."""

    def nvjitlink(version: str, *releases: str, name: str = "nvidia_nvjitlink_cu12") -> Wheel:
        names = {f"__nvJitLinkComplete_{each}": 7 for each in releases}
        return only_library(name, "nvjitlink", "libnvJitLink.so.12", functions(names), version)

    user = Wheel(
        "nvidia_cusparse_cu12",
        [
            ext(
                "cusparse/_ext.abi3.so",
                module("int __nvJitLinkComplete_12_4(void);\nNUMBER(value, __nvJitLinkComplete_12_4())"),
                runpath="$ORIGIN/../nvjitlink",
                needed=["../linked/nvjitlink/libnvJitLink.so.12"],
            )
        ],
        takes("cusparse"),
        requires=["nvidia-nvjitlink-cu12"],
    )
    return Case(
        ["pytorch/pytorch#111469", "pytorch/pytorch#134929", "pytorch/pytorch#152783"],
        "ImportError: libcusparse.so.12: undefined symbol: __nvJitLinkAddData_12_1, version libnvJitLink.so.12",
        [nvjitlink("12.1.105", "12_0", "12_1"), user],
        [Run("import cusparse", fails="undefined symbol: __nvJitLinkComplete_12_4")],
        "WC230",
        "error",
        [nvjitlink("12.4.127", "12_0", "12_1", "12_4")],
        [Run("import cusparse; print(cusparse.value())", says="7\n")],
        says="nvidia_nvjitlink_cu12>=12.4",
        linked=[nvjitlink("12.4.127", "12_4", name="linked")],
    )


def namespace() -> Case:
    """Packages of a namespace share an __init__.py with the same code; only its comment may differ."""
    share = "# Copyright {}\n\nimport pkgutil\n\n__path__ = pkgutil.extend_path(__path__, __name__)\n"

    def part(name: str, init: str) -> Wheel:
        return Wheel(f"dwave_{name}", [], {"dwave/__init__.py": init, f"dwave/{name}/__init__.py": "value = 3\n"})

    return Case(
        ["dwavesystems/dwave-cloud-client#531"],
        "both install dwave/__init__.py; one of them has other code there",
        [part("cloud", "from .cloud import value\n"), part("preprocessing", share.format(2021))],
        [Run("import dwave; print(dwave.value)", fails="module 'dwave' has no attribute 'value'")],
        "WC542",
        "error",
        [part("cloud", share.format(2017))],
        [Run("import dwave.cloud, dwave.preprocessing; print(dwave.cloud.value)", says="3\n")],
        says="dwave/__init__.py",
    )


def all_cases() -> list[Case]:
    found = [registered(), status(), without_address(), other_build(), opened_before(), overwritten()]
    return [*found, later_release(), namespace()]
