// Which members grew and shrank: the largest by name, the others by folder.
#include <algorithm>
#include <map>

#include "diff/internal.h"

namespace wheelcheck::diff {
namespace {

constexpr std::size_t listed = 10;    // members, and folders
constexpr std::uint64_t share = 200;  // a difference below this part of the whole wheel is told with its folder

std::uint64_t difference(const Both<std::uint64_t>& bytes) {
  return std::max(bytes.old, bytes.now) - std::min(bytes.old, bytes.now);
}

std::uint64_t unpacked(const WheelFacts& wheel) {
  std::uint64_t sum = 0;
  for (const MemberFacts& member : wheel.members) sum += member.size;
  return sum;
}

// tensorflow/include for tensorflow/include/absl/base/log.h
std::string folder_of(const MemberSize& member) {
  const std::string& path = member.path.now.empty() ? member.path.old : member.path.now;
  const std::size_t first = path.find('/');
  const std::size_t second = first == path.npos ? path.npos : path.find('/', first + 1);
  return path.substr(0, second != path.npos ? second : first != path.npos ? first : 0);
}

std::vector<MemberSize> all_members(const Releases& both) {
  std::vector<MemberSize> out;
  for (const FilePair& pair : both.files) {
    MemberSize one;
    if (pair.old) {
      const MemberFacts& member = both.old.facts.members[pair.old->value];
      one.path.old = member.path.text();
      one.bytes.old = member.size;
    }
    if (pair.now) {
      const MemberFacts& member = both.now.facts.members[pair.now->value];
      one.path.now = member.path.text();
      one.bytes.now = member.size;
    }
    out.push_back(std::move(one));
  }
  std::ranges::stable_sort(out, std::greater{}, [](const MemberSize& one) { return difference(one.bytes); });
  return out;
}

std::uint64_t rewritten(const Releases& both) {
  return static_cast<std::uint64_t>(std::ranges::count_if(both.files, [&](const FilePair& pair) {
    if (!pair.old || !pair.now) return false;
    const std::string &old = both.old.facts.members[pair.old->value].sha256,
                      &now = both.now.facts.members[pair.now->value].sha256;
    return !old.empty() && !now.empty() && old != now;
  }));
}

std::vector<FolderSize> by_folder(std::span<const MemberSize> members) {
  std::map<std::string, FolderSize> folders;
  for (const MemberSize& member : members) {
    FolderSize& folder = folders[folder_of(member)];
    folder.bytes.old += member.bytes.old;
    folder.bytes.now += member.bytes.now;
    folder.files.old += member.path.old.empty() ? 0u : 1u;
    folder.files.now += member.path.now.empty() ? 0u : 1u;
  }
  std::vector<FolderSize> out;
  for (auto& [name, folder] : folders) {
    if (!folder.bytes.changed() && !folder.files.changed()) continue;
    folder.folder = name;
    out.push_back(std::move(folder));
  }
  std::ranges::stable_sort(out, std::greater{}, [](const FolderSize& one) { return difference(one.bytes); });
  return out;
}

}  // namespace

SizeChanges compare_sizes(const Releases& both) {
  SizeChanges out{.archive = {both.old.facts.size, both.now.facts.size},
                  .unpacked = {unpacked(both.old.facts), unpacked(both.now.facts)},
                  .files = {both.old.facts.members.size(), both.now.facts.members.size()},
                  .rewritten = rewritten(both),
                  .members = {},
                  .folders = {}};
  const std::uint64_t least = std::max(out.unpacked.old, out.unpacked.now) / share;
  std::vector<MemberSize> members = all_members(both);
  std::size_t count = 0;
  while (count < members.size() && count < listed && difference(members[count].bytes) > least) ++count;
  out.folders = by_folder(std::span(members).subspan(count));
  members.resize(count);
  out.members = std::move(members);
  return out;
}

}  // namespace wheelcheck::diff
