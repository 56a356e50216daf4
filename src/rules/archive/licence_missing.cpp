// WC712: a licence file is named but missing, or the wheel does not state its licence at all.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "rules/common.h"

namespace wheelcheck::rules::licence_missing {
namespace {

// PEP 639 puts licence files below .dist-info/licenses, with their directories. An early draft used license_files, and
// older tools put them into .dist-info by their base names.
bool is_there(const WheelFacts& wheel, std::string_view file) {
  const std::string_view base = base_name(file);
  for (const std::string_view name : {file, base})
    for (const std::string_view folder : {"licenses/", "license_files/", ""})
      if (find_member(wheel.members, fmt::format("{}/{}{}", *wheel.dist_info, folder, name))) return true;
  return false;
}

// True for a file with one of the names that PEP 639 lists, anywhere in the wheel, also behind the name of what it is
// for: LLVM_LICENSE.txt.
bool is_licence_text(const MemberFacts& member) {
  const std::string name = lower(member.path.name());
  for (const std::string_view start : {"licen", "copying", "notice", "unlicense", "copyright"})
    if (name.starts_with(start)) return true;
  for (const std::string_view end : {"license", "license.txt", "license.md", "licence", "licence.txt", "licence.md"})
    if (name.ends_with(end)) return true;
  return false;
}

void check(const WheelView& view, const Emit& emit) {
  const WheelFacts& wheel = view.wheel;
  if (!wheel.metadata || !wheel.dist_info) return;
  std::vector<std::string> lost;
  for (const std::string& file : wheel.metadata->license_files)
    if (!is_there(wheel, file)) lost.push_back(file);
  const auto member = std::ranges::find(wheel.members, *wheel.dist_info + "/METADATA",
                                        [](const MemberFacts& m) { return m.path.text(); });
  const Place place = member == wheel.members.end()
                          ? Place(WholeWheel{})
                          : Place(AtMember{{static_cast<std::uint32_t>(member - wheel.members.begin())}});
  if (!lost.empty())
    emit({.place = place,
          .message = fmt::format("names {} that the wheel does not contain: {}", count_of(lost.size(), "licence file"),
                                 first_of(lost)),
          .evidence = {{"License-File", list_of(lost)}},
          .fix =
              fmt::format("put it at {}/licenses/{} with a build backend that knows PEP 639 (setuptools 77, hatchling "
                          "1.27), or drop it from license-files",
                          *wheel.dist_info, lost.front()),
          .severity = {},
          .confidence = {}});
  const bool text = std::ranges::any_of(wheel.members, is_licence_text) || !wheel.metadata->license_files.empty();
  if (wheel.metadata->licenses.empty() && !text)
    emit({.place = place,
          .message = "names no licence in METADATA, and the wheel contains no licence file",
          .evidence = {},
          .fix = "set license and license-files in the [project] table of pyproject.toml (PEP 639)",
          .severity = {},
          .confidence = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC712",
    .name = "licence-missing",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::licence_missing
