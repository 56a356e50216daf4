// What the checks of NumPy, pybind11, nanobind and Cython refuse (import_checks.h).
#include "model/import_checks.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <variant>

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
std::string_view numpy_with_feature(std::uint32_t feature) {
  static constexpr std::array<std::string_view, 10> releases{"1.7",  "1.8",  "1.10", "1.13", "1.14",
                                                             "1.16", "1.20", "1.22", "1.23", "1.25"};
  constexpr std::uint32_t first = 8;
  if (feature < first || feature - first >= releases.size()) return {};
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

bool names(const InterfaceFacts& facts, std::string_view numpy_module) {
  return std::ranges::find(facts.numpy_modules, numpy_module) != facts.numpy_modules.end();
}

// What the sizes of the types refuse.
std::optional<NumpyCheck> size_check(const InterfaceFacts& facts) {
  NumpyCheck check{.by_size = true};
  for (const ImportedType& type : facts.imported_types) {
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

}  // namespace

std::optional<NumpyCheck> numpy_check(const ElfFacts& elf) {
  const InterfaceFacts& facts = elf.interfaces;
  NumpyCheck check;
  bool abi = false, feature = false;
  for (const std::string_view text : facts.numpy_messages) {
    abi = abi || text.find("against ABI version") != std::string_view::npos;
    feature = feature || text.find("API version") != std::string_view::npos;
    // If several checks are linked in, only the lowest version is certainly required.
    const std::string_view version = version_in(text);
    if (!version.empty() && (check.minimum.empty() || natural_order(version, check.minimum) < 0))
      check.minimum = version;
    if (check.message.empty() || !version.empty()) check.message = text;
  }
  const std::optional<NumpyCheck> sizes = size_check(facts);
  if (!abi || !feature) return sizes;
  if (check.minimum.empty()) check.minimum = numpy_with_feature(facts.numpy_feature);
  check.refuses_2 = !names(facts, "numpy._core._multiarray_umath") && !elf.texts.cut;
  if (sizes && natural_order(check.minimum, sizes->minimum) < 0) check.minimum = sizes->minimum;
  return check;
}

std::optional<NumpyDemand> numpy_demand(const WheelFacts& wheel, bool libraries) {
  std::optional<NumpyDemand> all;
  bool unknown = false;
  for (std::uint32_t i = 0; i < wheel.elfs.size(); ++i) {
    const ElfMember& elf = wheel.elfs[i];
    if (!is_host_code(elf) || std::holds_alternative<ExtensionModule>(elf.role) == libraries) continue;
    const auto check = numpy_check(elf.facts);
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
    const InterfaceFacts& facts = elf.facts.interfaces;
    if (!is_host_code(elf) || !std::holds_alternative<ExtensionModule>(elf.role) || !names(facts, module) ||
        facts.pybind11_ids.empty() || numpy_check(elf.facts))
      continue;
    if (!all) all = NumpyDemand{.minimum = {}, .refuses_2 = true, .file = ElfIndex{i}, .message = module};
    all->crashes = true;
    all->matrices += facts.eigen_matrices;
    ++all->files;
  }
  return all;
}

std::vector<std::string_view> cython_modules(const InterfaceFacts& facts) {
  std::vector<std::string_view> modules = facts.cython_modules;
  for (const ImportedType& type : facts.imported_types) modules.push_back(type.name.substr(0, type.name.rfind('.')));
  std::ranges::sort(modules);
  modules.erase(std::ranges::unique(modules).begin(), modules.end());
  return modules;
}

}  // namespace wheelcheck
