// The sections that decide who can install and import the wheel: tags, findings, Python, version floors.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

#include "base/text.h"
#include "report/diff/diff_outline.h"
#include "report/shared/levels.h"
#include "report/shared/names.h"
#include "report/shared/rules_json.h"
#include "report/shared/text.h"
#include "wheelcheck/rule.h"
#include "wheelcheck/version.h"

namespace wheelcheck::report {
namespace {

using Tone = DiffLine::Tone;
constexpr std::size_t platform_symbols = 4, platform_findings = 3, shown_floors = 8;

struct Mark {
  std::string word;
  Tone tone;
};
Mark mark_of(Course course) {
  switch (course) {
    case Course::Raised:
      return {"RAISED", Tone::Bad};
    case Course::Removed:
      return {"REMOVED", Tone::Bad};
    case Course::Lowered:
      return {"lowered", Tone::Good};
    case Course::Added:
      return {"added", Tone::Good};
    case Course::Same:
      break;
  }
  return {"", Tone::Plain};
}

std::string reason_text(const LevelReason& reason, const DiffStyle& style) {
  std::string out = style.name(subject_of(reason.required));
  if (!reason.symbols.empty()) out += fmt::format(" ({})", few_symbols(reason.symbols, platform_symbols, style));
  return fmt::format("{} {}", out, in_files(reason.files, style));
}

// The decisive reasons in full. For the others, the highest node of each family, which is the next one to avoid for the
// old level.
std::vector<std::string> reason_details(const LevelChange& level, const DiffStyle& style) {
  std::vector<std::string> out, others;
  std::set<std::string, std::less<>> listed;
  for (const LevelReason& reason : level.reasons) {
    const auto* const version = std::get_if<VersionRequirement>(&reason.required.what);
    const bool first = version == nullptr || listed.emplace(version_family(version->version)).second;
    if (reason.decides)
      out.push_back("because of " + reason_text(reason, style));
    else if (first)
      others.push_back(style.name(subject_of(reason.required)));
  }
  if (!others.empty()) out.push_back("the old level also lacks " + first_few(others, shown_floors));
  return out;
}

DiffLine level_line(const LevelChange& level, const DiffStyle& style) {
  const auto [word, tone] = mark_of(level.fits_course != Course::Same ? level.fits_course : level.claimed_course);
  const auto change = [&](const Both<std::string>& tags) {
    return from_to(tags.old.empty() ? "nothing" : tags.old, tags.now.empty() ? "nothing" : tags.now, style);
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
  return {word, tone, text, reason_details(level, style)};
}

Mark mark_of(const FindingChange& change) {
  const bool fresh = change.course == FindingCourse::New || change.course == FindingCourse::Worse;
  const Tone tone = !fresh                                 ? Tone::Good
                    : change.severity == Severity::Error   ? Tone::Bad
                    : change.severity == Severity::Warning ? Tone::Doubtful
                                                           : Tone::Plain;
  return {fmt::format("{} {}", name_of(change.course), level_of(change.severity)), tone};
}

std::string finding_text(const FindingChange& change, const DiffStyle& style) {
  std::string out = style.prose(change.message);
  if (!change.path.empty()) out = fmt::format("{}: {}", style.name(change.path), out);
  if (change.before) out += fmt::format(" (was {})", level_of(*change.before));
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

std::string floor_text(const FloorLine& line, const DiffStyle& style) {
  const FloorChange& change = *line.first;
  std::string out = style.prose(change.family) + " ";
  std::string from = line.from.empty() ? "none" : *line.from.begin();
  if (line.from.size() > 1) from += " to " + *line.from.rbegin();
  out += from_to(from, change.node.now.empty() ? "none" : without_family(change.node.now), style);
  const std::vector<std::string> symbols(line.symbols.begin(), line.symbols.end());
  if (!symbols.empty() && change.course != Course::Removed)
    out += fmt::format(" ({})", few_symbols(symbols, platform_symbols, style));
  return fmt::format("{} {}", out, in_files({line.files.begin(), line.files.end()}, style));
}

}  // namespace

std::vector<DiffLine> platform_lines(const Diff& diff, const DiffStyle& style) {
  std::vector<DiffLine> out;
  const PlatformChanges& platform = diff.platform;
  if (platform.tag_result.changed()) {
    const bool broken = platform.tag_result.now == TagResult::Incompatible;
    const bool kept = platform.tag_result.now == TagResult::Compatible;
    out.push_back({broken ? "incompatible" : "compatibility",
                   broken ? Tone::Bad
                   : kept ? Tone::Good
                          : Tone::Doubtful,
                   fmt::format("of the claimed tags: {}", from_to(tag_result_text(platform.tag_result.old),
                                                                  tag_result_text(platform.tag_result.now), style))});
  }
  for (const LevelChange& level : platform.levels) out.push_back(level_line(level, style));
  if (platform.claims.changed()) {
    const auto names = [&](const std::vector<std::string>& tags) {
      return tags.empty() ? std::string("none") : few_names(tags, tags.size(), style);
    };
    out.push_back({"tags", Tone::Plain,
                   fmt::format("{} {} {}", names(platform.claims.old), style.arrow, names(platform.claims.now))});
  }
  return out;
}

std::vector<DiffLine> finding_lines(const Diff& diff, const DiffStyle& style) {
  std::vector<DiffLine> out;
  const std::vector<FindingChange>& all = diff.findings.changes;
  for (std::size_t i = 0; i < all.size();) {  // adjacent findings with the same rule and course are combined
    const FindingChange& first = all[i];
    std::size_t end = i;
    while (end < all.size() && all[end].course == first.course && all[end].rule == first.rule &&
           all[end].severity == first.severity)
      ++end;
    const auto [word, tone] = mark_of(first);
    DiffLine line{word, tone, fmt::format("{} {}", first.rule->code, first.rule->name)};
    const std::size_t count = end - i, shown = count <= platform_findings + 1 ? count : platform_findings;
    if (count > 1) line.text += fmt::format(", {} times", count);
    for (std::size_t at = i; at < i + shown; ++at) line.details.push_back(finding_text(all[at], style));
    if (shown < count) line.details.push_back(fmt::format("and {} more", count - shown));
    out.push_back(std::move(line));
    i = end;
  }
  return out;
}

std::vector<DiffLine> floor_lines(const Diff& diff, const DiffStyle& style) {
  std::vector<DiffLine> out;
  for (const FloorLine& line : floor_groups(diff.platform.file_floors)) {
    const Course course = line.first->course;
    const bool more = course == Course::Raised || course == Course::Added;
    out.push_back({course == Course::Removed ? "removed" : std::string(name_of(course)),
                   more ? Tone::Doubtful : Tone::Good, floor_text(line, style)});
  }
  return out;
}

namespace {

// numpy: >= 1.23 -> >= 2.1; Requires-Dist says numpy>=1.23
DiffLine import_floor_line(const ImportFloorChange& floor, const DiffStyle& style) {
  const auto shown = [&](const std::string& minimum, const std::string& below) {
    std::vector<std::string> limits;
    if (!minimum.empty()) limits.push_back(">= " + minimum);
    if (!below.empty()) limits.push_back("< " + below);
    return limits.empty() ? std::string("any version") : join(limits, ", ");
  };
  return {"at run time", Tone::Doubtful,
          fmt::format("{}: {} {} {}; Requires-Dist {}", style.name(floor.package),
                      shown(floor.minimum.old, floor.below.old), style.arrow, shown(floor.minimum.now, floor.below.now),
                      floor.requirement.empty() ? "does not name it" : "says " + style.name(floor.requirement))};
}

}  // namespace

std::vector<DiffLine> python_lines(const Diff& diff, const DiffStyle& style) {
  std::vector<DiffLine> out;
  const MetadataChange& metadata = diff.metadata;
  const auto add = [&](const char* what, const Both<std::string>& change) {
    const auto shown = [&](const std::string& text) { return text.empty() ? "none" : style.name(text); };
    if (change.changed())
      out.push_back({what, Tone::Plain, fmt::format("{} {} {}", shown(change.old), style.arrow, shown(change.now))});
  };
  add("tags", metadata.python);
  add("Requires-Python", metadata.requires_python);
  for (const ImportFloorChange& floor : metadata.import_floors) out.push_back(import_floor_line(floor, style));
  std::vector<DiffLine> dependencies = dependency_lines(metadata, style);
  out.insert(out.end(), dependencies.begin(), dependencies.end());
  return out;
}

}  // namespace wheelcheck::report
