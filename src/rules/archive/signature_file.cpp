// WC713: RECORD.jws and RECORD.p7s promise a safety that no tool gives.
#include <fmt/format.h>

#include "rules/common.h"

namespace wheelcheck::rules {
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

extern const Rule signature_file{
    .code = "WC713",
    .name = "signature-file",
    .severity = Severity::Warning,
    .summary = "The wheel holds a signature file that nothing checks.",
    .why =
        "PEP 427 let a wheel carry RECORD.jws or RECORD.p7s, signatures over RECORD. No installer ever checked them, "
        "nor the hashes in RECORD on which they rest, so they look like a protection that is not there. PEP 815 "
        "deprecates both files and forbids tools to add them.",
    .remedy =
        "Build without them (`wheel sign` is gone since wheel 0.32). Who built a file is said by attestations that the "
        "index hosts, and what was downloaded is held against the hash that the index gives.",
    .false_positives = "None known.",
    .check = check,
};

}  // namespace wheelcheck::rules
