// Counts the exports of one file by outermost scope and by known library, without an allocation per symbol.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "analysis/internal.h"
#include "base/pattern.h"
#include "base/text.h"
#include "mangling/mangled.h"

namespace wheelcheck::analysis {
namespace {

// The few names that are shown as examples: functions first, then by name, independent of the order of the symbol
// table.
class ExportExamples {
 public:
  static constexpr std::size_t max = 5;

  void offer(const Export& symbol) {
    const Key key{symbol.kind != SymbolKind::Function && symbol.kind != SymbolKind::Ifunc, symbol.name};
    if (count_ == keys_.size() && !(key < keys_.back())) return;
    auto* const end = keys_.begin() + count_;
    auto* const at = std::lower_bound(keys_.begin(), end, key);
    if (at != end && *at == key) return;  // another version of the same symbol
    if (count_ < keys_.size()) ++count_;
    std::move_backward(at, keys_.begin() + count_ - 1, keys_.begin() + count_);
    *at = key;
  }
  std::vector<std::string_view> names() const {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < count_; ++i) names.push_back(std::get<1>(keys_[i]));
    return names;
  }

 private:
  using Key = std::tuple<bool, std::string_view>;
  std::array<Key, max> keys_;
  std::size_t count_ = 0;
};

struct Tally {
  std::uint32_t exports = 0, rtti = 0;

  void add(bool is_rtti) {
    ++exports;
    rtti += is_rtti ? 1 : 0;
  }
};
struct ScopeTally {
  Tally tally;
  Index::Scope known;
};
struct LibraryTally {
  Tally tally;
  std::uint32_t cxx = 0;
  ExportExamples of_cxx, of_c;
  NamespaceClues namespaces;

  explicit LibraryTally(const KnownLibrary& library) : namespaces(library) {}

  void add(bool is_cxx, bool is_rtti, const Export& symbol) {
    tally.add(is_rtti);
    cxx += is_cxx ? 1 : 0;
    (is_cxx ? of_cxx : of_c).offer(symbol);
    if (is_cxx) namespaces.add(symbol.name);
  }
  // Of both kinds, where there are both.
  std::vector<std::string> examples() const {
    const std::vector<std::string_view> mangled = of_cxx.names(), others = of_c.names();
    const std::size_t max_mangled = ExportExamples::max - std::min<std::size_t>(others.size(), 2);
    std::vector<std::string> names(
        mangled.begin(), mangled.begin() + static_cast<std::ptrdiff_t>(std::min(mangled.size(), max_mangled)));
    for (const std::string_view name : others)
      if (names.size() < ExportExamples::max) names.emplace_back(name);
    return names;
  }
};

// "libssl-3c6aa9f0.so.3" -> "libssl.so.3": auditwheel inserts the first eight digits of the file's SHA-256, and some
// libraries were repaired twice.
std::string without_hash(std::string_view name) {
  constexpr std::size_t digits = 8;
  std::string plain(name);
  for (std::size_t so = plain.find(".so"); so != plain.npos && so > digits; so -= digits + 1) {
    if (plain[so - digits - 1] != '-') break;
    if (!std::ranges::all_of(std::string_view(plain).substr(so - digits, digits), is_lower_hex)) break;
    plain.erase(so - digits - 1, digits + 1);
  }
  return plain;
}

// fiona and others add their own name: libgdal-fiona.so.35.
std::string without_project(std::string_view name, std::string_view distribution) {
  std::string plain(name);
  const std::string part = fmt::format("-{}.so", distribution);
  if (const std::size_t at = plain.find(part); at != plain.npos) plain.erase(at, part.size() - 3);
  return plain;
}

bool is_library_itself(const KnownLibrary& library, std::span<const std::string> names) {
  return std::ranges::any_of(library.sonames, [&](std::string_view pattern) {
    return std::ranges::any_of(names,
                               [&](const std::string& name) { return match_pattern(pattern, name).has_value(); });
  });
}

}  // namespace

class ExportCounter::State {
 public:
  explicit State(const Index& index) : index_(index) {}

  void add(const Export& symbol) {
    const Mangled name = read_mangled(symbol.name);
    const Attribution::Form form = form_of(name.scheme);
    const bool cxx = form == Attribution::Form::Cxx, rtti = is_rtti(name.made);
    ++summary_.all;
    ++(cxx ? summary_.cxx : form == Attribution::Form::Rust ? summary_.rust : summary_.c);
    summary_.rtti += rtti ? 1 : 0;
    summary_.unique += symbol.binding == Binding::Unique ? 1 : 0;
    std::optional<LibraryNumber> library;
    if (cxx) {
      ScopeTally& scope = tally_of(name.outermost());
      scope.tally.add(rtti);
      summary_.standard += scope.known.standard ? 1 : 0;
      library = index_.library_in(scope.known, name, symbol.name);
    } else if (form == Attribution::Form::C) {
      library = index_.library_of_c(symbol.name);
    }
    if (library)
      libraries_.try_emplace(*library, index_.knowledge().libraries[*library]).first->second.add(cxx, rtti, symbol);
  }

  const Index& index() const { return index_; }
  ExportSummary summary() const {
    ExportSummary result = summary_;
    result.scopes = scopes();
    result.libraries = libraries();
    return result;
  }
  CluesByLibrary namespaces() const {
    CluesByLibrary result;
    for (const auto& [number, library] : libraries_)
      result.emplace(index_.knowledge().libraries[number].id, library.namespaces.clues());
    return result;
  }

 private:
  std::vector<ScopeCount> scopes() const {
    std::vector<ScopeCount> result;
    result.reserve(scopes_.size());
    for (const auto& [scope, seen] : scopes_)
      result.push_back({std::string(scope), seen.tally.exports, seen.tally.rtti, false});
    std::ranges::sort(result, [](const ScopeCount& a, const ScopeCount& b) {
      return std::tie(b.exports, a.scope) < std::tie(a.exports, b.scope);
    });
    return result;
  }
  std::vector<LibraryCount> libraries() const {
    std::vector<LibraryCount> result;
    for (const auto& [number, library] : libraries_) {
      const KnownLibrary& known = index_.knowledge().libraries[number];
      result.push_back({.library = std::string(known.id),
                        .name = std::string(known.name),
                        .exports = library.tally.exports,
                        .cxx = library.cxx,
                        .rtti = library.tally.rtti,
                        .examples = library.examples()});
    }
    std::ranges::sort(result, [](const LibraryCount& a, const LibraryCount& b) {
      return std::tie(b.exports, a.library) < std::tie(a.exports, b.library);
    });
    return result;
  }
  // Adjacent names often come from the same source file and have the same scope, so the last scope is tried first.
  ScopeTally& tally_of(std::string_view scope) {
    if (last_ != nullptr && last_->first == scope) return last_->second;
    const auto [at, fresh] = scopes_.try_emplace(scope);
    if (fresh) at->second.known = index_.scope(scope);
    last_ = &*at;
    return at->second;
  }

  ExportSummary summary_;
  const Index& index_;
  std::map<std::string_view, ScopeTally> scopes_;
  std::pair<const std::string_view, ScopeTally>* last_ = nullptr;  // points into scopes_
  std::map<LibraryNumber, LibraryTally> libraries_;
};

ExportCounter::ExportCounter(const Index& index) : state_(std::make_unique<State>(index)) {}
ExportCounter::~ExportCounter() = default;

void ExportCounter::add(const Export& symbol) { state_->add(symbol); }

CluesByLibrary ExportCounter::namespaces() const { return state_->namespaces(); }

ExportSummary ExportCounter::summary(const ElfMember& file, const WheelFacts& wheel) const {
  ExportSummary summary = state_->summary();
  if (summary.libraries.empty()) return summary;
  std::vector<std::string> names{without_hash(wheel.members[file.member.value].path.name())};
  if (file.facts.dynamic->soname) names.push_back(without_hash(*file.facts.dynamic->soname));
  for (std::string& name : names) name = without_project(name, wheel.name.distribution);
  const std::vector<KnownLibrary>& all = state_->index().knowledge().libraries;
  for (LibraryCount& count : summary.libraries)
    count.itself = is_library_itself(*std::ranges::lower_bound(all, count.library, {}, &KnownLibrary::id), names);
  return summary;
}

void mark_own(ExportSummary& summary, const std::vector<std::string>& own) {
  const auto is_own = [&](const std::string& name) { return std::ranges::binary_search(own, name); };
  for (ScopeCount& scope : summary.scopes) scope.own = is_own(scope.scope);
  for (LibraryCount& library : summary.libraries) library.own = is_own(library.library);
}

}  // namespace wheelcheck::analysis
