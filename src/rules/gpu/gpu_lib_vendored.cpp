// WC407: the wheel contains libraries of a GPU toolkit that another wheel provides.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "rules/gpu/gpu_common.h"

namespace wheelcheck::rules::gpu_lib_vendored {
namespace {

// True if this wheel is the one that provides the library to others.
bool is_its_provider(const WheelView& view, const KnownGpuLibrary& library) {
  const std::string own = own_name(view);
  return own.starts_with("nvidia-") || std::ranges::any_of(library.providers, [&](const GpuProvider& provider) {
           return provider.distribution == own;
         });
}

struct Vendored {
  std::vector<std::string> files, providers, components, excludes, not_allowed;
  std::uint64_t bytes = 0;
};

void add(const WheelView& view, const GpuReference& one, const KnownGpuLibrary& library, Vendored& into) {
  const MemberFacts& member = view.wheel.members[one.member->value];
  into.files.push_back(member.path.text());
  into.components.push_back(one.component);
  into.bytes += member.size;
  // Which of several distributions fits is known only if METADATA requires one of them, which is then the first.
  if (!one.provided_by.empty())
    into.providers.push_back(one.required ? one.provided_by.front() : join(one.provided_by, " or "));
  const std::string_view number = std::string_view(one.version).substr(0, one.version.find('.'));
  into.excludes.push_back("--exclude " +
                          shell_word(fmt::format("{}.so{}{}", one.stem, number.empty() ? "" : ".", number)));
  if (!library.redistributable) into.not_allowed.push_back(one.name);
}

void report(const Emit& emit, std::string_view vendor, Vendored found) {
  const auto components = distinct(std::move(found.components));
  const auto providers = distinct(std::move(found.providers));
  std::vector<Evidence> evidence{
      {"files", list_of(found.files)}, {"components", list_of(components)}, {"bytes", fmt::to_string(found.bytes)}};
  if (!providers.empty()) evidence.push_back({"distributions that contain them", list_of(providers)});
  if (!found.not_allowed.empty())
    evidence.push_back({"not on the licence's list of what may be passed on", list_of(found.not_allowed)});
  const std::string fix =
      providers.empty() ? std::string("nothing has to be changed: no distribution of the public index contains them")
                        : fmt::format("depend on {} and leave the files out: auditwheel repair {} WHEEL",
                                      list_of(providers), fmt::join(distinct(std::move(found.excludes)), " "));
  emit({.place = WholeWheel{},
        .message = fmt::format("contains {} of {}: {}",
                               found.files.size() == 1 ? "1 library" : fmt::format("{} libraries", found.files.size()),
                               vendor_name(vendor), list_of(components, 4)),
        .evidence = std::move(evidence),
        .fix = fix,
        .severity = {}});
}

void check(const WheelView& view, const Emit& emit) {
  std::map<std::string, Vendored> by_vendor;
  for (const GpuReference& one : view.analysis.gpu) {
    if (one.use != GpuUse::Bundled || one.driver || !one.member || one.vendor == "opencl") continue;
    const KnownGpuLibrary* const library = known_library(view, one.stem);
    if (library != nullptr && !is_its_provider(view, *library)) add(view, one, *library, by_vendor[one.vendor]);
  }
  for (auto& [vendor, found] : by_vendor) report(emit, vendor, std::move(found));
}

}  // namespace

extern const Rule rule{
    .code = "WC407",
    .name = "gpu-lib-vendored",
    .severity = Severity::Info,
    .check = check,
};

}  // namespace wheelcheck::rules::gpu_lib_vendored
