// A comparison as text, Markdown, a page and JSON.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.h"
#include "report/diff/diff_outline.h"
#include "report/html/html_parts.h"
#include "report/shared/json_text.h"
#include "report/shared/levels.h"
#include "report/shared/names.h"
#include "report/shared/text.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::report {

namespace {

constexpr std::size_t widest_mark = 16;

std::string painted(const DiffLine& line, const std::string& mark, const Paint& paint) {
  switch (line.tone) {
    case DiffLine::Tone::Bad:
      return paint.red(mark);
    case DiffLine::Tone::Doubtful:
      return paint.yellow(mark);
    case DiffLine::Tone::Good:
      return paint.green(mark);
    case DiffLine::Tone::Plain:
      break;
  }
  return paint.cyan(mark);
}

std::string section_text(const DiffSection& section, const Paint& paint) {
  std::size_t width = 0;
  for (const DiffLine& line : section.lines) width = std::max(width, columns(line.mark));
  width = std::min(width, widest_mark);
  const std::size_t indent = width == 0 ? 2 : width + 4;
  std::string out = fmt::format("\n{}\n", paint.bold(section.title));
  for (const DiffLine& line : section.lines) {
    const std::string mark = padded(line.mark, width);
    const std::size_t used = std::max(indent, columns(mark) + 4);
    out += fmt::format("  {}{}{}\n", painted(line, mark, paint), width == 0 ? "" : "  ",
                       paint.wrapped(line.text, used, indent + 2));
    for (const std::string& detail : line.details)
      out += fmt::format("{}{}\n", std::string(indent, ' '), paint.wrapped(detail, indent, indent + 2));
  }
  return out;
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
  return fmt::format("{} new, {} fixed, {} unchanged", plural(fresh, "finding"), fixed, unchanged(diff));
}

}  // namespace

std::string render_diff_text(const Diff& diff, const DiffOptions& options) {
  const Paint& paint = options.paint;
  const DiffStyle style{.name = [](std::string_view text) { return escape(text); },
                        .prose = [](std::string_view text) { return escape(text); },
                        .arrow = "->",
                        .demangle = options.demangle};
  std::string out = paint.bold(diff_title(diff, style)) + "\n";
  const std::vector<DiffSection> sections = outline(diff, style);
  for (const DiffSection& section : sections) out += section_text(section, paint);
  return out + "\n" + diff_conclusion(diff, options) + "\n";
}

// What fails, or what would fail with another option.
std::string diff_conclusion(const Diff& diff, const DiffOptions& options) {
  const Paint& paint = options.paint;
  const bool changed = !outline(diff, {.name = [](auto text) { return std::string(text); },
                                       .prose = [](auto text) { return std::string(text); },
                                       .arrow = {},
                                       .demangle = {}})
                            .empty();
  std::vector<std::string> failing, others;
  if (diff.platform.raised) (options.fail_on_raised ? failing : others).push_back("--fail-on-raised-floor");
  if (diff.findings.failed) (options.fail_on_new ? failing : others).push_back("--fail-on-new");
  const bool gated = options.fail_on_new || options.fail_on_raised;
  const std::string word = !failing.empty() ? paint.red("FAILED")
                           : gated          ? paint.green("PASSED")
                                            : paint.bold(changed ? "CHANGED" : "UNCHANGED");
  std::string text = changed ? (diff.platform.raised ? "floor raised; " : "") + counts_text(diff)
                             : fmt::format("nothing changed; {} as before", plural(unchanged(diff), "finding"));
  if (!failing.empty())
    text += fmt::format(" ({} {})", join(failing, " and "), failing.size() == 1 ? "fails" : "fail");
  else if (!others.empty())
    text += fmt::format(" (exit 1 with {})", join(others, " or "));
  return fmt::format("{}: {}", word, text);
}

bool diff_fails(const Diff& diff, const DiffOptions& options) {
  return (options.fail_on_new && diff.findings.failed) || (options.fail_on_raised && diff.platform.raised);
}

// A comparison as a section of release notes in GitHub Flavored Markdown.

namespace {

// A code span whose fence is longer than any run of backticks inside (CommonMark 0.31, section 6.1).
std::string code_span(std::string_view text) {
  const std::string shown = escape(text);
  std::size_t run = 0, longest = 0;
  for (const char c : shown) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  const char* const pad = longest > 0 || shown.empty() ? " " : "";
  return fence + pad + shown + pad + fence;
}

// Escapes text so that it is shown literally: no emphasis, link, HTML or mention. An underscore inside a word has no
// meaning.
std::string prose(std::string_view text) {
  constexpr std::string_view special = "\\`*[]<>&~|#!";
  const std::string shown = escape(text);
  std::string out;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const char c = shown[i];
    const bool inside = i > 0 && i + 1 < shown.size() && is_alnum(shown[i - 1]) && is_alnum(shown[i + 1]);
    const std::string_view rest = std::string_view(shown).substr(i);
    if (c == '@') {
      out += "`@`";
      continue;
    }
    const bool link = rest.starts_with("://") || (c == '.' && out.ends_with("www"));
    if (special.find(c) != special.npos || (c == '_' && !inside) || link) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::string render_diff_markdown(const Diff& diff, const DiffOptions& options) {
  const DiffStyle style{.name = code_span, .prose = prose, .arrow = "→", .demangle = options.demangle};
  std::string out = fmt::format("## {}\n", diff_title(diff, style));
  const std::vector<DiffSection> sections = outline(diff, style);
  if (sections.empty()) out += "\nNothing changed\n";
  for (const DiffSection& section : sections) {
    out += fmt::format("\n### {}\n\n", section.title);
    for (const DiffLine& line : section.lines) {
      out += line.mark.empty() ? fmt::format("- {}\n", line.text) : fmt::format("- **{}** {}\n", line.mark, line.text);
      for (const std::string& detail : line.details) out += fmt::format("  - {}\n", detail);
    }
  }
  return out;
}

// A comparison of two releases as an HTML page: what fails first, then the sections of the text format.
namespace {

std::string_view tone_class(DiffLine::Tone tone) {
  switch (tone) {
    case DiffLine::Tone::Bad:
      return "bad";
    case DiffLine::Tone::Doubtful:
      return "doubtful";
    case DiffLine::Tone::Good:
      return "good";
    case DiffLine::Tone::Plain:
      break;
  }
  return "plain";
}

std::string diff_section(const DiffSection& section) {
  std::string out =
      fmt::format("<section class=\"card\">\n<h2>{}</h2>\n<table class=\"changes\">\n<tbody>\n", markup(section.title));
  for (const DiffLine& line : section.lines) {
    out += fmt::format("<tr><th scope=\"row\" class=\"{}\">{}</th><td>{}", tone_class(line.tone), line.mark, line.text);
    for (const std::string& detail : line.details) out += fmt::format("<span class=\"detail\">{}</span>", detail);
    out += "</td></tr>\n";
  }
  return out + "</tbody>\n</table>\n</section>\n";
}

std::string diff_tiles(const Diff& diff) {
  std::size_t worse = 0, fixed = 0;
  for (const FindingChange& change : diff.findings.changes) {
    worse += change.course == FindingCourse::New || change.course == FindingCourse::Worse ? 1u : 0u;
    fixed += change.course == FindingCourse::Fixed ? 1u : 0u;
  }
  const auto& same = diff.findings.unchanged;
  return fmt::format(
      "<ul class=\"tiles\">{}{}{}{}</ul>\n",
      diff.platform.raised ? "<li class=\"hot\"><b>raised</b>floor</li>" : "<li><b>not raised</b>floor</li>",
      html::tile(worse, worse == 1 ? "new finding" : "new findings", diff.findings.failed ? "hot" : "warm"),
      html::tile(fixed, "fixed", ""), html::tile(same[0] + same[1] + same[2], "unchanged", ""));
}

}  // namespace

std::string render_diff_html(const Diff& diff, const DiffOptions& options) {
  DiffOptions plain = options;
  plain.paint = Paint();
  const DiffStyle style{.name = [](std::string_view text) { return markup(text); },
                        .prose = [](std::string_view text) { return markup(text); },
                        .arrow = "→",
                        .demangle = options.demangle};
  const std::string title = diff_title(diff, style);
  std::string body = fmt::format("<header>\n<h1>{} <small>wheelcheck {}</small></h1>\n<p>{}</p>\n{}</header>\n", title,
                                 markup(diff.version), markup_shown(diff_conclusion(diff, plain)), diff_tiles(diff));
  body += "<main id=\"main\">\n";
  const std::vector<DiffSection> sections = outline(diff, style);
  for (const DiffSection& section : sections) body += diff_section(section);
  if (sections.empty()) body += "<section class=\"card\"><p class=\"none\">Nothing changed.</p></section>\n";
  body += fmt::format("</main>\n<footer>Written by wheelcheck {}.</footer>", markup(diff.version));
  return html::page(title + " - wheelcheck", body, "page.graph.css");
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
          {"asks", subject_of(reason.required)},
          {"decides", reason.decides},
          {"symbols", texts(reason.symbols)},
          {"files", texts(reason.files)}};
}

Json level_json(const LevelChange& level) {
  return {{"ladder", safe(level.policy_levels)},
          {"fits", sides(level.fits)},
          {"fits_course", name_of(level.fits_course)},
          {"claimed", sides(level.claimed)},
          {"claimed_course", name_of(level.claimed_course)},
          {"reasons", list(level.reasons, reason_json)}};
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
          {"promise",
           {{"old", tag_result_word(platform.tag_result.old)}, {"new", tag_result_word(platform.tag_result.now)}}},
          {"levels", list(platform.levels, level_json)},
          {"wheel_floors", list(platform.wheel_floors, floor_json)},
          {"file_floors", list(platform.file_floors, floor_json)}};
}

Json finding_json(const FindingChange& change) {
  return {{"course", name_of(change.course)},
          {"code", change.rule->code},
          {"rule", change.rule->name},
          {"severity", name_of(change.severity)},
          {"before", change.before ? Json(name_of(*change.before)) : Json(nullptr)},
          {"member", change.path.empty() ? Json(nullptr) : Json(safe(change.path))},
          {"message", safe(change.message)}};
}

Json findings_json(const FindingChanges& findings) {
  return {{"changes", list(findings.changes, finding_json)},
          {"failed", findings.failed},
          {"unchanged",
           {{"error", findings.unchanged[2]}, {"warning", findings.unchanged[1]}, {"info", findings.unchanged[0]}}}};
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
  const auto cxx = [](const CxxChange& change) -> Json {
    return {{"string_abi", pair(change.string_abi)}, {"runtime", pair(change.runtime)}, {"files", texts(change.files)}};
  };
  return {{"elf_files", list(contents.elfs, elf)},
          {"needed", list(contents.needed, needed)},
          {"libraries", list(contents.libraries, library)},
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
  return {{"archive", pair(sizes.archive)},
          {"unpacked", pair(sizes.unpacked)},
          {"files", pair(sizes.files)},
          {"rewritten_files", sizes.rewritten},
          {"members", list(sizes.members, member)},
          {"folders", list(sizes.folders, folder)}};
}

}  // namespace

std::string render_diff_json(const Diff& diff) {
  const Json document = {{"schema", "wheelcheck-diff"},
                         {"version", 1},
                         {"wheelcheck", safe(diff.version)},
                         {"file", pair(diff.file)},
                         {"distribution", pair(diff.distribution)},
                         {"release", pair(diff.release)},
                         {"platform", platform_json(diff.platform)},
                         {"findings", findings_json(diff.findings)},
                         {"contents", contents_json(diff.contents)},
                         {"exports", symbols_json(diff.exports)},
                         {"imports", symbols_json(diff.imports)},
                         {"metadata", metadata_json(diff.metadata)},
                         {"sizes", sizes_json(diff.sizes)}};
  return document_text(document);
}

}  // namespace wheelcheck::report
