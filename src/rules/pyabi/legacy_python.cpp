// WC807: symbols that only some builds of an old CPython have (PEP 513).
#include <fmt/format.h>

#include "rules/common.h"

namespace wheelcheck::rules {
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

extern const Rule legacy_python{
    .code = "WC807",
    .name = "legacy-python",
    .severity = Severity::Error,
    .summary = "A file needs a symbol that only some builds of an old CPython have.",
    .why =
        "`PyFPE_jbuf`, `PyFPE_dummy` and `PyFPE_counter` exist only in interpreters configured with --with-fpectl "
        "(CPython before 3.7), `PyUnicodeUCS2_*` only in builds of CPython 2 with two-byte Unicode. Nearly every Linux "
        "system ships the other kind, so the import fails with `undefined symbol`. PEP 513 bars both from manylinux "
        "wheels.",
    .remedy =
        "Build with the interpreters of the manylinux images, which are configured as the systems' own are: "
        "four-byte Unicode, no fpectl.",
    .false_positives = "None known.",
    .check = check,
};

}  // namespace wheelcheck::rules
