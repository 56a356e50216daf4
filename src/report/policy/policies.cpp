// Levels and their differences as aligned text, as a Markdown table for a PEP, and as JSON.
#include "report/policy/policies.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "report/shared/json_text.h"
#include "report/shared/text.h"

namespace wheelcheck::report {

namespace {

std::string arches_of(const policy::Level& level) {
  std::vector<std::string> names;
  for (const auto& [arch, promised] : level.policies) names.emplace_back(name_of(arch));
  return join(names, " ");
}

std::string words(std::span<const std::string> list, std::size_t used, std::size_t indent, const Paint& paint) {
  std::vector<std::string> shown;
  for (const std::string& word : list) shown.push_back(escape(word));
  return paint.wrapped(join(shown, " "), used, indent);
}
std::vector<std::string> natural(const StringSet& set) {
  std::vector<std::string> out(set.begin(), set.end());
  std::ranges::sort(out, NaturalLess{});
  return out;
}

std::string labelled(std::string_view label, std::span<const std::string> list, const Paint& paint) {
  const std::size_t indent = 14;
  return fmt::format("  {} {}\n", padded(escape(label), indent - 3), words(list, indent, indent, paint));
}

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
std::vector<std::pair<std::string, const ArchChange*>> grouped(const PolicyChange& change) {
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

std::string render_levels_text(std::span<const policy::Level> levels, const Paint& paint) {
  std::size_t width = 0, aliases = 0;
  for (const policy::Level& level : levels) {
    width = std::max(width, level.name.size());
    aliases = std::max(aliases, join(level.aliases, " ").size());
  }
  std::string out;
  for (const policy::Level& level : levels) {
    const std::string start = fmt::format("{}  {}  {:<5}  ", padded(level.name, width),
                                          padded(join(level.aliases, " "), aliases), to_string(level.libc));
    out += fmt::format("{}{}\n", start, paint.wrapped(arches_of(level), start.size(), start.size()));
  }
  return out;
}

std::string render_level_text(const policy::Level& level, const Paint& paint) {
  std::string out = level.name;
  if (!level.aliases.empty()) out += fmt::format(" (= {})", join(level.aliases, ", "));
  out += fmt::format(": libc {}\n", to_string(level.libc));
  for (const auto& [arch, promised] : level.policies) {
    out += fmt::format("\n{}\n", name_of(arch));
    for (const auto& [family, nodes] : promised.versions) out += labelled(family, natural(nodes), paint);
    out += labelled("libraries", natural(promised.libraries), paint);
    for (const auto& [library, symbols] : promised.denied_symbols)
      out +=
          fmt::format("  denied of {}: {}\n", escape(library), words(natural(symbols), library.size() + 13, 4, paint));
  }
  return out;
}

std::string render_policy_change_text(const PolicyChange& change, const Paint& paint) {
  if (change.architectures.empty()) return fmt::format("{} and {} allow the same\n", change.from, change.to);
  std::string out = fmt::format("{} -> {}\n", change.from, change.to);
  for (const auto& [names, arch] : grouped(change)) {
    if (arch->presence != Presence::Both) {
      out += fmt::format("\n{}: only in {}\n", names, arch->presence == Presence::New ? change.to : change.from);
      continue;
    }
    out += fmt::format("\n{}\n", names);
    for (const PolicyLine& line : lines_of(*arch)) {
      const std::string start = fmt::format("  {}  ", padded(line.what, 10));
      out += fmt::format("{}{}\n", start,
                         paint.wrapped(marked(line.change->added, line.change->removed), start.size(), 14));
    }
  }
  return out;
}

std::string render_policy_change_markdown(const PolicyChange& change) {
  std::string out = fmt::format("From {} to {}:\n\n", markdown_code(change.from), markdown_code(change.to));
  if (change.architectures.empty()) return out + "nothing changes.\n";
  out += "| architecture | list | added | removed |\n|---|---|---|---|\n";
  const auto cell = [](const std::vector<std::string>& list) {
    std::vector<std::string> shown;
    for (const std::string& word : list) shown.push_back(markdown_code(word));
    return join(shown, " ");
  };
  for (const auto& [names, arch] : grouped(change)) {
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

std::string render_policy_check_text(const PolicyCheck& check) {
  std::string out;
  std::size_t errors = 0, warnings = 0;
  for (const PolicyProblem& problem : check.problems) {
    const std::string start =
        fmt::format("{}:{}: {} {}: ", escape(problem.file), problem.pointer.empty() ? "/" : escape(problem.pointer),
                    name_of(problem.severity), problem.code);
    out += start + problem.message + "\n";
    ++(problem.severity == Severity::Error ? errors : warnings);
  }
  out += fmt::format("{}, {}: {}, {}\n", plural(check.files, "file"), plural(check.levels, "level"),
                     plural(errors, "error"), plural(warnings, "warning"));
  return out;
}

// The evidence for a derived level as text, by architecture, then library.

namespace {

std::string escaped(const std::vector<std::string>& words, std::string_view between) {
  std::vector<std::string> out;
  for (const std::string& word : words) out.push_back(escape(word, 200));
  return join(out, between);
}

std::string counts(const Policy& policy) {
  std::vector<std::string> parts = {plural(policy.libraries.size(), "library", "libraries")};
  for (const auto& [family, nodes] : policy.versions)
    parts.push_back(fmt::format("{} of {}", plural(nodes.size(), "node"), escape(family)));
  std::size_t denied = 0;
  for (const auto& [library, symbols] : policy.denied_symbols) denied += symbols.size();
  if (denied > 0) parts.push_back(fmt::format("{} denied", plural(denied, "symbol")));
  return join(parts, ", ");
}

std::string line_of(const Lack& lack, const Paint& paint) {
  const std::string who = lack.has_it.empty() ? fmt::format("no root has {}", lack.names.size() > 1 ? "them" : "it")
                                              : fmt::format("not in {}", escaped(lack.lacks, ", "));
  const std::string library = escape(lack.library);
  std::string start;
  switch (lack.kind) {
    case Lack::Kind::Architecture:
      return fmt::format("  not in {}, which is therefore not compared\n", escaped(lack.lacks, ", "));
    case Lack::Kind::Library:
      return fmt::format("  {}: left out, {}\n", library, who);
    case Lack::Kind::Version:
      start = fmt::format("  {}: {} left out, {}: ", library, plural(lack.names.size(), "node"), who);
      break;
    case Lack::Kind::Symbol:
      start = fmt::format("  {}: {} denied, {}: ", library, plural(lack.names.size(), "symbol"), who);
      break;
  }
  return start + paint.wrapped(escaped(lack.names, " "), start.size(), 4) + "\n";
}

}  // namespace

std::string render_evidence_text(const Derivation& derivation, const Paint& paint) {
  std::string out =
      fmt::format("{}: what {} offer{} of the libraries of {}\n", derivation.level.name,
                  escaped(derivation.roots, ", "), derivation.roots.size() == 1 ? "s" : "", escape(derivation.base));
  for (const auto& [arch, policy] : derivation.level.policies) {
    out += fmt::format("\n{}\n  {}\n", name_of(arch), paint.wrapped(counts(policy), 2, 2));
    for (const Lack& lack : derivation.lacks)
      if (lack.arch == arch) out += line_of(lack, paint);
  }
  if (derivation.unjudged.empty()) return out;
  out += "\nnodes that are not judged, as the base lists none of their family\n";
  for (const auto& [library, families] : derivation.unjudged)
    out += fmt::format("  {}: {}\n", escape(library), escaped(families, " "));
  return out;
}

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

std::string row(std::string_view left, std::size_t width, std::string_view right, const Paint& paint) {
  const std::string start = fmt::format("  {}  ", padded(left, width));
  return start + paint.wrapped(right, start.size(), start.size()) + "\n";
}

}  // namespace

std::string render_meanings_text(std::string_view word, std::span<const WordMeaning> meanings, const Paint& paint) {
  std::string out;
  for (const WordMeaning& meaning : meanings) {
    if (!out.empty()) out += "\n";
    out += fmt::format("{}: {} of {}\n", escape(word), word_of(meaning.kind), name_of(meaning.family));
    std::size_t width = 0;
    const auto left = [](const PromisedSince& one) {
      return one.level.empty() ? std::string("in no level") : fmt::format("since {}", escape(one.level));
    };
    for (const PromisedSince& one : meaning.since) width = std::max(width, left(one).size());
    for (const PromisedSince& one : meaning.since) out += row(left(one), width, join(names(one.arches), " "), paint);
    for (const DeniedAt& one : meaning.denied) {
      const std::string library = fmt::format("denied of {}", escape(one.library));
      out += row(library, library.size(), escape(join(one.levels, " ")), paint);
    }
  }
  return out;
}

std::string render_meanings_json(std::string_view word, std::span<const WordMeaning> meanings) {
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
  return Json{{"word", safe(word)}, {"meanings", std::move(out)}}.dump(2) + "\n";
}

std::string render_mistake_text(const PolicyMistake& mistake, const Paint& paint) {
  return fmt::format("{} {} ({})\n\n{}\n", mistake.code, mistake.name, name_of(mistake.severity),
                     paint.wrapped(mistake.text, 0, 0));
}

std::string render_mistake_json(const PolicyMistake& mistake) {
  const Json out = {
      {"code", mistake.code}, {"name", mistake.name}, {"severity", name_of(mistake.severity)}, {"text", mistake.text}};
  return out.dump(2) + "\n";
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

}  // namespace

std::string render_levels_json(std::span<const policy::Level> levels) {
  Json out = Json::array();
  for (const policy::Level& level : levels) {
    Json arches = Json::array();
    for (const auto& [arch, promised] : level.policies) arches.push_back(name_of(arch));
    out.push_back({{"name", safe(level.name)},
                   {"aliases", texts(level.aliases)},
                   {"libc", to_string(level.libc)},
                   {"architectures", std::move(arches)}});
  }
  return Json{{"levels", std::move(out)}}.dump(2) + "\n";
}

std::string render_policy_change_json(const PolicyChange& change) { return change_json(change).dump(2) + "\n"; }

std::string render_policy_changes_json(std::span<const PolicyChange> changes) {
  Json out = Json::array();
  for (const PolicyChange& change : changes) out.push_back(change_json(change));
  return Json{{"changes", std::move(out)}}.dump(2) + "\n";
}

std::string render_policy_check_json(const PolicyCheck& check) {
  Json problems = Json::array();
  for (const PolicyProblem& problem : check.problems)
    problems.push_back({{"code", problem.code},
                        {"severity", name_of(problem.severity)},
                        {"file", safe(problem.file)},
                        {"pointer", safe_long(problem.pointer)},
                        {"message", safe_long(problem.message)}});
  return Json{{"files", check.files}, {"levels", check.levels}, {"problems", std::move(problems)}}.dump(2) + "\n";
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

}  // namespace

std::string render_evidence_json(const Derivation& derivation) {
  Json lacks = Json::array();
  for (const Lack& lack : derivation.lacks) lacks.push_back(lack_json(lack));
  Json unjudged = Json::object();
  for (const auto& [library, families] : derivation.unjudged) unjudged[safe(library)] = texts(families);
  Json arches = Json::array();
  for (const auto& [arch, policy] : derivation.level.policies) arches.push_back(name_of(arch));
  const Json out = {{"name", safe(derivation.level.name)}, {"base", safe(derivation.base)},
                    {"roots", texts(derivation.roots)},    {"architectures", std::move(arches)},
                    {"lacks", std::move(lacks)},           {"unjudged", std::move(unjudged)}};
  return out.dump(2) + "\n";
}

}  // namespace wheelcheck::report
