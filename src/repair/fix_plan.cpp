#include "repair/fix_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

#include "base/text.h"
#include "model/machines.h"
#include "model/search_path.h"
#include "model/unprovided.h"
#include "rewrite/wheel_writer.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::repair {
namespace {

constexpr std::uint32_t regular_file = 0100000, all_may_run = 0111, usual_program = 0100755;

// Search paths: empty, relative and absolute elements, those outside the wheel, repeated ones.
bool is_of_search_path(std::string_view code) {
  constexpr std::string_view codes[] = {"WC501", "WC502", "WC503", "WC504", "WC505"};
  return std::ranges::find(codes, code) != std::end(codes);
}

// keep_system: directories of the system too.
std::vector<std::string> good_elements(const ElfMember& elf, const EffectivePath& path, bool keep_system) {
  std::vector<std::string> out;
  std::set<std::string_view> seen;
  for (const std::string_view element : path.elements) {
    const bool inside =
        starts_at_origin(element) && !names_a_file(element) && target_of(elf, element) == PathTarget::Inside;
    if ((inside || (keep_system && is_of_a_system(element))) && seen.insert(element).second) out.emplace_back(element);
  }
  return out;
}

bool can_be_edited(const ElfMember& elf) {
  return is_host_code(elf) && elf.facts.has_sections && elf.facts.dynamic && !is_damaged(elf.facts);
}

class FixPlanner {
 public:
  explicit FixPlanner(const WheelReport& wheel) : wheel_(wheel) {}

  FixPlan run() {
    for (std::size_t i = 0; i < wheel_.findings.size(); ++i)
      if (take(wheel_.findings[i])) plan_.fixed.insert(i);
    for (auto& [key, change] : changes_) {
      std::ranges::sort(change.codes);
      const auto rest = std::ranges::unique(change.codes);
      change.codes.erase(rest.begin(), rest.end());
      plan_.changes.push_back(std::move(change));
    }
    return std::move(plan_);
  }

 private:
  const std::string& path_of(const ElfMember& elf) const { return wheel_.facts.members[elf.member.value].path.text(); }

  void note(const std::string& member, const std::string& what, std::string before, std::string after,
            std::string_view code) {
    WheelChange& change = changes_[{member, what}];
    change.member = member;
    change.what = what;
    change.before = std::move(before);
    change.after = std::move(after);
    change.codes.emplace_back(code);
  }

  bool take(const Finding& finding) {
    const std::string_view code = finding.rule->code;
    if (is_of_search_path(code)) return search_path(finding);
    if (code == "WC601") return executable_stack(finding);
    if (code == "WC506") return libraries_of_wheel(finding);
    if (code == "WC510") return libpython(finding);
    if (code == "WC514") return interpreter(finding);
    if (code == "WC715") return mode(finding);
    if (code == "WC702") return record(code);
    if (code == "WC701") return wheel_tags(code);
    if (code == "WC705") return root_is_purelib(finding);
    if (code == "WC713") return signatures(finding);
    if (code == "WC852") return archive(code);
    return false;
  }

  const ElfMember* elf_of(const Finding& finding) const {
    const AtElf* const at = std::get_if<AtElf>(&finding.place);
    return at == nullptr ? nullptr : &wheel_.facts.elfs[at->elf.value];
  }

  bool search_path(const Finding& finding) {
    if (const ElfMember* const elf = elf_of(finding)) return search_path(*elf, finding.rule->code);
    std::vector<const ElfMember*> files;  // one finding about several files
    for (const ElfMember& elf : wheel_.facts.elfs) {
      const EffectivePath path = effective_path(elf.facts);
      const bool stray = std::ranges::any_of(
          path.elements, [&](std::string_view e) { return target_of(elf, e) != PathTarget::Inside; });
      if (stray && is_host_code(elf)) files.push_back(&elf);
    }
    if (!std::ranges::all_of(files, [](const ElfMember* elf) { return can_be_edited(*elf); })) return false;
    return std::ranges::all_of(files, [&](const ElfMember* elf) { return search_path(*elf, finding.rule->code); });
  }
  // A directory of the system in the search path may lead to a library that nobody else provides.
  bool keeps_system(const ElfMember& elf, const EffectivePath& path) const {
    const ElfIndex index{static_cast<std::uint32_t>(&elf - wheel_.facts.elfs.data())};
    return std::ranges::any_of(path.elements, is_of_a_system) &&
           !unprovided(wheel_.resolution, wheel_.assessments, index).empty();
  }
  bool search_path(const ElfMember& elf, std::string_view code) {
    if (!can_be_edited(elf)) return false;
    const EffectivePath path = effective_path(elf.facts);
    const bool keep = keeps_system(elf, path);
    if (keep && code == "WC503") return false;
    if (good_elements(elf, path, keep).size() == path.elements.size()) return false;
    set_search_path(elf, path, code);
    return true;
  }
  // The good elements of the old path, and the directories that were found missing.
  void set_search_path(const ElfMember& elf, const EffectivePath& path, std::string_view code) {
    std::vector<std::string> elements = good_elements(elf, path, keeps_system(elf, path));
    for (const std::string& directory : directories_[path_of(elf)])
      if (std::ranges::find(elements, directory) == elements.end()) elements.push_back(directory);
    rewrite::ElfEdit& edit = plan_.elfs[path_of(elf)];
    edit.search_path = join(elements, ":");
    edit.as_rpath = path.kind == "RPATH";
    note(path_of(elf), path.kind.empty() ? "RUNPATH" : std::string(path.kind),
         fmt::format("{}", fmt::join(path.elements, ":")), *edit.search_path, code);
  }

  // The file gets search paths to all libraries of the wheel that it does not reach.
  bool libraries_of_wheel(const Finding& finding) {
    const ElfMember* const elf = elf_of(finding);
    if (elf == nullptr || !can_be_edited(*elf) || finding.severity <= Severity::Note) return false;
    const auto index = static_cast<std::size_t>(elf - wheel_.facts.elfs.data());
    if (index >= wheel_.resolution.needed.size()) return false;
    bool all = true;
    std::vector<std::pair<std::string, const ElfMember*>> found;
    for (const NeededFound& needed : wheel_.resolution.needed[index]) {
      if (needed.found != Found::Outside || !needed.unreached || is_libpython(needed.name)) continue;
      const bool here = needed.unreached->wheel.value == 0;
      const ElfMember* const library = here ? &wheel_.facts.elfs[needed.unreached->elf.value] : nullptr;
      all = all && here && is_below_site_packages(*elf) && is_below_site_packages(*library);
      all = all && (base_name(path_of(*library)) == needed.name || !is_ambiguous(wheel_.facts, needed.name));
      if (all) found.emplace_back(needed.name, library);
    }
    if (!all || found.empty()) return false;
    for (const auto& [name, library] : found) {
      directories_[path_of(*elf)].insert(origin_path(elf->installed, library->installed));
      const std::pair renamed(name, std::string(base_name(path_of(*library))));
      auto& names = plan_.elfs[path_of(*elf)].replace_needed;
      if (renamed.first != renamed.second && std::ranges::find(names, renamed) == names.end()) names.push_back(renamed);
    }
    set_search_path(*elf, effective_path(elf->facts), finding.rule->code);
    return true;
  }
  // No relative path leads from other places to site-packages on every system.
  static bool is_below_site_packages(const ElfMember& elf) {
    return elf.installed.find("/site-packages/") != std::string::npos;
  }

  // Extension modules find the interpreter's symbols in the process. A program needs the library.
  bool libpython(const Finding& finding) {
    const ElfMember* const elf = elf_of(finding);
    if (elf == nullptr || !can_be_edited(*elf) || finding.severity != Severity::Error) return false;
    bool found = false;
    for (const std::string_view library : elf->facts.dynamic->needed) {
      if (!is_libpython(library)) continue;
      found = true;
      auto& removed = plan_.elfs[path_of(*elf)].remove_needed;
      if (std::ranges::find(removed, library) == removed.end()) removed.emplace_back(library);
      note(path_of(*elf), "requires " + std::string(library), "yes", "no", finding.rule->code);
    }
    return found;
  }

  bool interpreter(const Finding& finding) {
    const ElfMember* const elf = elf_of(finding);
    const std::string_view loader = elf == nullptr ? "" : standard_loader(*elf);
    if (loader.empty() || !can_be_edited(*elf)) return false;
    plan_.elfs[path_of(*elf)].interpreter = loader;
    note(path_of(*elf), "loader", std::string(elf->facts.interpreter.value_or("")), std::string(loader),
         finding.rule->code);
    return true;
  }

  bool executable_stack(const Finding& finding) {
    const ElfMember* const elf = elf_of(finding);
    if (elf == nullptr || !can_be_edited(*elf) || elf->facts.trampolines != false) return false;
    plan_.elfs[path_of(*elf)].clear_executable_stack = true;
    note(path_of(*elf), "stack", "executable", "not executable", finding.rule->code);
    return true;
  }

  bool mode(const Finding& finding) {
    const ElfMember* const elf = elf_of(finding);
    const AtPath* const script = std::get_if<AtPath>(&finding.place);
    const std::optional<MemberIndex> member = elf != nullptr      ? std::optional(elf->member)
                                              : script != nullptr ? find_member(wheel_.facts.members, script->path)
                                                                  : std::nullopt;
    if (!member) return false;
    const std::string& path = wheel_.facts.members[member->value].path.text();
    const std::uint32_t old = wheel_.facts.members[member->value].unix_mode;
    constexpr std::uint32_t permissions = 0777;
    const std::uint32_t mode =
        (old & permissions) == 0 ? usual_program : regular_file | (old & permissions) | all_may_run;
    plan_.modes[path] = mode;
    note(path, "mode", old == 0 ? "" : fmt::format("{:06o}", old), fmt::format("{:06o}", mode), finding.rule->code);
    return true;
  }

  bool record(std::string_view code) {
    if (!wheel_.facts.dist_info || !wheel_.facts.record) return false;
    plan_.record = true;
    note(*wheel_.facts.dist_info + "/RECORD", "rows", "", "as the archive is", code);
    return true;
  }

  bool wheel_tags(std::string_view code) {
    if (!wheel_.facts.dist_info || !wheel_.facts.wheel) return false;
    plan_.wheel_tags = true;
    note(*wheel_.facts.dist_info + "/WHEEL", "tags", "", "those of the file name", code);
    return true;
  }

  // A wheel with the platform `any` needs another file name first (--retag).
  bool root_is_purelib(const Finding& finding) {
    const ElfMember* const elf = elf_of(finding);
    const auto is_any = [](const PlatformTag& tag) { return tag.family == PlatformTag::Family::Any; };
    if (elf == nullptr || elf->in_purelib || !wheel_.facts.dist_info || !wheel_.facts.wheel ||
        std::ranges::any_of(wheel_.facts.name.platforms, is_any))
      return false;
    plan_.platlib = true;
    note(*wheel_.facts.dist_info + "/WHEEL", "Root-Is-Purelib", "true", "false", finding.rule->code);
    return true;
  }

  bool signatures(const Finding& finding) {
    const AtMember* const at = std::get_if<AtMember>(&finding.place);
    if (at == nullptr || !wheel_.facts.record) return false;
    const std::string& path = wheel_.facts.members[at->member.value].path.text();
    if (!rewrite::is_signature(wheel_.facts, path)) return false;
    plan_.record = true;
    note(path, "signature", "of the old RECORD", "removed", finding.rule->code);
    return true;
  }

  bool archive(std::string_view code) {
    plan_.record = true;
    note("", "archive", "", "written anew", code);
    return true;
  }

  const WheelReport& wheel_;
  FixPlan plan_;
  std::map<std::string, std::set<std::string>, std::less<>> directories_;  // by path: elements that are missing
  std::map<std::pair<std::string, std::string>, WheelChange> changes_;     // by member and what
};

}  // namespace

FixPlan plan_fixes(const WheelReport& wheel) { return FixPlanner(wheel).run(); }

void mark_fixable(WheelReport& wheel) {
  // Directories and ELF files outside of wheels cannot be rewritten.
  if (is_unpacked(wheel.facts) || (wheel.facts.name.version.empty() && !wheel.facts.dist_info)) return;
  for (const std::size_t index : plan_fixes(wheel).fixed) wheel.findings[index].fixable = true;
}

}  // namespace wheelcheck::repair
