// WC604: debug information that every user downloads.
#include <fmt/format.h>

#include <algorithm>

#include "rules/common.h"

namespace wheelcheck::rules::debug_info_shipped {
namespace {

constexpr std::uint64_t least = 64 * 1024;  // bytes of one file; smaller amounts are not reported
// Less than this, and less than a fiftieth of what the wheel installs, is a note: no user would see the difference.
constexpr std::uint64_t much = 1'000'000;
constexpr std::uint64_t small_part = 50;

std::string size_of(std::uint64_t bytes) {
  constexpr std::uint64_t mega = 1'000'000, kilo = 1000;
  return bytes >= 10 * mega ? fmt::format("{} MB", bytes / mega)
         : bytes >= mega    ? fmt::format("{}.{} MB", bytes / mega, bytes % mega / 100'000)
                            : fmt::format("{} KB", bytes / kilo);
}

void check(const WheelView& view, const Emit& emit) {
  std::vector<std::pair<std::uint64_t, ElfIndex>> files;
  std::uint64_t all = 0;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const std::uint64_t bytes = elf.facts.sections.debug_bytes;
    if (bytes <= least) return;
    files.emplace_back(bytes, index);
    all += bytes;
  });
  if (files.empty()) return;
  std::ranges::stable_sort(files, std::ranges::greater{}, [](const auto& file) { return file.first; });
  std::vector<std::string> lines;
  for (const auto& [bytes, index] : files)
    lines.push_back(fmt::format("{} ({})", path_of(view, index), size_of(bytes)));
  std::uint64_t installed = 0;
  for (const MemberFacts& member : view.wheel.members) installed += member.size;
  const bool one = files.size() == 1;
  emit(
      {.place = one ? Place{AtElf{files.front().second}} : Place{WholeWheel{}},
       .message = one ? fmt::format("contains {} of debug information", size_of(all))
                      : fmt::format("{} contain {} of debug information", count_of(files.size(), "file"), size_of(all)),
       .evidence = {{"debug information", list_of(lines)}},
       .fix =
           one ? "strip --strip-debug " + shell_word(path_of(view, files.front().second)) + " before auditwheel repair"
               : "auditwheel repair --strip, or link with -Wl,-s, or strip --strip-debug each file before the repair",
       .severity = all < much && all < installed / small_part ? Severity::Info : std::optional<Severity>()});
}

}  // namespace

extern const Rule rule{
    .code = "WC604",
    .name = "debug-info-shipped",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::debug_info_shipped
