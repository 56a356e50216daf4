// Shared facts of the trees. Whether a claimed tag allows a library is taken from the verdict: it does unless the
// library is an unmet requirement of the claim.
#include "report/answers/tree_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <variant>

#include "base/text.h"

namespace wheelcheck::report {

std::string_view name_of(NeedStatus status) {
  switch (status) {
    case NeedStatus::Here:
      return "here";
    case NeedStatus::Platform:
      return "platform";
    case NeedStatus::Declared:
      return "declared";
    case NeedStatus::Required:
      return "required";
    case NeedStatus::Lucky:
      return "loaded-by-another";
    case NeedStatus::Missing:
      return "missing";
    case NeedStatus::Unknown:
      break;
  }
  return "unknown";
}

std::string_view name_of(TreeProblem::Kind kind) {
  switch (kind) {
    case TreeProblem::Kind::NotFound:
      return "not-found";
    case TreeProblem::Kind::LoadedByAnother:
      return "loaded-by-another";
    case TreeProblem::Kind::AbsolutePath:
      return "absolute-path";
    case TreeProblem::Kind::MissingVersion:
      break;
  }
  return "missing-version";
}

PathInForce path_in_force(const DynamicFacts& dynamic) {
  const bool runpath = !dynamic.search.runpath.empty();
  return {runpath ? "RUNPATH" : "RPATH", runpath ? dynamic.search.runpath : dynamic.search.rpath};
}

NeedStatuses::NeedStatuses(const WheelReport& wheel) : resolution_(wheel.resolution), promises_(wheel) {
  for (const Claim& claim : wheel.verdict.claims) {
    if (!claim.assessment) continue;
    const Assessment& assessment = wheel.assessments[*claim.assessment];
    for (const RequirementIndex unmet_requirement : claim.unmet_requirements) {
      const auto* const required =
          std::get_if<LibraryRequirement>(&assessment.requirements[unmet_requirement.value].what);
      if (required == nullptr) continue;
      std::vector<std::string>& tags = not_allowed_[required->library];
      if (std::ranges::find(tags, claim.tag.text) == tags.end()) tags.push_back(claim.tag.text);
    }
  }
}

NeedStatus NeedStatuses::of(const Load::Need& need) const {
  const NeededFound& found = need.found;
  if (found.provider) return need.own_search ? NeedStatus::Here : NeedStatus::Lucky;
  if (found.found == Found::InProcess) return NeedStatus::Platform;
  if (found.found == Found::Declared) return NeedStatus::Declared;
  if (need.user.wheel.value != 0) return NeedStatus::Unknown;
  if (source_of(need) != nullptr) return NeedStatus::Required;
  const std::string_view tag_result = promises_.of(need.user.elf, found.name);
  if (tag_result.starts_with("allowed by no ") || not_allowed_.contains(found.name)) return NeedStatus::Missing;
  return tag_result.empty() ? NeedStatus::Unknown : NeedStatus::Platform;
}

const LibrarySource* NeedStatuses::source_of(const Load::Need& need) const {
  return need.user.wheel.value == 0 ? report::source_of(resolution_, need.user.elf, need.found.name) : nullptr;
}

std::string NeedStatuses::why_missing(const Subject& subject, const Load::Need& need) const {
  if (need.found.unreached)
    return fmt::format("{} has that name, but no search path leads there: found only if something loads it before",
                       elf_path(subject, *need.found.unreached));
  const std::string_view tag_result = promises_.of(need.user.elf, need.found.name);
  std::string out = "not in the wheel";
  if (!tag_result.empty()) out += fmt::format(", {}", tag_result);
  const auto tags = not_allowed_.find(need.found.name);
  if (tags != not_allowed_.end() && !tag_result.starts_with("allowed by no "))
    out += fmt::format(", not by {}", escape(join(tags->second, ", ")));
  return out;
}

namespace {

class Problems {
 public:
  Problems(const Subject& subject, const NeedStatuses& statuses) : subject_(subject), statuses_(statuses) {}

  std::vector<TreeProblem> run(std::span<const Load> loads) {
    for (const Load& load : loads) {
      check_file({WheelIndex{0}, load.root});
      for (const Load::Need& need : load.needs) {
        check_need(need);
        if (need.found.provider) check_file(*need.found.provider);
      }
    }
    for (const MissingVersion& missing : subject_.wheel.resolution.missing_versions) check_version(missing);
    return std::move(out_);
  }

 private:
  void add(TreeProblem problem) {
    if (seen_.insert(problem).second) out_.push_back(std::move(problem));
  }

  void check_need(const Load::Need& need) {
    const NeedStatus status = statuses_.of(need);
    const std::string name = escape(need.found.name);
    if (status == NeedStatus::Missing)
      add({TreeProblem::Kind::NotFound, need.user, name, "not found: " + statuses_.why_missing(subject_, need),
           need.found.unreached.has_value()});
    if (status != NeedStatus::Lucky || need.user.wheel.value != 0) return;
    add({TreeProblem::Kind::LoadedByAnother, need.user, name,
         fmt::format("found only because {} is loaded before; no search path of this file leads there",
                     elf_path(subject_, *need.found.provider))});
  }

  void check_file(ElfRef file) {
    if (file.wheel.value != 0 || !files_.insert(file).second) return;
    const auto& dynamic = subject_.wheel.facts.elfs[file.elf.value].facts.dynamic;
    if (!dynamic) return;
    const PathInForce path = path_in_force(*dynamic);
    for (const std::string_view element : path.elements)
      if (element.starts_with('/'))
        add({TreeProblem::Kind::AbsolutePath, file, fmt::format("{} {}", path.kind, escape(element)),
             "an absolute path leads to no file of the wheel, but to files of the user's machine"});
  }

  void check_version(const MissingVersion& missing) {
    const ElfRef user{WheelIndex{0}, missing.user};
    if (!files_.contains(user)) return;
    const VersionNeed& need = subject_.wheel.facts.elfs[missing.user.value].facts.dynamic->needs[missing.need.value];
    add({TreeProblem::Kind::MissingVersion, user, escape(need.version),
         fmt::format("{} does not define it, so this file is not loaded", elf_path(subject_, missing.provider))});
  }

  const Subject& subject_;
  const NeedStatuses& statuses_;
  std::vector<TreeProblem> out_;
  std::set<TreeProblem> seen_;
  std::set<ElfRef> files_;
};

}  // namespace

std::vector<TreeProblem> problems_of(const Subject& subject, std::span<const Load> loads,
                                     const NeedStatuses& statuses) {
  return Problems(subject, statuses).run(loads);
}

}  // namespace wheelcheck::report
