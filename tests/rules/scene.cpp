#include "tests/rules/scene.h"

#include <fmt/format.h>

#include <stdexcept>

namespace wheelcheck::test {

Scene::Scene(WheelFacts facts, Arch arch) : wheel(std::move(facts)) {
  resolution = resolve_by_name(wheel);
  assessment.arch = arch;
  for (const char* name : {"linux", "manylinux_2_34", "manylinux_2_28", "manylinux_2_17"})
    assessment.level_names.push_back(std::string(name) + '_' + std::string(name_of(arch)));
  assessment.levels.resize(assessment.level_names.size());
  assessment.best = LevelIndex{3};
  assessment.files = wheel.elfs.size();
}

Scene::Scene(const WheelBuilder& builder) : Scene(builder.build()) {}
Scene::Scene(Scene&&) noexcept = default;
Scene::~Scene() = default;

Scene& Scene::requires_at(std::string_view file, decltype(Requirement::what) what, const std::string& newest_unmet) {
  const RequirementIndex index{static_cast<std::uint32_t>(assessment.requirements.size())};
  assessment.requirements.push_back({elf_at(wheel, file), std::move(what)});
  bool unmet = false;
  for (std::uint32_t i = 1; i < assessment.levels.size(); ++i) {
    unmet = unmet || (!newest_unmet.empty() && assessment.level_names[i].starts_with(newest_unmet + '_'));
    if (!unmet) continue;
    assessment.levels[i].unmet_requirements.push_back(index);
    assessment.best = std::min(assessment.best, LevelIndex{i - 1});
  }
  return *this;
}

NeededFound& Scene::needed(std::string_view file, std::string_view library) {
  for (NeededFound& found : resolution.needed[elf_at(wheel, file).value])
    if (found.name == library) return found;
  throw std::invalid_argument("no such DT_NEEDED: " + std::string(library));
}

std::vector<Claim> Scene::claims() const {
  std::vector<Claim> result;
  for (const PlatformTag& tag : wheel.name.platforms) {
    Claim claim{.tag = tag, .in_name = true, .in_wheel_file = true};
    for (std::uint32_t i = 1; i < assessment.level_names.size(); ++i) {
      if (tag.canonical != assessment.level_names[i]) continue;
      claim.assessment = 0;
      claim.level = LevelIndex{i};
      claim.unmet_requirements = assessment.levels[i].unmet_requirements;
      claim.tag_result = claim.unmet_requirements.empty() ? TagResult::Compatible : TagResult::Incompatible;
    }
    if (tag.family == PlatformTag::Family::Linux || tag.family == PlatformTag::Family::Any)
      claim.tag_result = TagResult::NoMinimum;
    if (claim.tag_result == TagResult::Unknown) claim.reason = "no policy is known for it";
    if (claim.tag_result == TagResult::Incompatible) claim.reason = "its obstacles";
    result.push_back(claim);
  }
  return result;
}

std::vector<Finding> Scene::run(std::string rule) const { return run(std::move(rule), claims()); }

std::vector<Finding> Scene::run(std::string rule, const std::vector<Claim>& with) const {
  EXPECT_NE(find_rule(rule), nullptr) << rule;
  return run(rules::RuleSelection{.select = {std::move(rule)}, .ignore = {}}, with);
}

std::vector<Finding> Scene::run(const rules::RuleSelection& selection, const std::vector<Claim>& with) const {
  static const Result<Knowledge> knowledge = load_knowledge({});
  EXPECT_TRUE(knowledge.has_value());
  Analysis analysis = analyse(wheel, resolution, *knowledge, options);
  for (const auto& [elf, package] : packages) analysis.elfs[elf.value].package = package;
  std::vector<Finding> findings = rules::run_rules(
      {wheel, resolution, {&assessment, 1}, with, analysis, *knowledge, options, providers, &required}, selection);
  for (const Finding& finding : findings) check_words(finding);
  return findings;
}

void call_without_end(WheelFacts& wheel, const PythonCall& call) {
  PythonFile& file = wheel.python.emplace_back(PythonFile{.member = *find_member(wheel.members, "foo/__init__.py")});
  for (std::uint32_t unit = 0; unit < 30; ++unit) {
    file.units.push_back({.name = unit == 0 ? "" : fmt::format("f{}", unit), .first = 2 * unit, .count = 2});
    for (int i = 0; i < 2; ++i) file.events.push_back({.action = PythonAction::Call, .target = unit + 1});
  }
  const bool sets_flags = call.call == LoadCall::SetDlopenFlags;
  file.units.push_back({.name = "last", .first = 60, .count = 1});
  file.events.push_back({.action = sets_flags ? PythonAction::SetFlags : PythonAction::Load, .call = 0});
  file.calls = {call};
  wheel.all_python = true;
}

std::string evidence(const Finding& finding, std::string_view label) {
  for (const Evidence& one : finding.evidence)
    if (one.label == label) return one.value;
  return "";
}

}  // namespace wheelcheck::test
