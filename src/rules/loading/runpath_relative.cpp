// WC502: an element of a search path that depends on the current directory.
#include <fmt/format.h>

#include <algorithm>

#include "rules/common.h"
#include "rules/loading/path_repair.h"

namespace wheelcheck::rules::runpath_relative {
namespace {

bool is_relative(std::string_view element) {
  return !element.empty() && !element.starts_with('/') && !starts_at_origin(element);
}

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const EffectivePath path = effective_path(elf.facts);
    std::vector<std::string> relative;
    for (const std::string_view element : path.elements)
      if (is_relative(element)) relative.emplace_back(element);
    if (relative.empty()) return;
    emit({.place = AtElf{index},
          .message = fmt::format("{} has {}, which depends on the current directory", path.kind, first_of(relative)),
          .evidence = {{"search path", list_of(relative)}},
          .fix = path_repair(view, index),
          .severity = is_searched(elf) ? Severity::Error : Severity::Warning});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC502",
    .name = "runpath-relative",
    .severity = Severity::Error,
    .security = "7.8",
    .check = check,
};

}  // namespace wheelcheck::rules::runpath_relative
