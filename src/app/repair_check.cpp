#include "app/repair_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <variant>

#include "app/rewriting.h"
#include "base/fail.h"
#include "base/text.h"
#include "policy/requirements.h"
#include "repair/real_loader.h"
#include "report/shared/names.h"
#include "report/shared/text.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::app {
namespace {

// A file that was or was to become code of this machine, and is not; "" if there is none.
std::string lost_file(const RepairedWheel& repaired) {
  const WheelFacts& after = repaired.after.facts;
  std::map<std::string_view, std::uint16_t> machines;
  for (const ElfMember& elf : after.elfs)
    if (is_host_code(elf) && elf.facts.dynamic.has_value())
      machines.emplace(after.members[elf.member.value].path.text(), elf.facts.machine);
  const auto is_lost = [&](const std::string& path, std::uint16_t machine) {
    const auto found = machines.find(path);
    return found == machines.end() || found->second != machine;
  };
  const auto& changes = repaired.edits.changes;
  for (const ElfMember& elf : repaired.before.elfs) {
    std::string path = repaired.before.members[elf.member.value].path.text();
    if (const auto change = changes.find(path); change != changes.end() && change->second.moved_to)
      path = *change->second.moved_to;
    if (is_host_code(elf) && elf.facts.dynamic && is_lost(path, elf.facts.machine)) return path;
  }
  for (const repair::BundledFile& file : repaired.plan.bundled)
    if (const std::string path = repaired.libs_directory + "/" + file.file_name;
        is_lost(path, file.library->facts.machine))
      return path;
  return "";
}

// With --disable-isa-ext-check: only the instruction set is above that of the tag.
bool is_accepted(const RepairedWheel& repaired, const Claim& claim) {
  if (!repaired.options.any_instruction_set || !claim.assessment || claim.unmet_requirements.empty()) return false;
  const auto& requirements = repaired.after.assessments[*claim.assessment].requirements;
  return std::ranges::all_of(claim.unmet_requirements, [&](RequirementIndex index) {
    return std::holds_alternative<IsaRequirement>(requirements[index.value].what);
  });
}

std::string first_error(const WheelReport& after) {
  if (after.findings.empty()) return "a requirement is not met";
  const Finding& finding = after.findings.front();
  return fmt::format("{} in {}: {}", finding.rule->code, report::place_path(after.facts, finding.place),
                     finding.message);
}

}  // namespace

Result<void> demand_compatible(const RepairedWheel& repaired) {
  const WheelReport& after = repaired.after;
  const auto unwritten = [](std::string why) {
    return fail(ErrorCode::Usage, "nothing was written, because " + std::move(why));
  };
  const auto path_at = [&](ElfIndex elf) { return report::elf_path(after.facts, elf); };
  if (const std::string lost = lost_file(repaired); !lost.empty())
    return unwritten(fmt::format("patchelf damaged {}", escape(lost)));
  for (std::uint32_t i = 0; i < after.facts.elfs.size(); ++i) {
    const ElfMember& elf = after.facts.elfs[i];
    if (!is_host_code(elf)) continue;
    if (elf.facts.segments.misaligned_load && repaired.options.strip != StripLevel::None)
      return unwritten(fmt::format("objcopy damaged {}, which an older patchelf had changed; leave out --strip-level",
                                   path_at({i})));
    for (const Flaw& flaw : elf.facts.flaws)
      if (flaw.fatal) return unwritten(fmt::format("patchelf damaged {}: {}", path_at({i}), flaw.reason));
    for (const NeededFound& found : after.resolution.needed[i])
      if (found.found == Found::Outside && !repaired.level.libraries.contains(found.name) &&
          !policy::is_loader(found.name, repaired.level.family))
        return unwritten(fmt::format("the loader would not find {} for {}", escape(found.name), path_at({i})));
  }
  if (!after.resolution.missing_versions.empty())
    return unwritten(fmt::format("a library lacks a version that {} requires",
                                 path_at(after.resolution.missing_versions.front().user)));
  for (const Claim& claim : after.verdict.claims)
    if (repaired.options.update_tags && claim.tag_result == TagResult::Incompatible && !is_accepted(repaired, claim))
      return unwritten(
          fmt::format("the result would not be compatible with {}: {}", escape(claim.tag.text), first_error(after)));
  return {};
}

std::string instruction_set_note(const WheelReport& after) {
  unsigned level = 0;
  for (const Claim& claim : after.verdict.claims)
    for (const RequirementIndex index : claim.unmet_requirements) {
      const Requirement& requirement = after.assessments[*claim.assessment].requirements[index.value];
      if (const auto* isa = std::get_if<IsaRequirement>(&requirement.what)) level = std::max(level, isa->level);
    }
  if (level == 0) return "";
  return fmt::format(
      "the result requires the instruction set x86-64-v{}, which its platform tags do not name; older processors "
      "cannot run it",
      level);
}

Result<void> demand_loaded(const RepairedWheel& repaired, const rewrite::OutputFile& output, Arch arch,
                           repair::SystemRoot& root) {
  auto archive = archive::Archive::open(output.descriptor().path(), repaired.options.settings.limits);
  if (!archive) return std::unexpected(std::move(archive.error()));
  const WheelFacts& facts = repaired.after.facts;
  std::vector<repair::LoaderFile> files;
  for (const ElfMember& elf : facts.elfs) {
    if (!is_host_code(elf) || !elf.facts.dynamic) continue;
    const std::string& path = facts.members[elf.member.value].path.text();
    auto content = text_of_member(*archive, path);
    if (!content) return std::unexpected(std::move(content.error()));
    files.push_back({.path = path, .content = std::move(*content), .facts = &elf.facts});
  }
  return repair::verify_with_loader(files, repaired.level, arch, repaired.plan.excluded, root);
}

}  // namespace wheelcheck::app
