// Version checks that an extension module makes when it is imported. NumPy, pybind11, nanobind and Cython generate such
// checks into every module that uses them. They are recognised by the texts in the data of the file
// (TextFacts::interfaces). All results are views into these facts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/elf.h"
#include "wheelcheck/index.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck {

// The check of NumPy. _import_array (numpy/core/code_generators/generate_numpy_api.py) compares the version that the
// module was compiled for with the imported NumPy, and raises an exception with these texts.
struct NumpyCheck {
  // The version of NPY_FEATURE_VERSION; an older NumPy is rejected. The headers of NumPy 1.25 and newer put it into the
  // message: "1.23". With older headers the number is only in the code, where elf/numpy_feature.h reads it. Empty:
  // it was not found.
  std::string_view minimum;
  // The module was compiled with headers of NumPy 1. They require exactly the ABI version of NumPy 1, so the module
  // rejects NumPy 2. Headers of NumPy 2 are recognised by the text numpy._core.
  bool refuses_2 = false;
  bool by_size = false;      // it compares the sizes of NumPy's objects, and not the version
  std::string_view message;  // as in the file
};
std::optional<NumpyCheck> numpy_check(const TextFacts& texts);

// The NumPy versions that no extension module of a wheel accepts. Some modules are imported only if NumPy is new enough
// (h5py/_npystrings), so only a version that all of them reject is certain to fail.
struct NumpyDemand {
  std::string_view minimum;  // the lowest of all; "" if it is unknown for one module
  bool refuses_2 = false;    // true if every module rejects NumPy 2
  ElfIndex file;             // the file with the lowest minimum
  std::string_view message;
  bool by_size = false;   // as in NumpyCheck, of all modules
  std::size_t files = 0;  // number of files with such a check
  bool crashes = false;   // see pybind11_demand
};
// libraries: those of the other files instead, such as libarrow_python.so and libtorch_python.so. Their callers may
// handle the exception.
std::optional<NumpyDemand> numpy_demand(const WheelFacts& wheel, bool libraries = false);

// The modules that use NumPy through pybind11 before 2.12, which knows the structures of NumPy 1 alone and makes no
// check: with NumPy 2 they are imported, and their functions with arrays may crash. nullopt: there is none.
std::optional<NumpyDemand> pybind11_demand(const WheelFacts& wheel);

// "v11_system_libstdcpp_gxx_abi_1xxx_use_cxx11_abi_1": modules with the same id share registered C++ types (pybind11,
// detail/internals.h, PYBIND11_INTERNALS_ID). Sorted.
std::vector<std::string_view> pybind11_ids(const TextFacts& texts);
// "15gptj_gpt_params": the names of the std::type_info of C++ types that a module registers with pybind11 for all
// modules (elf/pybind11_types.h).
std::vector<std::string_view> pybind11_types(const TextFacts& texts);
// Whether the code makes the Python module of absl::Status (pybind11_abseil/import_status_module.cc).
bool makes_status_module(const TextFacts& texts);
// Exported functions with the absolute value 0 (elf/symbols.h).
std::vector<std::string_view> names_at_zero(const TextFacts& texts);
// The same as pybind11_ids for nanobind (src/nb_abi.h, NB_ABI_TAG).
std::vector<std::string_view> nanobind_ids(const TextFacts& texts);
// " 1 2 3": the slots of the module that pybind11 makes at run time (elf/code_slots.h); "" if they are not known.
std::string_view slots_made(const TextFacts& texts);
// The text of Cython's code that imports C functions or variables of another module and compares their signatures; ""
// if there is none.
std::string_view cython_check(const TextFacts& texts);
// "export f: int (int)", "import g: int (int)": the C functions that elf/cython_capi.h found. Sorted.
std::vector<std::string_view> cython_functions(const TextFacts& texts);
// The modules whose C functions or types a module of Cython imports when it is imported itself. Sorted.
std::vector<std::string_view> cython_modules(const TextFacts& texts);

// The pages in bytes that a jemalloc in the file was compiled for (elf/jemalloc.h); 0 if that is not known.
std::uint64_t jemalloc_page(const TextFacts& texts);

// A type that an extension module defines (elf/python_types.h).
struct DefinedType {
  std::string_view name;                  // "numpy.dtype"
  std::uint64_t size = 0, item_size = 0;  // bytes of an object, and of each further item
};
std::vector<DefinedType> defined_types(const TextFacts& texts);
// A type of another module that a module of Cython imports. The import fails if the objects of the type are smaller
// than at compile time, with `exact` also if they are larger (Cython/Utility/ImportExport.c, __Pyx_ImportType).
struct ImportedType {
  std::string_view name;
  std::uint64_t size = 0;
  bool exact = false;
  bool warns = false;  // of a larger object: RuntimeWarning
  bool accepts(const DefinedType& type) const {
    return type.size + type.item_size >= size && (!exact || type.size <= size);
  }
};
std::vector<ImportedType> imported_types(const TextFacts& texts);

}  // namespace wheelcheck
