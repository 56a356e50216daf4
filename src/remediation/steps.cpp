// Computes from the unmet requirements of each level what must be removed, cheapest level first.
//
// A level is met when none of its requirements is left, so the step to a level contains all requirements that it does
// not meet. Symbols are grouped by library, version node and advice, because a maintainer gets rid of them together;
// what no removal of symbols can change (a machine, an instruction set, a library) is listed beside them. Levels with
// the same unmet requirements are one step. The cheapest has the fewest of the latter, then of symbols, then of files.
// The advice for a library, node or symbol is from data/remedies.json, where the most specific entry wins (advice.cpp).
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "remediation/advice.h"
#include "wheelcheck/remediation.h"
#include "wheelcheck/version.h"

namespace wheelcheck {
namespace {

// The sort order: newest nodes first, families and libraries by name; denied symbols have no node and come last.
struct SortKey {
  std::string library, node, advice;
  bool known = false;

  bool operator<(const SortKey& other) const {
    if (node.empty() != other.node.empty()) return other.node.empty();
    const auto family = [](const SortKey& place) {
      return std::string_view(place.node).substr(0, place.node.find('_'));
    };
    if (const auto order = natural_order(family(*this), family(other)); order != 0) return order < 0;
    if (const auto order = natural_order(other.node, node); order != 0) return order < 0;
    return std::tie(library, advice) < std::tie(other.library, other.advice);
  }
};
struct Gathered {
  std::map<std::string, std::set<ElfIndex>, NaturalLess> symbols;
  std::set<ElfIndex> files;
};

template <class T>
std::vector<T> list_of(const std::set<T>& set) {
  return {set.begin(), set.end()};
}

// Whether two files have the same requirement that is not a symbol.
bool same(const Requirement& a, const Requirement& b) {
  if (a.what.index() != b.what.index()) return false;
  struct Text {
    std::string operator()(const MachineRequirement& required) const { return std::string(name_of(required.arch)); }
    std::string operator()(const IsaRequirement& required) const { return std::to_string(required.level); }
    std::string operator()(const LibraryRequirement& required) const { return required.library; }
    std::string operator()(const VersionRequirement& required) const {
      return required.library + ' ' + required.version;
    }
    std::string operator()(const SymbolRequirement& required) const { return required.library + ' ' + required.symbol; }
    std::string operator()(const InterpreterRequirement& required) const { return required.symbol; }
    std::string operator()(const MissingVersionRequirement& required) const {
      return required.library + ' ' + required.version;
    }
  };
  return std::visit(Text{}, a.what) == std::visit(Text{}, b.what);
}

// Caches the advice for each import, regardless of the number of levels and files that it affects.
class Advisor {
 public:
  Advisor(Arch arch, const Knowledge& knowledge) : arch_(arch), knowledge_(knowledge) {}

  const remediation::Advice& operator()(const std::string& library, const std::string& node,
                                        const std::string& symbol) {
    const auto [at, is_new] = known_.try_emplace(std::tuple(library, node, symbol));
    if (is_new) at->second = remediation::advice_for({library, node, symbol, arch_}, knowledge_);
    return at->second;
  }

 private:
  Arch arch_;
  const Knowledge& knowledge_;
  std::map<std::tuple<std::string, std::string, std::string>, remediation::Advice> known_;
};

class StepMaker {
 public:
  StepMaker(const Assessment& assessment, Advisor& advisor) : assessment_(assessment), advisor_(advisor) {}

  RemediationStep make(LevelIndex newest, LevelIndex oldest) {
    for (const RequirementIndex index : assessment_.levels[oldest.value].unmet_requirements)
      take(assessment_.requirements[index.value]);
    RemediationStep step{.newest = newest, .oldest = oldest};
    std::set<ElfIndex> files;
    for (auto& [place, gathered] : removals_) {
      Removal removal{place.library, place.node, {}, list_of(gathered.files), place.advice, place.known};
      for (const auto& [name, of] : gathered.symbols) removal.symbols.push_back({name, list_of(of)});
      if (!removal.symbols.empty()) removal.advice = remediation::told_of(place.advice, removal.symbols);
      step.symbols += std::max<std::size_t>(removal.symbols.size(), 1);
      files.insert(gathered.files.begin(), gathered.files.end());
      step.removals.push_back(std::move(removal));
    }
    step.files = files.size();
    step.other_requirements = std::move(other_requirements_);
    return step;
  }

 private:
  void take(const Requirement& requirement) {
    if (const auto* const version = std::get_if<VersionRequirement>(&requirement.what)) {
      if (version->symbols.empty()) remove(requirement.elf, version->library, version->version, "");
      for (const std::string& symbol : version->symbols)
        remove(requirement.elf, version->library, version->version, symbol);
      return;
    }
    if (const auto* const denied = std::get_if<SymbolRequirement>(&requirement.what))
      return remove(requirement.elf, denied->library, "", denied->symbol);
    const auto at = std::ranges::find_if(other_requirements_,
                                         [&](const OtherRequirement& h) { return same(h.required, requirement); });
    if (at != other_requirements_.end()) return at->files.push_back(requirement.elf);
    other_requirements_.push_back({requirement, {requirement.elf}, remediation::advice_for(requirement)});
  }

  void remove(ElfIndex elf, const std::string& library, const std::string& node, const std::string& symbol) {
    const remediation::Advice& advice = advisor_(library, node, symbol);
    Gathered& gathered = removals_[{library, node, advice.text, advice.known}];
    gathered.files.insert(elf);
    if (!symbol.empty()) gathered.symbols[symbol].insert(elf);
  }

  const Assessment& assessment_;
  Advisor& advisor_;
  std::map<SortKey, Gathered> removals_;
  std::vector<OtherRequirement> other_requirements_;
};

RemediationPath path_of(const Assessment& assessment, std::size_t index, const Knowledge& knowledge) {
  RemediationPath path{.assessment = index, .steps = {}};
  Advisor advisor(assessment.arch, knowledge);
  const auto count = static_cast<std::uint32_t>(assessment.levels.size());
  for (std::uint32_t at = assessment.best.value + 1; at < count;) {
    std::uint32_t end = at + 1;
    while (end < count && assessment.levels[end].unmet_requirements == assessment.levels[at].unmet_requirements) ++end;
    if (!assessment.levels[at].unmet_requirements.empty())
      path.steps.push_back(StepMaker(assessment, advisor).make(LevelIndex{at}, LevelIndex{end - 1}));
    at = end;
  }
  std::ranges::stable_sort(path.steps, [](const RemediationStep& a, const RemediationStep& b) {
    const auto cost = [](const RemediationStep& s) {
      return std::tuple(s.other_requirements.size(), s.symbols, s.files);
    };
    return cost(a) < cost(b);
  });
  return path;
}

}  // namespace

std::vector<RemediationPath> cheapest(const WheelReport& wheel, const Knowledge& knowledge) {
  std::vector<RemediationPath> out;
  for (std::size_t i = 0; i < wheel.assessments.size(); ++i) out.push_back(path_of(wheel.assessments[i], i, knowledge));
  return out;
}

}  // namespace wheelcheck
