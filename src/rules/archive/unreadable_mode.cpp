// WC730: files that nobody may read once a tool that keeps the modes of the archive has unpacked them.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "rules/common.h"

namespace wheelcheck::rules::unreadable_mode {
namespace {

constexpr std::uint32_t type_bits = 0170000, regular = 0100000, permissions = 0777, owner_reads = 0400;

// A mode without permissions was not recorded.
bool is_unreadable(const MemberFacts& member) {
  return (member.unix_mode & type_bits) == regular && (member.unix_mode & permissions) != 0 &&
         (member.unix_mode & owner_reads) == 0;
}

void check(const WheelView& view, const Emit& emit) {
  if (view.wheel.size == 0) return;  // an unpacked wheel: the modes in a later archive are not known
  std::vector<std::string> paths;
  std::uint32_t mode = 0;
  for (const MemberFacts& member : view.wheel.members) {
    if (!is_unreadable(member)) continue;
    if (paths.empty()) mode = member.unix_mode;
    paths.push_back(member.path.text());
  }
  if (paths.empty()) return;
  emit({.place = AtPath{paths.front()},
        .message = fmt::format("{} may not be read even by the owner (recorded mode: {:06o}): after `unzip` the "
                               "package cannot be imported; pip and uv do not use the mode",
                               count_of(paths.size(), "file"), mode),
        .evidence = {{"files", list_of(paths)}},
        .fix = "pack the wheel again with mode 0644 (wheel unpack, chmod -R u+rwX,go+rX, wheel pack); uv_build: use a "
               "newer release"});
}

}  // namespace

extern const Rule rule{
    .code = "WC730",
    .name = "unreadable-mode",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::unreadable_mode
