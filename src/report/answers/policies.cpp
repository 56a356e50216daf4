// Levels, their differences, problems of policy files, and meanings of their words, as documents and as JSON; a
// difference also as a Markdown table, as PEPs have it.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "report/answers/answers.h"
#include "report/shared/json_text.h"
#include "report/shared/text.h"

namespace wheelcheck::report {

namespace {

std::string arches_of(const policy::Level& level) {
  std::vector<std::string> names;
  for (const auto& [arch, promised] : level.policies) names.emplace_back(name_of(arch));
  return join(names, " ");
}

std::string words(std::span<const std::string> list) {
  std::vector<std::string> shown;
  for (const std::string& word : list) shown.push_back(escape(word));
  return join(shown, " ");
}
std::vector<std::string> natural(const StringSet& set) {
  std::vector<std::string> out(set.begin(), set.end());
  std::ranges::sort(out, NaturalLess{});
  return out;
}

// A label of a few letters, and a long list.
const TextTable list_table{.columns = {{.min_width = 10, .max_width = 10}, {}}};

struct PolicyLine {
  std::string what;
  const ListChange* change;
};

// The changed lists of an architecture, each with its display name.
std::vector<PolicyLine> lines_of(const ArchChange& arch) {
  std::vector<PolicyLine> out;
  for (const ListChange& one : arch.versions) out.push_back({escape(one.of), &one});
  if (!arch.libraries.added.empty() || !arch.libraries.removed.empty()) out.push_back({"libraries", &arch.libraries});
  for (const ListChange& one : arch.denied_symbols) out.push_back({fmt::format("denied of {}", escape(one.of)), &one});
  return out;
}

bool same_lists(const ListChange& a, const ListChange& b) {
  return a.of == b.of && a.added == b.added && a.removed == b.removed;
}
bool same(const ArchChange& a, const ArchChange& b) {
  return a.presence == b.presence && std::ranges::equal(a.versions, b.versions, same_lists) &&
         std::ranges::equal(a.denied_symbols, b.denied_symbols, same_lists) && same_lists(a.libraries, b.libraries);
}

// Groups architectures with the same changes.
std::vector<std::pair<std::string, const ArchChange*>> by_architectures(const PolicyChange& change) {
  std::vector<std::pair<std::string, const ArchChange*>> out;
  for (const ArchChange& arch : change.architectures) {
    const auto at = std::ranges::find_if(out, [&](const auto& group) { return same(*group.second, arch); });
    if (at == out.end())
      out.emplace_back(name_of(arch.arch), &arch);
    else
      at->first += fmt::format(", {}", name_of(arch.arch));
  }
  return out;
}

std::string marked(std::span<const std::string> added, std::span<const std::string> removed) {
  std::vector<std::string> all;
  for (const std::string& word : added) all.push_back(fmt::format("+{}", escape(word)));
  for (const std::string& word : removed) all.push_back(fmt::format("-{}", escape(word)));
  return join(all, " ");
}

}  // namespace

Document level_document(const policy::Level& level) {
  Document out;
  out.title(fmt::format("{}{}: libc {}", level.name,
                        level.aliases.empty() ? "" : fmt::format(" (= {})", join(level.aliases, ", ")),
                        to_string(level.libc)));
  for (const auto& [arch, promised] : level.policies) {
    out.section(name_of(arch));
    TextTable table = list_table;
    for (const auto& [family, nodes] : promised.versions) table.rows.push_back({escape(family), words(natural(nodes))});
    table.rows.push_back({"libraries", words(natural(promised.libraries))});
    out.add(std::move(table));
    for (const auto& [library, symbols] : promised.denied_symbols)
      out.line(fmt::format("  denied of {}: ", escape(library)), words(natural(symbols)), 4);
  }
  return out;
}

namespace {

Document levels_document(std::span<const policy::Level> levels) {
  Document out;
  TextTable table{.indent = 0, .columns = {{}, {}, {.min_width = 5}, {}}};
  for (const policy::Level& level : levels)
    table.rows.push_back({level.name, join(level.aliases, " "), to_string(level.libc), arches_of(level)});
  out.add(std::move(table));
  return out;
}

void add_change(Document& out, const PolicyChange& change) {
  if (change.architectures.empty()) return out.line(fmt::format("{} and {} allow the same", change.from, change.to));
  out.title(fmt::format("{} -> {}", change.from, change.to));
  for (const auto& [names, arch] : by_architectures(change)) {
    if (arch->presence != Presence::Both) {
      out.blank();
      out.line(fmt::format("{}: only in {}", names, arch->presence == Presence::New ? change.to : change.from));
      continue;
    }
    out.section(names);
    TextTable table = list_table;
    for (const PolicyLine& line : lines_of(*arch))
      table.rows.push_back({line.what, marked(line.change->added, line.change->removed)});
    out.add(std::move(table));
  }
}

}  // namespace

std::string render_policy_change_markdown(const PolicyChange& change) {
  std::string out = fmt::format("From {} to {}:\n\n", markdown_code(change.from), markdown_code(change.to));
  if (change.architectures.empty()) return out + "nothing changes.\n";
  out += "| architecture | list | added | removed |\n|---|---|---|---|\n";
  const auto cell = [](const std::vector<std::string>& list) {
    std::vector<std::string> shown;
    for (const std::string& word : list) shown.push_back(markdown_code(word));
    return join(shown, " ");
  };
  for (const auto& [names, arch] : by_architectures(change)) {
    if (arch->presence != Presence::Both) {
      const bool is_new = arch->presence == Presence::New;
      out += fmt::format("| {} | all | {} | {} |\n", markdown(names), is_new ? "yes" : "", is_new ? "" : "yes");
      continue;
    }
    for (const PolicyLine& line : lines_of(*arch))
      out += fmt::format("| {} | {} | {} | {} |\n", markdown(names), markdown(line.what), cell(line.change->added),
                         cell(line.change->removed));
  }
  return out;
}

namespace {

Document check_document(const PolicyCheck& check) {
  Document out;
  std::size_t errors = 0, warnings = 0;
  for (const PolicyProblem& problem : check.problems) {
    out.line(fmt::format("{}:{}: {} {}: {}", escape(problem.file),
                         problem.pointer.empty() ? "/" : escape(problem.pointer), name_of(problem.severity),
                         problem.code, problem.message));
    ++(problem.severity == Severity::Error ? errors : warnings);
  }
  out.line(fmt::format("{}, {}: {}, {}", count_of(check.files, "file"), count_of(check.levels, "level"),
                       count_of(errors, "error"), count_of(warnings, "warning")));
  return out;
}

}  // namespace

// The evidence for a derived level, by architecture, then library.

namespace {

std::string escaped(const std::vector<std::string>& words, std::string_view between) {
  std::vector<std::string> out;
  for (const std::string& word : words) out.push_back(escape(word, 200));
  return join(out, between);
}

std::string counts(const Policy& policy) {
  std::vector<std::string> parts = {count_of(policy.libraries.size(), "library", "libraries")};
  for (const auto& [family, nodes] : policy.versions)
    parts.push_back(fmt::format("{} of {}", count_of(nodes.size(), "node"), escape(family)));
  std::size_t denied = 0;
  for (const auto& [library, symbols] : policy.denied_symbols) denied += symbols.size();
  if (denied > 0) parts.push_back(fmt::format("{} denied", count_of(denied, "symbol")));
  return join(parts, ", ");
}

void add_lack(Document& out, const Lack& lack) {
  const std::string who = lack.has_it.empty() ? fmt::format("no root has {}", lack.names.size() > 1 ? "them" : "it")
                                              : fmt::format("not in {}", escaped(lack.lacks, ", "));
  const std::string library = escape(lack.library);
  switch (lack.kind) {
    case Lack::Kind::Architecture:
      return out.line(fmt::format("  not in {}, which is therefore not compared", escaped(lack.lacks, ", ")));
    case Lack::Kind::Library:
      return out.line(fmt::format("  {}: left out, {}", library, who));
    case Lack::Kind::Version:
      return out.line(fmt::format("  {}: {} left out, {}: ", library, count_of(lack.names.size(), "node"), who),
                      escaped(lack.names, " "), 4);
    case Lack::Kind::Symbol:
      return out.line(fmt::format("  {}: {} denied, {}: ", library, count_of(lack.names.size(), "symbol"), who),
                      escaped(lack.names, " "), 4);
  }
}

Document evidence_document(const Derivation& derivation) {
  Document out;
  out.title(fmt::format("{}: what {} offer{} of the libraries of {}", derivation.level.name,
                        escaped(derivation.roots, ", "), derivation.roots.size() == 1 ? "s" : "",
                        escape(derivation.base)));
  for (const auto& [arch, policy] : derivation.level.policies) {
    out.section(name_of(arch));
    out.line("  ", counts(policy), 2);
    for (const Lack& lack : derivation.lacks)
      if (lack.arch == arch) add_lack(out, lack);
  }
  if (derivation.unjudged.empty()) return out;
  out.section("nodes that are not judged, as the base lists none of their family");
  for (const auto& [library, families] : derivation.unjudged)
    out.line(fmt::format("  {}: {}", escape(library), escaped(families, " ")));
  return out;
}

}  // namespace

// Explanations of the words in policies.

namespace {

std::string_view word_of(WordMeaning::Kind kind) {
  switch (kind) {
    case WordMeaning::Kind::Version:
      return "version node";
    case WordMeaning::Kind::Library:
      return "library";
    case WordMeaning::Kind::Symbol:
      return "symbol";
  }
  return "";
}

std::vector<std::string> names(std::span<const Arch> arches) {
  std::vector<std::string> out;
  for (const Arch arch : arches) out.emplace_back(name_of(arch));
  return out;
}

Document meanings_document(std::string_view word, std::span<const WordMeaning> meanings) {
  Document out;
  for (const WordMeaning& meaning : meanings) {
    if (!out.empty()) out.blank();
    out.line(fmt::format("{}: {} of {}", escape(word), word_of(meaning.kind), name_of(meaning.family)));
    TextTable since{.columns = {{}, {}}};
    for (const PromisedSince& one : meaning.since)
      since.rows.push_back({one.level.empty() ? "in no level" : fmt::format("since {}", escape(one.level)),
                            join(names(one.arches), " ")});
    out.add(std::move(since));
    for (const DeniedAt& one : meaning.denied) {
      const std::string start = fmt::format("  denied of {}  ", escape(one.library));
      out.line(start, escape(join(one.levels, " ")), columns(start));
    }
  }
  return out;
}

std::string meanings_json(std::string_view word, std::span<const WordMeaning> meanings) {
  Json out = Json::array();
  for (const WordMeaning& meaning : meanings) {
    Json since = Json::array(), denied = Json::array();
    for (const PromisedSince& one : meaning.since)
      since.push_back(
          {{"level", one.level.empty() ? Json() : Json(safe(one.level))}, {"architectures", names(one.arches)}});
    for (const DeniedAt& one : meaning.denied)
      denied.push_back({{"library", safe(one.library)}, {"levels", texts(one.levels)}});
    out.push_back({{"kind", word_of(meaning.kind)},
                   {"family", name_of(meaning.family)},
                   {"since", std::move(since)},
                   {"denied", std::move(denied)}});
  }
  return document_text({{"word", safe(word)}, {"meanings", std::move(out)}});
}

}  // namespace

Answer meanings_answer(std::string_view word, std::span<const WordMeaning> meanings) {
  return {.document = [=] { return meanings_document(word, meanings); },
          .json = [=] { return meanings_json(word, meanings); }};
}

Answer mistake_answer(const PolicyMistake& mistake) {
  return {.document =
              [&mistake] {
                Document out;
                out.line(fmt::format("{} {} ({})", mistake.code, mistake.name, name_of(mistake.severity)));
                out.blank();
                out.line({}, mistake.text);
                return out;
              },
          .json =
              [&mistake] {
                return document_text({{"code", mistake.code},
                                      {"name", mistake.name},
                                      {"severity", name_of(mistake.severity)},
                                      {"text", mistake.text}});
              }};
}

// Levels, differences and diagnostics of policies as JSON.
namespace {

Json list_change_json(const ListChange& change) {
  return {{"added", texts(change.added)}, {"removed", texts(change.removed)}};
}
Json list_changes_json(const std::vector<ListChange>& changes) {
  Json out = Json::object();
  for (const ListChange& change : changes) out[safe(change.of)] = list_change_json(change);
  return out;
}

std::string_view word_of(Presence presence) {
  switch (presence) {
    case Presence::Old:
      return "removed";
    case Presence::New:
      return "added";
    case Presence::Both:
      return "changed";
  }
  return "";
}

Json change_json(const PolicyChange& change) {
  Json arches = Json::object();
  for (const ArchChange& arch : change.architectures) {
    Json one = {{"status", word_of(arch.presence)}};
    if (arch.presence == Presence::Both) {
      one["versions"] = list_changes_json(arch.versions);
      one["libraries"] = list_change_json(arch.libraries);
      one["denied_symbols"] = list_changes_json(arch.denied_symbols);
    }
    arches[std::string(name_of(arch.arch))] = std::move(one);
  }
  return {{"from", safe(change.from)}, {"to", safe(change.to)}, {"architectures", std::move(arches)}};
}

std::string levels_json(std::span<const policy::Level> levels) {
  Json out = Json::array();
  for (const policy::Level& level : levels) {
    Json arches = Json::array();
    for (const auto& [arch, promised] : level.policies) arches.push_back(name_of(arch));
    out.push_back({{"name", safe(level.name)},
                   {"aliases", texts(level.aliases)},
                   {"libc", to_string(level.libc)},
                   {"architectures", std::move(arches)}});
  }
  return document_text({{"levels", std::move(out)}});
}

std::string changes_json(std::span<const PolicyChange> changes) {
  Json out = Json::array();
  for (const PolicyChange& change : changes) out.push_back(change_json(change));
  return document_text({{"changes", std::move(out)}});
}

std::string check_json(const PolicyCheck& check) {
  Json problems = Json::array();
  for (const PolicyProblem& problem : check.problems)
    problems.push_back({{"code", problem.code},
                        {"severity", name_of(problem.severity)},
                        {"file", safe(problem.file)},
                        {"pointer", safe_long(problem.pointer)},
                        {"message", safe_long(problem.message)}});
  return document_text({{"files", check.files}, {"levels", check.levels}, {"problems", std::move(problems)}});
}

}  // namespace

Answer levels_answer(std::span<const policy::Level> levels) {
  return {.document = [=] { return levels_document(levels); }, .json = [=] { return levels_json(levels); }};
}

Answer policy_change_answer(const PolicyChange& change) {
  return {.document =
              [&change] {
                Document out;
                add_change(out, change);
                return out;
              },
          .json = [&change] { return document_text(change_json(change)); }};
}

Answer policy_changes_answer(std::span<const PolicyChange> changes) {
  return {.document =
              [changes] {
                Document out;
                for (const PolicyChange& change : changes) add_change(out, change);
                return out;
              },
          .json = [changes] { return changes_json(changes); }};
}

Answer policy_check_answer(const PolicyCheck& check) {
  return {.document = [&check] { return check_document(check); }, .json = [&check] { return check_json(check); }};
}

// The evidence of a derived level as JSON.

namespace {

std::string_view word_of(Lack::Kind kind) {
  switch (kind) {
    case Lack::Kind::Architecture:
      return "architecture";
    case Lack::Kind::Library:
      return "library";
    case Lack::Kind::Version:
      return "version";
    case Lack::Kind::Symbol:
      return "symbol";
  }
  return "";
}

Json lack_json(const Lack& lack) {
  Json out = {{"kind", word_of(lack.kind)}, {"arch", name_of(lack.arch)}};
  if (!lack.library.empty()) out["library"] = safe(lack.library);
  if (!lack.names.empty()) out["names"] = texts(lack.names);
  out["has_it"] = texts(lack.has_it);
  out["lacks"] = texts(lack.lacks);
  return out;
}

std::string derivation_json(const Derivation& derivation) {
  Json lacks = Json::array();
  for (const Lack& lack : derivation.lacks) lacks.push_back(lack_json(lack));
  Json unjudged = Json::object();
  for (const auto& [library, families] : derivation.unjudged) unjudged[safe(library)] = texts(families);
  Json arches = Json::array();
  for (const auto& [arch, policy] : derivation.level.policies) arches.push_back(name_of(arch));
  return document_text({{"name", safe(derivation.level.name)},
                        {"base", safe(derivation.base)},
                        {"roots", texts(derivation.roots)},
                        {"architectures", std::move(arches)},
                        {"lacks", std::move(lacks)},
                        {"unjudged", std::move(unjudged)}});
}

}  // namespace

Answer evidence_answer(const Derivation& derivation) {
  return {.document = [&derivation] { return evidence_document(derivation); },
          .json = [&derivation] { return derivation_json(derivation); }};
}

}  // namespace wheelcheck::report
