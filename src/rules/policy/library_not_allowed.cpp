// WC103: a library that is neither in the wheel nor on the claimed systems.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "model/graphics_stack.h"
#include "model/installed_files.h"
#include "model/installed_with.h"
#include "model/search_path.h"
#include "rules/common.h"
#include "rules/gpu/gpu_common.h"
#include "rules/loading/path_repair.h"

namespace wheelcheck::rules::library_not_allowed {
namespace {

// libibverbs and librdmacm load plugins of the system (rdma-core).
constexpr std::string_view driver[] = {"libcuda.so",     "libnvidia-ml.so", "libnvcuvid.so",
                                       "libamdhip64.so", "libibverbs.so",   "librdmacm.so"};
constexpr std::string_view glibc_modules[] = {"libnss_compat.so", "libnss_dns.so", "libnss_files.so"};
constexpr std::string_view other_libc[] = {"libc.", "ld-", "ld64."};

// Whether a search path of the file leads to the place where the tables say that a distribution has the library.
bool leads_to_holder(const WheelView& view, ElfIndex user, std::string_view library) {
  const ElfMember& elf = view.wheel.elfs[user.value];
  const auto leads = [&](std::string_view element) {
    const auto parts = starts_at_origin(element) ? directory_of(elf.installed, element) : std::nullopt;
    if (!parts) return false;
    const std::string place = below_site_packages(fmt::format("{}/{}", fmt::join(*parts, "/"), library));
    return std::ranges::any_of(view.knowledge.distributions, [&](const KnownDistribution& one) {
      return std::ranges::any_of(one.sonames, [&](std::string_view p) { return glob_match(p, place); });
    });
  };
  return std::ranges::any_of(effective_path(elf.facts).elements, leads);
}

// Whether the names begin alike: cmeel-omniorb and libomniCodeSets4.so.3, pxr-gf-dev and libPxrGf.so.
bool is_called_like(std::string_view library, std::string_view name, std::string_view project) {
  constexpr std::size_t least = 4;
  if (library.starts_with("lib")) library.remove_prefix(3);
  const std::string file = lower(library);
  const std::string_view rest = name.substr(project.size()), word = rest.substr(0, rest.find('-'));
  const auto [end, other] = std::ranges::mismatch(word, file);
  return end - word.begin() >= std::ptrdiff_t{least} ||
         file.starts_with(std::string(project.substr(0, project.size() - 1)) + std::string(word) + '.');
}

// The requirements of the same project that are called like the library and whose libraries no table lists: they have
// it, but no search path leads there (cmeel-omniorbpy 4.3.1, pxr-vt-dev 26.8).
std::vector<std::string> relatives(const WheelView& view, std::string_view library) {
  const std::string own = own_name(view);
  const std::string project = own.substr(0, own.find('-')) + '-';
  std::vector<std::string> out;
  for (const std::string& name : asked_for(view)) {
    const auto known = std::ranges::lower_bound(view.knowledge.distributions, name, {}, &KnownDistribution::name);
    const bool listed = known != view.knowledge.distributions.end() && known->name == name && !known->sonames.empty();
    if (name != own && name.starts_with(project) && !listed && is_called_like(library, name, project))
      out.push_back(name);
  }
  return out;
}

// `holders`: distributions that contain the library, by the tables of data/ (a name is never guessed: anyone could
// register it).
// `installed` is made when it is first needed, once for all findings.
std::string fix_of(const WheelView& view, ElfIndex user, std::string_view library,
                   const std::vector<std::string>& holders, std::optional<InstalledWith>& installed) {
  const auto starts = [&](std::string_view start) { return library.starts_with(start); };
  if (uses_no_symbol_of(view.wheel.elfs[user.value], library))
    return fmt::format("the file uses no symbol of it: link with -Wl,--as-needed, or patchelf --remove-needed {} {}",
                       shell_word(library), shell_word(path_of(view, user)));
  if (std::ranges::any_of(other_libc, starts))
    return "it is the C library of another system: build the file on a system of the tag";
  if (std::ranges::any_of(glibc_modules, starts))
    return fmt::format(
        "libc.so.6 opens it and both must be of one build: do not bundle it, but open it with dlopen, or declare it "
        "with --external {}",
        shell_word(library));
  if (std::ranges::any_of(driver, starts) || !graphics_library(library).empty())
    return fmt::format(
        "it belongs to the driver of the machine, which no wheel may contain: open it with dlopen, or declare it "
        "with --external {}",
        shell_word(library));
  if (is_of_webkit(library))
    return fmt::format(
        "no wheel can contain WebKitGTK, which starts programs in a directory of the system: name its package in the "
        "README, and declare it with --external {}",
        shell_word(library));
  if (!holders.empty() && !installed) installed.emplace(view.wheel, view.knowledge.distributions);
  const std::string older = holders.empty() ? "" : installed->older_with(holders);
  if (!older.empty() && !view.options.self_contained)
    return fmt::format("write `Requires-Dist: {}`: later releases do not require {}", older, holders.front());
  if (!holders.empty() && !view.options.self_contained)
    return fmt::format(
        "add {}{} to the dependencies ({} the library{}", holders.size() == 1 ? "" : "one of ", join(holders, ", "),
        holders.size() == 1 ? "it contains" : "each contains",
        leads_to_holder(view, user, library)
            ? ", where a search path of the file leads)"
            : "), and let the loader find it: a search path to its directory ($ORIGIN/../...), or Python code that "
              "imports or opens it first");
  if (is_out_of_reach(path_of(view, user)))
    return "link it statically; or, before wheelcheck repair, " + advice_to_move(view, user, std::nullopt);
  const std::string bundle = fmt::format(
      "bundle it with wheelcheck repair, link it statically, or declare the provider: --provider "
      "DIST=WHEEL or --external {}",
      shell_word(library));
  const std::vector<std::string> others =
      is_of_compiler(library) ? std::vector<std::string>() : relatives(view, library);
  if (others.empty()) return bundle;
  return fmt::format("if {} has it, give the file a search path to its directory ($ORIGIN/../...); else {}",
                     list_of(others, 2), bundle);
}

// `system`: what does not provide the library: the strictest of the tags, or the newest level.
void report(const WheelView& view, const Emit& emit, ElfIndex index, const std::string& library,
            std::string_view system, std::vector<Evidence> evidence, std::optional<InstalledWith>& installed) {
  const std::optional<ElfIndex> copy = bundled_copy(view, library);
  evidence.insert(evidence.begin(), {"library", library});
  if (copy) evidence.push_back({"bundled as", std::string(path_of(view, *copy))});
  emit({.place = AtElf{index},
        .message = fmt::format("requires {}, which neither the wheel nor {} provides", library, system),
        .evidence = std::move(evidence),
        .fix = copy ? path_repair(view, index) : fix_of(view, index, library, holders_of(view, library), installed),
        .severity = {}});
}

// The tag `any` claims no level (WC705). A library that the newest one lacks is missing after that mistake is
// corrected, too. Files for several machines are mostly data.
const Assessment* only_assessment(const WheelView& view) {
  const std::vector<PlatformTag>& platforms = view.wheel.name.platforms;
  const bool any = platforms.size() == 1 && platforms.front().family == PlatformTag::Family::Any;
  if (!any || view.assessments.size() != 1) return nullptr;
  const Assessment& one = view.assessments.front();
  return one.files > 0 && one.levels.size() > 1 ? &one : nullptr;
}

// By file and name: what WC401 reports.
std::set<std::pair<MemberIndex, std::string_view>> of_devices(const WheelView& view) {
  std::set<std::pair<MemberIndex, std::string_view>> out;
  for (const GpuReference& one : view.analysis.gpu)
    if (one.member && one.use == GpuUse::Needed && is_only_with_the_device(one)) out.emplace(*one.member, one.name);
  return out;
}

// A note if all of them are known to come with the device or with a distribution that users of the back end install.
void report_back_end(const WheelView& view, const Emit& emit, ElfIndex index,
                     const std::set<std::pair<MemberIndex, std::string_view>>& devices) {
  if (index.value >= view.resolution.needed.size()) return;
  std::vector<std::string> libraries, unknown;
  for (const NeededFound& found : view.resolution.needed[index.value]) {
    if (!found.source || view.resolution.sources[found.source->value].kind != LibrarySource::Kind::BackEnd) continue;
    libraries.emplace_back(found.name);
    const bool known = devices.contains({view.wheel.elfs[index.value].member, found.name}) ||
                       std::ranges::any_of(view.analysis.gpu, [&](const GpuReference& one) {
                         return one.vendor == "opencl" && one.name == found.name;
                       });
    if (!known && holders_of(view, found.name).empty()) unknown.emplace_back(found.name);
  }
  if (libraries.empty()) return;
  emit({.place = AtElf{index},
        .message = fmt::format("requires {}, which the wheel and its requirements do not provide: where it is missing "
                               "this file cannot be loaded, which the rest of the wheel does not need",
                               first_of(unknown.empty() ? libraries : unknown)),
        .evidence = {{"libraries", list_of(libraries)}},
        .fix = "bundle it, unless machines for the back end have it: then declare it with --external",
        .severity = unknown.empty() ? Severity::Note : Severity::Warning,
        .confidence = Confidence::Medium});
}

void check(const WheelView& view, const Emit& emit) {
  const NeededMap needed = needed_by_name(view);
  const auto devices = of_devices(view);
  std::optional<InstalledWith> installed;
  for_each_judged(view, [&](ElfIndex index, const ElfMember&) { report_back_end(view, emit, index, devices); });
  const auto is_of_another_rule = [&](ElfIndex index, const std::string& library) {
    if (is_libpython(library)) return true;                                             // WC510
    if (is_for_other_libc(view, view.wheel.elfs[index.value])) return true;             // WC110
    if (devices.contains({view.wheel.elfs[index.value].member, library})) return true;  // WC401
    const auto found = needed.find({index, library});
    return found != needed.end() && found->second->unreached.has_value();  // WC506
  };
  for (const UnmetRequirement<LibraryRequirement>& unmet_requirement :
       unmet_requirements_of<LibraryRequirement>(view)) {
    const std::string& library = unmet_requirement.what->library;
    if (!is_of_another_rule(unmet_requirement.elf, library))
      report(view, emit, unmet_requirement.elf, library, strictest(unmet_requirement.claims).text,
             {{"blocks", tags_of(unmet_requirement.claims)}}, installed);
  }
  const Assessment* const assessment = only_assessment(view);
  if (assessment == nullptr) return;
  for (const RequirementIndex index : assessment->levels[1].unmet_requirements) {
    const Requirement& requirement = assessment->requirements[index.value];
    const auto* const what = std::get_if<LibraryRequirement>(&requirement.what);
    if (what != nullptr && !is_of_another_rule(requirement.elf, what->library))
      report(view, emit, requirement.elf, what->library, assessment->level_names[1], {}, installed);
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
