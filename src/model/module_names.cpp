#include "model/module_names.h"

#include <algorithm>
#include <cstddef>

#include "base/text.h"
#include "model/python_tag.h"

namespace wheelcheck {

std::optional<StableSuffix> stable_suffix(std::string_view file_name) {
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

std::optional<unsigned> ModuleSuffix::cpython_minor() const {
  const auto parsed = kind == Kind::CPython ? parse_short_version(version) : std::nullopt;
  return parsed && parsed->major == 3 ? parsed->minor : std::nullopt;
}

ModuleSuffix suffix_of(std::string_view file_name) {
  using enum ModuleSuffix::Kind;
  ModuleSuffix suffix;
  const std::size_t dot = file_name.find('.');
  if (!file_name.ends_with(".so") || dot == file_name.npos) return suffix;
  suffix.text = file_name.substr(dot);
  if (const std::optional<StableSuffix> stable = stable_suffix(file_name)) {
    suffix.kind = stable->free_threaded ? Abi3t : Abi3;
    suffix.triplet = stable->triplet;
    return suffix;
  }
  static constexpr std::string_view cpython = ".cpython-", pypy = ".pypy";
  std::string_view rest = suffix.text.substr(0, suffix.text.size() - 3);
  if (rest.starts_with(cpython)) {
    suffix.kind = CPython;
    rest.remove_prefix(cpython.size());
  } else if (rest.starts_with(pypy)) {
    suffix.kind = PyPy;
    rest.remove_prefix(pypy.size());
  } else {
    return suffix;
  }
  suffix.version = rest.substr(0, rest.find_first_not_of("0123456789"));
  rest.remove_prefix(suffix.version.size());
  const std::string_view flags = rest.substr(0, rest.find('-'));
  suffix.free_threaded = flags.find('t') != flags.npos;
  rest.remove_prefix(flags.size());
  if (suffix.kind == PyPy && !rest.empty()) rest = rest.substr(std::min(rest.find('-', 1), rest.size()));  // -pp73
  if (!rest.empty()) suffix.triplet = rest.substr(1);
  return suffix;
}

bool is_test_code(std::string_view path) {
  return std::ranges::any_of(split(path, '/'), [](std::string_view part) {
    return part.starts_with("test") || part.ends_with("_test.py") || part.ends_with("_test") ||
           part.ends_with("_tests") || part == "conftest.py" || part == "examples" || part == "docs";
  });
}

}  // namespace wheelcheck
