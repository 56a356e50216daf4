// A wheel's claims, score, files and findings as JSON. All keys are in docs/report.schema.json; a test verifies it.
#include "report/check/json_wheel.h"

#include <variant>

#include "report/answers/answers.h"
#include "report/check/report_form.h"
#include "report/shared/levels.h"
#include "report/shared/names.h"
#include "report/shared/text.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::report {
namespace {

Json indices(const std::vector<RequirementIndex>& list) {
  Json out = Json::array();
  for (const RequirementIndex index : list) out.push_back(index.value);
  return out;
}

Json metadata_json(const WheelFacts& wheel) {
  Json out = {
      {"dist_info", maybe(wheel.dist_info)}, {"wheel", nullptr}, {"metadata", nullptr}, {"record_rows", nullptr}};
  if (wheel.wheel) out["wheel"] = facts_json(*wheel.wheel);
  if (wheel.metadata) out["metadata"] = facts_json(*wheel.metadata);
  if (wheel.record) out["record_rows"] = wheel.record->size();
  return out;
}

Json claims_json(const WheelReport& wheel) {
  Json out = Json::array();
  for (const Claim& claim : wheel.verdict.claims) {
    Json judged = nullptr;
    if (claim.assessment && claim.level)
      judged = safe(wheel.assessments[*claim.assessment].level_names[claim.level->value]);
    out.push_back({{"tag", safe(claim.tag.text)},
                   {"canonical", safe(claim.tag.canonical)},
                   {"in_name", claim.in_name},
                   {"in_wheel_file", claim.in_wheel_file},
                   {"result", tag_result_word(claim.tag_result)},
                   {"assessment", claim.assessment ? Json(*claim.assessment) : Json(nullptr)},
                   {"judged_as", judged},
                   {"unmet_requirements", indices(claim.unmet_requirements)},
                   {"reason", safe(claim.reason)}});
  }
  return out;
}

struct What {
  Json& out;
  void operator()(const MachineRequirement& required) const { out["arch"] = name_of(required.arch); }
  void operator()(const IsaRequirement& required) const { out["level"] = required.level; }
  void operator()(const LibraryRequirement& required) const { out["library"] = safe(required.library); }
  void operator()(const VersionRequirement& required) const {
    out["library"] = safe(required.library);
    out["version"] = safe(required.version);
    out["symbols"] = symbol_texts(required.symbols);
  }
  void operator()(const SymbolRequirement& required) const {
    out["library"] = safe(required.library);
    out["symbol"] = safe_long(required.symbol);
  }
  void operator()(const InterpreterRequirement& required) const { out["symbol"] = safe_long(required.symbol); }
  void operator()(const MissingVersionRequirement& required) const {
    out["library"] = safe(required.library);
    out["version"] = safe(required.version);
  }
};

Json assessment_json(const WheelFacts& facts, const Assessment& assessment) {
  Json requirements = Json::array();
  for (const Requirement& requirement : assessment.requirements)
    requirements.push_back(requirement_json(facts, requirement));
  Json levels = Json::array();
  const std::size_t total = assessment.requirements.size();
  for (std::size_t i = 0; i < assessment.levels.size(); ++i) {
    const std::vector<RequirementIndex>& unmet_requirements = assessment.levels[i].unmet_requirements;
    levels.push_back({{"tag", safe(assessment.level_names[i])},
                      {"met", total - unmet_requirements.size()},
                      {"total", total},
                      {"unmet_requirements", indices(unmet_requirements)}});
  }
  return {{"family", name_of(assessment.family)},
          {"arch", name_of(assessment.arch)},
          {"best_tag", safe(assessment.level_names[assessment.best.value])},
          {"files", assessment.files},
          {"requirements", std::move(requirements)},
          {"levels", std::move(levels)}};
}

Json finding_at(const WheelReport& wheel, const Finding& finding) {
  Json out = finding_json(finding, place_text(wheel.facts, finding.place), place_path(wheel.facts, finding.place));
  out["fixable"] = finding.fixable;
  return out;
}

Json ignored_json(const WheelReport& wheel) {
  Json out = Json::array();
  for (const IgnoredFinding& ignored : wheel.ignored)
    out.push_back({{"finding", finding_at(wheel, ignored.finding)},
                   {"ignored_by", safe(ignored.by.where)},
                   {"reason", safe(ignored.by.reason)}});
  return out;
}

Json mended_json(const WheelReport& wheel) {
  Json out = Json::array();
  for (const KnownFinding& finding : wheel.resolved)
    out.push_back({{"code", safe(finding.code)},
                   {"member", safe(finding.member)},
                   {"message", safe_long(finding.message)},
                   {"fingerprint", finding.fingerprint}});
  return out;
}

Json flaws_json(const WheelFacts& wheel) {
  Json out = Json::array();
  for (const WheelFlaw& flaw : wheel.flaws) {
    Json& one = out.emplace_back(facts_json(flaw));
    if (flaw.member) one["member"] = safe(wheel.members[flaw.member->value].path.text());
  }
  return out;
}

Json sources_json(const Resolution& resolution) {
  Json out = Json::array();
  for (const LibrarySource& source : resolution.sources)
    out.push_back({{"kind", name_in(enum_names<LibrarySource::Kind>, source.kind)},
                   {"name", safe(source.name)},
                   {"extras", texts(source.extras)},
                   {"libraries", texts(source.libraries)}});
  return out;
}

Json foreign_json(const WheelFacts& wheel) {
  Json out = Json::array();
  for (const MemberFacts& member : wheel.members)
    if (member.foreign != ForeignKind::None)
      out.push_back({{"member", safe(member.path.text())}, {"kind", name_of(member.foreign)}, {"size", member.size}});
  return out;
}

Json wheel_json(const Report& report, const WheelReport& wheel) {
  const Subject subject{wheel, report.providers};
  Json assessments = Json::array(), elfs = Json::array();
  for (const Assessment& assessment : wheel.assessments)
    assessments.push_back(assessment_json(wheel.facts, assessment));
  for (std::uint32_t i = 0; i < wheel.facts.elfs.size(); ++i) elfs.push_back(elf_json(subject, ElfIndex{i}));
  Json out = {{"type", "wheel"},
              {"file", safe(wheel.facts.file)},
              {"status", tag_result_word(wheel.verdict.overall())},
              {"failed", wheel.failed},
              {"pure", wheel.verdict.pure},
              {"best_tag", safe(wheel.verdict.best_tag)},
              {"best_tags", texts(wheel.verdict.best_tags)},
              {"claims", claims_json(wheel)},
              {"library_sources", sources_json(wheel.resolution)},
              {"findings", findings_json(wheel, wheel.findings)},
              {"assessments", std::move(assessments)},
              {"name", facts_json(wheel.facts.name)},
              {"size", wheel.facts.size},
              {"members", members_json(wheel.facts)},
              {"dist_info", metadata_json(wheel.facts)},
              {"flaws", flaws_json(wheel.facts)},
              {"elf_files", std::move(elfs)},
              {"foreign_files", foreign_json(wheel.facts)}};
  if (report.configuration) out["ignored"] = ignored_json(wheel);
  if (report.baseline) {
    out["known"] = findings_json(wheel, wheel.known);
    out["resolved"] = mended_json(wheel);
  }
  add_analysis(out, wheel);
  return out;
}

}  // namespace

Json members_json(const WheelFacts& wheel) {
  std::uint64_t size = 0, packed = 0;
  for (const MemberFacts& member : wheel.members) {
    size += member.size;
    packed += member.packed_size;
  }
  return {{"count", wheel.members.size()}, {"size", size}, {"packed_size", packed}, {"hashed", is_hashed(wheel)}};
}

Json finding_json(const Finding& finding, const std::string& place, const std::string& path) {
  Json evidence = Json::array();
  for (const Evidence& item : finding.evidence)
    evidence.push_back({{"label", safe(item.label)}, {"value", safe_long(item.value)}});
  return {{"code", finding.rule->code},
          {"name", finding.rule->name},
          {"severity", name_of(finding.severity)},
          {"confidence", name_of(finding.confidence)},
          {"place", place},
          {"member", path.empty() ? Json(nullptr) : Json(path)},
          {"message", safe_long(finding.message)},
          {"evidence", std::move(evidence)},
          {"fix", safe(finding.fix)}};
}

Json findings_json(const WheelReport& wheel, const std::vector<Finding>& findings) {
  Json out = Json::array();
  for (const Finding& finding : findings) out.push_back(finding_at(wheel, finding));
  return out;
}

Json requirement_json(const WheelFacts& facts, const Requirement& requirement) {
  Json item = {{"kind", kind_of(requirement)}, {"member", safe(member_of(facts, requirement.elf).path.text())}};
  std::visit(What{item}, requirement.what);
  return item;
}

namespace {

Json unreadable_json(const Unreadable& input) {
  return {{"type", "unreadable"},
          {"file", safe(base_name(input.path))},
          {"status", "rejected"},
          {"rule", input.refused() ? Json("WC703") : Json()},
          {"error", name_of(input.error.code)},
          {"message", unreadable_message(input)}};
}

}  // namespace

Json entry_json(const Report& report, const Report::Entry& entry) {
  return entry.wheel ? wheel_json(report, *entry.wheel) : unreadable_json(*entry.unreadable);
}

Answer with_unreadable(Answer answer, std::vector<Unreadable> inputs) {
  if (inputs.empty()) return answer;
  answer.json = [json = std::move(answer.json), inputs = std::move(inputs)] {
    Json document = Json::parse(json());
    for (const Unreadable& input : inputs) document["unreadable"].push_back(unreadable_json(input));
    return document_text(document);
  };
  return answer;
}

void add_terms(Json& out, const Report& report) {
  if (report.configuration)
    out["configuration"] = {{"file", safe(report.configuration->name)}, {"sha256", report.configuration->sha256}};
  if (report.baseline) out["baseline"] = safe(*report.baseline);
}

Json summary_json(const Report& report) {
  std::size_t wheels = 0, unreadable = 0, broken = 0, failed = 0;
  for (const Report::Entry& entry : report.entries) {
    unreadable += entry.unreadable ? 1u : 0u;
    if (!entry.wheel) continue;
    ++wheels;
    broken += entry.wheel->verdict.overall() == TagResult::Incompatible ? 1u : 0u;
    failed += entry.wheel->failed ? 1u : 0u;
  }
  return {{"wheels", wheels},        {"unreadable", unreadable},    {"incompatible", broken}, {"failed", failed},
          {"errors", report.errors}, {"warnings", report.warnings}, {"notes", report.notes}};
}

}  // namespace wheelcheck::report
