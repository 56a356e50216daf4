// A comparison as a document and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.h"
#include "report/answers/diff_outline.h"
#include "report/shared/json_text.h"
#include "report/shared/levels.h"
#include "report/shared/names.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::report {

namespace {

constexpr std::size_t max_mark_width = 16;

void add_section(Document& out, const DiffSection& section) {
  std::size_t width = 0;
  for (const DiffLine& line : section.lines) width = std::max(width, columns(line.mark));
  width = std::min(width, max_mark_width);
  const std::string indent(width + 4, ' ');
  out.section({section.title, Style::Strong});
  for (const DiffLine& line : section.lines) {
    out.line(styled("  {}  ", StyledText(padded(line.mark, width), line.style)), line.text, indent.size() + 2);
    for (const StyledText& detail : line.details) out.line(indent, detail, indent.size() + 2);
  }
}

std::size_t unchanged(const Diff& diff) {
  const auto& same = diff.findings.unchanged;
  return same[0] + same[1] + same[2];
}

std::string counts_text(const Diff& diff) {
  std::size_t fresh = 0, fixed = 0;
  for (const FindingChange& change : diff.findings.changes) {
    fresh += change.course == FindingCourse::New || change.course == FindingCourse::Worse ? 1u : 0u;
    fixed += change.course == FindingCourse::Fixed ? 1u : 0u;
  }
  return fmt::format("{} new, {} fixed, {} unchanged", count_of(fresh, "finding"), fixed, unchanged(diff));
}

// What fails, or what would fail with another option.
StyledText conclusion(const Diff& diff, bool changed, const DiffOptions& options) {
  std::vector<std::string> failing, others;
  if (diff.platform.raised) (options.fail_on_raised ? failing : others).push_back("--fail-on-raised-floor");
  if (diff.findings.failed) (options.fail_on_new ? failing : others).push_back("--fail-on-new");
  const StyledText word = !failing.empty() ? StyledText("FAILED", Style::Bad)
                          : options.fail_on_new || options.fail_on_raised
                              ? StyledText("PASSED", Style::Good)
                              : StyledText(changed ? "CHANGED" : "UNCHANGED", Style::Strong);
  std::string text = changed ? (diff.platform.raised ? "floor raised; " : "") + counts_text(diff)
                             : fmt::format("nothing changed; {} as before", count_of(unchanged(diff), "finding"));
  if (!failing.empty())
    text += fmt::format(" ({} {})", join(failing, " and "), failing.size() == 1 ? "fails" : "fail");
  else if (!others.empty())
    text += fmt::format(" (exit 1 with {})", join(others, " or "));
  return styled("{}: {}", word, text);
}

Document document_of(const Diff& diff, const DiffOptions& options) {
  Document out;
  out.title({diff_title(diff), Style::Strong});
  const std::vector<DiffSection> sections = outline(diff);
  for (const DiffSection& section : sections) add_section(out, section);
  out.outcome(conclusion(diff, !sections.empty(), options));
  return out;
}

}  // namespace

bool diff_fails(const Diff& diff, const DiffOptions& options) {
  return (options.fail_on_new && diff.findings.failed) || (options.fail_on_raised && diff.platform.raised);
}

// A comparison as JSON (docs/diff.schema.json).
namespace {

Json pair(const Both<std::string>& both) { return {{"old", safe(both.old)}, {"new", safe(both.now)}}; }
Json pair(const Both<std::vector<std::string>>& both) { return {{"old", texts(both.old)}, {"new", texts(both.now)}}; }
template <class Number>
Json pair(const Both<Number>& both) {
  return {{"old", both.old}, {"new", both.now}};
}

// A name that only one side has is null on the other side.
Json sides(const Both<std::string>& both) {
  const auto side = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(safe(text)); };
  return {{"old", side(both.old)}, {"new", side(both.now)}};
}

template <class Range, class Make>
Json list(const Range& range, Make make) {
  Json out = Json::array();
  for (const auto& one : range) out.push_back(make(one));
  return out;
}

Json reason_json(const LevelReason& reason) {
  return {{"kind", kind_of(reason.required)},
          {"requirement", subject_of(reason.required)},
          {"decides", reason.decides},
          {"symbols", texts(reason.symbols)},
          {"files", texts(reason.files)}};
}

Json level_json(const LevelChange& level) {
  return {{"policy_family", safe(level.policy_levels)},      {"fits", sides(level.fits)},
          {"fits_course", name_of(level.fits_course)},       {"claimed", sides(level.claimed)},
          {"claimed_course", name_of(level.claimed_course)}, {"reasons", list(level.reasons, reason_json)}};
}

Json floor_json(const FloorChange& floor) {
  return {{"family", safe(floor.family)},
          {"node", sides(floor.node)},
          {"course", name_of(floor.course)},
          {"symbols", texts(floor.symbols)},
          {"files", texts(floor.files)}};
}

Json platform_json(const PlatformChanges& platform) {
  return {{"raised", platform.raised},
          {"claims", pair(platform.claims)},
          {"result",
           {{"old", tag_result_word(platform.tag_result.old)}, {"new", tag_result_word(platform.tag_result.now)}}},
          {"levels", list(platform.levels, level_json)},
          {"wheel_floors", list(platform.wheel_floors, floor_json)},
          {"file_floors", list(platform.file_floors, floor_json)}};
}

Json change_json(const FindingChange& change) {
  return {{"course", name_of(change.course)},
          {"code", change.rule->code},
          {"rule", change.rule->name},
          {"severity", name_of(change.severity)},
          {"before", change.before ? Json(name_of(*change.before)) : Json(nullptr)},
          {"member", change.path.empty() ? Json(nullptr) : Json(safe(change.path))},
          {"message", safe(change.message)}};
}

Json changes_json(const FindingChanges& findings) {
  return {{"changes", list(findings.changes, change_json)},
          {"failed", findings.failed},
          {"unchanged",
           {{"error", findings.unchanged[2]}, {"warning", findings.unchanged[1]}, {"note", findings.unchanged[0]}}}};
}

Json contents_json(const ContentChanges& contents) {
  const auto elf = [](const ElfChange& change) -> Json {
    return {{"path", sides(change.path)},
            {"soname", sides(change.soname)},
            {"matched_by", name_of(change.by)},
            {"role", safe(change.role)}};
  };
  const auto needed = [](const NeededChange& change) -> Json {
    return {{"library", sides(change.library)}, {"whole_wheel", change.whole}, {"files", texts(change.files)}};
  };
  const auto library = [](const LibraryChange& change) -> Json {
    return {{"library", safe(change.id)},
            {"name", safe(change.name)},
            {"versions", pair(change.versions)},
            {"files", pair(change.files)}};
  };
  const auto package = [](const PackageChange& change) -> Json {
    return {{"file", safe(change.file)}, {"package", sides(change.package)}};
  };
  const auto cxx = [](const CxxChange& change) -> Json {
    return {{"string_abi", pair(change.string_abi)}, {"runtime", pair(change.runtime)}, {"files", texts(change.files)}};
  };
  return {{"elf_files", list(contents.elfs, elf)},
          {"needed", list(contents.needed, needed)},
          {"libraries", list(contents.libraries, library)},
          {"packages", list(contents.packages, package)},
          {"cxx_abi", list(contents.cxx, cxx)},
          {"gpu_targets", {{"added", texts(contents.device_added)}, {"removed", texts(contents.device_removed)}}},
          {"python_files", {{"added", texts(contents.python_added)}, {"removed", texts(contents.python_removed)}}}};
}

Json symbols_json(const SymbolChange& change) {
  const auto group = [](const SymbolGroup& one) -> Json {
    return {{"kind", name_of(one.kind)},
            {"name", safe(one.name)},
            {"count", pair(one.count)},
            {"gained", one.gained},
            {"lost", one.lost},
            {"gained_names", texts(one.gained_names)},
            {"lost_names", texts(one.lost_names)}};
  };
  const auto file = [](const SymbolFile& one) -> Json {
    return {{"file", safe(one.file)}, {"count", pair(one.count)}};
  };
  return {{"count", pair(change.count)},
          {"gained", change.gained},
          {"lost", change.lost},
          {"groups", list(change.groups, group)},
          {"files", list(change.files, file)}};
}

Json import_floor_json(const ImportFloorChange& floor) {
  return {{"package", safe(floor.package)},
          {"minimum", sides(floor.minimum)},
          {"below", sides(floor.below)},
          {"requirement", safe(floor.requirement)}};
}

Json metadata_json(const MetadataChange& metadata) {
  return {{"python_tags", pair(metadata.python)},
          {"requires_python", pair(metadata.requires_python)},
          {"requires_dist", list(metadata.dependencies, sides)},
          {"extras", pair(metadata.extras)},
          {"import_floors", list(metadata.import_floors, import_floor_json)}};
}

Json sizes_json(const SizeChanges& sizes) {
  const auto member = [](const MemberSize& one) -> Json {
    return {{"path", sides(one.path)}, {"bytes", pair(one.bytes)}};
  };
  const auto folder = [](const FolderSize& one) -> Json {
    return {{"folder", safe(one.folder)}, {"bytes", pair(one.bytes)}, {"files", pair(one.files)}};
  };
  const auto section = [](const SizePart& one) -> Json {
    return {{"name", safe(one.name)}, {"bytes", pair(one.bytes)}};
  };
  const auto gpu_code = [](const SizePart& one) -> Json {
    return {{"target", safe(one.name)}, {"bytes", pair(one.bytes)}, {"unpacked", pair(one.unpacked)}};
  };
  return {{"archive", pair(sizes.archive)},
          {"unpacked", pair(sizes.unpacked)},
          {"files", pair(sizes.files)},
          {"rewritten_files", sizes.rewritten},
          {"members", list(sizes.members, member)},
          {"folders", list(sizes.folders, folder)},
          {"sections", list(sizes.sections, section)},
          {"gpu_code", list(sizes.gpu_code, gpu_code)}};
}

std::string json_of(const Diff& diff) {
  const Json document = {{"schema", "wheelcheck-diff"},
                         {"version", 1},
                         {"wheelcheck", safe(diff.version)},
                         {"file", pair(diff.file)},
                         {"distribution", pair(diff.distribution)},
                         {"release", pair(diff.release)},
                         {"platform", platform_json(diff.platform)},
                         {"findings", changes_json(diff.findings)},
                         {"contents", contents_json(diff.contents)},
                         {"exports", symbols_json(diff.exports)},
                         {"imports", symbols_json(diff.imports)},
                         {"metadata", metadata_json(diff.metadata)},
                         {"sizes", sizes_json(diff.sizes)}};
  return document_text(document);
}

}  // namespace

Answer diff_answer(const Diff& diff, const DiffOptions& options) {
  return {.document = [&diff, options] { return document_of(diff, options); },
          .json = [&diff] { return json_of(diff); }};
}

}  // namespace wheelcheck::report
