#include "report/check/findings_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/text.h"
#include "report/shared/names.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::report {
namespace {

constexpr std::size_t max_block_places = 10;  // in one block
constexpr std::size_t widest_label = 24;
constexpr std::size_t more_lines = 10;  // where the errors alone take too many

std::string severity_word(Severity severity, const Paint& paint) {
  if (severity == Severity::Error) return paint.red("error");
  return severity == Severity::Warning ? paint.yellow("warning") : paint.cyan("note");
}

}  // namespace

std::string fix_text(std::string_view fix, std::string_view more, const Paint& paint) {
  constexpr std::size_t indent = 7, mark = 2;
  const bool command = (fix.starts_with("wheelcheck ") || fix.starts_with("patchelf ")) &&
                       fix.find_first_of(",;(") == fix.npos && indent + columns(fix) > paint.width();
  std::string text = command ? replaced(wrapped(fix, indent, indent, paint.width() - mark), "\n", " \\\n")
                             : paint.wrapped(fmt::format("{}{}", fix, more), indent, indent);
  if (command && !more.empty()) text += fmt::format("\n{:{}}{}", "", indent, trim(more));
  return fmt::format("  {} {}\n", paint.green("fix:"), text);
}

namespace {

bool is_quoted(std::string_view text, std::size_t at) { return std::ranges::count(text.substr(0, at), '"') % 2 == 1; }

// A basic string of TOML, printable.
std::string toml_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : escape(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// The first clauses of a fix that fit in `longest` columns, at least one.
std::string first_alternatives(std::string_view fix, std::size_t longest) {
  std::size_t end = fix.size();
  while (end > longest) {
    std::size_t clause = 0;
    for (const std::string_view separator : {"; ", ", or ", ", compile "})
      if (const std::size_t at = fix.rfind(separator, end - 1); at != fix.npos && !is_quoted(fix, at))
        clause = std::max(clause, at);
    if (clause == 0) break;
    end = clause;
  }
  return std::string(fix.substr(0, end));
}

// How much of each group is shown. Dense: warnings without blank lines between them and without rows.
struct Detail {
  std::size_t rows = 1;
  bool alternatives = false;  // of the fixes of warnings
  bool dense = false;
};
constexpr Detail details[] = {{.rows = 3, .alternatives = true}, {.alternatives = true}, {}, {.dense = true}};

std::string group_text(const FindingGroup& group, const Detail& detail, bool with_fix, const Paint& paint) {
  const Finding& first = group.findings.front();
  const bool error = first.severity == Severity::Error, dense = detail.dense && !error;
  const std::string start =
      fmt::format("{} {} {}: ", severity_word(first.severity, Paint()), first.rule->code, first.rule->name);
  std::string out =
      fmt::format("{} {}: {}\n", severity_word(first.severity, paint), paint.rule(first.rule->code, first.rule->name),
                  paint.wrapped(dense ? group.brief : group.heading, columns(start), 4));
  const std::size_t count = group.rows.size(), shown = dense ? 0 : count <= detail.rows + 1 ? count : detail.rows;
  for (const std::string& row : std::span(group.rows).first(shown))
    out += fmt::format("  {}\n", paint.wrapped(row, 2, 4));
  if (!dense && shown < count) out += fmt::format("  and {} more (-v shows all)\n", count - shown);
  if (group.fixes.empty() || !with_fix) return out;
  const std::string& fix = group.fixes.front();
  if (!error && !detail.alternatives) return out + fix_text(first_alternatives(fix, paint.width() - 7), "", paint);
  const std::string shown_fix = first_alternatives(fix, error ? 320 : 140);  // columns: four or two lines
  std::string more = shown_fix.size() < fix.size() ? "; ... (-v shows more)" : "";
  if (group.fixes.size() > 1) more = fmt::format(" (the first of {}, -v shows all)", group.fixes.size());
  return out + fix_text(shown_fix, more, paint);
}

// fixes: how many of the warnings have one.
std::string groups_text(std::span<const FindingGroup> groups, const Detail& detail, std::size_t fixes,
                        const Paint& paint) {
  std::string out;
  std::size_t warnings = 0;
  for (const FindingGroup& group : groups) {
    const bool error = group.findings.front().severity == Severity::Error;
    if (error || warnings == 0 || !detail.dense) out += "\n";
    out += group_text(group, detail, error || warnings < fixes, paint);
    warnings += error ? 0u : 1u;
  }
  if (!detail.dense || warnings == 0) return out;
  return out + fmt::format("  (-v shows the files{})\n", fixes < warnings ? ", and how to fix the other warnings" : "");
}

std::string evidence_text(const std::vector<Evidence>& all, const Paint& paint) {
  std::string out;
  std::size_t width = 0;
  for (const Evidence& evidence : all) width = std::max(width, columns(escape(evidence.label)) + 1);
  width = std::min(width, widest_label);
  for (const Evidence& evidence : all) {
    const std::string label = padded(escape(evidence.label) + ":", width);
    const std::string text = evidence.value.empty() ? "(empty)" : with_short_symbols(evidence.value);
    const std::string value = paint.wrapped(text, 7 + columns(label), 7 + width);
    // Continued lines also start with the bar.
    const std::string barred = replaced(value, "\n    ", "\n   " + paint.cyan("|"));
    out += fmt::format("   {}  {} {}\n", paint.cyan("|"), label, barred);
  }
  return out;
}

std::string block(std::span<const Finding> same, const PlaceText& place_of, const Paint& paint) {
  const Finding& finding = same.front();
  const std::string code = fmt::format("{} {}", finding.rule->code, finding.rule->name);
  const std::size_t used = columns(severity_word(finding.severity, Paint())) + 1 + columns(code) + 2;
  std::string out =
      fmt::format("\n{} {}: {}\n", severity_word(finding.severity, paint),
                  paint.rule(finding.rule->code, finding.rule->name), paint.wrapped(escape(finding.message), used, 4));
  const std::size_t shown = same.size() <= max_block_places + 1 ? same.size() : max_block_places;
  for (const Finding& one : same.first(shown))
    if (const std::string place = place_of(one.place); !place.empty())
      out += fmt::format("  {} {}\n", paint.cyan("-->"), place);
  if (shown < same.size()) out += fmt::format("      and {} more places\n", same.size() - shown);
  out += evidence_text(finding.evidence, paint);
  return finding.fix.empty() ? out : out + fix_text(escape(finding.fix), "", paint);
}

}  // namespace

std::string ignores_to_paste(const WheelReport& wheel, const Paint& paint) {
  std::map<std::string, std::set<std::string>> paths;  // by rule
  for (const Finding& finding : wheel.findings)
    if (finding.severity != Severity::Note)
      paths[std::string(finding.rule->code)].insert(place_path(wheel.facts, finding.place));
  if (paths.empty()) return "";
  std::string out =
      fmt::format("\n{}\n", paint.bold("To accept a finding, add its entry to the configuration with a reason:"));
  for (const auto& [code, places] : paths) {
    out += fmt::format("\n[[tool.wheelcheck.ignore-rule]]\nrule = \"{}\"\n", code);
    const std::string& only = *places.begin();
    const bool plain = only.find_first_of("*?[]\\") == only.npos && !only.empty();
    if (places.size() == 1 && plain) out += fmt::format("path = {}\n", toml_text(only));
    out += "reason = \"\"\n";
  }
  return out;
}

std::string grouped_findings(const WheelReport& wheel, std::span<const Finding> findings, std::size_t max_lines,
                             const Paint& paint) {
  const std::vector<FindingGroup> groups = grouped(wheel, findings);
  std::string out;
  const auto fits = [&](const Detail& detail, std::size_t fixes, std::size_t max) {
    out = groups_text(groups, detail, fixes, paint);
    return std::cmp_less_equal(std::ranges::count(out, '\n'), max);
  };
  for (const std::size_t max : {max_lines, max_lines + more_lines}) {
    for (const Detail& detail : details)
      if (fits(detail, groups.size(), max)) return out;
    for (std::size_t fixes = groups.size(); fixes > 0; --fixes)
      if (fits({.dense = true}, fixes - 1, max)) return out;
  }
  return out;
}

std::string findings_text(std::span<const Finding> findings, const PlaceText& place_of, const Paint& paint) {
  std::string out;
  for (const std::span<const Finding> same : same_but_place(findings)) out += block(same, place_of, paint);
  return out;
}

}  // namespace wheelcheck::report
