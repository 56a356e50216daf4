// GPU libraries that are opened by name, with dlopen.
#include <fmt/format.h>

#include <algorithm>

#include "model/library_name.h"
#include "rules/gpu/gpu_common.h"

// WC403: a GPU library is opened by a name that only development packages install.
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
    const KnownGpuLibrary* const library = find_gpu_library(view.knowledge.gpu, one->stem);
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
    right.push_back(right_name(view, *find_gpu_library(view.knowledge.gpu, one->stem)));
  }
  names = distinct(std::move(names));
  // Only with an option that is off by default (x264, encoder/slicetype-cl.c), and it goes on without the library.
  const bool x264 = view.wheel.members[member.value].path.name().starts_with("libx264") &&
                    names == std::vector<std::string>{"libOpenCL.so"};
  evidence.push_back({"spelled", list_of(names, shown_symbols)});
  if (const std::uint32_t line = found.front()->line; line != 0) evidence.push_back({"line", fmt::to_string(line)});
  emit({.place = place_of(view, member),
        .message = fmt::format("opens {}, {} that only development packages have", first_of(names),
                               names.size() == 1 ? "a name" : "names"),
        .evidence = std::move(evidence),
        .fix = x264 ? "build x264 with --disable-opencl, unless its option opencl is used"
                    : fmt::format("open {} first", fmt::join(distinct(right), ", ")),
        .severity = x264 ? std::optional(Severity::Note) : std::nullopt});
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

// WC404: the GPU libraries that a wheel opens by name, which do not appear in DT_NEEDED.
namespace wheelcheck::rules::dlopen_inventory {
namespace {

// "pkg/x.so (dlopen)", "pkg/x.py line 12"
std::string where(const WheelView& view, const GpuReference& one) {
  const std::string& path = view.wheel.members[one.member->value].path.text();
  return one.line == 0 ? path : fmt::format("{} line {}", path, one.line);
}

// True for names that a file opens, or that Python code contains for that purpose. A name in a file that opens nothing
// is ignored.
bool is_opened(const GpuReference& one) {
  return one.use == GpuUse::Dlopen || one.use == GpuUse::Python || (one.use == GpuUse::Named && one.line != 0);
}

struct Inventory {
  std::vector<std::string> names, declared, driver;
  std::map<std::string, std::vector<std::string>> by_place;
  std::vector<std::string> missing;  // distributions that contain one of them and are not required
};

Inventory take(const WheelView& view) {
  Inventory result;
  for (const GpuReference& one : view.analysis.gpu) {
    if (one.use == GpuUse::Declared) result.declared.push_back(one.name);
    if (!is_opened(one) || !one.member) continue;
    result.names.push_back(one.name);
    if (one.driver) result.driver.push_back(one.name);
    result.by_place[where(view, one)].push_back(one.name);
    // If several distributions provide it, the choice is up to the wheel.
    if (!one.required && one.provided_by.size() == 1 && one.provided_by.front() != own_name(view))
      result.missing.push_back(one.provided_by.front());
  }
  result.names = distinct(std::move(result.names));
  result.driver = distinct(std::move(result.driver));
  result.missing = distinct(std::move(result.missing));
  return result;
}

void check(const WheelView& view, const Emit& emit) {
  const Inventory found = take(view);
  if (found.names.empty()) return;
  std::vector<Evidence> evidence{{"names", list_of(found.names, shown_symbols)}};
  std::size_t shown = 0;
  for (const auto& [place, names] : found.by_place) {
    if (shown++ == shown_items) {
      evidence.push_back({"and", count_of(found.by_place.size() - shown_items, "more place")});
      break;
    }
    evidence.push_back({place, list_of(distinct(names), shown_items)});
  }
  if (!found.declared.empty()) evidence.push_back({"only declared", list_of(found.declared, shown_items)});
  emit({.place = WholeWheel{},
        .message =
            fmt::format("opens at least {} by name: {}",
                        found.names.size() == 1 ? "1 GPU library" : fmt::format("{} GPU libraries", found.names.size()),
                        list_of(found.names, 3)),
        .evidence = std::move(evidence),
        .fix = found.missing.empty()
                   ? "nothing has to be changed; try the import on a machine without these libraries"
                   : fmt::format("if the package cannot do without them, depend on {}", list_of(found.missing)),
        .severity = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC404",
    .name = "dlopen-inventory",
    .severity = Severity::Note,
    .confidence = Confidence::Medium,
    .check = check,
};

}  // namespace wheelcheck::rules::dlopen_inventory
