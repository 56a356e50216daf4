// WC011: libraries that the project forbids its files to need (docs/configuration.md).
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "rules/common.h"

namespace wheelcheck::rules::forbidden_needed {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (view.options.forbidden_needed.empty()) return;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!elf.facts.dynamic) return;
    for (const NameRule& rule : view.options.forbidden_needed) {
      if (!rule.path.empty() && !glob_match(rule.path, path_of(view, index))) continue;
      std::vector<std::string_view> listed;
      for (const std::string_view library : elf.facts.dynamic->needed) {
        if (!glob_match(rule.names, library) || std::ranges::find(listed, library) != listed.end()) continue;
        listed.push_back(library);
        emit({.place = AtElf{index},
              .message =
                  fmt::format("requires {}, which forbid-needed \"{}\" forbids: {}", library, rule.names, rule.reason),
              .evidence = {{"library", std::string(library)}, {"reason", rule.reason}},
              .fix = fmt::format("link without it, or link it statically; what requires it: wheelcheck tree {}",
                                 shell_word(view.wheel.file)),
              .severity = {}});
      }
    }
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC011",
    .name = "forbidden-needed",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::forbidden_needed
