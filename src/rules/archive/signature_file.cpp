// WC713: RECORD.jws and RECORD.p7s are signatures that no tool verifies.
#include <fmt/format.h>

#include "rules/common.h"

namespace wheelcheck::rules::signature_file {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (!view.wheel.dist_info) return;
  for (std::uint32_t i = 0; i < view.wheel.members.size(); ++i) {
    const MemberPath& path = view.wheel.members[i].path;
    if (path.directory() != *view.wheel.dist_info || (path.name() != "RECORD.jws" && path.name() != "RECORD.p7s"))
      continue;
    emit({.place = AtMember{MemberIndex{i}},
          .message = "is a signature that no installer checks",
          .evidence = {},
          .fix = fmt::format("leave {} out and publish with attestations of the index instead", path.name()),
          .severity = {},
          .confidence = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC713",
    .name = "signature-file",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::signature_file
