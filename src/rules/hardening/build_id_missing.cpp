// WC606: a file without a build ID, which symbol servers cannot identify.
#include <fmt/format.h>

#include "rules/common.h"

namespace wheelcheck::rules::build_id_missing {
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

extern const Rule rule{
    .code = "WC606",
    .name = "build-id-missing",
    .severity = Severity::Info,
    .pedantic = true,
    .check = check,
};

}  // namespace wheelcheck::rules::build_id_missing
