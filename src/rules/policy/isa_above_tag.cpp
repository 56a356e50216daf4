// WC111: a file declares that it needs a newer x86 processor than the tag allows.
#include <fmt/format.h>

#include "rules/common.h"

namespace wheelcheck::rules::isa_above_tag {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for (const UnmetRequirement<IsaRequirement>& unmet_requirement : unmet_requirements_of<IsaRequirement>(view)) {
    const unsigned level = unmet_requirement.what->level;
    emit({.place = AtElf{unmet_requirement.elf},
          .message = fmt::format("requires an x86-64-v{} processor, {} allows only the baseline", level,
                                 strictest(unmet_requirement.claims).text),
          .evidence = {{"property note", fmt::format("x86 ISA needed: x86-64-v{}", level)},
                       {"blocks", tags_of(unmet_requirement.claims)}},
          .fix = fmt::format("compile with -march=x86-64 and choose faster code at run time, or publish the file in a "
                             "wheel for x86-64-v{}",
                             level),
          .severity = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC111",
    .name = "isa-above-tag",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::isa_above_tag
