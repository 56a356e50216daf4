// Which third-party libraries a file contains, and the version of each. .comment is not used, because it
// describes the compiler that made the file, which may be any LLVM, and not the content.

#include "analysis/libraries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "analysis/internal.h"
#include "base/pattern.h"
#include "base/text.h"
#include "model/library_name.h"
#include "wheelcheck/version.h"

namespace wheelcheck::analysis {

namespace {

constexpr std::size_t max_evidence = 5;
constexpr std::uint32_t few_symbols = 5;    // fewer are not evidence: other projects use the same names
constexpr std::uint32_t many_symbols = 20;  // evidence of a library by themselves

// All evidence for one library in one file.
struct Sighting {
  const KnownLibrary* library = nullptr;
  std::vector<Clue> names, texts, nodes, namespaces, bare;
  const LibraryCount* symbols = nullptr;  // null if there are too few

  bool itself() const { return !names.empty(); }
  bool by_symbols_alone() const { return names.empty() && texts.empty() && nodes.empty(); }
  std::uint32_t symbol_count() const { return symbols == nullptr ? 0 : symbols->exports - symbols->rtti; }
  bool any() const { return itself() || !texts.empty() || !nodes.empty() || symbols != nullptr; }
};

const LibraryCount* count_of(const ExportSummary& exports, std::string_view id) {
  const auto at = std::ranges::find(exports.libraries, id, &LibraryCount::library);
  return at == exports.libraries.end() ? nullptr : &*at;
}

// Whether a file's own name, or a name in DT_NEEDED, is that of the library.
struct Named {
  bool own = false, needed = false;
};

Sighting look_for(const KnownLibrary& library, const ElfMember& file, const FileNames& names, Named named,
                  const ExportSummary& exports, const CluesByLibrary& namespaces) {
  Sighting result;
  result.library = &library;
  if (named.own) result.names = clues_of_names(names.own, library);
  if (file.facts.dynamic) result.nodes = clues_of_nodes(file.facts.dynamic->provides, library);
  // A file that needs the library uses a copy elsewhere. A version string then comes from the library's header, and so
  // do a few symbols, or any number of symbols for a library with only C++ names.
  const bool elsewhere = !result.itself() && named.needed;
  if (!elsewhere) result.texts = clues_of_texts(file.facts.texts, library);
  const LibraryCount* count = count_of(exports, library.id);
  const std::uint32_t enough = elsewhere ? many_symbols : few_symbols;
  if (count != nullptr && count->exports - count->rtti >= enough && !(elsewhere && library.symbols.empty()))
    result.symbols = count;
  const auto clue = namespaces.find(library.id);
  if (result.symbols != nullptr && clue != namespaces.end()) result.namespaces = clue->second;
  return result;
}

// Libraries of one family have common names: every TLS library has SSL_new, every BLAS has dgemm_. A library with
// symbols as its only evidence is dropped in favour of one with other evidence, and in favour of one with symbols that
// the first does not have (not_symbols).
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

// A string that is only a version may belong to any library. It is used if the file is that library, or if that library
// has the most symbols of all libraries that write their version in this form.
void add_bare_versions(std::vector<Sighting>& all, const TextFacts& texts) {
  const auto writes_bare = [](const Sighting& one) {
    return one.library->bare_version && (one.itself() || one.symbols != nullptr);
  };
  std::uint32_t max = 0;
  for (const Sighting& one : all)
    if (writes_bare(one)) max = std::max(max, one.symbol_count());
  for (Sighting& one : all)
    if (writes_bare(one) && one.texts.empty() && (one.itself() || one.symbol_count() == max))
      one.bare = bare_versions(texts.versions);
}

// "1.1" is a less precise form of "1.1.1k".
bool is_part_of(std::string_view shorter, std::string_view longer) {
  return longer.starts_with(shorter) &&
         (longer.size() == shorter.size() || !(longer[shorter.size()] >= '0' && longer[shorter.size()] <= '9'));
}

struct HighestClue {
  std::optional<std::string> version;
  bool several = false;
};
// The highest version, and whether another one disagrees with it.
HighestClue highest(const std::vector<Clue>& clues) {
  HighestClue result;
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
  // Strings and inline namespaces contain the exact version. A few templates from a header, however, do not show that
  // the library is inside.
  if (const HighestClue clue = highest(one.texts); clue.version)
    return {clue.version, clue.several ? Confidence::Medium : Confidence::High};
  if (const HighestClue clue = highest(one.namespaces); clue.version)
    return {clue.version, sure && !clue.several ? Confidence::High : seen};
  if (const HighestClue clue = highest(one.bare); clue.version) {
    // Of several numbers, only one with "git" is reliable: only LLVM writes it.
    if (!clue.several) return {clue.version, seen};
    if (!clue.version->ends_with("git")) return {std::nullopt, seen};
    return {clue.version, Confidence::Low};
  }
  if (const HighestClue clue = highest(one.names); clue.version) return {clue.version, Confidence::High};
  // The newest node is the version that last added a symbol, so the library itself may be newer.
  if (const HighestClue clue = highest(one.nodes); clue.version) return {clue.version, Confidence::Medium};
  return {std::nullopt, one.itself() || !one.texts.empty() ? Confidence::High : seen};
}

// "SSL_new, SSL_read and 120 more". A long mangled name is shown alone.
std::string symbols_text(const LibraryCount& count) {
  constexpr std::size_t max_examples = 3, max_bytes = 120;
  std::string text;
  std::uint32_t shown = 0;
  for (const std::string_view example : count.examples) {
    if (shown == max_examples || (shown != 0 && text.size() + example.size() > max_bytes)) break;
    text += fmt::format("{}{}", shown == 0 ? "" : ", ", example);
    ++shown;
  }
  const std::uint32_t all = count.exports - count.rtti;
  return all > shown ? fmt::format("{} and {} more", text, all - shown) : text;
}

std::vector<LibraryEvidence> evidence(const Sighting& one) {
  std::vector<LibraryEvidence> result;
  const auto add = [&](std::string_view what, const std::vector<Clue>& clues, std::size_t max) {
    for (std::size_t i = 0; i < clues.size() && i < max && result.size() < max_evidence; ++i)
      result.push_back({std::string(what), clues[i].text});
  };
  add("soname", one.names, 1);
  add("string", one.texts, 2);
  add("string", one.bare, 3);
  add("namespace", one.namespaces, 2);
  add("version node", one.nodes, 1);
  if (one.symbols != nullptr && result.size() < max_evidence) result.push_back({"symbols", symbols_text(*one.symbols)});
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
    Answer clue = answer(one);
    result.push_back({.library = std::string(one.library->id),
                      .name = std::string(one.library->name),
                      .family = std::string(one.library->family),
                      .version = std::move(clue.version),
                      .confidence = clue.confidence,
                      .itself = one.itself(),
                      .evidence = evidence(one)});
  }
  return result;
}

namespace {

constexpr std::size_t max_clues = 8;  // of one kind, for one library
// Limits for crafted files. No identifying string of a library is longer, and no pattern is tried on more strings.
constexpr std::size_t longest_text = 1024;
constexpr std::size_t max_tries = 1000;
// The number of names of one namespace that are examined for its version; further names give the same result.
constexpr std::size_t max_names = 4096;

void add(std::vector<Clue>& clues, std::string_view text, std::string version) {
  if (clues.size() >= max_clues) return;
  if (std::ranges::any_of(clues, [&](const Clue& c) { return c.version == version; })) return;
  clues.push_back({std::string(text), std::move(version)});
}

using Texts = std::vector<std::string_view>;

// The texts that may match: those with the pattern's literal prefix, which are adjacent, or those that start with a
// digit if the pattern starts with a version.
std::pair<Texts::const_iterator, Texts::const_iterator> range_of(const Texts& texts, std::string_view pattern) {
  const std::string_view prefix = literal_prefix(pattern);
  if (prefix.empty() && pattern.starts_with("{version}"))
    return {std::ranges::lower_bound(texts, "0"), std::ranges::lower_bound(texts, ":")};  // ':' follows '9'
  const auto first = std::ranges::lower_bound(texts, prefix);
  if (prefix.empty()) return {first, texts.end()};
  return {first, std::partition_point(first, texts.end(), [&](std::string_view t) { return t.starts_with(prefix); })};
}

// The longest run of the pattern without wildcards. Every match contains it, so it serves as a fast filter.
std::string_view longest_literal(std::string_view pattern) {
  std::string_view best;
  for (std::size_t at = 0; at < pattern.size();) {
    if (pattern.substr(at).starts_with("{version}")) {
      at += std::string_view("{version}").size();
      continue;
    }
    if (pattern[at] == '[') {
      const std::size_t end = pattern.find(']', at + 2);
      if (end == pattern.npos) return best;
      at = end + 1;
      continue;
    }
    const std::string_view run = literal_prefix(pattern.substr(at));
    if (run.size() > best.size()) best = run;
    at += std::max<std::size_t>(run.size(), 1);
  }
  return best;
}

// "12lts_20250127" -> "lts_20250127": a <source-name> of the Itanium C++ ABI (5.1.2); "" if there is none.
std::string_view source_name(std::string_view mangled) {
  std::size_t digits = 0;
  while (digits < mangled.size() && digits < 4 && is_digit(mangled[digits])) ++digits;
  std::uint64_t size = 0;
  if (!parse_number(mangled.substr(0, digits), size) || size > mangled.size() - digits) return "";
  return mangled.substr(digits, size);
}

NamespaceClues::Scope versioned_scope(std::string_view pattern) {
  NamespaceClues::Scope result;
  for (std::size_t at = pattern.find("::"); at != pattern.npos; at = pattern.find("::")) {
    if (finds_version(pattern.substr(0, at))) break;
    result.shown += pattern.substr(0, at + 2);
    result.before += fmt::format("{}{}", at, pattern.substr(0, at));
    pattern.remove_prefix(at + 2);
  }
  result.scope = pattern.substr(0, pattern.find("::"));
  return result;
}

// The scope's text in a mangled name; "" if it does not occur. It follows the scopes before it. An outermost scope is
// found by its first letters and the length before them.
std::string_view scope_in(std::string_view name, const NamespaceClues::Scope& wanted) {
  if (!wanted.before.empty()) {
    const std::size_t at = name.find(wanted.before);
    return at == name.npos ? "" : source_name(name.substr(at + wanted.before.size()));
  }
  const std::string_view letters = literal_prefix(wanted.scope);
  if (letters.empty()) return "";
  std::size_t at = name.find(letters);
  if (at == name.npos) return "";
  while (at > 0 && is_digit(name[at - 1])) --at;
  return source_name(name.substr(at));
}

// Three numbers separated by dots, followed by nothing, "git", or "rc" and a digit.
bool is_bare_version(std::string_view text) {
  std::size_t at = 0, numbers = 0;
  while (at < text.size() && is_digit(text[at])) {
    while (at < text.size() && is_digit(text[at])) ++at;
    ++numbers;
    if (numbers < 3 && at < text.size() && text[at] == '.') ++at;
  }
  const std::string_view rest = text.substr(at);
  return numbers == 3 && (rest.empty() || rest == "git" || glob_match("*rc[0-9]", rest));
}

// libxml2 and others write 2.14.4 as 21404: two digits for each number but the first.
std::string dotted(std::string version) {
  if (version.size() < 5 || version.size() > 6 || !std::ranges::all_of(version, is_digit)) return version;
  std::uint64_t number = 0;
  parse_number(version, number);
  return fmt::format("{}.{}.{}", number / 10000, number / 100 % 100, number % 100);
}

}  // namespace

FileNames names_of(const ElfMember& file, const WheelFacts& wheel) {
  FileNames result;
  result.own.push_back(plain_library_name(base_name(wheel.members[file.member.value].path.text())));
  if (!file.facts.dynamic) return result;
  if (file.facts.dynamic->soname) {
    std::string soname = plain_library_name(base_name(*file.facts.dynamic->soname));
    if (soname != result.own.front()) result.own.push_back(std::move(soname));
  }
  for (const std::string_view needed : file.facts.dynamic->needed)
    result.needed.push_back(plain_library_name(base_name(needed)));
  return result;
}

std::vector<Clue> clues_of_names(const std::vector<std::string>& names, const KnownLibrary& library) {
  std::vector<Clue> result;
  for (const std::string& name : names)
    for (const std::string_view pattern : library.sonames)
      if (auto match = match_pattern(pattern, name)) add(result, name, std::move(match->version));
  return result;
}

std::vector<Clue> clues_of_texts(const TextFacts& texts, const KnownLibrary& library) {
  std::vector<Clue> result;
  for (const std::string_view pattern : library.texts) {
    for (const VersionVariable& variable : texts.version_names) {
      const std::string text = fmt::format("{}={}", variable.name, variable.value);
      if (!pattern.starts_with(text.substr(0, variable.name.size() + 1))) continue;
      if (auto match = match_pattern(pattern, text)) add(result, text, dotted(std::move(match->version)));
    }
    const std::string_view literal = longest_literal(pattern);
    std::size_t tries = 0;
    const auto [first, last] = range_of(texts.versions, pattern);
    for (auto text = first; text != last && tries < max_tries; ++text) {
      if (text->size() > longest_text || text->find(literal) == text->npos) continue;
      ++tries;
      if (auto match = match_pattern(pattern, *text)) add(result, *text, dotted(std::move(match->version)));
    }
  }
  return result;
}

std::vector<Clue> clues_of_nodes(const std::vector<VersionDefinition>& provides, const KnownLibrary& library) {
  std::vector<Clue> result;
  for (const std::string_view pattern : library.version_nodes) {
    for (const VersionDefinition& node : provides) {
      auto match = match_pattern(pattern, node.version);
      if (!match) continue;
      if (result.empty()) {
        result.push_back({std::string(node.version), std::move(match->version)});
      } else if (natural_order(result.front().version, match->version) < 0) {
        result.front() = {std::string(node.version), std::move(match->version)};
      }
    }
  }
  return result;
}

NamespaceClues::NamespaceClues(const KnownLibrary& library) {
  for (const std::string_view pattern : library.namespaces)
    if (finds_version(pattern)) scopes_.push_back(versioned_scope(pattern));
}

void NamespaceClues::add(std::string_view name) {
  for (Scope& wanted : scopes_) {
    if (wanted.names == max_names) continue;
    const std::string_view scope = scope_in(name, wanted);
    if (scope.empty() || scope.size() > longest_text) continue;
    ++wanted.names;
    if (auto match = match_pattern(wanted.scope, scope))
      analysis::add(wanted.clues, fmt::format("{}{}", wanted.shown, scope), std::move(match->version));
  }
}

std::vector<Clue> NamespaceClues::clues() const {
  std::vector<Clue> result;
  for (const Scope& scope : scopes_)
    for (const Clue& clue : scope.clues) analysis::add(result, clue.text, clue.version);
  return result;
}

std::vector<Clue> bare_versions(const Texts& texts) {
  std::vector<std::string_view> plain, git;
  const auto [first, last] = range_of(texts, "{version}");
  for (auto text = first; text != last; ++text) {
    if (text->size() > 32 || !is_bare_version(*text)) continue;
    (text->ends_with("git") ? git : plain).push_back(*text);
  }
  std::vector<Clue> result;
  for (const std::string_view text : git.empty() ? plain : git) add(result, text, std::string(text));
  return result;
}

}  // namespace wheelcheck::analysis
