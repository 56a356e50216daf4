// WC550: two distributions have a module of one name in different forms, and Python finds only one of them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/text.h"
#include "rules/sets/set_common.h"

namespace wheelcheck::rules::module_hidden {
namespace {

// The forms in the order in which importlib looks for them in a directory (CPython
// Lib/importlib/_bootstrap_external.py, FileFinder.find_spec and _get_supported_file_loaders).
enum class Form : std::uint8_t { Package, Extension, Source };

struct Found {
  Form form = Form::Source;
  std::string path;
};

// Directories that wheels contain by mistake and nobody imports.
constexpr std::array unused = std::to_array<std::string_view>(
    {"benchmark", "benchmarks", "doc", "docs", "example", "examples", "script", "scripts", "test", "tests", "tools"});

bool is_module_name(std::string_view name) {
  return !name.empty() && !is_digit(name.front()) &&
         std::ranges::all_of(name, [](char c) { return is_alnum(c) || c == '_'; });
}

// "semver" of semver.py, semver/__init__.py and semver.cpython-311-x86_64-linux-gnu.so.
std::optional<std::pair<std::string, Found>> module_at(std::string_view path) {
  if (std::ranges::find(unused, path.substr(0, path.find('/'))) != unused.end()) return std::nullopt;
  constexpr std::string_view init = "/__init__.py";
  std::string_view name = path;
  Form form = Form::Package;
  if (path.ends_with(init)) {
    name.remove_suffix(init.size());
  } else {
    form = path.ends_with(".so") ? Form::Extension : Form::Source;
    if (form == Form::Source && !path.ends_with(".py")) return std::nullopt;
    const std::size_t base = path.rfind('/') == path.npos ? 0 : path.rfind('/') + 1;
    name = path.substr(0, path.find('.', base));
  }
  if (!is_module_name(base_name(name))) return std::nullopt;
  return std::pair(std::string(name), Found{form, std::string(path)});
}

// The modules of a distribution, by path without the ending; of several forms, the one that Python finds.
std::map<std::string, Found> modules_of(const WheelFacts& wheel) {
  std::map<std::string, Found> out;
  for (const MemberFacts& member : wheel.members) {
    auto module = module_at(below_site(member.path.text()));
    if (!module) continue;
    const auto [at, is_new] = out.try_emplace(std::move(module->first), module->second);
    if (!is_new && module->second.form < at->second.form) at->second = std::move(module->second);
  }
  return out;
}

struct Owner {
  DistributionIndex distribution;
  Found found;
};

void report(const Installation& all, const Owner& one, const Owner& two, const Emit& emit) {
  const bool one_wins = one.found.form < two.found.form;
  const Owner& winner = one_wins ? one : two;
  const Owner& hidden = one_wins ? two : one;
  const std::string first = name_of(all, winner.distribution), second = name_of(all, hidden.distribution);
  std::string name = module_at(hidden.found.path)->first;
  std::ranges::replace(name, '/', '.');
  emit({.place = AtPath{hidden.found.path},
        .message = fmt::format("`import {}` finds {} of {}, not {} of {}", name, winner.found.path, first,
                               hidden.found.path, second),
        .evidence = {{"because", "Python looks for a package first, then for an extension module, then for a .py file"},
                     {"also", "the order of installation does not matter"}},
        .fix = fmt::format("install one of {} and {}; their authors must rename the module", first, second)});
}

void check_set(const SetView& view, const Emit& emit) {
  const Installation& all = view.conflicts.installation;
  std::map<std::string, Owner> owners;  // the first distribution with the module
  for (std::uint32_t i = 0; i < all.distributions.size(); ++i)
    for (auto& [name, found] : modules_of(all.distributions[i].facts)) {
      const auto [at, is_new] = owners.try_emplace(name, Owner{{i}, found});
      if (!is_new && at->second.found.form != found.form) report(all, at->second, {{i}, found}, emit);
    }
}

}  // namespace

extern const Rule rule{
    .code = "WC550",
    .name = "module-hidden",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::module_hidden
