// WC202: the C interface of another library, offered by a file that is not that library.
#include "rules/symbols/leaks.h"

namespace wheelcheck::rules {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
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

extern const Rule leaked_c_library{
    .code = "WC202",
    .name = "leaked-c-library",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .summary = "A file that links a C library in exports that library's functions.",
    .why =
        "C names carry no namespace and seldom a version. A process often holds several copies of zlib, OpenSSL, "
        "libffi or SQLite; the one that is found first serves every file that did not hide its own. A structure that "
        "one version made is then handed to functions of another, or state that must exist once (locks, error queues, "
        "random generators) exists twice.",
    .remedy =
        "Link the static library with `-Wl,--exclude-libs,ALL`, or with a version script that names the exports and "
        "ends in `local: *;`; compile a vendored copy with `-fvisibility=hidden`, or with the prefix that many "
        "libraries offer (`Z_PREFIX`, `--with-symbol-prefix`). If offering the library is the wheel's purpose, say so "
        "with `--own-namespace`.",
    .false_positives =
        "A wheel that gives its library away on purpose. A file whose soname or name is the library's, an owner of the "
        "library, and a grafted library that exports little else are not reported. Attribution is by name: an "
        "unrelated function of a name such as `uv_run` would be taken for libuv's, so fewer than five are not "
        "reported.",
    .check = check,
};

}  // namespace wheelcheck::rules
