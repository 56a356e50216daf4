// The findings of a wheel, and the form that filters those of all wheels by severity, rule, file and text.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "report/html/html_parts.h"
#include "report/shared/markup.h"
#include "report/shared/text.h"
#include "rules/page.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::report::html {
namespace {

constexpr std::size_t most_value = 4096;   // bytes of one value of evidence
constexpr std::size_t most_choices = 500;  // of one list to choose from

// Prose of a rule: what stands in backquotes is code.
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

std::string item(const WheelReport& wheel, const Finding& finding) {
  const Rule& rule = *finding.rule;
  const rules::RulePage& page = rules::page_of(rule);
  const std::string path = markup_shown(place_path(wheel.facts, finding.place));
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
  for (const Finding& finding : wheel.findings) out += item(wheel, finding);
  if (!wheel.findings.empty())
    out += "<p class=\"none filtered\" hidden>No finding of this wheel fits the filter.</p>\n";
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

}  // namespace wheelcheck::report::html
