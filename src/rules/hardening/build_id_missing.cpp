// WC606: a file that no symbol server can be asked about.
#include <fmt/format.h>

#include "rules/common.h"

namespace wheelcheck::rules {
namespace {

void check(const WheelView& view, const Emit& emit) {
  std::vector<std::string> files;
  std::optional<ElfIndex> first;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (elf.facts.build_id || (elf.facts.kind != ElfKind::SharedObject && elf.facts.kind != ElfKind::Executable))
      return;
    if (!first) first = index;
    files.emplace_back(path_of(view, index));
  });
  if (!first) return;
  const bool one = files.size() == 1;
  emit({.place = one ? Place{AtElf{*first}} : Place{WholeWheel{}},
        .message = one ? "has no build ID" : fmt::format("{} have no build ID", count_of(files.size(), "file")),
        .evidence = {{"without", list_of(files)}},
        .fix = "link with -Wl,--build-id",
        .severity = {}});
}

}  // namespace

extern const Rule build_id_missing{
    .code = "WC606",
    .name = "build-id-missing",
    .severity = Severity::Info,
    .pedantic = true,
    .summary = "A file has no NT_GNU_BUILD_ID note.",
    .why =
        "The build ID is how a crash report, a profile and a debugger find the very build that a stripped file came "
        "from, and its debug information on a server. Without it they compare names, and every release of a library "
        "has "
        "the same name.",
    .remedy = "Link with `-Wl,--build-id`. GCC of most distributions passes it by itself; clang and lld do not.",
    .false_positives = "None as a fact; projects that keep no debug information have no use for it.",
    .check = check,
};

}  // namespace wheelcheck::rules
