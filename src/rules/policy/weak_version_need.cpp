// WC108: a weak version need above the claimed level; the loader accepts the file without that version.
#include <fmt/format.h>

#include <algorithm>

#include "model/required_needs.h"
#include "rules/common.h"
#include "wheelcheck/version.h"

namespace wheelcheck::rules::weak_version_need {
namespace {

struct Above {
  std::vector<std::string> nodes, symbols;
  std::vector<const Claim*> claims;
};

// Only glibc releases can be compared without the policy, because requirements do not include weak needs.
bool is_above(std::string_view node, const Claim& claim) {
  Version asked;
  return claim.tag.family == PlatformTag::Family::Manylinux && version_family(node) == "GLIBC" &&
         parse_version(version_suffix(node), asked) && asked > claim.tag.libc;
}

Above above_of(const WheelView& view, const DynamicFacts& dynamic) {
  Above result;
  if (std::ranges::none_of(dynamic.needs, &VersionNeed::weak)) return result;
  const auto symbols = symbols_by_need(dynamic);
  const std::vector<bool> required = required_needs(dynamic);
  for (std::size_t i = 0; i < dynamic.needs.size(); ++i) {
    const VersionNeed& need = dynamic.needs[i];
    if (required[i]) continue;
    bool any = false;
    for (const Claim& claim : view.claims) {
      if (!is_above(need.version, claim)) continue;
      any = true;
      if (std::ranges::find(result.claims, &claim) == result.claims.end()) result.claims.push_back(&claim);
    }
    if (!any) continue;
    result.nodes.push_back(fmt::format("{} of {}", need.version, need.library));
    result.symbols.insert(result.symbols.end(), symbols[i].begin(), symbols[i].end());
  }
  return result;
}

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!elf.facts.dynamic || elf.libc == Libc::Musl) return;
    const Above above = above_of(view, *elf.facts.dynamic);
    if (above.nodes.empty()) return;
    std::vector<Evidence> evidence{{"versions", list_of(above.nodes)}, {"newer than", tags_of(above.claims)}};
    if (!above.symbols.empty()) evidence.push_back({"symbols", list_of(above.symbols, shown_symbols)});
    emit({.place = AtElf{index},
          .message = fmt::format("requires {} (weak), which {} does not allow", first_of(above.nodes),
                                 strictest(above.claims).text),
          .evidence = std::move(evidence),
          .fix = "nothing has to be changed if the code works without the symbols: the loader accepts the file without "
                 "this version",
          .severity = {}});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC108",
    .name = "weak-version-need",
    .severity = Severity::Info,
    .check = check,
};

}  // namespace wheelcheck::rules::weak_version_need
