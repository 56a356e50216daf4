// WC513: the same library under several names. A ZIP archive cannot contain links, so each name costs the full size.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "rules/common.h"

namespace wheelcheck::rules::duplicate_files {
namespace {

// Bytes that the copies take in the archive; for less, a change is not worthwhile.
constexpr std::uint64_t least_bytes = std::uint64_t{1} << 20;

void check(const WheelView& view, const Emit& emit) {
  // By content: size and CRC-32 in the archive, which every reader compares with the bytes.
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::vector<ElfIndex>> same;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& file) {
    const MemberFacts& member = view.wheel.members[file.member.value];
    if (member.packed_size != 0) same[{member.size, member.crc32}].push_back(index);
  });
  std::uint64_t wasted = 0;
  std::size_t copies = 0;
  std::vector<std::pair<std::uint64_t, std::string>> groups;
  for (const auto& [content, files] : same) {
    if (files.size() < 2) continue;
    const std::uint64_t packed = view.wheel.members[view.wheel.elfs[files.front().value].member.value].packed_size;
    wasted += packed * (files.size() - 1);
    copies += files.size() - 1;
    std::vector<std::string> names;
    for (const ElfIndex index : files) names.emplace_back(path_of(view, index));
    groups.emplace_back(packed, list_of(names));
  }
  if (wasted < least_bytes) return;
  std::ranges::sort(groups, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<Evidence> evidence;
  constexpr std::size_t shown = 5;
  for (std::size_t i = 0; i < groups.size() && i < shown; ++i) evidence.push_back({"same content", groups[i].second});
  emit(
      {.place = WholeWheel{},
       .message = fmt::format("{} take{} {} of {}", count_of(copies, "duplicate file"), copies == 1 ? "s" : "",
                              megabytes(wasted), megabytes(view.wheel.size)),
       .evidence = std::move(evidence),
       .fix =
           "pack one file, named as its soname, and leave out the names that are symbolic links on the build machine"});
}

}  // namespace

extern const Rule rule{
    .code = "WC513",
    .name = "duplicate-files",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::duplicate_files
