// WC403: a GPU library is opened by a name that only development packages install.
#include <fmt/format.h>

#include <algorithm>

#include "rules/gpu/gpu_common.h"

namespace wheelcheck::rules::dlopen_unversioned {
namespace {

// "libcudart.so.{major}" with the only major version that the wheel refers to.
std::string right_name(const WheelView& view, const KnownGpuLibrary& library) {
  std::set<std::string_view> majors;
  for (const GpuReference& one : view.analysis.gpu)
    if (one.vendor == library.vendor && !one.major.empty()) majors.insert(one.major);
  std::string name(library.on_user_machines);
  constexpr std::string_view place = "{major}";
  if (const std::size_t at = name.find(place); at != name.npos)
    name.replace(at, place.size(), majors.size() == 1 ? std::string(*majors.begin()) : "MAJOR");
  if (name.ends_with('*')) name.replace(name.size() - 1, 1, "MAJOR");
  return name;
}

bool is_opened(const GpuReference& one) { return one.use == GpuUse::Dlopen || one.use == GpuUse::Python; }

// References to "libx.so" in a file that contains no other form of the library's name.
std::vector<const GpuReference*> unversioned(const WheelView& view, const std::vector<const GpuReference*>& references,
                                             const std::set<std::string_view>& bundled) {
  std::set<std::string_view> versioned;
  for (const GpuReference* one : references)
    if (!one->version.empty()) versioned.insert(one->stem);
  std::vector<const GpuReference*> result;
  for (const GpuReference* one : references) {
    if (!is_opened(*one) || versioned.contains(one->stem) || one->name != one->stem + ".so") continue;
    const KnownGpuLibrary* const library = known_library(view, one->stem);
    if (library == nullptr || library->on_user_machines.empty() || library->on_user_machines == one->name) continue;
    if (!bundled.contains(one->name)) result.push_back(one);
  }
  return result;
}

void report(const WheelView& view, const Emit& emit, MemberIndex member,
            const std::vector<const GpuReference*>& found) {
  std::vector<std::string> names, right;
  std::vector<Evidence> evidence;
  for (const GpuReference* one : found) {
    names.push_back(one->name);
    right.push_back(right_name(view, *known_library(view, one->stem)));
  }
  names = distinct(std::move(names));
  evidence.push_back({"spelled", list_of(names, shown_symbols)});
  if (const std::uint32_t line = found.front()->line; line != 0) evidence.push_back({"line", fmt::to_string(line)});
  emit({.place = place_of(view, member),
        .message = fmt::format("opens {}, {} that only development packages have", first_of(names),
                               names.size() == 1 ? "a name" : "names"),
        .evidence = std::move(evidence),
        .fix = fmt::format("open {} first", fmt::join(distinct(right), ", ")),
        .severity = {}});
}

void check(const WheelView& view, const Emit& emit) {
  std::set<std::string_view> bundled;
  for (const GpuReference& one : view.analysis.gpu)
    if (one.use == GpuUse::Bundled) bundled.insert(one.name);
  for (const auto& [member, references] : references_by_member(view)) {
    // A copy of the toolkit's own library is not under the control of this wheel.
    if (std::ranges::any_of(references, [](const GpuReference* one) { return one->use == GpuUse::Bundled; })) continue;
    const auto found = unversioned(view, references, bundled);
    if (!found.empty()) report(view, emit, member, found);
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC403",
    .name = "dlopen-unversioned",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .check = check,
};

}  // namespace wheelcheck::rules::dlopen_unversioned
