// The sections that decide who can install and import the wheel: tags, findings, Python, version floors.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

#include "base/text.h"
#include "report/answers/diff_outline.h"
#include "report/shared/levels.h"
#include "report/shared/names.h"
#include "report/shared/rules_json.h"
#include "report/shared/text.h"
#include "wheelcheck/rule.h"
#include "wheelcheck/version.h"

namespace wheelcheck::report {
namespace {

constexpr std::size_t platform_symbols = 4, platform_findings = 3, shown_floors = 8;

struct Mark {
  std::string word;
  Style style;
};
Mark mark_of(Course course) {
  switch (course) {
    case Course::Raised:
      return {"RAISED", Style::Bad};
    case Course::Removed:
      return {"REMOVED", Style::Bad};
    case Course::Lowered:
      return {"lowered", Style::Good};
    case Course::Added:
      return {"added", Style::Good};
    case Course::Same:
      break;
  }
  return {"", Style::Term};
}

StyledText reason_text(const LevelReason& reason) {
  StyledText out = name_text(subject_of(reason.required));
  if (!reason.symbols.empty()) out += styled(" ({})", few_symbols(reason.symbols, platform_symbols));
  return styled("{} {}", out, in_files(reason.files));
}

// The decisive reasons in full. For the others, the highest node of each family, which is the next one to avoid for the
// old level.
std::vector<StyledText> reason_details(const LevelChange& level) {
  std::vector<StyledText> out, others;
  std::set<std::string, std::less<>> listed;
  for (const LevelReason& reason : level.reasons) {
    const auto* const version = std::get_if<VersionRequirement>(&reason.required.what);
    const bool first = version == nullptr || listed.emplace(version_family(version->version)).second;
    if (reason.decides)
      out.push_back("because of " + reason_text(reason));
    else if (first)
      others.push_back(name_text(subject_of(reason.required)));
  }
  if (!others.empty()) out.push_back("the old level also lacks " + first_few(others, shown_floors));
  return out;
}

DiffLine level_line(const LevelChange& level) {
  const auto [word, style] = mark_of(level.fits_course != Course::Same ? level.fits_course : level.claimed_course);
  const auto change = [&](const Both<std::string>& tags) {
    return from_to(tags.old.empty() ? "nothing" : tags.old, tags.now.empty() ? "nothing" : tags.now);
  };
  std::string text = fmt::format("{}: ", level.policy_levels);
  const bool together = level.fits.old == level.claimed.old && level.fits.now == level.claimed.now;
  if (together)
    text += fmt::format("claimed and lowest compatible {}", change(level.fits));
  else if (level.fits_course == Course::Same)
    text += fmt::format("claimed {}", change(level.claimed));
  else if (level.claimed_course == Course::Same)
    text += fmt::format("lowest compatible {}", change(level.fits));
  else
    text += fmt::format("lowest compatible {}, claimed {}", change(level.fits), change(level.claimed));
  return {word, style, text, reason_details(level)};
}

Mark mark_of(const FindingChange& change) {
  const bool fresh = change.course == FindingCourse::New || change.course == FindingCourse::Worse;
  const Style style = !fresh                                 ? Style::Good
                      : change.severity == Severity::Error   ? Style::Bad
                      : change.severity == Severity::Warning ? Style::Doubtful
                                                             : Style::Term;
  return {fmt::format("{} {}", name_of(change.course), level_of(change.severity)), style};
}

StyledText finding_text(const FindingChange& change) {
  StyledText out = escape(change.message);
  if (!change.path.empty()) out = styled("{}: {}", name_text(change.path), out);
  if (change.before) out += styled(" (was {})", level_of(*change.before));
  return out;
}

std::string_view without_family(std::string_view node) {
  const std::string_view suffix = version_suffix(node);
  return suffix.empty() ? node : suffix;
}

// Changes to the same node, in one or several files.
struct FloorLine {
  const FloorChange* first = nullptr;
  std::set<std::string, NaturalLess> from;
  std::set<std::string> symbols, files;
};

std::vector<FloorLine> floor_groups(const std::vector<FloorChange>& all) {
  std::vector<FloorLine> out;
  for (const char* const family : {"GLIBC", "GLIBCXX", "CXXABI"}) {  // the families that levels count
    std::map<std::pair<Course, std::string_view>, std::size_t> places;
    for (const FloorChange& change : all) {
      if (change.family != family) continue;
      const auto [place, fresh] = places.try_emplace({change.course, change.node.now}, out.size());
      if (fresh) out.push_back({.first = &change, .from = {}, .symbols = {}, .files = {}});
      FloorLine& line = out[place->second];
      if (!change.node.old.empty()) line.from.emplace(without_family(change.node.old));
      line.symbols.insert(change.symbols.begin(), change.symbols.end());
      line.files.insert(change.files.begin(), change.files.end());
    }
  }
  return out;
}

StyledText floor_text(const FloorLine& line) {
  const FloorChange& change = *line.first;
  StyledText out = escape(change.family) + " ";
  std::string from = line.from.empty() ? "none" : *line.from.begin();
  if (line.from.size() > 1) from += " to " + *line.from.rbegin();
  out += from_to(from, change.node.now.empty() ? "none" : without_family(change.node.now));
  const std::vector<std::string> symbols(line.symbols.begin(), line.symbols.end());
  if (!symbols.empty() && change.course != Course::Removed)
    out += styled(" ({})", few_symbols(symbols, platform_symbols));
  return styled("{} {}", out, in_files({line.files.begin(), line.files.end()}));
}

}  // namespace

std::vector<DiffLine> platform_lines(const Diff& diff) {
  std::vector<DiffLine> out;
  const PlatformChanges& platform = diff.platform;
  if (platform.tag_result.changed()) {
    const bool broken = platform.tag_result.now == TagResult::Incompatible;
    const bool kept = platform.tag_result.now == TagResult::Compatible;
    out.push_back({broken ? "incompatible" : "compatibility",
                   broken ? Style::Bad
                   : kept ? Style::Good
                          : Style::Doubtful,
                   styled("of the claimed tags: {}", from_to(tag_result_text(platform.tag_result.old),
                                                             tag_result_text(platform.tag_result.now)))});
  }
  for (const LevelChange& level : platform.levels) out.push_back(level_line(level));
  if (platform.claims.changed()) {
    const auto names = [&](const std::vector<std::string>& tags) {
      return tags.empty() ? StyledText("none") : few_names(tags, tags.size());
    };
    out.push_back({"tags", Style::Term, styled("{} -> {}", names(platform.claims.old), names(platform.claims.now))});
  }
  return out;
}

std::vector<DiffLine> finding_lines(const Diff& diff) {
  std::vector<DiffLine> out;
  const std::vector<FindingChange>& all = diff.findings.changes;
  for (std::size_t i = 0; i < all.size();) {  // adjacent findings with the same rule and course are combined
    const FindingChange& first = all[i];
    std::size_t end = i;
    while (end < all.size() && all[end].course == first.course && all[end].rule == first.rule &&
           all[end].severity == first.severity)
      ++end;
    const auto [word, style] = mark_of(first);
    DiffLine line{word, style, styled("{} {}", first.rule->code, first.rule->name)};
    const std::size_t count = end - i, shown = count <= platform_findings + 1 ? count : platform_findings;
    if (count > 1) line.text += styled(", {} times", count);
    for (std::size_t at = i; at < i + shown; ++at) line.details.push_back(finding_text(all[at]));
    if (shown < count) line.details.push_back(styled("and {} more", count - shown));
    out.push_back(std::move(line));
    i = end;
  }
  return out;
}

std::vector<DiffLine> floor_lines(const Diff& diff) {
  std::vector<DiffLine> out;
  for (const FloorLine& line : floor_groups(diff.platform.file_floors)) {
    const Course course = line.first->course;
    const bool more = course == Course::Raised || course == Course::Added;
    out.push_back({course == Course::Removed ? "removed" : std::string(name_of(course)),
                   more ? Style::Doubtful : Style::Good, floor_text(line)});
  }
  return out;
}

namespace {

// numpy: >= 1.23 -> >= 2.1; Requires-Dist says numpy>=1.23
DiffLine import_floor_line(const ImportFloorChange& floor) {
  const auto shown = [&](const std::string& minimum, const std::string& below) {
    std::vector<std::string> limits;
    if (!minimum.empty()) limits.push_back(">= " + escape(minimum));
    if (!below.empty()) limits.push_back("< " + escape(below));
    return limits.empty() ? std::string("any version") : join(limits, ", ");
  };
  return {"at run time", Style::Doubtful,
          styled("{}: {} -> {}; Requires-Dist {}", name_text(floor.package), shown(floor.minimum.old, floor.below.old),
                 shown(floor.minimum.now, floor.below.now),
                 floor.requirement.empty() ? StyledText("does not name it") : "says " + name_text(floor.requirement))};
}

}  // namespace

std::vector<DiffLine> python_lines(const Diff& diff) {
  std::vector<DiffLine> out;
  const MetadataChange& metadata = diff.metadata;
  const auto add = [&](const char* what, const Both<std::string>& change) {
    const auto shown = [&](const std::string& text) { return text.empty() ? StyledText("none") : name_text(text); };
    if (change.changed()) out.push_back({what, Style::Term, styled("{} -> {}", shown(change.old), shown(change.now))});
  };
  add("tags", metadata.python);
  add("Requires-Python", metadata.requires_python);
  for (const ImportFloorChange& floor : metadata.import_floors) out.push_back(import_floor_line(floor));
  std::vector<DiffLine> dependencies = dependency_lines(metadata);
  out.insert(out.end(), dependencies.begin(), dependencies.end());
  return out;
}

}  // namespace wheelcheck::report
