// WC506: the wheel contains the library, but no search path leads to it.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/unused_copies.h"
#include "rules/common.h"
#include "rules/loading/path_repair.h"

namespace wheelcheck::rules::needed_unresolvable {
namespace {

using FileAndLibrary = std::pair<ElfIndex, std::string_view>;

struct Known {
  // the claims that are not compatible because of the library
  std::map<FileAndLibrary, std::vector<const Claim*>> broken;
  std::set<FileAndLibrary> from_the_system;  // the newest level of a policy family has the library
};

// If every newer system has a library of that name, the loader uses it when the wheel's copy cannot be found.
Known what_policies_say(const WheelView& view) {
  Known known;
  for (const UnmetRequirement<LibraryRequirement>& unmet_requirement : unmet_requirements_of<LibraryRequirement>(view))
    known.broken[{unmet_requirement.elf, unmet_requirement.what->library}] = unmet_requirement.claims;
  for (const Assessment& assessment : view.assessments) {
    if (assessment.levels.size() < 2) continue;
    std::set<RequirementIndex> unmet(assessment.levels[1].unmet_requirements.begin(),
                                     assessment.levels[1].unmet_requirements.end());
    for (std::uint32_t i = 0; i < assessment.requirements.size(); ++i) {
      const Requirement& requirement = assessment.requirements[i];
      const LibraryRequirement* what = std::get_if<LibraryRequirement>(&requirement.what);
      if (what && !unmet.contains(RequirementIndex{i})) known.from_the_system.insert({requirement.elf, what->library});
    }
  }
  return known;
}

// The loader searches for a file with the needed name. If the soname matches but the file name does not, or if the
// needed name is a path, a search path alone is not sufficient.
std::string fix_of(const WheelView& view, ElfIndex index, const NeededFound& found) {
  const std::string_view file = path_of(view, index);
  if (found.unreached->wheel.value != 0)
    return fmt::format("give {} a search path to the wheel that contains {}, or load it first from Python", file,
                       found.name);
  return path_repair(view, index);
}

std::string where(const WheelView& view, const NeededFound& found) {
  if (found.unreached->wheel.value != 0) return "another wheel of the run";
  return std::string(path_of(view, found.unreached->elf));
}

// A copy that no import reaches, no other file needs and no Python code of the wheel opens does no harm.
Severity severity_of(const WheelView& view, const ElfMember& root, const std::set<std::string_view>& needed,
                     bool is_unused_copy) {
  if (std::holds_alternative<ExtensionModule>(root.role)) return Severity::Error;
  if (is_unused_copy) return Severity::Info;
  if (!std::holds_alternative<BundledLibrary>(root.role) || is_loaded(view, needed, root)) return Severity::Warning;
  const std::string_view name = base_name(view.wheel.members[root.member.value].path.text());
  for (const PythonFile& file : view.wheel.python)
    for (const PythonCall& call : file.calls)
      if (!call.library || glob_match(base_name(*call.library), name)) return Severity::Warning;
  return Severity::Info;
}

void report(const WheelView& view, const Emit& emit, ElfIndex index, const NeededFound& found,
            const std::vector<const Claim*>* broken, const std::set<std::string_view>& needed,
            const std::vector<bool>& unused) {
  const EffectivePath path = effective_path(view.wheel.elfs[index.value].facts);
  std::vector<Evidence> evidence{{"library", std::string(found.name)}, {"found in", where(view, found)}};
  evidence.push_back(
      {"search path", path.elements.empty() ? std::string("none") : fmt::format("{}", fmt::join(path.elements, ":"))});
  const bool other_root = found.root.wheel.value == 0 && found.root.elf != index;
  if (other_root) evidence.push_back({"loaded by", std::string(path_of(view, found.root.elf))});
  if (broken) evidence.push_back({"blocks", tags_of(*broken)});
  const std::size_t root = found.root.wheel.value == 0 ? found.root.elf.value : index.value;
  emit({.place = AtElf{index},
        .message = fmt::format("requires {}, which {} contains, but no search path leads there", found.name,
                               found.unreached->wheel.value == 0 ? "the wheel" : "another wheel"),
        .evidence = std::move(evidence),
        .fix = fix_of(view, index, found),
        .severity = severity_of(view, view.wheel.elfs[root], needed, unused[root])});
}

void check(const WheelView& view, const Emit& emit) {
  const Known known = what_policies_say(view);
  const std::set<std::string_view> needed = needed_names(view);
  const std::vector<bool> unused = unused_copies(view.wheel, view.resolution);
  for_each_judged(view, [&](ElfIndex index, const ElfMember&) {
    if (index.value >= view.resolution.needed.size()) return;
    for (const NeededFound& found : view.resolution.needed[index.value]) {
      if (found.found != Found::Outside || !found.unreached || is_libpython(found.name)) continue;
      const auto broken = known.broken.find({index, found.name});
      const bool blocks = broken != known.broken.end();
      if (!blocks && known.from_the_system.contains({index, found.name})) continue;
      report(view, emit, index, found, blocks ? &broken->second : nullptr, needed, unused);
    }
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC506",
    .name = "needed-unresolvable",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::needed_unresolvable
