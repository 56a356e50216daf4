// Whose a symbol is: by its scopes where the name is mangled, else by the patterns of known C libraries.
#include "analysis/attribute.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/pattern.h"
#include "base/text.h"
#include "mangling/mangled.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {
namespace analysis {
namespace {

// "a::b" -> {"a", "b"}; no more parts than a mangled name is read for.
std::vector<CompiledPattern> parts_of(std::string_view scope) {
  std::vector<CompiledPattern> parts;
  while (parts.size() < Mangled::most_scopes) {
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

Index::Index(const Knowledge& knowledge) : knowledge_(knowledge), patterns_(knowledge::library_patterns(knowledge)) {
  std::vector<std::pair<std::string_view, std::uint32_t>> outermost;
  for (LibraryNumber i = 0; i < knowledge.libraries.size(); ++i) {
    for (const std::string_view scope : knowledge.libraries[i].namespaces) {
      namespaces_.push_back({parts_of(scope), i});
      outermost.emplace_back(namespaces_.back().parts.front().whole,
                             static_cast<std::uint32_t>(namespaces_.size() - 1));
    }
  }
  outermost_ = PrefixIndex(outermost);
}

// Where libstdc++ and libc++ put what is theirs. What they instantiate for others' types is theirs as well: every user
// of the template has it, under the same name, whoever made the type.
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

// The namespace with the most parts wins: google::protobuf over google.
std::optional<LibraryNumber> Index::library_of(std::span<const std::string_view> scopes,
                                               std::span<const std::uint32_t> namespaces) const {
  std::optional<LibraryNumber> best;
  std::size_t most = 0;
  for (const std::uint32_t number : namespaces) {
    const Namespace& known = namespaces_[number];
    if (known.parts.size() > scopes.size() || known.parts.size() <= most) continue;
    bool all = true;
    for (std::size_t i = 1; all && i < known.parts.size(); ++i) all = known.parts[i].matches(scopes[i]);
    if (!all) continue;
    best = known.library;
    most = known.parts.size();
  }
  return best;
}

std::optional<LibraryNumber> Index::library_of_scope(std::string_view scope) const {
  return library_of(std::span(&scope, 1), this->scope(scope).namespaces);
}

std::vector<LibraryNumber> Index::libraries_named(std::span<const std::string> names) const {
  std::vector<LibraryNumber> found;
  for (const std::string& name : names)
    patterns_.sonames.find(name, [&](LibraryNumber number) {
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
  // Classes at global scope are listed by mangled name.
  return of_namespace ? of_namespace : library_of(symbol, patterns_.mangled);
}

Index::Answer Index::ask(std::string_view symbol) const {
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
Attribution Attributor::operator()(std::string_view symbol) const { return index_->ask(symbol).what; }

Attribution attribute(std::string_view symbol, const Knowledge& knowledge) { return Attributor(knowledge)(symbol); }

}  // namespace wheelcheck
