// Version checks that an extension module makes when it is imported. NumPy, pybind11, nanobind and Cython generate such
// checks into every module that uses them. All results are views into the facts (InterfaceFacts).
#pragma once

#include <cstddef>
#include <optional>
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
  // message: "1.23". With older headers the number is only in the code, where elf/numpy_feature.cpp reads it. Empty:
  // it was not found.
  std::string_view minimum;
  // The module was compiled with headers of NumPy 1. They require exactly the ABI version of NumPy 1, so the module
  // rejects NumPy 2. Headers of NumPy 2 are recognised by the text numpy._core.
  bool refuses_2 = false;
  bool by_size = false;      // it compares the sizes of NumPy's objects, and not the version
  std::string_view message;  // as in the file
};
std::optional<NumpyCheck> numpy_check(const ElfFacts& elf);

// The NumPy versions that no extension module of a wheel accepts. Some modules are imported only if NumPy is new enough
// (h5py/_npystrings), so only a version that all of them reject is certain to fail.
struct NumpyDemand {
  std::string_view minimum;  // the lowest of all; "" if it is unknown for one module
  bool refuses_2 = false;    // true if every module rejects NumPy 2
  ElfIndex file;             // the file with the lowest minimum
  std::string_view message;
  bool by_size = false;      // as in NumpyCheck, of all modules
  std::size_t files = 0;     // number of files with such a check
  bool crashes = false;      // see pybind11_demand
  std::size_t matrices = 0;  // with `crashes`: InterfaceFacts::eigen_matrices of all modules
};
// libraries: those of the other files instead, such as libarrow_python.so and libtorch_python.so. Their callers may
// handle the exception.
std::optional<NumpyDemand> numpy_demand(const WheelFacts& wheel, bool libraries = false);

// The modules that use NumPy through pybind11 before 2.12, which knows the structures of NumPy 1 alone and makes no
// check: with NumPy 2 they are imported, and their functions with arrays may crash. Those that copy an array do: they
// call entry 82 of NumPy's table, which is empty in NumPy 2 (pybind11/numpy.h, API_PyArray_CopyInto_). nullopt: there
// is none.
std::optional<NumpyDemand> pybind11_demand(const WheelFacts& wheel);

// The modules whose C functions or types a module of Cython imports when it is imported itself. Sorted.
std::vector<std::string_view> cython_modules(const InterfaceFacts& facts);

}  // namespace wheelcheck
