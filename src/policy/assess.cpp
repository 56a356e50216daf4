// Requirements held against rungs. A requirement is the same on every rung of a ladder, so that "met" can be counted.
#include "policy/assess.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "policy/requirements.h"
#include "policy/rungs.h"

namespace wheelcheck::policy {
namespace {

using Family = PlatformTag::Family;

// Says whether a rung gives what a file asks for.
class Judge {
 public:
  Judge(Family family, const std::vector<Requirement>& list) : family_(family) {
    for (const Requirement& requirement : list)
      if (const auto* asks = std::get_if<AsksLibrary>(&requirement.what))
        asked_.emplace(requirement.elf, asks->library);
  }

  bool meets(const Policy& rung, const Requirement& requirement) const {
    return std::visit([&](const auto& what) { return gives(rung, requirement.elf, what); }, requirement.what);
  }

 private:
  bool gives(const Policy& rung, ElfIndex, const AsksLibrary& what) const {
    return is_libpython(what.library) ? rung.allows_libpython : rung.libraries.contains(what.library);
  }
  bool gives(const Policy& rung, ElfIndex elf, const AsksVersion& what) const {
    // Of a library that the rung does not allow, the library is the obstacle, not each of its nodes. Where no DT_NEEDED
    // asks for that library, the node alone is: glibc stops the process (elf/dl-version.c, _dl_check_map_versions).
    const bool allowed = rung.libraries.contains(what.library) || is_loader(what.library, family_);
    if (!allowed) return asked_.contains(std::pair(elf, std::string_view(what.library)));
    return has_node(rung, what.version);
  }
  bool gives(const Policy& rung, ElfIndex, const AsksSymbol& what) const {
    const auto denied = rung.denied_symbols.find(what.library);
    return denied == rung.denied_symbols.end() || !denied->second.contains(what.symbol);
  }
  bool gives(const Policy&, ElfIndex, const AsksIsa&) const { return false; }
  bool gives(const Policy&, ElfIndex, const AsksMachine&) const { return false; }
  bool gives(const Policy&, ElfIndex, const AsksInterpreter&) const { return false; }
  bool gives(const Policy&, ElfIndex, const AsksMissingVersion&) const { return false; }

  // By the whole name of the node: a level has the nodes that it lists, and no number between them.
  static bool has_node(const Policy& rung, std::string_view node) {
    if (node == "GLIBC_PRIVATE") return false;  // between the files of one glibc build
    const std::size_t end = node.find('_');
    const auto family = rung.versions.find(node.substr(0, end));
    if (family == rung.versions.end()) return true;
    return end != node.npos && family->second.contains(node.substr(end + 1));
  }

  struct AskedLess {
    using is_transparent = void;
    bool operator()(const auto& a, const auto& b) const {
      if (a.first != b.first) return a.first < b.first;
      return std::string_view(a.second) < std::string_view(b.second);
    }
  };

  Family family_;
  std::set<std::pair<ElfIndex, std::string>, AskedLess> asked_;
};

// A library that the newest level has, and a family that no level lists: has_node takes every node of it.
bool is_unknown(const Rungs& rungs, const Requirement& requirement) {
  const auto* const asks = std::get_if<AsksVersion>(&requirement.what);
  if (asks == nullptr || rungs.rungs.size() < 2) return false;
  const Policy& newest = *rungs.rungs[1];
  if (newest.versions.empty() || !newest.libraries.contains(asks->library)) return false;
  const std::string_view family = std::string_view(asks->version).substr(0, asks->version.find('_'));
  return std::none_of(rungs.rungs.begin() + 1, rungs.rungs.end(),
                      [&](const Policy* rung) { return rung->versions.contains(family); });
}

bool stands(const RungScore& score) { return score.obstacles.empty(); }

RungIndex best_of(const Rungs& rungs, const std::vector<RungScore>& scores, const Wanted& wanted) {
  const auto count = static_cast<std::uint32_t>(scores.size());
  const auto is_claimed = [&](std::uint32_t i) {
    return std::ranges::find(wanted.claimed, rungs.rungs[i]->libc) != wanted.claimed.end();
  };
  for (std::uint32_t i = count; i-- > 1;)
    if (stands(scores[i]) && (rungs.tells_levels || is_claimed(i))) return RungIndex{i};
  if (rungs.tells_levels) return RungIndex{0};
  for (std::uint32_t i = 1; i < count; ++i)
    if (stands(scores[i])) return RungIndex{i};
  return RungIndex{0};
}

Assessment assess_one(const Subject& subject, const PolicySet& policies, const Wanted& wanted) {
  Rungs rungs = rungs_of(policies, wanted);
  Requirements requirements = requirements_of(subject, wanted, rungs);
  Assessment result;
  result.family = wanted.family;
  result.arch = wanted.arch;
  result.requirements = std::move(requirements.list);
  result.files = requirements.files;
  result.rungs.resize(rungs.rungs.size());
  const Judge judge(wanted.family, result.requirements);
  for (std::uint32_t i = 0; i < result.requirements.size(); ++i) {
    const Requirement& requirement = result.requirements[i];
    // `linux` promises the machine and nothing else.
    if (std::holds_alternative<AsksMachine>(requirement.what)) result.rungs[0].obstacles.push_back(RequirementIndex{i});
    for (std::size_t rung = 1; rung < result.rungs.size(); ++rung)
      if (!judge.meets(*rungs.rungs[rung], requirement)) result.rungs[rung].obstacles.push_back(RequirementIndex{i});
    if (is_unknown(rungs, requirement)) result.unknown_versions.push_back(RequirementIndex{i});
  }
  result.best = best_of(rungs, result.rungs, wanted);
  result.rung_names = std::move(rungs.names);
  return result;
}

}  // namespace

std::vector<Assessment> assess(const WheelFacts& wheel, const Resolution& resolution,
                               std::span<const WheelFacts> providers, const PolicySet& policies,
                               std::span<const Wanted> wanted) {
  const Subject subject{wheel, resolution, providers};
  std::vector<Assessment> result;
  result.reserve(wanted.size());
  for (const Wanted& one : wanted) result.push_back(assess_one(subject, policies, one));
  return result;
}

std::vector<Assessment> assess_claims_or_content(const WheelFacts& wheel, const Resolution& resolution,
                                                 std::span<const WheelFacts> providers, const PolicySet& policies) {
  const auto assess_all = [&](std::span<const Wanted> wanted) {
    return assess(wheel, resolution, providers, policies, wanted);
  };
  std::vector<Assessment> assessments = assess_all(wanted_ladders(wheel, policies));
  const auto judged_none = [](const Assessment& assessment) { return assessment.files == 0; };
  if (std::ranges::all_of(assessments, judged_none))
    for (Assessment& found : assess_all(ladders_of_content(wheel)))
      if (found.files > 0) assessments.push_back(std::move(found));
  return assessments;
}

}  // namespace wheelcheck::policy
