// WC202: a file exports the C interface of a library that it merely contains.
#include "rules/symbols/leaks.h"

namespace wheelcheck::rules::leaked_c_library {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for_each_distinct(view, [&](ElfIndex index, const ElfMember& elf) {
    if (elf.facts.kind != ElfKind::SharedObject) return;
    const auto leaks = leaks_of(view, index, LeakedNames::C);
    if (leaks.empty()) return;
    emit({.place = AtElf{index},
          .message = leak_message(view, index, leaks),
          .evidence = leak_evidence(view, index, leaks, LeakedNames::C),
          .fix = how_to_hide(view, index),
          .severity = {}});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC202",
    .name = "leaked-c-library",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .check = check,
};

}  // namespace wheelcheck::rules::leaked_c_library
