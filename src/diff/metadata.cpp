// Changes in the metadata that pip uses: tags, Requires-Python, Requires-Dist.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "diff/compare.h"
#include "model/import_checks.h"
#include "model/requires_dist.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::diff {

namespace {

std::string python_tags(const WheelName& name) {
  return name.python.empty() ? "" : join(name.python, ".") + "-" + join(name.abi, ".");
}

const Metadata& metadata_of(const WheelReport& wheel) {
  static const Metadata none;
  return wheel.facts.metadata ? *wheel.facts.metadata : none;
}

// A canonical form of a line: absl-py (>=1.0) and absl_py>=1.0 are equal (PEP 508, and PEP 345 before it).
std::string meaning(const std::string& line) {
  Dependency dependency = parse_dependency(line);
  std::ranges::sort(dependency.extras);
  std::vector<std::string_view> bounds = split(dependency.specifier, ',');
  std::ranges::sort(bounds);
  std::string marker;
  for (const char c : dependency.marker)
    if (!is_blank(c)) marker += c == '"' ? '\'' : c;
  return fmt::format("{} [{}] {};{}", dependency.name, fmt::join(dependency.extras, ","), fmt::join(bounds, ","),
                     marker);
}

// The lines that apply to Linux, by their canonical form.
using Lines = std::map<std::string, std::string>;
Lines lines_of(const Metadata& metadata) {
  Lines out;
  for (const std::string& line : metadata.requires_dist)
    if (parse_dependency(line).for_linux) out.emplace(meaning(line), line);
  return out;
}

std::vector<std::string> less(const Lines& a, const Lines& b) {
  std::vector<std::string> out;
  for (const auto& [key, line] : a)
    if (!b.contains(key)) out.push_back(line);
  return out;
}

// A removed line and an added one for the same project and the same extra are one change.
std::vector<Both<std::string>> compare_dependencies(const Metadata& old, const Metadata& now) {
  const Lines before = lines_of(old), after = lines_of(now);
  const auto subject = [](const std::string& line) {
    const Dependency dependency = parse_dependency(line);
    return std::pair(dependency.name, dependency.under);
  };
  std::vector<Both<std::string>> out;
  std::multimap<std::pair<std::string, std::optional<std::string>>, std::size_t> gone;
  for (const std::string& line : less(before, after)) {
    gone.emplace(subject(line), out.size());
    out.push_back({line, ""});
  }
  for (const std::string& line : less(after, before)) {
    const auto same = gone.find(subject(line));
    if (same == gone.end()) {
      out.push_back({"", line});
      continue;
    }
    out[same->second].now = line;
    gone.erase(same);
  }
  // Unconditional requirements come before those of extras; then by name.
  std::ranges::stable_sort(out, {}, [&](const Both<std::string>& change) {
    const auto [name, under] = subject(change.now.empty() ? change.old : change.now);
    return std::pair(under, name);
  });
  return out;
}

// The lowest NumPy of all modules with a check; nothing where one of the releases has none.
std::vector<ImportFloorChange> compare_import_floors(const Releases& both) {
  if (normal_project_name(both.now.facts.name.distribution) == "numpy") return {};  // its own modules have the check
  const auto old = numpy_demand(both.old.facts), now = numpy_demand(both.now.facts);
  if (!old || !now) return {};
  ImportFloorChange change{.package = "numpy",
                           .minimum = {std::string(old->minimum), std::string(now->minimum)},
                           .below = {old->refuses_2 ? "2" : "", now->refuses_2 ? "2" : ""},
                           .requirement = {}};
  if (!change.minimum.changed() && !change.below.changed()) return {};
  for (const std::string& line : metadata_of(both.now).requires_dist) {
    const Dependency dependency = parse_dependency(line);
    if (dependency.name != change.package || dependency.under || !dependency.for_linux) continue;
    change.requirement += (change.requirement.empty() ? "" : ", ") + line;
  }
  return {change};
}

}  // namespace

MetadataChange compare_metadata(const Releases& both) {
  const Metadata &old = metadata_of(both.old), &now = metadata_of(both.now);
  const auto sorted = [](std::vector<std::string> texts) {
    std::ranges::sort(texts);
    return texts;
  };
  return {.python = {python_tags(both.old.facts.name), python_tags(both.now.facts.name)},
          .requires_python = {old.requires_python, now.requires_python},
          .dependencies = compare_dependencies(old, now),
          .extras = {sorted(old.provides_extra), sorted(now.provides_extra)},
          .import_floors = compare_import_floors(both)};
}

// Findings that are new or fixed. A finding of the old release is searched at the place of its file in the new release.

namespace {

// Maps a place in the old release to the same place in the new one.
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
    return AtPath{std::string(path_of(old_, place))};
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
          .path = std::string(path_of(wheel.facts, finding.place)),
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
  std::multimap<std::string, const Finding*> open;  // findings of the old release without a match in the new one so far
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
