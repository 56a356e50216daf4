// WC103: a library that is neither in the wheel nor on the claimed systems.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/graphics_stack.h"
#include "model/requires_dist.h"
#include "rules/common.h"
#include "rules/gpu/gpu_common.h"
#include "rules/loading/path_repair.h"

namespace wheelcheck::rules::library_not_allowed {
namespace {

constexpr std::string_view driver[] = {"libcuda.so", "libnvidia-ml.so", "libnvcuvid.so", "libamdhip64.so"};
constexpr std::string_view other_libc[] = {"libc.", "ld-", "ld64."};

// `holders`: distributions that contain the library, by the tables of data/ (a name is never guessed: anyone could
// register it).
std::string fix_of(std::string_view library, const std::vector<std::string>& holders) {
  const auto starts = [&](std::string_view start) { return library.starts_with(start); };
  if (std::ranges::any_of(other_libc, starts))
    return "it is the C library of another system: build the file on a system of the tag";
  if (std::ranges::any_of(driver, starts) || !graphics_library(library).empty())
    return fmt::format(
        "it belongs to the driver of the machine, which no wheel may contain: open it with dlopen, or declare it "
        "with --external {}",
        shell_word(library));
  if (holders.size() == 1)
    return fmt::format(
        "the distribution {0} contains it: depend on it, and declare it with --provider {0}=WHEEL or --external {1}",
        holders.front(), shell_word(library));
  if (!holders.empty())
    return fmt::format(
        "one of the distributions {} contains it: depend on it, and declare it with --provider DIST=WHEEL or "
        "--external {}",
        join(holders, ", "), shell_word(library));
  return fmt::format(
      "bundle it with wheelcheck repair, link it statically, or declare the provider: --provider "
      "DIST=WHEEL or --external {}",
      shell_word(library));
}

// METADATA requires a distribution that is known to carry it.
std::string fix_of_brought(std::string_view library, std::string_view distribution) {
  return fmt::format(
      "{} provides it, which pip installs with the wheel: declare it with --external {}, or with an external entry of "
      "the "
      "configuration",
      distribution, shell_word(library));
}

// Other wheels cannot be expected to have these: they belong to compilers, and every repair tool bundles them.
bool is_of_a_compiler(std::string_view library) {
  constexpr std::string_view starts[] = {"libstdc++.so", "libgcc_s.so",  "libgomp.so",     "libomp.so",
                                         "libiomp5.so",  "libatomic.so", "libgfortran.so", "libquadmath.so"};
  return std::ranges::any_of(starts, [&](std::string_view start) { return library.starts_with(start); });
}

// The directory that a search path of the file leads to and in which the wheel itself has no file: other wheels may
// install libraries there (cmeel.prefix/lib). "" if there is none.
std::string shared_directory(const WheelView& view, ElfIndex index) {
  const ElfMember& elf = view.wheel.elfs[index.value];
  for (const std::string_view element : effective_path(elf.facts).elements) {
    if (!starts_at_origin(element) || names_a_file(element) || target_of(elf, element) != PathTarget::Inside) continue;
    const auto parts = directory_of(elf.installed, element);
    if (!parts || parts->empty()) continue;
    std::string directory = fmt::format("{}/", fmt::join(*parts, "/"));
    const auto is_in = [&](const ElfMember& other) {
      const std::string_view installed = other.installed;
      return installed.starts_with(directory) && installed.find('/', directory.size()) == installed.npos;
    };
    if (std::ranges::none_of(view.wheel.elfs, is_in)) return directory;
  }
  return "";
}

// The distributions that pip installs with the wheel.
std::vector<std::string> required_distributions(const WheelView& view) {
  std::vector<std::string> names;
  if (!view.wheel.metadata) return names;
  for (const std::string& line : view.wheel.metadata->requires_dist)
    if (const Dependency dependency = parse_dependency(line); dependency.for_linux && !dependency.under)
      names.push_back(dependency.name);
  return distinct(std::move(names));
}

struct FromOthers {
  std::vector<std::string> libraries;
  std::set<const Claim*> claims;
};

void report(const WheelView& view, const Emit& emit, ElfIndex index, const FromOthers& others) {
  const std::vector<std::string> distributions = required_distributions(view);
  const std::vector<const Claim*> claims(others.claims.begin(), others.claims.end());
  emit({.place = AtElf{index},
        .message = fmt::format("requires {}, which neither the wheel nor {} provides", first_of(others.libraries),
                               strictest(claims).text),
        .evidence = {{others.libraries.size() == 1 ? "library" : "libraries", list_of(others.libraries)},
                     {"blocks", tags_of(claims)},
                     {"searched in", shared_directory(view, index)},
                     {"Requires-Dist", list_of(distributions)}},
        .fix = fmt::format("if a wheel of Requires-Dist installs {} there, declare the wheel: --provider {}=WHEEL{}",
                           others.libraries.size() == 1 ? "it" : "them", distributions.front(),
                           distributions.size() == 1 ? "" : ", and so for each that does"),
        .severity = {}});
}

void check(const WheelView& view, const Emit& emit) {
  const NeededMap needed = needed_by_name(view);
  const bool has_required = !required_distributions(view).empty();
  std::map<ElfIndex, std::string> shared;
  std::map<ElfIndex, FromOthers> from_others;
  for (const UnmetRequirement<LibraryRequirement>& unmet_requirement :
       unmet_requirements_of<LibraryRequirement>(view)) {
    const std::string& library = unmet_requirement.what->library;
    const ElfIndex index = unmet_requirement.elf;
    if (is_libpython(library)) continue;                                  // WC510
    if (is_for_other_libc(view, view.wheel.elfs[index.value])) continue;  // WC110
    const auto found = needed.find({index, library});
    if (found != needed.end() && found->second->unreached) continue;  // WC506
    const std::optional<ElfIndex> copy = bundled_copy(view, library);
    const std::vector<std::string> holders = holders_of(view, library);
    if (has_required && !copy && holders.empty() && !is_of_a_compiler(library)) {
      const auto [at, is_new] = shared.try_emplace(index);
      if (is_new) at->second = shared_directory(view, index);
      if (!at->second.empty()) {
        FromOthers& others = from_others[index];
        others.libraries.push_back(library);
        others.claims.insert(unmet_requirement.claims.begin(), unmet_requirement.claims.end());
        continue;
      }
    }
    std::vector<Evidence> evidence{{"library", library}, {"blocks", tags_of(unmet_requirement.claims)}};
    if (copy) evidence.push_back({"bundled as", std::string(path_of(view, *copy))});
    const Asked brought = copy || !view.wheel.metadata ? Asked{} : how_asked(view, holders);
    if (!brought.distribution.empty()) {
      evidence.push_back({"required distribution", brought.distribution});
      if (!brought.extras.empty()) evidence.push_back({"required under", "extra:" + *brought.extras.begin()});
    }
    emit({.place = AtElf{index},
          .message = fmt::format("requires {}, which neither the wheel nor {} provides", library,
                                 strictest(unmet_requirement.claims).text),
          .evidence = std::move(evidence),
          .fix = copy                           ? path_repair(view, index)
                 : brought.distribution.empty() ? fix_of(library, holders)
                                                : fix_of_brought(library, brought.distribution),
          .severity = {}});
  }
  for (const auto& [index, others] : from_others) report(view, emit, index, others);
}

}  // namespace

extern const Rule rule{
    .code = "WC103",
    .name = "library-not-allowed",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::library_not_allowed
