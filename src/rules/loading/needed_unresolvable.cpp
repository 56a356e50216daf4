// WC506: the wheel contains the library, but no search path leads to it.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/text.h"
#include "import_plan/own_imports.h"
#include "model/installed_files.h"
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

// The libraries of one file that are not found in the same way; one finding names all of them.
using Lost = std::vector<const NeededFound*>;

bool is_here(const NeededFound& found) { return found.unreached->wheel.value == 0; }

// The loader searches for a file with the needed name. If the soname matches but the file name does not, or if the
// needed name is a path, a search path alone is not sufficient.
std::string fix_of(const WheelView& view, ElfIndex index, const Lost& lost, const std::string& libraries,
                   bool imported_before) {
  if (is_here(*lost.front())) return path_repair(view, index);
  if (imported_before)
    return fmt::format(
        "the import of the wheel imports the other one first, which loads {}: declare it with "
        "--external {}",
        libraries, shell_word(std::string(lost.front()->name)));
  return fmt::format("give {} a search path to the wheel that contains {}, or load it first from Python",
                     path_of(view, index), libraries);
}

std::string where(const WheelView& view, const NeededFound& found) {
  return is_here(found) ? std::string(path_of(view, found.unreached->elf)) : "another wheel of the run";
}

// Python code of the wheel opens the library by its path, so that the loader finds it by its soname later.
bool is_opened_by_python(const WheelView& view, const NeededFound& found) {
  if (!is_here(found)) return false;
  const std::string_view name = base_name(path_of(view, found.unreached->elf));
  for (const PythonFile& file : view.wheel.python)
    for (const PythonCall& call : file.calls)
      if (call.library && base_name(*call.library) != "*" && glob_match(base_name(*call.library), name)) return true;
  return false;
}

// Importing the wheel imports the package with the library before, which loads it: palletjack imports pyarrow.
// `imported`: import_plan::imported_files() of the wheel.
bool is_imported_before(const WheelView& view, const NeededFound& found, const std::set<MemberIndex>& imported) {
  if (is_here(found) || found.unreached->wheel.value > view.providers.size()) return false;
  const WheelFacts& provider = view.providers[found.unreached->wheel.value - 1];
  if (found.unreached->elf.value >= provider.elfs.size()) return false;
  const std::string_view library =
      below_site(provider.members[provider.elfs[found.unreached->elf.value].member.value].path.text());
  const std::string_view package = library.substr(0, library.find('/'));
  return std::ranges::any_of(view.wheel.python, [&](const PythonFile& file) {
    return imported.contains(file.member) && std::ranges::any_of(file.events, [&](const PythonEvent& event) {
             return event.action == PythonAction::Import && import_plan::is_certain(event) &&
                    std::string_view(event.name).substr(0, event.name.find('.')) == package;
           });
  });
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

void report(const WheelView& view, const Emit& emit, ElfIndex index, const Lost& lost, const Known& known,
            Severity severity, bool imported_before) {
  const NeededFound& first = *lost.front();
  std::vector<std::string> libraries, places;
  std::set<const Claim*> broken;
  for (const NeededFound* const found : lost) {
    libraries.emplace_back(found->name);
    if (std::string place = where(view, *found); std::ranges::find(places, place) == places.end())
      places.push_back(std::move(place));
    if (const auto claims = known.broken.find({index, found->name}); claims != known.broken.end())
      broken.insert(claims->second.begin(), claims->second.end());
  }
  const EffectivePath path = effective_path(view.wheel.elfs[index.value].facts);
  std::vector<Evidence> evidence{{libraries.size() == 1 ? "library" : "libraries", list_of(libraries)},
                                 {"found in", list_of(places)}};
  evidence.push_back(
      {"search path", path.elements.empty() ? std::string("none") : fmt::format("{}", fmt::join(path.elements, ":"))});
  if (first.root.wheel.value == 0 && first.root.elf != index)
    evidence.push_back({"loaded by", std::string(path_of(view, first.root.elf))});
  if (!broken.empty()) evidence.push_back({"blocks", tags_of({broken.begin(), broken.end()})});
  emit({.place = AtElf{index},
        .message = fmt::format("requires {}, which {} contains, but no search path leads there", first_of(libraries),
                               is_here(first) ? "the wheel" : "another wheel"),
        .evidence = std::move(evidence),
        .fix = fix_of(view, index, lost, join(libraries, ", "), imported_before),
        .severity = severity});
}

void check(const WheelView& view, const Emit& emit) {
  const Known known = what_policies_say(view);
  const std::set<std::string_view> needed = needed_names(view);
  const std::vector<bool> unused = unused_copies(view.wheel, view.resolution);
  const bool asks_python = !view.providers.empty() && view.wheel.all_python;
  const std::set<MemberIndex> imported =
      asks_python ? import_plan::imported_files(view.wheel) : std::set<MemberIndex>{};
  for_each_judged(view, [&](ElfIndex index, const ElfMember&) {
    if (index.value >= view.resolution.needed.size()) return;
    std::map<std::tuple<ElfRef, bool, bool, Severity>, Lost> groups;  // by the file that is opened first
    for (const NeededFound& found : view.resolution.needed[index.value]) {
      if (found.found != Found::Outside || !found.unreached || is_libpython(found.name)) continue;
      if (!known.broken.contains({index, found.name}) && known.from_the_system.contains({index, found.name})) continue;
      const std::size_t root = found.root.wheel.value == 0 ? found.root.elf.value : index.value;
      Severity severity = severity_of(view, view.wheel.elfs[root], needed, unused[root]);
      if (is_opened_by_python(view, found)) severity = std::min(severity, Severity::Warning);
      const bool before = is_imported_before(view, found, imported);
      if (before) severity = std::min(severity, Severity::Warning);
      groups[{found.root, is_here(found), before, severity}].push_back(&found);
    }
    for (const auto& [key, lost] : groups)
      report(view, emit, index, lost, known, std::get<Severity>(key), std::get<2>(key));
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
