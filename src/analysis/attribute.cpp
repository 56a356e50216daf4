// Finds the owner of a symbol: by its scopes if the name is mangled, else by the patterns of known C libraries.

#include "analysis/attribute.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/internal.h"
#include "base/pattern.h"
#include "base/text.h"
#include "mangling/mangled.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {

namespace analysis {
namespace {

// "a::b" -> {"a", "b"}; at most as many parts as are read of a mangled name.
std::vector<CompiledPattern> parts_of(std::string_view scope) {
  std::vector<CompiledPattern> parts;
  while (parts.size() < Mangled::max_scopes) {
    const std::size_t end = scope.find("::");
    parts.emplace_back(scope.substr(0, end));
    if (end == std::string_view::npos) break;
    scope.remove_prefix(end + 2);
  }
  return parts;
}

}  // namespace

Attribution::Form form_of(Mangled::Scheme scheme) {
  switch (scheme) {
    case Mangled::Scheme::Itanium:
      return Attribution::Form::Cxx;
    case Mangled::Scheme::RustLegacy:
    case Mangled::Scheme::RustV0:
      return Attribution::Form::Rust;
    case Mangled::Scheme::None:
      break;
  }
  return Attribution::Form::C;
}

Index::Index(const Knowledge& knowledge) : knowledge_(knowledge) {
  using Patterns = std::vector<std::pair<std::string_view, std::uint32_t>>;
  Patterns outermost, symbols, mangled, sonames;
  for (LibraryNumber i = 0; i < knowledge.libraries.size(); ++i) {
    const KnownLibrary& library = knowledge.libraries[i];
    for (const std::string_view scope : library.namespaces) {
      namespaces_.push_back({parts_of(scope), i});
      outermost.emplace_back(namespaces_.back().parts.front().whole,
                             static_cast<std::uint32_t>(namespaces_.size() - 1));
    }
    for (const std::string_view symbol : library.symbols)
      (symbol.starts_with("_Z") ? mangled : symbols).emplace_back(symbol, i);
    for (const std::string_view soname : library.sonames) sonames.emplace_back(soname, i);
  }
  outermost_ = PrefixIndex(outermost);
  symbols_ = PrefixIndex(symbols);
  mangled_ = PrefixIndex(mangled);
  sonames_ = PrefixIndex(sonames);
}

// The scopes of libstdc++ and libc++. A template of theirs that is instantiated for a type of another library counts as
// theirs too, because every user of the template defines it under the same name.
bool Index::is_standard(std::string_view scope) {
  return scope == "std" || scope == "__gnu_cxx" || scope == "__cxxabiv1";
}

Index::Scope Index::scope(std::string_view outermost) const {
  Scope result{.standard = is_standard(outermost), .namespaces = {}};
  if (!result.standard && !outermost.empty())
    outermost_.find(outermost, [&](std::uint32_t number) {
      result.namespaces.push_back(number);
      return false;
    });
  return result;
}

// The namespace with the most parts has precedence: google::protobuf over google.
std::optional<LibraryNumber> Index::library_of(std::span<const std::string_view> scopes,
                                               std::span<const std::uint32_t> namespaces) const {
  std::optional<LibraryNumber> best;
  std::size_t max = 0;
  for (const std::uint32_t number : namespaces) {
    const Namespace& known = namespaces_[number];
    if (known.parts.size() > scopes.size() || known.parts.size() <= max) continue;
    bool all = true;
    for (std::size_t i = 1; all && i < known.parts.size(); ++i) all = known.parts[i].matches(scopes[i]);
    if (!all) continue;
    best = known.library;
    max = known.parts.size();
  }
  return best;
}

std::optional<LibraryNumber> Index::library_of_scope(std::string_view scope) const {
  return library_of(std::span(&scope, 1), this->scope(scope).namespaces);
}

std::vector<LibraryNumber> Index::libraries_named(std::span<const std::string> names) const {
  std::vector<LibraryNumber> found;
  for (const std::string& name : names)
    sonames_.find(name, [&](LibraryNumber number) {
      found.push_back(number);
      return false;
    });
  std::ranges::sort(found);
  const auto again = std::ranges::unique(found);
  found.erase(again.begin(), again.end());
  return found;
}

std::optional<LibraryNumber> Index::library_of(std::string_view symbol, const PrefixIndex& symbols) const {
  std::optional<LibraryNumber> found;
  symbols.find(symbol, [&](std::uint32_t number) {
    const auto& not_these = knowledge_.libraries[number].not_symbols;
    const auto excludes = [&](std::string_view pattern) { return match_pattern(pattern, symbol).has_value(); };
    if (std::ranges::any_of(not_these, excludes)) return false;
    found = number;
    return true;
  });
  return found;
}

std::optional<LibraryNumber> Index::library_in(const Scope& scope, const Mangled& name, std::string_view symbol) const {
  if (scope.standard) return std::nullopt;
  const auto of_namespace = library_of(name.scopes(), scope.namespaces);
  // Classes at global scope are listed by their mangled name.
  return of_namespace ? of_namespace : library_of(symbol, mangled_);
}

Index::Answer Index::answer_for(std::string_view symbol) const {
  const Mangled name = read_mangled(symbol);
  Answer answer;
  Attribution& what = answer.what;
  what.form = form_of(name.scheme);
  what.rtti = is_rtti(name.made);
  what.scope = name.outermost();
  if (what.form == Attribution::Form::Cxx) {
    const Scope known = scope(what.scope);
    what.standard = known.standard;
    answer.library = library_in(known, name, symbol);
  } else if (what.form == Attribution::Form::C) {
    answer.library = library_of_c(symbol);
  }
  if (answer.library) what.library = knowledge_.libraries[*answer.library].id;
  return answer;
}

}  // namespace analysis

Attributor::Attributor(const Knowledge& knowledge) : index_(std::make_unique<const analysis::Index>(knowledge)) {}
Attributor::~Attributor() = default;
Attribution Attributor::operator()(std::string_view symbol) const { return index_->answer_for(symbol).what; }

Attribution attribute(std::string_view symbol, const Knowledge& knowledge) { return Attributor(knowledge)(symbol); }

}  // namespace wheelcheck

namespace wheelcheck::analysis {

// Determines the wheel's own product, whose export is not a leak. The sources are the user's options, the names of the
// distribution and of what it installs, and the scope of most of its exports.

namespace {

using Names = std::set<std::string, std::less<>>;

// PEP 503: a run of '-', '_' and '.' is one '-', and case is ignored.
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

// The form for comparing names: "LightGBM" becomes lightgbm, "z3_solver" z3solver.
std::string folded(std::string_view name) {
  std::string result;
  for (const char c : name)
    if (is_alnum(c)) result += to_lower(c);
  return result;
}

// Words in a distribution's name that describe its build or packaging, not its product.
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

// The importable names: the first path element below site-packages; "_foo.abi3.so" gives foo.
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

// Of ELF files without a wheel, libarrow_acero.so.2600: arrowacero and arrow.
void add_names_of_files(const WheelFacts& wheel, Names& names) {
  constexpr std::size_t shortest = 3;
  for (const ElfMember& file : wheel.elfs) {
    std::string_view name = wheel.members[file.member.value].path.name();
    if (name.starts_with("lib")) name.remove_prefix(3);
    name = name.substr(0, name.find('.'));
    for (std::size_t end = name.find_first_of("_-", shortest); end < name.size();
         end = name.find_first_of("_-", end + 1))
      names.insert(folded(name.substr(0, end)));
    names.insert(folded(name));
  }
}

// The scope with the most exports of the wheel that is not of a known library; "" if there is none.
std::string majority(std::span<const SymbolReading> counted, const Index& index) {
  std::map<std::string_view, std::uint64_t> totals;
  for (const SymbolReading& file : counted)
    for (const ScopeCount& scope : file.exports.scopes) totals[scope.scope] += scope.exports;
  std::string_view best;
  std::uint64_t max = 0;
  for (const auto& [scope, exports] : totals) {
    if (exports <= max || scope.empty() || scope == anonymous_namespace) continue;
    if (index.is_standard(scope) || index.library_of_scope(scope)) continue;
    best = scope;
    max = exports;
  }
  return std::string(best);
}

// Whether one of the wheel's own names matches the library: by its owners, its id or a namespace.
bool is_own(const KnownLibrary& library, std::string_view distribution, const Names& names, const Names& named) {
  const auto owner_is = [&](std::string_view owner) { return match_pattern(owner, distribution).has_value(); };
  const auto scope_is = [&](std::string_view scope) { return named.contains(scope) || names.contains(folded(scope)); };
  return named.contains(library.id) || names.contains(folded(library.id)) ||
         std::ranges::any_of(library.owners, owner_is) || std::ranges::any_of(library.namespaces, scope_is);
}

}  // namespace

std::vector<std::string> own_scopes(const WheelFacts& wheel, std::span<const SymbolReading> counted, const Index& index,
                                    const RuleOptions& options) {
  const std::string distribution = normalised(wheel.name.distribution);
  Names names;
  add_names_of_distribution(distribution, names);
  add_names_of_packages(wheel, names);
  const bool without_wheel = wheel.name.distribution == wheel.file;
  if (without_wheel) add_names_of_files(wheel, names);
  names.erase("");

  const Names named(options.own_namespaces.begin(), options.own_namespaces.end());
  Names own = named;
  for (const KnownLibrary& library : index.knowledge().libraries) {
    if (!is_own(library, distribution, names, named)) continue;
    own.emplace(library.id);
    for (const std::string_view scope : library.namespaces)
      if (scope.find("::") == scope.npos && scope == literal_prefix(scope)) own.emplace(scope);
  }
  for (const SymbolReading& file : counted)
    for (const ScopeCount& scope : file.exports.scopes)
      if (names.contains(folded(scope.scope))) own.insert(scope.scope);
  const auto is_exported = [&](const SymbolReading& file) {
    return std::ranges::any_of(file.exports.scopes, [&](const ScopeCount& scope) { return own.contains(scope.scope); });
  };
  // A library's own name says more than what it has most of.
  if (!without_wheel || std::ranges::none_of(counted, is_exported)) own.insert(majority(counted, index));
  own.erase("");
  return {own.begin(), own.end()};
}

}  // namespace wheelcheck::analysis
