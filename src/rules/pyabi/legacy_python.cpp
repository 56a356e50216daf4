// WC807: symbols that only some builds of an old CPython have (PEP 513).
#include <fmt/format.h>

#include "rules/common.h"

namespace wheelcheck::rules::legacy_python {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for (const UnmetRequirement<InterpreterRequirement>& unmet_requirement :
       unmet_requirements_of<InterpreterRequirement>(view)) {
    const std::string& symbol = unmet_requirement.ask->symbol;
    const bool ucs2 = symbol.find("UCS2") != std::string::npos;
    emit({.place = AtElf{unmet_requirement.elf},
          .message = fmt::format("needs {}, which only an interpreter built with {} has", symbol,
                                 ucs2 ? "two-byte Unicode" : "--with-fpectl"),
          .evidence = {{"symbols", symbol}, {"blocks", tags_of(unmet_requirement.claims)}},
          .fix = ucs2 ? "build with an interpreter that uses four-byte Unicode (ABI tag cp27mu)"
                      : "build with an interpreter that was configured without --with-fpectl",
          .severity = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC807",
    .name = "legacy-python",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::legacy_python
