#include "analysis/library_evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "base/pattern.h"
#include "base/text.h"
#include "model/library_name.h"
#include "wheelcheck/version.h"

namespace wheelcheck::analysis {
namespace {

constexpr std::size_t most_clues = 8;  // of one kind, for one library
// No string that a library is known by is longer, and nothing asks one pattern to look at more of them: a file made to
// keep us busy stays cheap.
constexpr std::size_t longest_text = 1024;
constexpr std::size_t most_tries = 1000;
// Names of one namespace that are asked for its version; a library of 100,000 names says the same with the first.
constexpr std::size_t most_names = 4096;

void add(std::vector<Clue>& clues, std::string_view text, std::string version) {
  if (clues.size() >= most_clues) return;
  if (std::ranges::any_of(clues, [&](const Clue& c) { return c.version == version; })) return;
  clues.push_back({std::string(text), std::move(version)});
}

using Texts = std::vector<std::string_view>;

// The texts that may match: those with the pattern's literal prefix, which stand together, or those that start with a
// digit where it starts with a version.
std::pair<Texts::const_iterator, Texts::const_iterator> range_of(const Texts& texts, std::string_view pattern) {
  const std::string_view prefix = literal_prefix(pattern);
  if (prefix.empty() && pattern.starts_with("{version}"))
    return {std::ranges::lower_bound(texts, "0"), std::ranges::lower_bound(texts, ":")};  // ':' follows '9'
  const auto first = std::ranges::lower_bound(texts, prefix);
  if (prefix.empty()) return {first, texts.end()};
  return {first, std::partition_point(first, texts.end(), [&](std::string_view t) { return t.starts_with(prefix); })};
}

// A part that every match holds, for a quick look: the longest run of the pattern without wildcards.
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

// "12lts_20250127" -> "lts_20250127": a <source-name> of the Itanium C++ ABI (5.1.2), "" if there is none.
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

// The place of the scope in a mangled name, "" where it is not in it: after the scopes before it or, where the scope is
// the outermost, at the length that stands before its first letters.
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

// Digits and dots, three numbers, then nothing, "git" or "rc" and a digit.
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

std::vector<Clue> clues_of_texts(const Texts& texts, const KnownLibrary& library) {
  std::vector<Clue> result;
  for (const std::string_view pattern : library.texts) {
    const std::string_view literal = longest_literal(pattern);
    std::size_t tries = 0;
    const auto [first, last] = range_of(texts, pattern);
    for (auto text = first; text != last && tries < most_tries; ++text) {
      if (text->size() > longest_text || text->find(literal) == text->npos) continue;
      ++tries;
      if (auto match = match_pattern(pattern, *text)) add(result, *text, std::move(match->version));
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
    if (wanted.names == most_names) continue;
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
