// WC501: a search path has an empty element, which means the current directory.
#include <fmt/format.h>

#include <algorithm>

#include "rules/common.h"
#include "rules/loading/path_repair.h"

namespace wheelcheck::rules::runpath_empty_element {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const EffectivePath path = effective_path(elf.facts);
    const auto empty = static_cast<std::size_t>(std::ranges::count(path.elements, std::string_view()));
    if (empty == 0) return;
    // musl skips empty elements (ldso/dynlink.c, path_open).
    const bool musl = elf.libc == Libc::Musl;
    emit({.place = AtElf{index},
          .message = fmt::format("{} has {}, which {}", path.kind, count_of(empty, "empty element"),
                                 musl ? "only musl ignores" : "means the current directory"),
          .evidence = {{"search path", fmt::format("{}", fmt::join(path.elements, ":"))}},
          .fix = path_repair(view, index),
          .severity = musl || !is_searched(elf) ? Severity::Warning : Severity::Error});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC501",
    .name = "runpath-empty-element",
    .severity = Severity::Error,
    .security = "7.8",
    .check = check,
};

}  // namespace wheelcheck::rules::runpath_empty_element
