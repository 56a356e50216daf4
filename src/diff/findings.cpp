// Which findings are new, which were mended. A finding of the old release is looked for where its file is in the new
// one.
#include <algorithm>
#include <map>
#include <tuple>

#include "diff/internal.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::diff {
namespace {

std::string path_of_place(const WheelFacts& wheel, const Place& place) {
  if (const auto* member = std::get_if<AtMember>(&place)) return wheel.members[member->member.value].path.text();
  if (const auto* path = std::get_if<AtPath>(&place)) return path->path;
  if (const auto* elf = std::get_if<AtElf>(&place))
    return wheel.members[wheel.elfs[elf->elf.value].member.value].path.text();
  return "";
}

// Where the new release has what the old one had at `place`.
class Moved {
 public:
  explicit Moved(const Releases& both) : old_(both.old.facts), members_(old_.members.size()), elfs_(old_.elfs.size()) {
    for (const FilePair& pair : both.files)
      if (pair.old) members_[pair.old->value] = pair.now;
    for (const ElfPair& pair : both.elfs)
      if (pair.old) elfs_[pair.old->value] = pair.now;
  }
  Place operator()(const Place& place) const {
    if (const auto* member = std::get_if<AtMember>(&place))
      if (const std::optional<MemberIndex> now = members_[member->member.value]) return AtMember{*now};
    if (const auto* elf = std::get_if<AtElf>(&place))
      if (const std::optional<ElfIndex> now = elfs_[elf->elf.value]) return AtElf{*now};
    if (std::holds_alternative<WholeWheel>(place)) return place;
    return AtPath{path_of_place(old_, place)};
  }

 private:
  const WheelFacts& old_;
  std::vector<std::optional<MemberIndex>> members_;
  std::vector<std::optional<ElfIndex>> elfs_;
};

FindingChange change_of(FindingCourse course, const WheelReport& wheel, const Finding& finding) {
  return {.course = course,
          .rule = finding.rule,
          .severity = finding.severity,
          .before = std::nullopt,
          .path = path_of_place(wheel.facts, finding.place),
          .message = finding.message};
}

bool finding_comes_first(const FindingChange& a, const FindingChange& b) {
  if (a.course != b.course) return a.course < b.course;
  if (a.severity != b.severity) return a.severity > b.severity;
  return std::tie(a.rule->code, a.path, a.message) < std::tie(b.rule->code, b.path, b.message);
}

bool is_new(const FindingChange& change) {
  return change.course == FindingCourse::New || change.course == FindingCourse::Worse;
}

}  // namespace

FindingChanges compare_findings(const Releases& both, const Identity& identity) {
  const Moved moved(both);
  std::multimap<std::string, const Finding*> open;  // of the old release, not found in the new one yet
  for (const Finding& finding : both.old.findings) {
    Finding here = finding;
    here.place = moved(finding.place);
    open.emplace(identity(both.now, here), &finding);
  }
  FindingChanges out;
  for (const Finding& finding : both.now.findings) {
    const auto same = open.find(identity(both.now, finding));
    if (same == open.end()) {
      out.changes.push_back(change_of(FindingCourse::New, both.now, finding));
      continue;
    }
    const Severity was = same->second->severity;
    open.erase(same);
    if (was == finding.severity) {
      ++out.unchanged[static_cast<std::size_t>(was)];
      continue;
    }
    out.changes.push_back(
        change_of(was < finding.severity ? FindingCourse::Worse : FindingCourse::Milder, both.now, finding));
    out.changes.back().before = was;
  }
  for (const auto& [key, finding] : open) out.changes.push_back(change_of(FindingCourse::Fixed, both.old, *finding));
  std::ranges::stable_sort(out.changes, finding_comes_first);
  out.failed = both.now.fail_on && std::ranges::any_of(out.changes, [&](const FindingChange& change) {
                 return is_new(change) && change.severity >= *both.now.fail_on;
               });
  return out;
}

}  // namespace wheelcheck::diff
