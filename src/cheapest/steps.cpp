// From the obstacles of each rung to what must go, cheapest first.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "cheapest/advice.h"
#include "wheelcheck/cheapest.h"
#include "wheelcheck/version.h"

namespace wheelcheck {
namespace {

// Nodes newest first, families and libraries by name; what is denied has no node and comes last.
struct Place {
  std::string library, node, advice;
  bool known = false;

  bool operator<(const Place& other) const {
    if (node.empty() != other.node.empty()) return other.node.empty();
    const auto family = [](const Place& place) { return std::string_view(place.node).substr(0, place.node.find('_')); };
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

// Two files that ask for the same thing that is no symbol.
bool same(const Requirement& a, const Requirement& b) {
  if (a.what.index() != b.what.index()) return false;
  struct Text {
    std::string operator()(const AsksMachine& asks) const { return std::string(name_of(asks.arch)); }
    std::string operator()(const AsksIsa& asks) const { return std::to_string(asks.level); }
    std::string operator()(const AsksLibrary& asks) const { return asks.library; }
    std::string operator()(const AsksVersion& asks) const { return asks.library + ' ' + asks.version; }
    std::string operator()(const AsksSymbol& asks) const { return asks.library + ' ' + asks.symbol; }
    std::string operator()(const AsksInterpreter& asks) const { return asks.symbol; }
    std::string operator()(const AsksMissingVersion& asks) const { return asks.library + ' ' + asks.version; }
  };
  return std::visit(Text{}, a.what) == std::visit(Text{}, b.what);
}

// An import is looked up once, however many rungs and files it stands in the way of.
class Advisor {
 public:
  Advisor(Arch arch, const Knowledge& knowledge) : arch_(arch), knowledge_(knowledge) {}

  const cheapest_way::Advice& operator()(const std::string& library, const std::string& node,
                                         const std::string& symbol) {
    const auto [at, is_new] = known_.try_emplace(std::tuple(library, node, symbol));
    if (is_new) at->second = cheapest_way::advice_for({library, node, symbol, arch_}, knowledge_);
    return at->second;
  }

 private:
  Arch arch_;
  const Knowledge& knowledge_;
  std::map<std::tuple<std::string, std::string, std::string>, cheapest_way::Advice> known_;
};

class StepMaker {
 public:
  StepMaker(const Assessment& assessment, Advisor& advisor) : assessment_(assessment), advisor_(advisor) {}

  CheapestStep make(RungIndex newest, RungIndex oldest) {
    for (const RequirementIndex index : assessment_.rungs[oldest.value].obstacles)
      take(assessment_.requirements[index.value]);
    CheapestStep step{.newest = newest, .oldest = oldest};
    std::set<ElfIndex> files;
    for (auto& [place, gathered] : removals_) {
      Removal removal{place.library, place.node, {}, list_of(gathered.files), place.advice, place.known};
      for (const auto& [name, of] : gathered.symbols) removal.symbols.push_back({name, list_of(of)});
      if (!removal.symbols.empty()) removal.advice = cheapest_way::told_of(place.advice, removal.symbols);
      step.symbols += std::max<std::size_t>(removal.symbols.size(), 1);
      files.insert(gathered.files.begin(), gathered.files.end());
      step.removals.push_back(std::move(removal));
    }
    step.files = files.size();
    step.hindrances = std::move(hindrances_);
    return step;
  }

 private:
  void take(const Requirement& requirement) {
    if (const auto* const version = std::get_if<AsksVersion>(&requirement.what)) {
      if (version->symbols.empty()) remove(requirement.elf, version->library, version->version, "");
      for (const std::string& symbol : version->symbols)
        remove(requirement.elf, version->library, version->version, symbol);
      return;
    }
    if (const auto* const denied = std::get_if<AsksSymbol>(&requirement.what))
      return remove(requirement.elf, denied->library, "", denied->symbol);
    const auto at = std::ranges::find_if(hindrances_, [&](const Hindrance& h) { return same(h.asks, requirement); });
    if (at != hindrances_.end()) return at->files.push_back(requirement.elf);
    hindrances_.push_back({requirement, {requirement.elf}, cheapest_way::advice_for(requirement)});
  }

  void remove(ElfIndex elf, const std::string& library, const std::string& node, const std::string& symbol) {
    const cheapest_way::Advice& advice = advisor_(library, node, symbol);
    Gathered& gathered = removals_[{library, node, advice.text, advice.known}];
    gathered.files.insert(elf);
    if (!symbol.empty()) gathered.symbols[symbol].insert(elf);
  }

  const Assessment& assessment_;
  Advisor& advisor_;
  std::map<Place, Gathered> removals_;
  std::vector<Hindrance> hindrances_;
};

CheapestPath path_of(const Assessment& assessment, std::size_t index, const Knowledge& knowledge) {
  CheapestPath path{.assessment = index, .steps = {}};
  Advisor advisor(assessment.arch, knowledge);
  const auto count = static_cast<std::uint32_t>(assessment.rungs.size());
  for (std::uint32_t at = assessment.best.value + 1; at < count;) {
    std::uint32_t end = at + 1;
    while (end < count && assessment.rungs[end].obstacles == assessment.rungs[at].obstacles) ++end;
    if (!assessment.rungs[at].obstacles.empty())
      path.steps.push_back(StepMaker(assessment, advisor).make(RungIndex{at}, RungIndex{end - 1}));
    at = end;
  }
  std::ranges::stable_sort(path.steps, [](const CheapestStep& a, const CheapestStep& b) {
    const auto cost = [](const CheapestStep& s) { return std::tuple(s.hindrances.size(), s.symbols, s.files); };
    return cost(a) < cost(b);
  });
  return path;
}

}  // namespace

std::vector<CheapestPath> cheapest(const WheelReport& wheel, const Knowledge& knowledge) {
  std::vector<CheapestPath> out;
  for (std::size_t i = 0; i < wheel.assessments.size(); ++i) out.push_back(path_of(wheel.assessments[i], i, knowledge));
  return out;
}

}  // namespace wheelcheck
