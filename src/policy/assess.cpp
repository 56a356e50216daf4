// Compares requirements with levels. policy/requirements.cpp lists first, without looking at any level, what the files
// require of a system: machine, instruction set, libraries, symbol versions, symbols. Then each level says which of
// them it does not meet. The list is the same at every level of a policy family, so that the met ones can be counted
// and a user sees how far a wheel is from a level. auditwheel finds the lowest level for each kind of requirement and
// keeps the lowest of these; then nobody can say what stands between a wheel and the next older level.
#include "policy/assess.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "policy/requirements.h"
#include "policy/wheel_levels.h"

namespace wheelcheck::policy {
namespace {

using Family = PlatformTag::Family;

// Decides whether a level meets a requirement.
class Judge {
 public:
  Judge(Family family, const std::vector<Requirement>& list) : family_(family) {
    for (const Requirement& requirement : list)
      if (const auto* required = std::get_if<LibraryRequirement>(&requirement.what))
        asked_.emplace(requirement.elf, required->library);
  }

  bool meets(const Policy& level, const Requirement& requirement) const {
    return std::visit([&](const auto& what) { return gives(level, requirement.elf, what); }, requirement.what);
  }

 private:
  bool gives(const Policy& level, ElfIndex, const LibraryRequirement& what) const {
    return is_libpython(what.library) ? level.allows_libpython : level.libraries.contains(what.library);
  }
  bool gives(const Policy& level, ElfIndex elf, const VersionRequirement& what) const {
    // If the level does not allow a library, the library is the unmet requirement, not each of its nodes. If no
    // DT_NEEDED names that library, the node is the unmet requirement: glibc stops the process (elf/dl-version.c,
    // _dl_check_map_versions).
    const bool allowed = level.libraries.contains(what.library) || is_loader(what.library, family_);
    if (!allowed) return asked_.contains(std::pair(elf, std::string_view(what.library)));
    return has_node(level, what.version);
  }
  bool gives(const Policy& level, ElfIndex, const SymbolRequirement& what) const {
    const auto denied = level.denied_symbols.find(what.library);
    return denied == level.denied_symbols.end() || !denied->second.contains(what.symbol);
  }
  bool gives(const Policy&, ElfIndex, const IsaRequirement&) const { return false; }
  bool gives(const Policy&, ElfIndex, const MachineRequirement&) const { return false; }
  bool gives(const Policy&, ElfIndex, const InterpreterRequirement&) const { return false; }
  bool gives(const Policy&, ElfIndex, const MissingVersionRequirement&) const { return false; }

  // Compares the whole name of the node: a level has exactly the nodes that it lists.
  static bool has_node(const Policy& level, std::string_view node) {
    if (node == "GLIBC_PRIVATE") return false;  // used only between the files of one glibc build
    const std::size_t end = node.find('_');
    const auto family = level.versions.find(node.substr(0, end));
    if (family == level.versions.end()) return true;
    return end != node.npos && family->second.contains(node.substr(end + 1));
  }

  struct RequiredLess {
    using is_transparent = void;
    bool operator()(const auto& a, const auto& b) const {
      if (a.first != b.first) return a.first < b.first;
      return std::string_view(a.second) < std::string_view(b.second);
    }
  };

  Family family_;
  std::set<std::pair<ElfIndex, std::string>, RequiredLess> asked_;
};

// True for a library that the newest level allows and a family that no level lists. has_node accepts every node of such
// a family.
bool is_unknown(const WheelLevels& levels, const Requirement& requirement) {
  const auto* const required = std::get_if<VersionRequirement>(&requirement.what);
  if (required == nullptr || levels.levels.size() < 2) return false;
  const Policy& newest = *levels.levels[1];
  if (newest.versions.empty() || !newest.libraries.contains(required->library)) return false;
  const std::string_view family = std::string_view(required->version).substr(0, required->version.find('_'));
  return std::none_of(levels.levels.begin() + 1, levels.levels.end(),
                      [&](const Policy* level) { return level->versions.contains(family); });
}

bool stands(const LevelScore& score) { return score.unmet_requirements.empty(); }

LevelIndex best_of(const WheelLevels& levels, const std::vector<LevelScore>& scores, const TargetPlatform& targets) {
  const auto count = static_cast<std::uint32_t>(scores.size());
  const auto is_claimed = [&](std::uint32_t i) {
    return std::ranges::find(targets.claimed, levels.levels[i]->libc) != targets.claimed.end();
  };
  for (std::uint32_t i = count; i-- > 1;)
    if (stands(scores[i]) && (levels.distinguishes_levels || is_claimed(i))) return LevelIndex{i};
  if (levels.distinguishes_levels) return LevelIndex{0};
  for (std::uint32_t i = 1; i < count; ++i)
    if (stands(scores[i])) return LevelIndex{i};
  return LevelIndex{0};
}

Assessment assess_one(const Subject& subject, const PolicySet& policies, const TargetPlatform& targets) {
  WheelLevels levels = wheel_levels_of(policies, targets);
  Requirements requirements = requirements_of(subject, targets, levels);
  Assessment result;
  result.family = targets.family;
  result.arch = targets.arch;
  result.requirements = std::move(requirements.list);
  result.files = requirements.files;
  result.levels.resize(levels.levels.size());
  const Judge judge(targets.family, result.requirements);
  for (std::uint32_t i = 0; i < result.requirements.size(); ++i) {
    const Requirement& requirement = result.requirements[i];
    // `linux` limits only the machine.
    if (std::holds_alternative<MachineRequirement>(requirement.what))
      result.levels[0].unmet_requirements.push_back(RequirementIndex{i});
    for (std::size_t level = 1; level < result.levels.size(); ++level)
      if (!judge.meets(*levels.levels[level], requirement))
        result.levels[level].unmet_requirements.push_back(RequirementIndex{i});
    if (is_unknown(levels, requirement)) result.unknown_versions.push_back(RequirementIndex{i});
  }
  result.best = best_of(levels, result.levels, targets);
  result.level_names = std::move(levels.names);
  return result;
}

}  // namespace

std::vector<Assessment> assess(const WheelFacts& wheel, const Resolution& resolution,
                               std::span<const WheelFacts> providers, const PolicySet& policies,
                               std::span<const TargetPlatform> targets) {
  const Subject subject{wheel, resolution, providers};
  std::vector<Assessment> result;
  result.reserve(targets.size());
  for (const TargetPlatform& one : targets) result.push_back(assess_one(subject, policies, one));
  return result;
}

std::vector<Assessment> assess_claims_or_content(const WheelFacts& wheel, const Resolution& resolution,
                                                 std::span<const WheelFacts> providers, const PolicySet& policies) {
  const auto assess_all = [&](std::span<const TargetPlatform> targets) {
    return assess(wheel, resolution, providers, policies, targets);
  };
  std::vector<Assessment> assessments = assess_all(claimed_targets(wheel, policies));
  const auto judged_none = [](const Assessment& assessment) { return assessment.files == 0; };
  if (std::ranges::all_of(assessments, judged_none))
    for (Assessment& found : assess_all(targets_of_content(wheel)))
      if (found.files > 0) assessments.push_back(std::move(found));
  return assessments;
}

}  // namespace wheelcheck::policy
