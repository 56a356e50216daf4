// The names by which Python finds an extension module: those of the function that makes it, and those of its file.
#pragma once

#include <optional>
#include <string_view>

namespace wheelcheck {

// PyInit_NAME (PEP 489), or since CPython 3.15 PyModExport_NAME, which returns an array of slots (PEP 793).
inline bool is_module_hook(std::string_view symbol) {
  return symbol.starts_with("PyInit_") || symbol.starts_with("PyModExport_");
}
inline bool returns_slots(std::string_view hook) { return hook.starts_with("PyModExport_"); }

// The end of the file name of a module for the stable ABI (PEP 384, PEP 803).
struct StableSuffix {
  bool free_threaded = false;  // abi3t
  std::string_view triplet;    // "x86_64-linux-gnu" in NAME.abi3-x86_64-linux-gnu.so, which CPython finds since 3.15
};
// CPython 3.N from which on a module with such a name is found; 0: every release has the name in its list. Builds with
// and without the GIL search for abi3t (CPython Python/dynload_shlib.c).
inline unsigned found_since(const StableSuffix& suffix) {
  return suffix.free_threaded || !suffix.triplet.empty() ? 15 : 0;
}

std::optional<StableSuffix> stable_suffix(std::string_view file_name);

// The part after the module's name in the file name of an extension module.
struct ModuleSuffix {
  enum class Kind { None, CPython, PyPy, Abi3, Abi3t };  // None: only .so
  Kind kind = Kind::None;
  std::string_view text;       // ".cpython-311-x86_64-linux-gnu.so"
  std::string_view version;    // "311"; for PyPy "310"
  bool free_threaded = false;  // cpython-313t
  std::string_view triplet;    // "x86_64-linux-gnu", "" before CPython 3.5; of abi3, since 3.15

  // The 11 of .cpython-311; nullopt for others. CPython 2 does not use such names.
  std::optional<unsigned> cpython_minor() const;
};
ModuleSuffix suffix_of(std::string_view file_name);

// Whether a Python file runs only in a project's own tests or is an example, as far as its path tells.
bool is_test_code(std::string_view path);

}  // namespace wheelcheck
