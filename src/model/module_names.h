// The names by which Python finds an extension module: those of the function that makes it, and those of its file.
#pragma once

#include <cstddef>
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

inline std::optional<StableSuffix> stable_suffix(std::string_view file_name) {
  const std::size_t dot = file_name.find('.');
  if (dot == file_name.npos || !file_name.ends_with(".so")) return std::nullopt;
  std::string_view tag = file_name.substr(dot + 1);
  constexpr std::string_view start = "abi3", end = ".so";
  if (!tag.starts_with(start)) return std::nullopt;
  tag = tag.substr(start.size(), tag.size() - start.size() - end.size());
  StableSuffix suffix;
  suffix.free_threaded = tag.starts_with('t');
  if (suffix.free_threaded) tag.remove_prefix(1);
  if (tag.empty()) return suffix;
  if (tag.front() != '-' || tag.find('.') != tag.npos) return std::nullopt;
  suffix.triplet = tag.substr(1);
  return suffix;
}

}  // namespace wheelcheck
