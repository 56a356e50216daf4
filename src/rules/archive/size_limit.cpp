// WC710: the wheel exceeds the size limit of a package index, which would refuse the upload.
#include <fmt/format.h>

#include <algorithm>

#include "rules/common.h"

namespace wheelcheck::rules::size_limit {
namespace {

constexpr std::size_t shown_members = 3;

std::vector<const MemberFacts*> largest_members(const WheelFacts& wheel) {
  std::vector<const MemberFacts*> members;
  for (const MemberFacts& member : wheel.members) members.push_back(&member);
  const std::size_t most = std::min(members.size(), shown_members);
  std::ranges::stable_sort(members, [](const auto* a, const auto* b) { return a->packed_size > b->packed_size; });
  members.resize(most);
  return members;
}

void check(const WheelView& view, const Emit& emit) {
  const std::uint64_t size = view.wheel.size, limit = view.options.max_wheel_bytes;
  if (size <= limit || !view.options.index.empty()) return;  // with --index, WC853 reports it
  std::vector<std::string> largest;
  std::uint64_t debug = 0;
  for (const MemberFacts* member : largest_members(view.wheel))
    largest.push_back(fmt::format("{} ({})", member->path.text(), megabytes(member->packed_size)));
  for (const ElfMember& elf : view.wheel.elfs) debug += elf.facts.sections.debug_bytes;
  std::vector<Evidence> evidence = {{"largest members, as packed", list_of(largest)}};
  if (debug >= 1'000'000) evidence.push_back({"debug sections, unpacked", megabytes(debug)});
  emit({.place = WholeWheel{},
        .message = fmt::format("has {} bytes, {} above the limit of {}", size, megabytes(size - limit), limit),
        .evidence = std::move(evidence),
        .fix = fmt::format("{}ask the index for a higher limit; where it was granted: --max-wheel-bytes {}",
                           debug >= 1'000'000 ? "strip the libraries (strip -g), or " : "", size),
        // Which projects have a higher limit is not known here; --index and a limit of one's own say that it matters.
        .severity = limit == RuleOptions().max_wheel_bytes ? std::optional(Severity::Info) : std::nullopt,
        .confidence = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC710",
    .name = "size-limit",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::size_limit
