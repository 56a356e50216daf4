// What is the wheel's own product, so that exporting it is no leak: by what the user says, by the names of the
// distribution and of what it installs, and by what most of its exports are.
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "analysis/internal.h"
#include "base/pattern.h"
#include "base/text.h"
#include "mangling/mangled.h"

namespace wheelcheck::analysis {
namespace {

using Names = std::set<std::string, std::less<>>;

// PEP 503: runs of '-', '_' and '.' are one '-', and case does not count.
std::string normalised(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (c != '-' && c != '_' && c != '.')
      result += to_lower(c);
    else if (!result.empty() && result.back() != '-')
      result += '-';
  }
  return result;
}

// As names are compared: "LightGBM" is lightgbm, "z3_solver" is z3solver.
std::string folded(std::string_view name) {
  std::string result;
  for (const char c : name)
    if (is_alnum(c)) result += to_lower(c);
  return result;
}

// Words of a distribution's name that say how it was built or packed, not what it is.
bool says_how(std::string_view word) {
  static constexpr std::string_view known[] = {"python", "py",   "bin",    "binary", "headless", "contrib",
                                               "cpu",    "gpu",  "libs",   "lib",    "nightly",  "dev",
                                               "wheel",  "core", "static", "shared", "bindings", "essentials"};
  if (std::ranges::find(known, word) != std::end(known)) return true;
  for (const std::string_view stem : {"cuda", "cu", "rocm"})  // cuda12x, cu126
    if (word.starts_with(stem) && word.size() > stem.size() && is_digit(word[stem.size()])) return true;
  return word == "cuda" || word == "rocm";
}

// "opencv-python-headless" -> opencv; "pyarrow" -> pyarrow, arrow.
void add_names_of_distribution(std::string_view distribution, Names& names) {
  std::string rest;
  for (const std::string_view word : split(distribution, '-'))
    if (!says_how(word)) rest += word;
  names.insert(folded(distribution));
  if (rest.empty()) return;
  names.insert(rest);
  if (rest.starts_with("py") && rest.size() > 4) names.insert(rest.substr(2));
  if (rest.ends_with("py") && rest.size() > 4) names.insert(rest.substr(0, rest.size() - 2));
}

// What `import` finds: the first element of the path below site-packages, "_foo.abi3.so" as foo.
void add_names_of_packages(const WheelFacts& wheel, Names& names) {
  constexpr std::string_view site = "/site-packages/";
  for (const ElfMember& file : wheel.elfs) {
    std::string_view path = file.installed;
    const std::size_t at = path.find(site);
    if (at == path.npos) continue;
    path.remove_prefix(at + site.size());
    const std::string_view top = path.substr(0, path.find('/'));
    if (top.ends_with(".libs")) continue;
    names.insert(folded(top.substr(0, top.find('.'))));
  }
}

// The scope of no known library that holds the most exports of the wheel; "" where there is none.
std::string majority(std::span<const SymbolReading> counted, const Index& index) {
  std::map<std::string_view, std::uint64_t> totals;
  for (const SymbolReading& file : counted)
    for (const ScopeCount& scope : file.exports.scopes) totals[scope.scope] += scope.exports;
  std::string_view best;
  std::uint64_t most = 0;
  for (const auto& [scope, exports] : totals) {
    if (exports <= most || scope.empty() || scope == anonymous_namespace) continue;
    if (index.is_standard(scope) || index.library_of_scope(scope)) continue;
    best = scope;
    most = exports;
  }
  return std::string(best);
}

// Names what the wheel's own names name: a library by its owners, its id or a namespace.
bool is_own(const KnownLibrary& library, std::string_view distribution, const Names& names, const Names& said) {
  const auto owner_is = [&](std::string_view owner) { return match_pattern(owner, distribution).has_value(); };
  const auto scope_is = [&](std::string_view scope) { return said.contains(scope) || names.contains(folded(scope)); };
  return said.contains(library.id) || names.contains(folded(library.id)) ||
         std::ranges::any_of(library.owners, owner_is) || std::ranges::any_of(library.namespaces, scope_is);
}

}  // namespace

std::vector<std::string> own_scopes(const WheelFacts& wheel, std::span<const SymbolReading> counted, const Index& index,
                                    const RuleOptions& options) {
  const std::string distribution = normalised(wheel.name.distribution);
  Names names;
  add_names_of_distribution(distribution, names);
  add_names_of_packages(wheel, names);
  names.erase("");

  const Names said(options.own_namespaces.begin(), options.own_namespaces.end());
  Names own = said;
  for (const KnownLibrary& library : index.knowledge().libraries) {
    if (!is_own(library, distribution, names, said)) continue;
    own.emplace(library.id);
    for (const std::string_view scope : library.namespaces)
      if (scope.find("::") == scope.npos && scope == literal_prefix(scope)) own.emplace(scope);
  }
  for (const SymbolReading& file : counted)
    for (const ScopeCount& scope : file.exports.scopes)
      if (names.contains(folded(scope.scope))) own.insert(scope.scope);
  own.insert(majority(counted, index));
  own.erase("");
  return {own.begin(), own.end()};
}

}  // namespace wheelcheck::analysis
