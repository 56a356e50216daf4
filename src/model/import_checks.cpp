// Recognises the checks of NumPy, pybind11, nanobind and Cython by their texts (import_checks.h).
#include "model/import_checks.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <variant>

#include "base/text.h"
#include "wheelcheck/version.h"

namespace wheelcheck {
namespace {

// "1.23" of "... (NumPy 1.23) but the running ..."; "" if there is none.
std::string_view version_in(std::string_view message) {
  constexpr std::string_view before = "(NumPy ";
  const std::size_t at = message.find(before);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = message.substr(at + before.size());
  const std::string_view version = rest.substr(0, rest.find(')'));
  Version parsed;
  return parse_version(version, parsed) ? version : std::string_view();
}

// The lowest NumPy whose PyArray_GetNDArrayCFeatureVersion is not below the number; "" if unknown. From the comments of
// numpy/core/setup_common.py in 1.24; numpyconfig.h names one release more for 8 and 9.
std::string_view numpy_with_feature(std::string_view number) {
  static constexpr std::array<std::string_view, 10> releases{"1.7",  "1.8",  "1.10", "1.13", "1.14",
                                                             "1.16", "1.20", "1.22", "1.23", "1.25"};
  constexpr std::uint64_t first = 8;
  std::uint64_t feature = 0;
  if (!parse_number(number, feature) || feature < first || feature - first >= releases.size()) return {};
  return releases[feature - first];
}

// Structures that grew: with headers of that NumPy or newer, a module of Cython is compiled for objects of this size,
// and refuses smaller ones (the __basicsize__ of the types in 64-bit releases of NumPy).
struct GrownType {
  std::string_view name;
  std::uint64_t size;
  std::string_view since, message;
};
constexpr GrownType grown_types[] = {
    {"numpy.ufunc", 216, "1.16", "numpy.ufunc size changed, may indicate binary incompatibility"},
    {"numpy.ndarray", 88, "1.20", "numpy.ndarray size changed, may indicate binary incompatibility"},
    {"numpy.ndarray", 96, "1.22", "numpy.ndarray size changed, may indicate binary incompatibility"},
    {"numpy.ufunc", 232, "1.22", "numpy.ufunc size changed, may indicate binary incompatibility"}};
constexpr std::uint64_t dtype_of_1 = 96;  // bytes; in NumPy 2 they are 88

// What the sizes of the types refuse.
std::optional<NumpyCheck> size_check(const TextFacts& texts) {
  NumpyCheck check{.by_size = true};
  for (const ImportedType& type : imported_types(texts)) {
    check.refuses_2 = check.refuses_2 || (type.name == "numpy.dtype" && type.size == dtype_of_1);
    for (const GrownType& grown : grown_types) {
      if (type.name != grown.name || type.size != grown.size) continue;
      if (natural_order(check.minimum, grown.since) >= 0) continue;
      check.minimum = grown.since;
      check.message = grown.message;
    }
  }
  return check.minimum.empty() ? std::nullopt : std::optional(check);
}

std::vector<std::string_view> ids_after(const TextFacts& texts, std::string_view prefix) {
  std::vector<std::string_view> ids;
  for (std::string_view text : texts.interfaces) {
    if (!text.starts_with(prefix)) continue;
    text.remove_prefix(prefix.size());
    if (text.ends_with("__")) text.remove_suffix(2);
    ids.push_back(text);
  }
  return ids;
}

}  // namespace

std::optional<NumpyCheck> numpy_check(const TextFacts& texts) {
  NumpyCheck check;
  bool abi = false, feature = false, new_headers = false;
  constexpr std::string_view feature_number = "NPY_FEATURE_VERSION=";
  std::string_view in_code;
  for (const std::string_view text : texts.interfaces) {
    if (text == "numpy._core._multiarray_umath") new_headers = true;
    if (text.starts_with(feature_number)) in_code = numpy_with_feature(text.substr(feature_number.size()));
    if (!text.starts_with("module ")) continue;
    abi = abi || text.find("against ABI version") != std::string_view::npos;
    feature = feature || text.find("API version") != std::string_view::npos;
    // If several checks are linked in, only the lowest version is certainly required.
    const std::string_view version = version_in(text);
    if (!version.empty() && (check.minimum.empty() || natural_order(version, check.minimum) < 0))
      check.minimum = version;
    if (check.message.empty() || !version.empty()) check.message = text;
  }
  const std::optional<NumpyCheck> sizes = size_check(texts);
  if (!abi || !feature) return sizes;
  if (check.minimum.empty()) check.minimum = in_code;
  check.refuses_2 = !new_headers && !texts.cut;
  if (sizes && natural_order(check.minimum, sizes->minimum) < 0) check.minimum = sizes->minimum;
  return check;
}

std::optional<NumpyDemand> numpy_demand(const WheelFacts& wheel, bool libraries) {
  std::optional<NumpyDemand> all;
  bool unknown = false;
  for (std::uint32_t i = 0; i < wheel.elfs.size(); ++i) {
    const ElfMember& elf = wheel.elfs[i];
    if (!is_host_code(elf) || std::holds_alternative<ExtensionModule>(elf.role) == libraries) continue;
    const auto check = numpy_check(elf.facts.texts);
    if (!check) continue;
    // Modules that only compare sizes count where no module checks the version: they accept more than the others.
    if (all && check->by_size && !all->by_size) continue;
    if (all && !check->by_size && all->by_size) all.reset();
    if (!all)
      all = NumpyDemand{.minimum = check->minimum,
                        .refuses_2 = true,
                        .file = ElfIndex{i},
                        .message = check->message,
                        .by_size = check->by_size};
    unknown = unknown || check->minimum.empty();
    all->refuses_2 = all->refuses_2 && check->refuses_2;
    ++all->files;
    if (natural_order(check->minimum, all->minimum) >= 0) continue;
    all->minimum = check->minimum;
    all->file = ElfIndex{i};
    all->message = check->message;
  }
  if (all && unknown) all->minimum = {};
  return all;
}

std::optional<NumpyDemand> pybind11_demand(const WheelFacts& wheel) {
  // Since 2.12 the name is put together from "numpy.core" or "numpy._core" and "multiarray" (pybind11/numpy.h).
  constexpr std::string_view module = "numpy.core.multiarray";
  std::optional<NumpyDemand> all;
  for (std::uint32_t i = 0; i < wheel.elfs.size(); ++i) {
    const ElfMember& elf = wheel.elfs[i];
    const TextFacts& texts = elf.facts.texts;
    const bool names_it = std::ranges::find(texts.interfaces, module) != texts.interfaces.end();
    if (!is_host_code(elf) || !std::holds_alternative<ExtensionModule>(elf.role) || !names_it ||
        pybind11_ids(texts).empty() || numpy_check(texts))
      continue;
    if (!all) all = NumpyDemand{.minimum = {}, .refuses_2 = true, .file = ElfIndex{i}, .message = module};
    all->crashes = true;
    ++all->files;
  }
  return all;
}

std::vector<std::string_view> pybind11_ids(const TextFacts& texts) {
  std::vector<std::string_view> ids = ids_after(texts, "__pybind11_internals_");
  // The key of another object of pybind11 3 (detail/internals.h), not an id of its own.
  std::erase_if(ids, [](std::string_view id) { return id.ends_with("_call_once_storage"); });
  return ids;
}

std::vector<std::string_view> pybind11_types(const TextFacts& texts) { return ids_after(texts, "pybind11 type "); }

bool makes_status_module(const TextFacts& texts) {
  return std::ranges::any_of(texts.interfaces,
                             [](std::string_view text) { return text.ends_with("pybind11_abseil.status"); });
}

std::vector<std::string_view> names_at_zero(const TextFacts& texts) { return ids_after(texts, "at zero "); }

std::vector<std::string_view> nanobind_ids(const TextFacts& texts) {
  std::vector<std::string_view> ids = ids_after(texts, "__nb_internals_");
  for (const std::string_view text : texts.interfaces)
    if (text.starts_with('v')) ids.push_back(text);
  std::ranges::sort(ids);
  return ids;
}

std::string_view slots_made(const TextFacts& texts) {
  constexpr std::string_view start = "slots made";
  for (const std::string_view text : texts.interfaces)
    if (text.starts_with(start)) return text.substr(start.size());
  return {};
}

std::vector<std::string_view> cython_functions(const TextFacts& texts) { return ids_after(texts, "capi "); }

std::vector<std::string_view> cython_modules(const TextFacts& texts) {
  std::vector<std::string_view> modules = ids_after(texts, "functions of ");
  for (const ImportedType& type : imported_types(texts)) modules.push_back(type.name.substr(0, type.name.rfind('.')));
  std::ranges::sort(modules);
  modules.erase(std::ranges::unique(modules).begin(), modules.end());
  return modules;
}

std::uint64_t jemalloc_page(const TextFacts& texts) {
  std::uint64_t bytes = 0;
  for (const std::string_view text : ids_after(texts, "jemalloc pages ")) parse_number(text, bytes);
  return bytes;
}

std::vector<DefinedType> defined_types(const TextFacts& texts) {
  std::vector<DefinedType> types;
  for (const std::string_view text : ids_after(texts, "type ")) {
    const std::size_t space = text.find(' '), plus = text.find('+', space);
    DefinedType type{.name = text.substr(0, space)};
    if (plus != std::string_view::npos && parse_number(text.substr(space + 1, plus - space - 1), type.size) &&
        parse_number(text.substr(plus + 1), type.item_size))
      types.push_back(type);
  }
  return types;
}

std::vector<ImportedType> imported_types(const TextFacts& texts) {
  std::vector<ImportedType> types;
  for (std::string_view text : ids_after(texts, "import type ")) {
    const std::size_t space = text.find(' ');
    if (space == std::string_view::npos) continue;
    constexpr std::string_view exact = " exact", ignores = " ignores";
    ImportedType type{.name = text.substr(0, space), .exact = text.ends_with(exact)};
    type.warns = !type.exact && !text.ends_with(ignores);
    if (!type.warns) text.remove_suffix(type.exact ? exact.size() : ignores.size());
    if (parse_number(text.substr(space + 1), type.size)) types.push_back(type);
  }
  return types;
}

std::string_view cython_check(const TextFacts& texts) {
  for (const std::string_view text : texts.interfaces)
    if (text.starts_with("C ") || text.ends_with("%.200s")) return text;
  return {};
}

}  // namespace wheelcheck
