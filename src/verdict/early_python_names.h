// Names that CPython exported before they came into the stable ABI: a file that imports one loads with an interpreter
// older than the stable ABI says. Read with `nm -D` from builds of CPython 3.6 to 3.13, for names that are in the
// stable ABI since 3.8 or later.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace wheelcheck::verdict {

inline constexpr auto early_python_names = std::to_array<std::pair<std::string_view, std::uint16_t>>({
    {"PyBuffer_FillContiguousStrides", 6},
    {"PyBuffer_FillInfo", 6},
    {"PyBuffer_FromContiguous", 6},
    {"PyBuffer_GetPointer", 6},
    {"PyBuffer_IsContiguous", 6},
    {"PyBuffer_Release", 6},
    {"PyBuffer_SizeFromFormat", 9},
    {"PyBuffer_ToContiguous", 6},
    {"PyCriticalSection2_Begin", 13},
    {"PyCriticalSection2_End", 13},
    {"PyCriticalSection_Begin", 13},
    {"PyCriticalSection_End", 13},
    {"PyDict_SetDefaultRef", 13},
    {"PyFrame_GetCode", 9},
    {"PyFrame_GetLineNumber", 6},
    {"PyImport_GetModule", 7},
    {"PyLong_AsNativeBytes", 13},
    {"PyLong_FromNativeBytes", 13},
    {"PyLong_FromUnsignedNativeBytes", 13},
    {"PyMem_RawCalloc", 6},
    {"PyMem_RawFree", 6},
    {"PyMem_RawMalloc", 6},
    {"PyMem_RawRealloc", 6},
    {"PyMemoryView_FromBuffer", 6},
    {"PyModule_AddType", 9},
    {"PyObject_CallFinalizerFromDealloc", 6},
    {"PyObject_CallNoArgs", 9},
    {"PyObject_CheckBuffer", 9},
    {"PyObject_CopyData", 6},
    {"PyObject_GenericGetDict", 6},
    {"PyObject_GetBuffer", 6},
    {"PyObject_Vectorcall", 11},
    {"PyObject_VectorcallMethod", 9},
    {"PyStructSequence_UnnamedField", 6},
    {"PySys_Audit", 8},
    {"PyThreadState_GetFrame", 9},
    {"PyThreadState_GetID", 9},
    {"PyThreadState_GetInterpreter", 9},
    {"PyType_FromModuleAndSpec", 9},
    {"PyType_GetModule", 9},
    {"PyType_GetModuleByDef", 11},
    {"PyType_GetModuleState", 9},
    {"PyUnicode_AsUTF8AndSize", 6},
    {"PyVectorcall_Call", 8},
    {"Py_FileSystemDefaultEncodeErrors", 6},
    {"Py_GetArgcArgv", 6},
    {"Py_UTF8Mode", 7},
});

// The oldest 3.minor that exports a name which is in the stable ABI since 3.`stable`.
constexpr unsigned first_exported(std::string_view name, unsigned stable) {
  const auto at = std::ranges::lower_bound(early_python_names, name, {}, [](const auto& row) { return row.first; });
  return at != early_python_names.end() && at->first == name ? at->second : stable;
}

}  // namespace wheelcheck::verdict
