// The findings of a wheel, and the form that filters those of all wheels by severity, rule, file and text.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "report/check/ci_summary.h"
#include "report/html/html_parts.h"
#include "report/shared/text.h"
#include "rules/page.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::report::html {

namespace {

constexpr std::size_t most_value = 4096;   // bytes of one value of evidence
constexpr std::size_t most_choices = 500;  // in one selection list

// The text of a rule as markup; text in backquotes becomes code.
std::string prose(std::string_view text) {
  std::string out;
  bool code = false;
  for (const std::string_view part : split(text, '`')) {
    out += code ? fmt::format("<code>{}</code>", markup(part)) : markup(part);
    code = !code;
  }
  return out;
}

std::string evidence_list(const Finding& finding) {
  if (finding.evidence.empty()) return "";
  std::string out = "<dl>";
  for (const Evidence& evidence : finding.evidence)
    out += fmt::format("<dt>{}</dt><dd>{}</dd>", markup(evidence.label),
                       evidence.value.empty() ? "<span class=\"soft\">(empty)</span>"
                                              : markup_shown(escape(evidence.value, most_value)));
  return out + "</dl>\n";
}

}  // namespace

std::string finding_item(const Finding& finding, const std::string& shown_path) {
  const Rule& rule = *finding.rule;
  const rules::RulePage& page = rules::page_of(rule);
  const std::string path = markup_shown(shown_path);
  const std::string_view severity = name_of(finding.severity);
  std::string out = fmt::format(
      "<article class=\"finding {0}\" data-severity=\"{0}\" data-rule=\"{1}\" data-member=\"{2}\">\n<h4><span "
      "class=\"badge {0}\">{0}</span> <span>{1}</span> <span class=\"soft\">{3}</span></h4>\n<p "
      "class=\"message\">{4}</p>\n",
      severity, rule.code, path, rule.name, markup(finding.message));
  if (!path.empty()) out += fmt::format("<p class=\"place\"><code>{}</code></p>\n", path);
  out += evidence_list(finding);
  if (!finding.fix.empty()) out += fmt::format("<p class=\"fix\"><b>fix</b>{}</p>\n", markup(finding.fix));
  return out + fmt::format(
                   "<details><summary>Why it matters</summary><p>{}</p><p>{}</p><p class=\"soft\">Known false "
                   "positives: {}</p></details>\n</article>\n",
                   prose(page.why), prose(page.fix), prose(page.false_positives));
}

namespace {

std::string choices(std::string_view name, std::string_view label, std::string_view all,
                    const std::map<std::string, std::string>& list) {
  std::string out = fmt::format("<label>{}<select name=\"{}\"><option value=\"\">{}</option>", label, name, all);
  std::size_t count = 0;
  for (const auto& [value, text] : list)
    if (++count <= most_choices) out += fmt::format("<option value=\"{}\">{}</option>", value, text);
  return out + "</select></label>\n";
}

}  // namespace

std::string findings(const WheelReport& wheel) {
  std::string out = fmt::format("<section class=\"findings\">\n<h3>Findings <small>{}</small></h3>\n",
                                wheel.findings.empty() ? "none" : fmt::format("{}", wheel.findings.size()));
  for (const Finding& finding : wheel.findings) out += finding_item(finding, place_path(wheel.facts, finding.place));
  if (!wheel.findings.empty())
    out += "<p class=\"none filtered\" hidden>No finding of this wheel matches the filter.</p>\n";
  return out + "</section>\n";
}

std::string filters(const Report& report) {
  std::map<std::string, std::string> rules, members;
  for (const Report::Entry& entry : report.entries) {
    if (!entry.wheel) continue;
    for (const Finding& finding : entry.wheel->findings) {
      rules.emplace(finding.rule->code, fmt::format("{} {}", finding.rule->code, finding.rule->name));
      const std::string path = markup_shown(place_path(entry.wheel->facts, finding.place));
      if (!path.empty()) members.emplace(path, path);
    }
  }
  if (rules.empty()) return "";
  std::string out =
      "<form class=\"filters\" hidden aria-label=\"Filter the findings\">\n<label class=\"search\">Text, of any "
      "finding "
      "(press /)<input type=\"search\" name=\"text\" autocomplete=\"off\" spellcheck=\"false\"></label>\n"
      "<fieldset><legend>Severity</legend><div class=\"toggles\">";
  const std::pair<Severity, std::size_t> counts[] = {
      {Severity::Error, report.errors}, {Severity::Warning, report.warnings}, {Severity::Info, report.infos}};
  for (const auto& [severity, count] : counts)
    out += fmt::format("<label><input type=\"checkbox\" name=\"severity\" value=\"{0}\" checked>{0} {1}</label>",
                       name_of(severity), count);
  out += "</div></fieldset>\n";
  out += choices("rule", "Rule", "every rule", rules);
  out += choices("member", "File", "every file", members);
  return out + "<button type=\"reset\">Reset</button>\n<output aria-live=\"polite\"></output>\n</form>\n";
}

// The verdict for each tag, and how many requirements each level of a policy family meets.

namespace {

std::string_view class_of(TagResult tag_result) {
  if (tag_result == TagResult::Compatible) return "kept";
  if (tag_result == TagResult::Incompatible) return "broken";
  return tag_result == TagResult::Unknown ? "unknown" : "none";
}

std::string claim_item(const Claim& claim) {
  std::string note;
  if (claim.tag.canonical != claim.tag.text)
    note += fmt::format(" <span class=\"soft\">= {}</span>", markup(claim.tag.canonical));
  if (!claim.in_wheel_file) note += " <span class=\"soft\">claimed only in the file name</span>";
  if (!claim.in_name) note += " <span class=\"soft\">claimed only in WHEEL</span>";
  const std::string reason = claim.reason.empty() ? "" : fmt::format(": {}", markup(claim.reason));
  return fmt::format("<li><span class=\"badge {}\">{}</span> <code>{}</code>{}{}</li>\n", class_of(claim.tag_result),
                     tag_result_text(claim.tag_result), markup(claim.tag.text), note, reason);
}

std::string policy_levels(const WheelReport& wheel, std::size_t index) {
  const Assessment& assessment = wheel.assessments[index];
  std::string out = fmt::format(
      "<h3>Score on {} {} <small>{} of {}</small></h3>\n<table class=\"ladder\">\n<thead><tr><th "
      "scope=\"col\">Level</th>"
      "<th scope=\"col\" class=\"number\">Met</th><th scope=\"col\"><span class=\"visually-hidden\">Share</span></th>"
      "<th scope=\"col\">Unmet requirements</th></tr></thead>\n<tbody>\n",
      name_of(assessment.family), name_of(assessment.arch), plural(assessment.requirements.size(), "requirement"),
      plural(assessment.files, "ELF file"));
  for (const ScoreRow& row : score_rows(wheel, index)) {
    const bool met = row.met == row.total;
    out += fmt::format(
        "<tr{}><td class=\"levels\"><code>{}</code></td><td class=\"number\">{} of {}</td><td class=\"graph\">{}</td>"
        "<td class=\"remark\">{}</td></tr>\n",
        row.claimed ? " class=\"claimed\"" : "", markup_shown(row.levels), row.met, row.total,
        bar(row.met, row.total,
            met           ? "met"
            : row.claimed ? "unmet"
                          : ""),
        markup_shown(row.remark));
  }
  return out + "</tbody>\n</table>\n";
}

}  // namespace

std::string number(std::uint64_t value) {
  const std::string digits = fmt::format("{}", value);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) out += "\xE2\x80\xAF";  // U+202F
    out += digits[i];
  }
  return out;
}

std::string tile(std::size_t count, std::string_view what, std::string_view heat) {
  return fmt::format("<li{}><b>{}</b>{}</li>", count != 0 && !heat.empty() ? fmt::format(" class=\"{}\"", heat) : "",
                     number(count), what);
}

std::string bar(std::uint64_t part, std::uint64_t whole, std::string_view kind) {
  // Attributes are used instead of a style, which the page's Content-Security-Policy forbids.
  const double width = whole == 0 ? 100.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  return fmt::format(
      "<svg class=\"bar{}{}\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
      "<rect width=\"{:.1f}\" height=\"8\"/></svg>",
      kind.empty() ? "" : " ", kind, part == 0 ? 0.0 : std::max(width, 0.6));
}

std::string verdict(const WheelReport& wheel) {
  const TagResult tag_result = overall(wheel.verdict);
  std::uint64_t unpacked = 0;
  for (const MemberFacts& member : wheel.facts.members) unpacked += member.size;
  std::string out = fmt::format(
      "<p class=\"verdict\"><strong class=\"{}\">{}</strong> <span>lowest compatible tag: <code>{}</code></span> "
      "<span class=\"soft\">{}, {} of them ELF; {}{} unpacked</span></p>\n<ul class=\"claims\">\n",
      class_of(tag_result), tag_result_text(tag_result), markup(wheel.verdict.best_tag),
      plural(wheel.facts.members.size(), "file"), wheel.facts.elfs.size(),
      wheel.facts.size == 0 ? "" : size_text(wheel.facts.size) + ", ", size_text(unpacked));
  for (const Claim& claim : wheel.verdict.claims) out += claim_item(claim);
  return out + "</ul>\n";
}

std::string scores(const WheelReport& wheel) {
  std::string out;
  for (std::size_t i = 0; i < wheel.assessments.size(); ++i) out += policy_levels(wheel, i);
  return out;
}

}  // namespace wheelcheck::report::html
