// Which third-party libraries are in a file, and which version of each. .comment is not asked: it tells of the compiler
// that made the file, which may be any LLVM, not of what is inside.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "analysis/internal.h"
#include "analysis/library_evidence.h"
#include "base/pattern.h"
#include "wheelcheck/version.h"

namespace wheelcheck::analysis {
namespace {

constexpr std::size_t most_evidence = 5;
constexpr std::uint32_t few_symbols = 5;    // fewer are no sign: a name may be anybody's
constexpr std::uint32_t many_symbols = 20;  // as many name a library

// All that was seen of one library in one file.
struct Sighting {
  const KnownLibrary* library = nullptr;
  std::vector<Clue> names, texts, nodes, namespaces, bare;
  const LibraryCount* symbols = nullptr;  // null where there are too few

  bool itself() const { return !names.empty(); }
  bool by_symbols_alone() const { return names.empty() && texts.empty() && nodes.empty(); }
  std::uint32_t symbol_count() const { return symbols == nullptr ? 0 : symbols->exports - symbols->rtti; }
  bool any() const { return itself() || !texts.empty() || !nodes.empty() || symbols != nullptr; }
};

const LibraryCount* count_of(const ExportSummary& exports, std::string_view id) {
  const auto at = std::ranges::find(exports.libraries, id, &LibraryCount::library);
  return at == exports.libraries.end() ? nullptr : &*at;
}

// What the names of a file tell of one library.
struct Named {
  bool own = false, needed = false;
};

Sighting look_for(const KnownLibrary& library, const ElfMember& file, const FileNames& names, Named named,
                  const ExportSummary& exports, const CluesByLibrary& namespaces) {
  Sighting result;
  result.library = &library;
  if (named.own) result.names = clues_of_names(names.own, library);
  if (file.facts.dynamic) result.nodes = clues_of_nodes(file.facts.dynamic->provides, library);
  // A file that needs the library has it elsewhere: a version string is then its header's, and so are a few symbols, or
  // any number where it is C++ alone.
  const bool elsewhere = !result.itself() && named.needed;
  if (!elsewhere) result.texts = clues_of_texts(file.facts.texts.versions, library);
  const LibraryCount* count = count_of(exports, library.id);
  const std::uint32_t enough = elsewhere ? many_symbols : few_symbols;
  if (count != nullptr && count->exports - count->rtti >= enough && !(elsewhere && library.symbols.empty()))
    result.symbols = count;
  const auto told = namespaces.find(library.id);
  if (result.symbols != nullptr && told != namespaces.end()) result.namespaces = told->second;
  return result;
}

// Two libraries of one family share names: every TLS library has SSL_new, every BLAS has dgemm_. One that is known by
// its symbols alone gives way to one that other signs tell of, and to one whose symbols it lists as not its own.
bool gives_way(const Sighting& one, const Sighting& other) {
  if (&one == &other || one.library->family.empty() || one.library->family != other.library->family) return false;
  if (!one.by_symbols_alone()) return false;
  if (!other.by_symbols_alone()) return true;
  return std::ranges::any_of(other.symbols->examples, [&](std::string_view symbol) {
    return std::ranges::any_of(one.library->not_symbols,
                               [&](std::string_view pattern) { return match_pattern(pattern, symbol).has_value(); });
  });
}

std::vector<Sighting> sightings(const ElfMember& file, const WheelFacts& wheel, const ExportSummary& exports,
                                const CluesByLibrary& namespaces, const Index& index) {
  const FileNames names = names_of(file, wheel);
  const std::vector<KnownLibrary>& known = index.knowledge().libraries;
  std::vector<Named> named(known.size());
  for (const LibraryNumber number : index.libraries_named(names.own)) named[number].own = true;
  for (const LibraryNumber number : index.libraries_named(names.needed)) named[number].needed = true;
  std::vector<Sighting> all, result;
  for (LibraryNumber number = 0; number < known.size(); ++number) {
    Sighting one = look_for(known[number], file, names, named[number], exports, namespaces);
    if (one.any()) all.push_back(std::move(one));
  }
  std::ranges::copy_if(all, std::back_inserter(result), [&](const Sighting& one) {
    return std::ranges::none_of(all, [&](const Sighting& other) { return gives_way(one, other); });
  });
  return result;
}

// A version that stands alone may be anybody's. It is believed where the file is that library, or where that library
// has the most symbols of all that write their version so.
void add_bare_versions(std::vector<Sighting>& all, const TextFacts& texts) {
  const auto writes_bare = [](const Sighting& one) {
    return one.library->bare_version && (one.itself() || one.symbols != nullptr);
  };
  std::uint32_t most = 0;
  for (const Sighting& one : all)
    if (writes_bare(one)) most = std::max(most, one.symbol_count());
  for (Sighting& one : all)
    if (writes_bare(one) && one.texts.empty() && (one.itself() || one.symbol_count() == most))
      one.bare = bare_versions(texts.versions);
}

// "1.1" says less than "1.1.1k", and nothing else.
bool is_part_of(std::string_view shorter, std::string_view longer) {
  return longer.starts_with(shorter) &&
         (longer.size() == shorter.size() || !(longer[shorter.size()] >= '0' && longer[shorter.size()] <= '9'));
}

struct Told {
  std::optional<std::string> version;
  bool several = false;
};
// The highest, and whether there is one that does not agree with it.
Told highest(const std::vector<Clue>& clues) {
  Told result;
  for (const Clue& clue : clues)
    if (!clue.version.empty() && (!result.version || natural_order(*result.version, clue.version) < 0))
      result.version = clue.version;
  for (const Clue& clue : clues)
    if (!clue.version.empty() && !is_part_of(clue.version, *result.version)) result.several = true;
  return result;
}

struct Answer {
  std::optional<std::string> version;
  Confidence confidence = Confidence::Low;
};
Answer answer(const Sighting& one) {
  const bool sure = one.itself() || one.symbol_count() >= many_symbols;
  const Confidence seen = sure ? Confidence::Medium : Confidence::Low;
  // The strings say it exactly, and an inline namespace does; but a few templates from a header are not a library.
  if (const Told told = highest(one.texts); told.version)
    return {told.version, told.several ? Confidence::Medium : Confidence::High};
  if (const Told told = highest(one.namespaces); told.version)
    return {told.version, sure && !told.several ? Confidence::High : seen};
  if (const Told told = highest(one.bare); told.version) {
    // Of several numbers none is better than another, but for "git", which only LLVM writes.
    if (!told.several) return {told.version, seen};
    if (!told.version->ends_with("git")) return {std::nullopt, seen};
    return {told.version, Confidence::Low};
  }
  if (const Told told = highest(one.names); told.version) return {told.version, Confidence::High};
  // The newest node is the version that last added a symbol: the library may be younger.
  if (const Told told = highest(one.nodes); told.version) return {told.version, Confidence::Medium};
  return {std::nullopt, one.itself() || !one.texts.empty() ? Confidence::High : seen};
}

// "SSL_new, SSL_read and 120 more"; a mangled name may be long, then it stands alone.
std::string symbols_text(const LibraryCount& count) {
  constexpr std::size_t most_examples = 3, most_bytes = 120;
  std::string text;
  std::uint32_t shown = 0;
  for (const std::string_view example : count.examples) {
    if (shown == most_examples || (shown != 0 && text.size() + example.size() > most_bytes)) break;
    text += fmt::format("{}{}", shown == 0 ? "" : ", ", example);
    ++shown;
  }
  const std::uint32_t all = count.exports - count.rtti;
  return all > shown ? fmt::format("{} and {} more", text, all - shown) : text;
}

std::vector<LibraryEvidence> evidence(const Sighting& one) {
  std::vector<LibraryEvidence> result;
  const auto add = [&](std::string_view what, const std::vector<Clue>& clues, std::size_t most) {
    for (std::size_t i = 0; i < clues.size() && i < most && result.size() < most_evidence; ++i)
      result.push_back({std::string(what), clues[i].text});
  };
  add("soname", one.names, 1);
  add("string", one.texts, 2);
  add("string", one.bare, 3);
  add("namespace", one.namespaces, 2);
  add("version node", one.nodes, 1);
  if (one.symbols != nullptr && result.size() < most_evidence)
    result.push_back({"symbols", symbols_text(*one.symbols)});
  return result;
}

}  // namespace

std::vector<IdentifiedLibrary> libraries(const ElfMember& file, const WheelFacts& wheel, const SymbolReading& symbols,
                                         const Index& index) {
  std::vector<IdentifiedLibrary> result;
  if (!is_host_code(file)) return result;
  std::vector<Sighting> all = sightings(file, wheel, symbols.exports, symbols.namespaces, index);
  add_bare_versions(all, file.facts.texts);
  result.reserve(all.size());
  for (const Sighting& one : all) {
    Answer told = answer(one);
    result.push_back({.library = std::string(one.library->id),
                      .name = std::string(one.library->name),
                      .family = std::string(one.library->family),
                      .version = std::move(told.version),
                      .confidence = told.confidence,
                      .itself = one.itself(),
                      .evidence = evidence(one)});
  }
  return result;
}

}  // namespace wheelcheck::analysis
