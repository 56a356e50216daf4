// WC201: a file exports C++ code of other libraries to the whole process.
#include "rules/symbols/leaks.h"

namespace wheelcheck::rules::leaked_namespace {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for_each_distinct(view, [&](ElfIndex index, const ElfMember& elf) {
    if (elf.facts.kind != ElfKind::SharedObject) return;
    const auto leaks = leaks_of(view, index, LeakedNames::Cxx);
    if (leaks.empty()) return;
    emit({.place = AtElf{index},
          .message = leak_message(view, index, leaks),
          .evidence = leak_evidence(view, index, leaks, LeakedNames::Cxx),
          .fix = how_to_hide(view, index),
          .severity = are_of_headers(view, index, leaks) ? std::optional(Severity::Info) : std::nullopt});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC201",
    .name = "leaked-namespace",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .check = check,
};

}  // namespace wheelcheck::rules::leaked_namespace
