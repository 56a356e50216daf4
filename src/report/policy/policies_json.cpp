// Levels, differences and diagnostics of policies as JSON.

#include <string>
#include <string_view>

#include "report/policy/derivation.h"
#include "report/policy/policies.h"
#include "report/shared/json_text.h"

namespace wheelcheck::report {

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
