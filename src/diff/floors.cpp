// The highest version nodes that files require of the platform, in both releases.

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "diff/compare.h"
#include "model/highest_version.h"
#include "wheelcheck/version.h"

namespace wheelcheck::diff {

namespace {

using Floors = std::map<std::string_view, Floor, NaturalLess>;

std::vector<Floors> floors_by_elf(const WheelReport& wheel) {
  std::vector<Floors> out;
  for (std::uint32_t i = 0; i < wheel.facts.elfs.size(); ++i)
    out.push_back(is_host_code(wheel.facts.elfs[i]) ? floors_of(wheel, ElfIndex{i}) : Floors{});
  return out;
}

Course course_of(std::string_view old, std::string_view now) {
  if (old == now) return Course::Same;
  if (old.empty()) return Course::Added;
  if (now.empty()) return Course::Removed;
  return natural_order(old, now) < 0 ? Course::Raised : Course::Lowered;
}

// The sort order: raised, added, lowered, removed; within each, the number of files.
bool is_graver_floor_change(const FloorChange& a, const FloorChange& b) {
  const auto rank = [](Course course) {
    return course == Course::Raised ? 0 : course == Course::Added ? 1 : course == Course::Lowered ? 2 : 3;
  };
  if (rank(a.course) != rank(b.course)) return rank(a.course) < rank(b.course);
  if (const auto order = natural_order(a.family, b.family); order != 0) return order < 0;
  if (const auto order = natural_order(b.node.now, a.node.now); order != 0) return order < 0;
  return natural_order(a.node.old, b.node.old) < 0;
}

// The highest node of a family, the symbols with it, and their files.
struct Top {
  std::string_view node;
  std::set<std::string_view> symbols;
  std::set<std::string> files;
};
std::map<std::string_view, Top> top_of(const WheelReport& wheel) {
  std::map<std::string_view, Top> out;
  const std::vector<Floors> all = floors_by_elf(wheel);
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    for (const auto& [family, floor] : all[i]) {
      Top& top = out[family];
      const auto order = top.node.empty() ? std::strong_ordering::greater : natural_order(floor.node, top.node);
      if (order < 0) continue;
      if (order > 0) top = {.node = floor.node, .symbols = {}, .files = {}};
      top.symbols.insert(floor.symbols.begin(), floor.symbols.end());
      top.files.insert(path_of(wheel, ElfIndex{i}));
    }
  }
  return out;
}

template <class Map>
std::set<std::string_view> keys(const Map& a, const Map& b) {
  std::set<std::string_view> out;
  for (const auto& [key, value] : a) out.insert(key);
  for (const auto& [key, value] : b) out.insert(key);
  return out;
}

template <class Map>
auto value_of(const Map& map, std::string_view key) {
  const auto found = map.find(key);
  return found == map.end() ? typename Map::mapped_type{} : found->second;
}

bool requires_more(Course course) { return course == Course::Raised || course == Course::Added; }

}  // namespace

std::vector<FloorChange> compare_wheel_floors(const Releases& both) {
  const auto old = top_of(both.old), now = top_of(both.now);
  std::vector<FloorChange> out;
  for (const std::string_view family : keys(old, now)) {
    const Top was = value_of(old, family), is = value_of(now, family);
    const Course course = course_of(was.node, is.node);
    if (course == Course::Same) continue;
    const Top& higher = requires_more(course) ? is : was;
    out.push_back({.family = std::string(family),
                   .node = {std::string(was.node), std::string(is.node)},
                   .course = course,
                   .symbols = {higher.symbols.begin(), higher.symbols.end()},
                   .files = {higher.files.begin(), higher.files.end()}});
  }
  std::ranges::stable_sort(out, is_graver_floor_change);
  return out;
}

std::vector<FloorChange> compare_file_floors(const Releases& both) {
  const std::vector<Floors> old = floors_by_elf(both.old), now = floors_by_elf(both.now);
  struct Group {
    std::set<std::string_view> symbols;
    std::set<std::string> files;
  };
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, Group> groups;
  for (const ElfPair& pair : both.elfs) {
    if (!pair.old || !pair.now) continue;
    const Floors &was = old[pair.old->value], &is = now[pair.now->value];
    for (const std::string_view family : keys(was, is)) {
      const Floor before_it = value_of(was, family), after = value_of(is, family);
      const Course course = course_of(before_it.node, after.node);
      if (course == Course::Same) continue;
      Group& group = groups[{family, before_it.node, after.node}];
      const Floor& higher = requires_more(course) ? after : before_it;
      group.symbols.insert(higher.symbols.begin(), higher.symbols.end());
      group.files.insert(path_of(both, pair));
    }
  }
  std::vector<FloorChange> out;
  for (const auto& [key, group] : groups) {
    const auto& [family, was, is] = key;
    out.push_back({.family = std::string(family),
                   .node = {std::string(was), std::string(is)},
                   .course = course_of(was, is),
                   .symbols = {group.symbols.begin(), group.symbols.end()},
                   .files = {group.files.begin(), group.files.end()}});
  }
  std::ranges::stable_sort(out, is_graver_floor_change);
  return out;
}

// The systems that the two releases run on: the levels that their tags claim and their content fits, and what changed
// them.

namespace {

using LevelSets = std::pair<const Assessment*, const Assessment*>;  // of both releases; null if one has none

// The part of a requirement that different files have in common: the node or library.
struct Asked {
  std::string operator()(const MachineRequirement& required) const {
    return std::string(wheelcheck::name_of(required.arch));
  }
  std::string operator()(const IsaRequirement& required) const { return std::to_string(required.level); }
  std::string operator()(const LibraryRequirement& required) const { return required.library; }
  std::string operator()(const VersionRequirement& required) const { return required.version; }
  std::string operator()(const SymbolRequirement& required) const { return required.symbol; }
  std::string operator()(const InterpreterRequirement& required) const { return required.symbol; }
  std::string operator()(const MissingVersionRequirement& required) const {
    return required.version + " " + required.library;
  }
};

// The sort order: decisive reasons first; then by kind, by family, and the newest version first.
bool is_nearer_reason(const LevelReason& a, const LevelReason& b) {
  if (a.decides != b.decides) return a.decides;
  if (a.required.what.index() != b.required.what.index()) return a.required.what.index() < b.required.what.index();
  const std::string left = std::visit(Asked{}, a.required.what), right = std::visit(Asked{}, b.required.what);
  if (const auto order = natural_order(version_family(left), version_family(right)); order != 0) return order < 0;
  return natural_order(right, left) < 0;
}

// Why the files, which fit the best level, do not fit the older level `refuses`.
std::vector<LevelReason> reasons_of(const WheelReport& wheel, const Assessment& assessment, LevelIndex refuses) {
  const std::uint32_t next = assessment.best.value + 1;
  if (next >= assessment.levels.size() || refuses.value >= assessment.levels.size()) return {};
  struct Group {
    const Requirement* first = nullptr;
    bool decides = false;
    std::set<std::string, NaturalLess> symbols;
    std::set<std::string> files;
  };
  std::map<std::pair<std::size_t, std::string>, Group> groups;
  for (const RequirementIndex index : assessment.levels[refuses.value].unmet_requirements) {
    const Requirement& required = assessment.requirements[index.value];
    Group& group = groups[{required.what.index(), std::visit(Asked{}, required.what)}];
    if (group.first == nullptr) group.first = &required;
    group.decides = group.decides || std::ranges::binary_search(assessment.levels[next].unmet_requirements, index);
    group.files.insert(path_of(wheel, required.elf));
    if (const auto* version = std::get_if<VersionRequirement>(&required.what))
      group.symbols.insert(version->symbols.begin(), version->symbols.end());
  }
  std::vector<LevelReason> out;
  for (const auto& [key, group] : groups)
    out.push_back({.required = *group.first,
                   .decides = group.decides,
                   .symbols = {group.symbols.begin(), group.symbols.end()},
                   .files = {group.files.begin(), group.files.end()}});
  std::ranges::stable_sort(out, is_nearer_reason);
  return out;
}

// The claim for the oldest systems; linux_* is stricter than any level.
const Claim* oldest_claim(const WheelReport& wheel, const Assessment& assessment) {
  const Claim* oldest = nullptr;
  const auto later = [](const Claim& a, const Claim& b) {
    const bool linux_a = a.tag.family == PlatformTag::Family::Linux,
               linux_b = b.tag.family == PlatformTag::Family::Linux;
    return std::tie(linux_a, a.tag.libc) > std::tie(linux_b, b.tag.libc);
  };
  for (const Claim& claim : wheel.verdict.claims) {
    if (!claim.assessment || &wheel.assessments[*claim.assessment] != &assessment) continue;
    if (oldest == nullptr || later(*oldest, claim)) oldest = &claim;
  }
  return oldest;
}

constexpr std::string_view anywhere = "any";  // as a tag, and as the level of a wheel without machine code

bool claims_any(const WheelReport& wheel) {
  return std::ranges::any_of(wheel.verdict.claims,
                             [](const Claim& claim) { return claim.tag.family == PlatformTag::Family::Any; });
}

bool is_level_set(const Assessment& assessment) { return !assessment.level_names.empty(); }

bool runs_anywhere(const WheelReport& wheel) {
  return claims_any(wheel) && std::ranges::none_of(wheel.assessments, is_level_set);
}

// One side of a change: "" for none, `anywhere`, or a tag with a height that is compared with that of the other side.
template <class Height>
struct TagAndHeight {
  std::string tag;
  Height height = {};
};
template <class Height>
Course course_of(const TagAndHeight<Height>& old, const TagAndHeight<Height>& now) {
  if (old.tag.empty() || now.tag.empty())
    return old.tag == now.tag ? Course::Same : old.tag.empty() ? Course::Added : Course::Removed;
  if (old.tag == anywhere || now.tag == anywhere)
    return old.tag == now.tag ? Course::Same : old.tag == anywhere ? Course::Raised : Course::Lowered;
  if (old.height == now.height) return Course::Same;
  return old.height < now.height ? Course::Raised : Course::Lowered;
}

using ClaimSide = TagAndHeight<std::pair<bool, Version>>;
ClaimSide claimed(const WheelReport& wheel, const Assessment* assessment) {
  const Claim* const claim = assessment != nullptr ? oldest_claim(wheel, *assessment) : nullptr;
  if (claim != nullptr)
    return {claim->tag.canonical, {claim->tag.family == PlatformTag::Family::Linux, claim->tag.libc}};
  return {claims_any(wheel) ? std::string(anywhere) : ""};
}

// Levels are sorted with the newest first.
using FitSide = TagAndHeight<std::int64_t>;
FitSide fitted(const WheelReport& wheel, const Assessment* assessment) {
  if (assessment != nullptr)
    return {assessment->level_names[assessment->best.value], -std::int64_t{assessment->best.value}};
  return {runs_anywhere(wheel) ? std::string(anywhere) : ""};
}

LevelChange compare_levels(const Releases& both, const LevelSets& level_sets) {
  const auto& [old, now] = level_sets;
  const Assessment& any = now != nullptr ? *now : *old;
  LevelChange out;
  out.policy_levels = std::string(wheelcheck::name_of(any.family)) + " " + std::string(wheelcheck::name_of(any.arch));
  const ClaimSide claimed_old = claimed(both.old, old), claimed_now = claimed(both.now, now);
  out.claimed = {claimed_old.tag, claimed_now.tag};
  out.claimed_course = course_of(claimed_old, claimed_now);
  const FitSide fitted_old = fitted(both.old, old), fitted_now = fitted(both.now, now);
  out.fits = {fitted_old.tag, fitted_now.tag};
  out.fits_course = course_of(fitted_old, fitted_now);
  if (old == nullptr || now == nullptr) return out;
  if (out.fits_course == Course::Raised) out.reasons = reasons_of(both.now, *now, old->best);
  if (out.fits_course == Course::Lowered) out.reasons = reasons_of(both.old, *old, now->best);
  return out;
}

std::vector<std::string> claims_of(const WheelReport& wheel) {
  std::vector<std::string> out;
  for (const Claim& claim : wheel.verdict.claims) out.push_back(claim.tag.text);
  return out;
}

bool is_raised(const PlatformChanges& changes, const Releases& both) {
  if (runs_anywhere(both.now)) return false;
  const auto requires_more = [](Course course) { return course == Course::Raised || course == Course::Removed; };
  return runs_anywhere(both.old) || std::ranges::any_of(changes.levels, [&](const LevelChange& level) {
           return requires_more(level.fits_course) || requires_more(level.claimed_course);
         });
}

}  // namespace

PlatformChanges compare_platforms(const Releases& both) {
  std::map<std::pair<PlatformTag::Family, Arch>, LevelSets> level_sets;
  for (const Assessment& assessment : both.old.assessments)
    if (is_level_set(assessment)) level_sets[{assessment.family, assessment.arch}].first = &assessment;
  for (const Assessment& assessment : both.now.assessments)
    if (is_level_set(assessment)) level_sets[{assessment.family, assessment.arch}].second = &assessment;
  PlatformChanges out{.claims = {claims_of(both.old), claims_of(both.now)},
                      .tag_result = {both.old.verdict.overall(), both.now.verdict.overall()},
                      .levels = {},
                      .wheel_floors = compare_wheel_floors(both),
                      .file_floors = compare_file_floors(both)};
  for (const auto& [key, policy_levels] : level_sets) {
    LevelChange change = compare_levels(both, policy_levels);
    if (change.fits_course != Course::Same || change.claimed_course != Course::Same)
      out.levels.push_back(std::move(change));
  }
  out.raised = is_raised(out, both);
  return out;
}

}  // namespace wheelcheck::diff
