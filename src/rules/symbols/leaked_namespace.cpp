// WC201: C++ code of others that a file offers to the whole process.
#include "rules/symbols/leaks.h"

namespace wheelcheck::rules {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (elf.facts.kind != ElfKind::SharedObject) return;
    const auto leaks = leaks_of(view, index, LeakedNames::Cxx);
    if (leaks.empty()) return;
    emit({.place = AtElf{index},
          .message = leak_message(view, index, leaks),
          .evidence = leak_evidence(view, index, leaks, LeakedNames::Cxx),
          .fix = how_to_hide(view, index),
          .severity = {}});
  });
}

}  // namespace

extern const Rule leaked_namespace{
    .code = "WC201",
    .name = "leaked-namespace",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .summary = "A file exports the C++ namespaces of another project.",
    .why =
        "A symbol of default visibility may be bound to another library's definition of the same name, and may take "
        "the place of another library's. Two wheels that both export `llvm::` or `google::protobuf::`, each in its own "
        "version, run each other's code as soon as one of them is loaded with RTLD_GLOBAL or preloaded: objects of one "
        "layout meet functions compiled for another. Nothing warns; the crash comes later and elsewhere. Beside that, "
        "every exported symbol is looked up at load time.",
    .remedy =
        "Hide what only this file calls: `-fvisibility=hidden -fvisibility-inlines-hidden` for what is compiled, "
        "`-Wl,--exclude-libs,ALL` for static libraries, or a version script that names the exports and ends in "
        "`local: *;`. A script that says `global: *;` hides nothing. Where files of the wheel share the code, export "
        "what they import and no more, or rename the namespace (absl and fmt have an option for it). If the namespace "
        "is the wheel's own product, say so with `--own-namespace`.",
    .false_positives =
        "A wheel whose purpose is to offer the library exports it rightly. The owners of known libraries, and whatever "
        "bears the name of the distribution or its packages, are not reported; for others there is "
        "`--own-namespace`. Fewer than 50 symbols of a library (`--leak-threshold`) are not reported, and vtables, "
        "typeinfo, guard variables and templates of std never count. Header-only libraries (Eigen, Boost) leave weak "
        "template instantiations behind, which do no harm while every copy is of the same version and options.",
    .check = check,
};

}  // namespace wheelcheck::rules
