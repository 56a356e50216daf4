// WC809: names that begin with Py and that the tagged CPython does not export, by the exports of real interpreters.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/text.h"
#include "model/c_names.h"
#include "rules/common.h"
#include "rules/pyabi/python_abi.h"

namespace wheelcheck::rules::python_name_missing {
namespace {

bool is_judged(unsigned minor) { return minor >= known_cpythons().oldest && minor <= known_cpythons().newest; }

// The versions that load the file: the one that its name says, else those of the tags. Free-threaded and debug builds
// export more, and PyPy other names: nothing is said of them.
std::vector<unsigned> versions_of(const WheelView& view, const ElfMember& file, std::string_view path) {
  const WheelName& name = view.wheel.name;
  std::vector<unsigned> versions;
  const ModuleSuffix suffix = suffix_of(base_name(path));
  if (suffix.kind == ModuleSuffix::Kind::PyPy || suffix.free_threaded) return versions;
  if (std::ranges::none_of(name.python, [](const std::string& tag) { return cpython_minor(tag).has_value(); }))
    return versions;
  if (std::ranges::any_of(name.abi, [](const std::string& abi) { return is_free_threaded(abi) || abi.ends_with("d"); }))
    return versions;
  const auto* const module = std::get_if<ExtensionModule>(&file.role);
  const bool stable = has_abi(name, "abi3") || (module && module->stable_abi);
  if (const std::optional<unsigned> named = version_in_path(path)) {
    if (is_judged(*named)) versions.push_back(*named);
    return versions;
  }
  if (stable) return versions;  // WC801
  for (const std::string& tag : name.python) {
    const std::optional<unsigned> minor = cpython3_tag(tag);
    if (!minor || !is_judged(*minor)) return {};
    versions.push_back(*minor);
  }
  std::ranges::sort(versions);
  return versions;
}

// "3.9 to 3.12", of the releases with the name
std::string releases_with(std::string_view name) {
  std::optional<unsigned> first, last;
  const CPythonName known = cpython_name(name);
  const CPythonReleases all = known_cpythons();
  for (unsigned minor = all.oldest; minor <= all.newest; ++minor) {
    if (!known.in(minor)) continue;
    if (!first) first = minor;
    last = minor;
  }
  if (!first) return "";
  if (*first == all.oldest) return fmt::format("3.{} and older", *last);
  if (*last == all.newest) return fmt::format("3.{} and newer", *first);
  return *first == *last ? fmt::format("3.{}", *first) : fmt::format("3.{} to 3.{}", *first, *last);
}

// `elsewhere`: another library may define names that begin with Py. Names of the stable ABI that no release exports are
// macros.
bool is_missing(const WheelView& view, std::string_view name, unsigned minor, bool elsewhere) {
  const CPythonName known = cpython_name(name);
  if (known.known) return !known.in(minor);
  return !elsewhere && find_stable(view.knowledge, name) == nullptr && !is_python2_name(name);
}

void report(const WheelView& view, ElfIndex index, const std::vector<std::string>& names, unsigned minor,
            const Emit& emit) {
  std::string with = releases_with(names.front());
  std::vector<Evidence> evidence{{"symbols", list_of(names, shown_symbols)},
                                 {"interpreter", fmt::format("3.{}", minor)}};
  if (!with.empty()) evidence.push_back({"exported by", with});
  const bool module = std::holds_alternative<ExtensionModule>(view.wheel.elfs[index.value].role);
  emit({.place = AtElf{index},
        .message = fmt::format("requires {}, which CPython 3.{} does not have{}: {} fails", first_of(names), minor,
                               with.empty() ? "" : fmt::format(" ({} do)", with), module ? "the import" : "loading it"),
        .evidence = std::move(evidence),
        .fix = fmt::format("build with the headers of CPython 3.{}; -Werror=implicit-function-declaration makes a "
                           "call of what they do not declare an error",
                           minor)});
}

void check(const WheelView& view, const Emit& emit) {
  const std::set<ElfIndex> loaded = loaded_by_import(view);
  for_each_judged(view, [&](ElfIndex index, const ElfMember& file) {
    if (!loaded.contains(index)) return;
    const std::vector<unsigned> versions = versions_of(view, file, path_of(view, index));
    if (versions.empty()) return;
    const std::vector<std::string_view> names = view.analysis.elfs[index.value].python_imports;
    for (const unsigned minor : versions) {
      std::vector<std::string> missing;
      const bool elsewhere = other_library_may_define(view, index);
      for (const std::string_view name : names)
        if (is_missing(view, name, minor, elsewhere)) missing.emplace_back(name);
      if (missing.empty()) continue;
      report(view, index, missing, minor, emit);
      break;
    }
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC809",
    .name = "python-name-missing",
    .severity = Severity::Error,
    .stops_import = true,
    .check = check,
};

}  // namespace wheelcheck::rules::python_name_missing
