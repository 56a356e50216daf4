#include "rules/pyabi/python_abi.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "rules/common.h"

namespace wheelcheck::rules {

std::optional<unsigned> cpython_minor(std::string_view text) {
  constexpr unsigned first_stable = 2;
  if (text == "py3") return first_stable;
  const auto tag = parse_python_tag(text);
  if (!tag || tag->implementation != Implementation::CPython || tag->version.major != 3) return std::nullopt;
  return tag->version.minor.value_or(first_stable);
}

const StableSymbol* find_stable(const Knowledge& knowledge, std::string_view name) {
  const auto at = std::ranges::lower_bound(knowledge.stable_abi, name, {}, &StableSymbol::name);
  return at != knowledge.stable_abi.end() && at->name == name ? &*at : nullptr;
}

bool is_python2_name(std::string_view symbol) {
  static constexpr auto prefixes = std::to_array<std::string_view>(
      {"PyString_", "_PyString_", "PyInt_", "_PyInt_", "PyClass_", "PyInstance_", "PyCObject_", "Py_InitModule4"});
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return symbol.starts_with(prefix); });
}

bool other_library_may_define(const WheelView& view, ElfIndex index) {
  static constexpr auto runtime = std::to_array<std::string_view>(
      {"libc.", "libm.", "libdl.", "libpthread.", "librt.", "libutil.", "libgcc_s.", "libstdc++.", "ld-linux"});
  if (index.value >= view.resolution.needed.size()) return false;
  return std::ranges::any_of(view.resolution.needed[index.value], [](const NeededFound& needed) {
    if (needed.found == Found::InWheel || needed.found == Found::InProcess || is_libpython(needed.name)) return false;
    return std::ranges::none_of(runtime, [&](std::string_view prefix) { return needed.name.starts_with(prefix); });
  });
}

std::optional<unsigned> version_in_path(std::string_view path) {
  constexpr std::string_view digits = "0123456789";
  for (const std::string_view word : {"cp3", "py3", "python3", "cpython-3", "_3_", "_3."}) {
    for (std::size_t at = path.find(word); at != path.npos; at = path.find(word, at + 1)) {
      if (at > 0 && word.front() != '_' && is_alnum(path[at - 1])) continue;
      std::string_view rest = path.substr(at + word.size());
      if (rest.starts_with('.') || rest.starts_with('_')) rest.remove_prefix(1);
      const std::string_view minor = rest.substr(0, rest.find_first_not_of(digits));
      const std::string_view behind = rest.substr(minor.size());
      std::uint64_t number = 0;
      if (minor.size() > 2 || !parse_number(minor, number) || (!behind.empty() && is_alnum(behind.front()))) continue;
      return static_cast<unsigned>(number);
    }
  }
  return std::nullopt;
}

}  // namespace wheelcheck::rules
