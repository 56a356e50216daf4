// WC103: a library that is neither in the wheel nor on the claimed systems.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/graphics_stack.h"
#include "rules/common.h"
#include "rules/gpu/gpu_common.h"
#include "rules/loading/path_repair.h"

namespace wheelcheck::rules::library_not_allowed {
namespace {

constexpr std::string_view driver[] = {"libcuda.so", "libnvidia-ml.so", "libnvcuvid.so", "libamdhip64.so"};
constexpr std::string_view other_libc[] = {"libc.", "ld-", "ld64."};

// `holders`: distributions that contain the library, by the tables of data/ (a name is never guessed: anyone could
// register it).
std::string fix_of(const WheelView& view, std::string_view library, const std::vector<std::string>& holders) {
  const auto starts = [&](std::string_view start) { return library.starts_with(start); };
  if (std::ranges::any_of(other_libc, starts))
    return "it is the C library of another system: build the file on a system of the tag";
  if (std::ranges::any_of(driver, starts) || !graphics_library(library).empty())
    return fmt::format(
        "it belongs to the driver of the machine, which no wheel may contain: open it with dlopen, or declare it "
        "with --external {}",
        shell_word(library));
  if (!holders.empty() && !view.options.self_contained)
    return holders.size() == 1
               ? fmt::format("add {} to the dependencies: it contains it", holders.front())
               : fmt::format("add one of {} to the dependencies: each contains it", join(holders, ", "));
  return fmt::format(
      "bundle it with wheelcheck repair, link it statically, or declare the provider: --provider "
      "DIST=WHEEL or --external {}",
      shell_word(library));
}

void check(const WheelView& view, const Emit& emit) {
  const NeededMap needed = needed_by_name(view);
  for (const UnmetRequirement<LibraryRequirement>& unmet_requirement :
       unmet_requirements_of<LibraryRequirement>(view)) {
    const std::string& library = unmet_requirement.what->library;
    const ElfIndex index = unmet_requirement.elf;
    if (is_libpython(library)) continue;                                  // WC510
    if (is_for_other_libc(view, view.wheel.elfs[index.value])) continue;  // WC110
    const auto found = needed.find({index, library});
    if (found != needed.end() && found->second->unreached) continue;  // WC506
    const std::optional<ElfIndex> copy = bundled_copy(view, library);
    std::vector<Evidence> evidence{{"library", library}, {"blocks", tags_of(unmet_requirement.claims)}};
    if (copy) evidence.push_back({"bundled as", std::string(path_of(view, *copy))});
    emit({.place = AtElf{index},
          .message = fmt::format("requires {}, which neither the wheel nor {} provides", library,
                                 strictest(unmet_requirement.claims).text),
          .evidence = std::move(evidence),
          .fix = copy ? path_repair(view, index) : fix_of(view, library, holders_of(view, library)),
          .severity = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC103",
    .name = "library-not-allowed",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::library_not_allowed
