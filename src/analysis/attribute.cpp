// Whose a symbol is: by its scopes where the name is mangled, else by the patterns of known C libraries.
#include "analysis/attribute.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "base/mangled.h"
#include "base/pattern.h"
#include "base/text.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {
namespace analysis {
namespace {

using Rest = CompiledPattern::Rest;
constexpr std::string_view mangling = "_Z";

Rest rest_of(std::string_view rest) {
  if (rest.empty()) return Rest::Nothing;
  if (rest == "*" || rest == "**") return Rest::Anything;
  return rest == "{version}" ? Rest::Version : Rest::Pattern;
}

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

// The first eight bytes as a number that sorts as they do; what a shorter text lacks sorts first.
std::uint64_t start_of(std::string_view text) {
  std::uint64_t start = 0;
  for (std::size_t i = 0; i < sizeof start; ++i)
    start = start << 8U | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0U);
  return start;
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

CompiledPattern::CompiledPattern(std::string_view pattern)
    : prefix(literal_prefix(pattern)), whole(pattern), rest(rest_of(pattern.substr(prefix.size()))) {
  if (rest == Rest::Pattern) suffix = pattern.substr(pattern.find_last_of("*?[]}") + 1);
}

bool CompiledPattern::matches(std::string_view text) const {
  if (!text.starts_with(prefix)) return false;
  switch (rest) {
    case Rest::Nothing:
      return text.size() == prefix.size();
    case Rest::Anything:
      return true;
    case Rest::Version:
      text.remove_prefix(prefix.size());
      return !text.empty() && is_digit(text.front()) && is_alnum(text.back()) &&
             std::ranges::all_of(text, [](char c) { return is_alnum(c) || c == '_' || c == '.'; });
    case Rest::Pattern:
      break;
  }
  return text.ends_with(suffix) && match_pattern(whole, text).has_value();
}

void PrefixIndex::add(std::string_view pattern, std::uint32_t value) {
  entries_.push_back({.pattern = CompiledPattern(pattern), .value = value});
}

void PrefixIndex::finish() {
  // Sorted by places with the first bytes of each prefix: most comparisons end there, and an entry is moved once.
  struct Place {
    std::uint64_t start;
    std::uint32_t at;
  };
  std::vector<Place> places;
  places.reserve(entries_.size());
  for (std::uint32_t i = 0; i < entries_.size(); ++i) places.push_back({start_of(entries_[i].pattern.prefix), i});
  std::ranges::sort(places, [this](const Place& a, const Place& b) {
    if (a.start != b.start) return a.start < b.start;
    const auto key = [](const Entry& e) { return std::tuple(e.pattern.prefix, e.pattern.whole, e.value); };
    return key(entries_[a.at]) < key(entries_[b.at]);
  });
  std::vector<Entry> sorted;
  sorted.reserve(entries_.size());
  for (const Place& place : places) sorted.push_back(entries_[place.at]);
  entries_ = std::move(sorted);
  for (std::size_t i = 1; i < entries_.size(); ++i) {
    auto shorter = static_cast<std::int32_t>(i) - 1;
    while (shorter >= 0 &&
           !entries_[i].pattern.prefix.starts_with(entries_[static_cast<std::size_t>(shorter)].pattern.prefix))
      shorter = entries_[static_cast<std::size_t>(shorter)].shorter;
    entries_[i].shorter = shorter;
  }
}

// Every entry whose prefix starts `text` sorts before it, and is on the chain of the last that does.
std::int32_t PrefixIndex::last_not_after(std::string_view text) const {
  const auto after = std::ranges::upper_bound(entries_, text, {}, [](const Entry& e) { return e.pattern.prefix; });
  return static_cast<std::int32_t>(after - entries_.begin()) - 1;
}

Index::Index(const Knowledge& knowledge) : knowledge_(knowledge) {
  std::size_t namespaces = 0, symbols = 0, mangled = 0, sonames = 0;
  for (const KnownLibrary& library : knowledge.libraries) {
    namespaces += library.namespaces.size();
    sonames += library.sonames.size();
    for (const std::string& symbol : library.symbols) ++(symbol.starts_with(mangling) ? mangled : symbols);
  }
  namespaces_.reserve(namespaces);
  outermost_.reserve(namespaces);
  symbols_.reserve(symbols);
  mangled_.reserve(mangled);
  sonames_.reserve(sonames);
  for (LibraryNumber i = 0; i < knowledge.libraries.size(); ++i) {
    const KnownLibrary& library = knowledge.libraries[i];
    for (const std::string& scope : library.namespaces) {
      namespaces_.push_back({parts_of(scope), i});
      outermost_.add(namespaces_.back().parts.front().whole, static_cast<std::uint32_t>(namespaces_.size() - 1));
    }
    for (const std::string& symbol : library.symbols)
      (symbol.starts_with(mangling) ? mangled_ : symbols_).add(symbol, i);
    for (const std::string& soname : library.sonames) sonames_.add(soname, i);
  }
  outermost_.finish();
  symbols_.finish();
  mangled_.finish();
  sonames_.finish();
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
    const auto excludes = [&](const std::string& pattern) { return match_pattern(pattern, symbol).has_value(); };
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
  return of_namespace ? of_namespace : library_of(symbol, mangled_);
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
