// What an extension module checks of other packages when it is imported, by the texts of its data
// (TextFacts::interfaces).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/elf.h"
#include "wheelcheck/index.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck {

// NumPy's _import_array (numpy/core/code_generators/generate_numpy_api.py) compares what the module was compiled for
// with the NumPy that is imported, and raises an exception with these texts.
struct NumpyCheck {
  // Of NPY_FEATURE_VERSION: an older NumPy is refused. NumPy 1.25 and newer write it into the message: "1.23". Empty:
  // the headers were older, and the number is in the code alone.
  std::string_view minimum;
  // Compiled with headers of NumPy 1: these demand the ABI version of NumPy 1 exactly, so NumPy 2 is refused. Headers
  // of NumPy 2 look for numpy._core first.
  bool refuses_2 = false;
  std::string_view message;  // as the file contains it
};
std::optional<NumpyCheck> numpy_check(const TextFacts& texts);

// What the extension modules of a wheel demand together. A module may be imported only where NumPy is new enough
// (h5py/_npystrings), so only what each of them refuses is sure to fail.
struct NumpyDemand {
  std::string_view minimum;  // the lowest of all; "" where one does not tell
  bool refuses_2 = false;    // each of them
  ElfIndex file;             // with the lowest minimum, and its message
  std::string_view message;
  std::size_t files = 0;  // with such a check
};
std::optional<NumpyDemand> numpy_demand(const WheelFacts& wheel);

// "v11_system_libstdcpp_gxx_abi_1xxx_use_cxx11_abi_1": modules with equal ids share registered C++ types (pybind11,
// detail/internals.h, PYBIND11_INTERNALS_ID). Sorted.
std::vector<std::string_view> pybind11_ids(const TextFacts& texts);
// The same of nanobind (src/nb_abi.h, NB_ABI_TAG).
std::vector<std::string_view> nanobind_ids(const TextFacts& texts);
// Cython's code that imports C functions or variables of another module and compares their signatures; "" for none.
std::string_view cython_check(const TextFacts& texts);

}  // namespace wheelcheck
