// WC111: a file that says it needs a newer x86 processor than the tag promises.
#include <fmt/format.h>

#include "rules/common.h"

namespace wheelcheck::rules {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for (const UnmetRequirement<IsaRequirement>& unmet_requirement : unmet_requirements_of<IsaRequirement>(view)) {
    const unsigned level = unmet_requirement.ask->level;
    emit({.place = AtElf{unmet_requirement.elf},
          .message = fmt::format("needs an x86-64-v{} processor, {} promises the baseline", level,
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

extern const Rule isa_above_tag{
    .code = "WC111",
    .name = "isa-above-tag",
    .severity = Severity::Error,
    .summary = "A file needs a newer processor than the claimed tag promises.",
    .why =
        "A tag for x86_64 promises every x86-64 processor. A file whose GNU property note asks for x86-64-v2, v3 or v4 "
        "was compiled for newer ones only: glibc 2.33 and newer refuse it on an older processor (`CPU ISA level is "
        "lower than required`), older loaders run it until the first unknown instruction kills the process.",
    .remedy =
        "Compile with `-march=x86-64`, and choose faster code at run time (`target_clones`, "
        "`__builtin_cpu_supports`), or publish a wheel for the newer processors beside the one for all. Mind "
        "images whose compiler defaults to x86-64-v2.",
    .false_positives = "None known. The note is often absent, so the silence of this rule proves nothing.",
    .check = check,
};

}  // namespace wheelcheck::rules
