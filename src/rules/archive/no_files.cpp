// WC721: a wheel that installs nothing but its .dist-info directory.
#include <fmt/format.h>

#include <algorithm>

#include "rules/common.h"

namespace wheelcheck::rules::no_files {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (!view.wheel.dist_info) return;
  const std::string directory = *view.wheel.dist_info + '/';
  const auto describes = [&](const MemberFacts& member) { return member.path.text().starts_with(directory); };
  if (!std::ranges::all_of(view.wheel.members, describes)) return;
  emit({.place = WholeWheel{},
        .message =
            fmt::format("contains no file beside {}: nothing can be imported or run after it is installed", directory),
        .evidence = {},
        .fix = "name the packages for the build back end, or ignore WC721 in a wheel that only requires others",
        .severity = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC721",
    .name = "no-files",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::no_files
