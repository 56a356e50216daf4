// The differences for one wheel between two sets of levels.
//
// A change of a policy moves wheels: one meets an older level than before (more systems can install it), or a newer
// one, or none. Both sets are applied to the same facts, and for each tag the level before and after is compared by
// libc version, because levels may be renamed or inserted. count.cpp adds up the wheels and names for each loss the
// requirement that causes most of them.
#include "simulate/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

namespace wheelcheck {

namespace simulate_levels {
namespace {

// A level of a policy family in one set of levels.
struct LevelOfFamily {
  const Assessment& assessment;
  LevelIndex level;

  const std::string& name() const { return assessment.level_names[level.value]; }
};

std::optional<LevelIndex> find_level(const Assessment& assessment, std::string_view name) {
  const auto at = std::ranges::find(assessment.level_names, name);
  if (at == assessment.level_names.end()) return std::nullopt;
  return LevelIndex{static_cast<std::uint32_t>(at - assessment.level_names.begin())};
}

// The libc version of a level. If its name does not contain it, it comes from `own`.
Version libc_of(const LevelOfFamily& place, const OwnLevels& own) {
  const PlatformTag tag = parse_platform_tag(place.name());
  if (tag.family == place.assessment.family) return tag.libc;
  std::string_view longest;
  Version libc;
  for (const auto& [name, of] : own) {
    if (name.size() <= longest.size() || !place.name().starts_with(name + '_')) continue;
    longest = name;
    libc = of;
  }
  return libc;
}

// A change to an older level is a gain, because more systems can install the wheel.
Shift shift_of(const LevelOfFamily& before, const LevelOfFamily& after, const OwnLevels& own) {
  if (before.name() == after.name()) return Shift::Same;
  if (before.level.value == 0) return Shift::Gains;
  if (after.level.value == 0) return Shift::Loses;
  const Version old = libc_of(before, own), now = libc_of(after, own);
  if (old != now) return now < old ? Shift::Gains : Shift::Loses;
  if (const auto there = find_level(before.assessment, after.name()))
    return *there > before.level ? Shift::Gains : Shift::Loses;
  if (const auto there = find_level(after.assessment, before.name()))
    return *there < after.level ? Shift::Gains : Shift::Loses;
  return Shift::Same;
}

// The level that judges a level: the same one, else the newest older one (PEP 600).
std::optional<LevelIndex> judge_of(const Assessment& assessment, const LevelOfFamily& level, const OwnLevels& own) {
  if (const auto same = find_level(assessment, level.name())) return same;
  const Version libc = libc_of(level, own);
  for (std::uint32_t i = 1; i < assessment.level_names.size(); ++i)
    if (libc_of({assessment, LevelIndex{i}}, own) < libc) return LevelIndex{i};
  return std::nullopt;
}

class Comparer {
 public:
  Comparer(const WheelFacts& wheel, const Side& before, const Side& after, const OwnLevels& own)
      : wheel_(wheel), before_(before), after_(after), own_(own) {}

  SimulatedWheel run() {
    out_.path = wheel_.path;
    out_.file = wheel_.file;
    out_.best_before = before_.verdict.best_tags;
    out_.best_after = after_.verdict.best_tags;
    for (const Assessment& old : before_.assessments) {
      const auto now = find(after_, old);
      now == nullptr ? add_alone(old, old.level_names[old.best.value], "") : policy_levels(old, *now);
    }
    for (const Assessment& now : after_.assessments)
      if (find(before_, now) == nullptr) add_alone(now, "", now.level_names[now.best.value]);
    for (const Claim& old : before_.verdict.claims) {
      const auto now = std::ranges::find(after_.verdict.claims, old.tag.text,
                                         [](const Claim& claim) -> const std::string& { return claim.tag.text; });
      if (now != after_.verdict.claims.end()) claim(old, *now);
    }
    finish();
    return std::move(out_);
  }

 private:
  static const Assessment* find(const Side& side, const Assessment& like) {
    const auto at = std::ranges::find_if(side.assessments, [&](const Assessment& assessment) {
      return assessment.family == like.family && assessment.arch == like.arch;
    });
    return at == side.assessments.end() ? nullptr : &*at;
  }

  // For a policy family that only one of the two sets has.
  void add_alone(const Assessment& assessment, std::string before, std::string after) {
    if (assessment.files > 0) add(assessment, std::move(before), std::move(after));
  }
  SimulatedLevels& add(const Assessment& assessment, std::string before, std::string after) {
    return out_.level_sets.emplace_back(
        SimulatedLevels{fmt::format("{} {}", name_of(assessment.family), name_of(assessment.arch)), std::move(before),
                        std::move(after), Shift::Same});
  }

  void policy_levels(const Assessment& old, const Assessment& now) {
    const LevelOfFamily before{old, old.best}, after{now, now.best};
    if (old.files == 0) return;  // no files, so the levels do not apply
    SimulatedLevels& policy_levels = add(old, before.name(), after.name());
    policy_levels.shift = shift_of(before, after, own_);
    if (policy_levels.shift == Shift::Same) return;
    const bool lost = policy_levels.shift == Shift::Loses;
    const Assessment& refuses = lost ? now : old;
    if (const auto level = judge_of(refuses, lost ? before : after, own_))
      collect(refuses, refuses.levels[level->value].unmet_requirements, lost);
  }

  void claim(const Claim& old, const Claim& now) {
    const bool kept = old.tag_result == TagResult::Compatible, keeps = now.tag_result == TagResult::Compatible;
    const Shift shift = kept == keeps ? Shift::Same : keeps ? Shift::Gains : Shift::Loses;
    out_.claims.push_back({old.tag.text, old.tag_result, now.tag_result, shift});
    if (shift == Shift::Same) return;
    const bool lost = shift == Shift::Loses;
    const Claim& refused = lost ? now : old;
    if (refused.assessment)
      collect((lost ? after_ : before_).assessments[*refused.assessment], refused.unmet_requirements, lost);
  }

  void collect(const Assessment& assessment, const std::vector<RequirementIndex>& unmet_requirements, bool lost) {
    for (const RequirementIndex index : unmet_requirements) {
      const Requirement& requirement = assessment.requirements[index.value];
      auto& files = causes_[{lost, key_of(requirement)}];
      files.try_emplace(requirement.elf, &requirement);
    }
  }

  void finish() {
    for (const auto& [key, files] : causes_) {
      SimulatedCause& cause = out_.causes.emplace_back(SimulatedCause{*files.begin()->second, key.first, {}});
      for (const auto& [elf, requirement] : files)
        cause.files.push_back({path_of(wheel_, elf), symbols_of(*requirement)});
    }
    bool gains = false, loses = false;
    const auto take = [&](const auto& list) {
      for (const auto& one : list) {
        gains = gains || one.shift == Shift::Gains;
        loses = loses || one.shift == Shift::Loses;
      }
    };
    take(out_.claims);
    out_.loses_claim = loses;
    take(out_.level_sets);
    out_.shift = gains && loses ? Shift::Mixed : gains ? Shift::Gains : loses ? Shift::Loses : Shift::Same;
  }

  const WheelFacts& wheel_;
  const Side &before_, &after_;
  const OwnLevels& own_;
  SimulatedWheel out_;
  std::map<std::pair<bool, CauseKey>, std::map<ElfIndex, const Requirement*>> causes_;
};

}  // namespace

SimulatedWheel compare(const WheelFacts& wheel, const Side& before, const Side& after, const OwnLevels& own) {
  return Comparer(wheel, before, after, own).run();
}

}  // namespace simulate_levels

}  // namespace wheelcheck

namespace wheelcheck::simulate_levels {

namespace {

struct Key {
  std::size_t kind;

  CauseKey operator()(const MachineRequirement& required) const {
    return {kind, "", std::string(name_of(required.arch))};
  }
  CauseKey operator()(const IsaRequirement& required) const { return {kind, "", std::to_string(required.level)}; }
  CauseKey operator()(const LibraryRequirement& required) const { return {kind, required.library, ""}; }
  CauseKey operator()(const VersionRequirement& required) const { return {kind, required.library, required.version}; }
  CauseKey operator()(const SymbolRequirement& required) const { return {kind, required.library, required.symbol}; }
  CauseKey operator()(const InterpreterRequirement& required) const { return {kind, "", required.symbol}; }
  CauseKey operator()(const MissingVersionRequirement& required) const {
    return {kind, required.library, required.version};
  }
};

}  // namespace

CauseKey key_of(const Requirement& requirement) { return std::visit(Key{requirement.what.index()}, requirement.what); }

std::vector<std::string> symbols_of(const Requirement& requirement) {
  if (const auto* const version = std::get_if<VersionRequirement>(&requirement.what)) return version->symbols;
  if (const auto* const denied = std::get_if<SymbolRequirement>(&requirement.what)) return {denied->symbol};
  return {};
}

}  // namespace wheelcheck::simulate_levels
