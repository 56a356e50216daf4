"""Published run-time failures about objects that two wheels share; see runtime_cases.py."""

from __future__ import annotations

from clash import Wheel
from runtime_cases import Case, Cxx, Source, both, ext, module

HEAD = """#include "module.h"
extern PyObject* PyExc_ValueError;
PyObject *PyImport_ImportModule(const char*), *PyObject_GetAttrString(PyObject*, const char*);
PyObject *PyType_FromSpec(void*), *PyErr_Format(PyObject*, const char*, ...);
intptr_t PyLong_AsSsize_t(PyObject*);
int PyModule_AddObject(PyObject*, const char*, PyObject*);
NUMBER(value, 1)
static PyMethodDef methods[] = {METHOD(value), {NULL, NULL, 0, NULL}};
static PyModuleDef definition = {{1, NULL, NULL, 0, NULL}, "_ext", NULL, -1, methods, NULL, NULL, NULL, NULL};
"""
DEFINES = """
static struct { int number; void* value; } slots[] = {{0, NULL}};
static struct { const char* name; int basic, item; unsigned flags; void* slots; } spec = {
    "PACKAGE.TYPE", SIZE, 0, 1 << 18 /* Py_TPFLAGS_DEFAULT */, slots};
EXPORTED PyObject* PyInit__ext(void) {
  PyObject* made = PyModule_Create2(&definition, 3);
  PyModule_AddObject(made, "TYPE", PyType_FromSpec(&spec));
  return made;
}
"""
# The function that Cython generates (Utility/ImportExport.c), without its error handling.
IMPORTS = """
static __attribute__((noinline)) PyObject* import_type(PyObject* module, const char* module_name,
                                                       const char* class_name, size_t size, size_t alignment,
                                                       int check) {
  PyObject* type = PyObject_GetAttrString(module, class_name);
  size_t basic = (size_t)PyLong_AsSsize_t(PyObject_GetAttrString(type, "__basicsize__"));
  if (basic < size || (alignment != 0 && check == 0 && basic > size))
    return PyErr_Format(PyExc_ValueError,
                        "%.200s.%.200s size changed, may indicate binary incompatibility. "
                        "Expected %zd from C header, got %zd from PyObject",
                        module_name, class_name, size, basic);
  return type;
}
EXPORTED PyObject* PyInit__ext(void) {
  PyObject* module = PyImport_ImportModule("PACKAGE");
  if (module == NULL || import_type(module, "PACKAGE", "TYPE", SIZE, 8, CHECK) == NULL) return NULL;
  if (import_type(PyImport_ImportModule("builtins"), "builtins", "type", 16, 8, 1) == NULL) return NULL;
  return PyModule_Create2(&definition, 3);
}
"""


def wheel_of(name: str, text: str, names: str, version: str = "1.0", **requires) -> Wheel:
    source = Source(HEAD + text)
    return Wheel(name, [ext(f"{name}/_ext.abi3.so", source)], {f"{name}/__init__.py": names}, version, **requires)


def other_size(
    source: list[str], package: str, kind: str, user: str, compiled: int, installed: int, check: int = 1
) -> Case:
    def provider(size: int, version: str) -> Wheel:
        text = DEFINES.replace("PACKAGE", package).replace("TYPE", kind).replace("SIZE", str(size))
        return wheel_of(package, text, f"from ._ext import {kind}\n", version)

    text = IMPORTS.replace("PACKAGE", package).replace("TYPE", kind).replace("SIZE", str(compiled))
    importer = wheel_of(user, text.replace("CHECK", str(check)), "from ._ext import value\n", requires=[package])
    changed = f"{package}.{kind} size changed, may indicate binary incompatibility. Expected {compiled}"
    return Case(
        source,
        f"ValueError: {changed} from C header, got {installed} from PyObject",
        [importer, provider(installed, "2.0")],
        both(package, user, fails=changed),
        "WC548",
        "error",
        [provider(compiled, "1.0")],
        both(package, user, says="1\n"),
        says=f"{package}.{kind}: {compiled} bytes at compile time, {installed} in",
    )


# SWIG writes one Python function for each C++ function: SimpleITK.py has 1.2 MB.
GENERATED = "from . import _ext\n" + "".join(f"def f{i}(x):\n    return _ext.f{i}(x)\n\n\n" for i in range(30_000))


def call_once() -> list[Case]:
    """libstdc++ is bound to the thread-local variables of a wheel that contains a part of libstdc++."""
    part = """#include <string>
namespace std {
extern __thread void* __once_callable;
extern __thread void (*__once_call)();
VISIBLE __thread void* __once_callable;
VISIBLE __thread void (*__once_call)();
}
NUMBER(value, std::string("arrow").size() + (std::__once_callable == nullptr))"""
    user = """#include <mutex>
static std::once_flag once;
static int count;
static int counted() { std::call_once(once, [] { ++count; }); return count; }
NUMBER(value, counted())"""

    def holder(name: str, python: dict[str, str], visible: str) -> Wheel:
        body = module(part.replace("VISIBLE", visible), "_ext", kind=Cxx)
        return Wheel(name, [ext(f"{name}/_ext.abi3.so", body)], python)

    body = module(user, "_ext", kind=Cxx)
    flow = Wheel("flow", [ext("flow/_ext.abi3.so", body)], {"flow/__init__.py": "from ._ext import value\n"})

    def case(source: str, name: str, python: dict[str, str]) -> Case:
        return Case(
            [source],
            f"segmentation fault in std::call_once if {name} is imported before tensorflow",
            [holder(name, python, '__attribute__((visibility("default")))'), flow],
            [*both(name, "flow", signal="SIGSEGV"), *both("flow", "flow", says="1\n")],
            "WC239",
            "error",
            [holder(name, python, '__attribute__((visibility("hidden")))')],
            both(name, "flow", says="1\n"),
            says="std::__once_call",
        )

    swig = {"SimpleITK/__init__.py": "from SimpleITK.SimpleITK import *\n", "SimpleITK/SimpleITK.py": GENERATED}
    return [
        case("apache/arrow#4472", "pyarrow", {"pyarrow/__init__.py": "from . import _ext\n"}),
        case("SimpleITK/SimpleITK#1208", "SimpleITK", swig),
    ]


def all_cases() -> list[Case]:
    numpy_2 = ["explosion/thinc#939", "explosion/spaCy#13628", "explosion/spaCy#13927", "MathOnco/valis#165"]
    return [
        other_size(numpy_2, "numpy", "dtype", "thinc", 96, 88),
        other_size(["explosion/thinc#515", "oguzhan-yilmaz/pyCrossfade#4"], "numpy", "ndarray", "thinc", 88, 80),
        other_size(["gevent/gevent#1923", "gevent/gevent#1991"], "greenlet", "greenlet", "gevent", 152, 40),
        other_size(["cython/cython#3042"], "pyarrow", "DictionaryMemo", "tester", 184, 160, check=0),
        *call_once(),
    ]
