// The functions through which Python makes a module of a file.
#pragma once

#include <string_view>

namespace wheelcheck {

// PyInit_NAME (PEP 489), or since CPython 3.15 PyModExport_NAME, which returns an array of slots (PEP 793).
inline bool is_module_hook(std::string_view symbol) {
  return symbol.starts_with("PyInit_") || symbol.starts_with("PyModExport_");
}
inline bool returns_slots(std::string_view hook) { return hook.starts_with("PyModExport_"); }

}  // namespace wheelcheck
