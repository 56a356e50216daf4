#include "repair/fix_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "base/text.h"
#include "rules/common.h"
#include "rules/loading/path_repair.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::repair {
namespace {

constexpr std::uint32_t regular_file = 0100000, all_may_run = 0111, usual_program = 0100755;

// Search paths: empty, relative and absolute elements, those outside the wheel, repeated ones.
bool is_of_search_path(std::string_view code) {
  constexpr std::string_view codes[] = {"WC501", "WC502", "WC503", "WC504", "WC505"};
  return std::ranges::find(codes, code) != std::end(codes);
}

std::vector<std::string> good_elements(const ElfMember& elf, const rules::EffectivePath& path) {
  std::vector<std::string> out;
  for (const std::string_view element : path.elements) {
    if (!rules::starts_at_origin(element) || rules::names_a_file(element) || rules::leads_outside(elf, element))
      continue;
    if (std::ranges::find(out, element) == out.end()) out.emplace_back(element);
  }
  return out;
}

// patchelf needs section headers and a dynamic section.
bool can_be_edited(const ElfMember& elf) { return is_host_code(elf) && elf.facts.has_sections && elf.facts.dynamic; }

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
    if (code == "WC715") return mode(finding);
    if (code == "WC702") return record(code);
    if (code == "WC701") return wheel_tags(code);
    return false;
  }

  const ElfMember* elf_of(const Finding& finding) const {
    const AtElf* const at = std::get_if<AtElf>(&finding.place);
    return at == nullptr ? nullptr : &wheel_.facts.elfs[at->elf.value];
  }

  bool search_path(const Finding& finding) {
    if (const ElfMember* const elf = elf_of(finding)) return search_path(*elf, finding.rule->code);
    bool all = true;  // one finding about several files
    for (const ElfMember& elf : wheel_.facts.elfs) {
      const rules::EffectivePath path = rules::effective_path(elf.facts);
      const bool stray =
          std::ranges::any_of(path.elements, [&](std::string_view e) { return rules::leads_outside(elf, e); });
      if (stray && is_host_code(elf)) all = search_path(elf, finding.rule->code) && all;
    }
    return all;
  }
  bool search_path(const ElfMember& elf, std::string_view code) {
    if (!can_be_edited(elf)) return false;
    const rules::EffectivePath path = rules::effective_path(elf.facts);
    const std::vector<std::string> good = good_elements(elf, path);
    if (good.size() == path.elements.size()) return false;
    rewrite::ElfEdit& edit = plan_.elfs[path_of(elf)];
    edit.search_path = join(good, ":");
    edit.as_rpath = path.kind == "RPATH";
    note(path_of(elf), std::string(path.kind), fmt::format("{}", fmt::join(path.elements, ":")), *edit.search_path,
         code);
    return true;
  }

  bool executable_stack(const Finding& finding) {
    const ElfMember* const elf = elf_of(finding);
    if (elf == nullptr || !can_be_edited(*elf) || elf->facts.segments.executable_stack != true) return false;
    plan_.elfs[path_of(*elf)].clear_executable_stack = true;
    note(path_of(*elf), "stack", "executable", "not executable", finding.rule->code);
    return true;
  }

  bool mode(const Finding& finding) {
    const ElfMember* const elf = elf_of(finding);
    if (elf == nullptr) return false;
    const std::uint32_t old = wheel_.facts.members[elf->member.value].unix_mode;
    constexpr std::uint32_t permissions = 0777;
    const std::uint32_t mode =
        (old & permissions) == 0 ? usual_program : regular_file | (old & permissions) | all_may_run;
    plan_.modes[path_of(*elf)] = mode;
    note(path_of(*elf), "mode", old == 0 ? "" : fmt::format("{:06o}", old), fmt::format("{:06o}", mode),
         finding.rule->code);
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

  const WheelReport& wheel_;
  FixPlan plan_;
  std::map<std::pair<std::string, std::string>, WheelChange> changes_;  // by member and what
};

}  // namespace

FixPlan plan_fixes(const WheelReport& wheel) { return FixPlanner(wheel).run(); }

void mark_fixable(WheelReport& wheel) {
  // Directories and ELF files outside of wheels cannot be rewritten.
  if (wheel.facts.size == 0 || (wheel.facts.name.version.empty() && !wheel.facts.dist_info)) return;
  for (const std::size_t index : plan_fixes(wheel).fixed) wheel.findings[index].fixable = true;
}

}  // namespace wheelcheck::repair
