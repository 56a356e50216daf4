// SARIF 2.1.0 for code scanning, of `check` and of `release`, and the rules as its reportingDescriptors.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "base/text.h"
#include "model/requires_dist.h"
#include "report/answers/answers.h"
#include "report/answers/check_errors.h"
#include "report/check/ci_summary.h"
#include "report/shared/fingerprint.h"
#include "report/shared/names.h"
#include "report/shared/rules_json.h"
#include "report/shared/text.h"
#include "rules/page.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {
namespace {

constexpr std::string_view schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
constexpr std::size_t max_results = 5000;  // of one run that GitHub keeps; it refuses 25,000
constexpr std::string_view refused_code = "WC703";
constexpr std::size_t max_text = 4096;  // bytes of one value of evidence

// Escapes text for a SARIF message, in which braces and the middle of a link have a meaning (3.11.5, 3.11.6).
std::string plain_shown(std::string_view text) {
  return replaced(replaced(replaced(text, "{", "{{"), "}", "}}"), "](", "\\](");
}
std::string plain(std::string_view text, std::size_t max = 16 * max_text) { return plain_shown(escape(text, max)); }

// Services show only the first sentence if space is limited.
std::string message_of(const WheelReport& wheel, const Finding& finding) {
  const std::string path = place_path(wheel.facts, finding.place), file = escape(wheel.facts.file);
  std::string out = fmt::format("{} ({})", plain(finding.message),
                                plain_shown(path.empty() ? file : fmt::format("{}, in {}", path, file)));
  for (const Evidence& evidence : finding.evidence)
    out += fmt::format("\n{}: {}", plain(evidence.label),
                       evidence.value.empty() ? "(empty)" : plain(evidence.value, max_text));
  if (!finding.fix.empty()) out += fmt::format("\nfix: {}", plain(finding.fix));
  return out;
}

Json artifact_location(std::string_view file) { return {{"uri", uri_segment(file)}}; }

// A service rejects a whole log if one result has no location in a file of the repository, and treats a result that
// moves to another file as new. A wheel is not such a file, and its name changes with every release. All results are
// therefore located in the file that names the project; analysisTarget names the wheel (3.27.13).
constexpr std::string_view anchor = "pyproject.toml";

Json anchor_location() {
  return {{"physicalLocation",
           {{"artifactLocation", artifact_location(anchor)},
            {"region", {{"startLine", 1}, {"startColumn", 1}, {"endLine", 1}, {"endColumn", 1}}}}}};
}

Json location_of(const WheelReport& wheel, const Finding& finding) {
  Json out = anchor_location();
  const std::string path = place_path(wheel.facts, finding.place);
  if (!path.empty())
    out["logicalLocations"] = Json::array({{{"name", base_name(path)},
                                            {"fullyQualifiedName", place_text(wheel.facts, finding.place)},
                                            {"kind", "module"}}});
  return out;
}

using RuleOrder =
    std::map<std::string_view, std::pair<const Rule*, std::size_t>>;  // by code, with the position in the log

bool is_refused(const Report::Entry& entry) { return entry.unreadable && entry.unreadable->refused(); }

RuleOrder rules_of(const Report& report, const std::vector<ReportedFinding>& findings) {
  RuleOrder order;
  if (const Rule* const refused = find_rule(refused_code);
      refused != nullptr && std::ranges::any_of(report.entries, is_refused))
    order.emplace(refused_code, std::pair(refused, 0));
  for (const ReportedFinding& reported : findings)
    order.emplace(reported.finding->rule->code, std::pair(reported.finding->rule, 0));
  std::size_t next = 0;
  for (auto& [code, rule] : order) rule.second = next++;
  return order;
}

Json result_json(const ReportedFinding& reported, const RuleOrder& order, const std::string& print) {
  const Finding& finding = *reported.finding;
  return {{"ruleId", finding.rule->code},
          {"ruleIndex", order.at(finding.rule->code).second},
          {"level", level_of(finding.severity)},
          {"message", {{"text", message_of(*reported.wheel, finding)}}},
          {"analysisTarget", artifact_location(reported.wheel->facts.file)},
          {"locations", Json::array({location_of(*reported.wheel, finding)})},
          // GitHub reads only this name.
          {"partialFingerprints", {{"primaryLocationLineHash", print}, {"wheelcheck/v1", print}}},
          {"properties", {{"confidence", name_of(finding.confidence)}}}};
}

// A wheel whose archive is refused. Its name is all that is known of it.
Json refused_json(const Unreadable& wheel, const RuleOrder& order) {
  const std::string file = escape(base_name(wheel.path));
  return {{"ruleId", refused_code},
          {"ruleIndex", order.at(refused_code).second},
          {"level", level_of(Severity::Error)},
          {"message", {{"text", plain_shown(unreadable_sentence(wheel))}}},
          {"analysisTarget", artifact_location(base_name(wheel.path))},
          {"locations", Json::array({anchor_location()})},
          {"partialFingerprints",
           {{"primaryLocationLineHash", fmt::format("{}:1", refused_code)}, {"wheelcheck/v1", file}}},
          {"properties", {{"confidence", name_of(Confidence::High)}}}};
}

void add_results(Json& out, const Report& report, const std::vector<ReportedFinding>& findings,
                 const RuleOrder& order) {
  for (const Report::Entry& entry : report.entries)
    if (is_refused(entry) && out.size() < max_results) out.push_back(refused_json(*entry.unreadable, order));
  std::map<std::pair<const WheelReport*, std::string>, std::size_t> seen;
  for (const ReportedFinding& reported : findings) {
    const std::string print = fingerprint(*reported.wheel, *reported.finding);
    // Results with the same fingerprint are numbered, as CodeQL does: "1b5a:2".
    const std::size_t count = ++seen[{reported.wheel, print}];
    if (out.size() < max_results) out.push_back(result_json(reported, order, fmt::format("{}:{}", print, count)));
  }
}

// SARIF requires PascalCase for the name of a rule (3.49.7): symbol-version-too-new becomes SymbolVersionTooNew.
std::string pascal_case(std::string_view name) {
  std::string out;
  for (const std::string_view word : split(name, '-')) {
    if (word.empty()) continue;
    out += is_lower(word.front()) ? static_cast<char>(word.front() - 'a' + 'A') : word.front();
    out += word.substr(1);
  }
  return out;
}

// A property for code scanning services: `problem.severity` is error, warning or recommendation.
std::string_view problem_of(Severity severity) {
  if (severity == Severity::Error) return "error";
  return severity == Severity::Warning ? "warning" : "recommendation";
}

constexpr std::string_view homepage = WHEELCHECK_HOMEPAGE;

Json rule_json(const Rule& rule) {
  Json out =
      rule_descriptor({&rule, rules::rule_help_text(rule), rules::rule_help_markdown(rule), rules::tags_of(rule)});
  // The URI must be absolute in a log (3.49.12).
  if (homepage.empty())
    out.erase("helpUri");
  else
    out["helpUri"] = fmt::format("{}/blob/main/{}", homepage, out["helpUri"].get<std::string>());
  if (const std::string_view severity = rule.security == nullptr ? "" : rule.security; !severity.empty())
    out["properties"]["security-severity"] = severity;
  return out;
}

Json rules_json(const RuleOrder& order) {
  Json rules = Json::array();
  for (const auto& [code, rule] : order) rules.push_back(rule_json(*rule.first));
  return rules;
}

Json driver_json(std::string_view version, Json rules) {
  Json driver = {{"name", "wheelcheck"},
                 {"version", safe(version)},
                 {"semanticVersion", safe(version)},
                 {"rules", std::move(rules)}};
  if (!homepage.empty()) driver["informationUri"] = homepage;
  return driver;
}

Json notifications_json(const Report& report, std::size_t findings) {
  Json out = Json::array();
  for (const Report::Entry& entry : report.entries) {
    if (!entry.unreadable || is_refused(entry)) continue;
    const Json place = {
        {"physicalLocation", {{"artifactLocation", artifact_location(base_name(entry.unreadable->path))}}}};
    out.push_back({{"descriptor", {{"id", name_of(entry.unreadable->error.code)}}},
                   {"level", "error"},
                   {"message", {{"text", plain_shown(unreadable_sentence(*entry.unreadable))}}}});
    if (entry.unreadable->error.code != ErrorCode::NotFound) out.back()["locations"] = Json::array({place});
  }
  if (findings > max_results)
    out.push_back(
        {{"descriptor", {{"id", "too-many-results"}}},
         {"level", "warning"},
         {"message", {{"text", fmt::format("{} more findings are not in this log", findings - max_results)}}}});
  return out;
}

// failing: what exit code 1 means.
Json invocation_json(const Report& report, int code, std::string_view failing, std::size_t findings) {
  Json out = {{"executionSuccessful", code < 2},
              {"exitCode", code},
              {"exitCodeDescription", code == 0   ? fmt::format("no {}", failing)
                                      : code == 1 ? fmt::format("{}, or a refused wheel", failing)
                                                  : "an input could not be opened"}};
  if (Json notifications = notifications_json(report, findings); !notifications.empty())
    out["toolExecutionNotifications"] = std::move(notifications);
  return out;
}

Json artifacts_json(const Report& report) {
  Json out = Json::array();
  std::set<std::string> files;  // the same wheel may be given twice
  for (const Report::Entry& entry : report.entries) {
    if (!entry.wheel || !files.insert(entry.wheel->facts.file).second) continue;
    Json artifact = {{"location", artifact_location(entry.wheel->facts.file)},
                     {"roles", Json::array({"analysisTarget"})}};
    if (entry.wheel->facts.size != 0) artifact["length"] = entry.wheel->facts.size;
    out.push_back(std::move(artifact));
  }
  return out;
}

std::string log_of(const Report& report, Json driver, Json invocation, Json results) {
  const Json run = {{"tool", {{"driver", std::move(driver)}}},
                    {"invocations", Json::array({std::move(invocation)})},
                    {"artifacts", artifacts_json(report)},
                    {"results", std::move(results)}};
  const Json document = {{"$schema", schema}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  return document_text(document);
}

std::string render_sarif(const Report& report, const RenderOptions& options) {
  const std::vector<ReportedFinding> findings = worst_first(report);
  const RuleOrder order = rules_of(report, findings);
  Json results = Json::array();
  add_results(results, report, findings, order);
  return log_of(
      report, driver_json(report.version, rules_json(order)),
      invocation_json(report, exit_code_of(report, options), "findings of --fail-on or higher", findings.size()),
      std::move(results));
}

// --- release: a rule for each topic; the other results are the errors of `check` that fail the release ------------

using Topic = ReleaseFinding::Topic;

struct TopicPage {
  Topic topic;
  std::string_view text, section;  // of docs/release.md
};
constexpr TopicPage topic_pages[] = {
    // by name
    {Topic::Content, "The content of the wheels of one version differs.", "differences"},
    {Topic::Floor, "Wheels require a newer C library or macOS than those of the release before.", "holes"},
    {Topic::Growth, "Wheels are much larger than those of the release before.", "sizes"},
    {Topic::Hole, "A Python or a platform has no wheel, which other wheels or the release before have.", "holes"},
    {Topic::Metadata, "METADATA of the wheels of one version differs.", "differences"},
    {Topic::Sdist, "No wheel contains package data that the sdist has.", "differences"},
    {Topic::Version, "A wheel of another version or project is among those of the release.", "differences"},
};
std::string id_of(Topic topic) { return fmt::format("release-{}", name_of(topic)); }

Json topic_json(const TopicPage& page) {
  const std::string address = fmt::format("docs/release.md#{}", page.section);
  Json out = {{"id", id_of(page.topic)},
              {"name", pascal_case(id_of(page.topic))},
              {"shortDescription", {{"text", page.text}}},
              {"fullDescription", {{"text", page.text}}},
              {"help", {{"text", fmt::format("See {}.", address)}, {"markdown", fmt::format("See `{}`.", address)}}},
              {"properties",
               {{"precision", name_of(Confidence::High)},
                {"problem.severity", problem_of(Severity::Warning)},
                {"tags", {"release"}}}}};
  if (!homepage.empty()) out["helpUri"] = fmt::format("{}/blob/main/{}", homepage, address);
  return out;
}

// The same in the next release: without versions and lists of wheels, which follow in the message.
std::string fingerprint(const ReleaseReport& release, const ReleaseFinding& finding) {
  const std::string identity =
      fmt::format("{}\n{}\n{}\n{}", id_of(finding.topic), normal_project_name(release.distribution),
                  finding.message.substr(0, finding.message.find_first_of(":;(")),
                  finding.members.empty() ? "" : stable_name(finding.members.front()));
  return sha256_hex(std::as_bytes(std::span(identity))).substr(0, fingerprint_digits);
}

Json release_result(const ReleaseFinding& finding, std::size_t rule, const std::string& print) {
  std::string text = plain_shown(finding.message);
  if (!finding.fix.empty()) text += fmt::format("\nfix: {}", plain_shown(finding.fix));
  return {{"ruleId", id_of(finding.topic)},
          {"ruleIndex", rule},
          {"level", level_of(finding.severity)},
          {"message", {{"text", std::move(text)}}},
          {"locations", Json::array({anchor_location()})},
          {"partialFingerprints", {{"primaryLocationLineHash", print}, {"wheelcheck/v1", print}}},
          {"properties", {{"wheels", texts(finding.wheels)}, {"members", texts(finding.members)}}}};
}

}  // namespace

std::string release_sarif(const ReleaseReport& release) {
  std::vector<ReportedFinding> errors;
  for (const Report::Entry& entry : release.read.entries)
    if (entry.wheel)
      for (const Finding* const error : check_errors(*entry.wheel)) errors.push_back({&*entry.wheel, error});
  const RuleOrder order = rules_of(release.read, errors);
  Json rules = rules_json(order), results = Json::array();
  std::map<Topic, std::size_t> index;
  for (const TopicPage& page : topic_pages) {
    if (std::ranges::find(release.findings, page.topic, &ReleaseFinding::topic) == release.findings.end()) continue;
    index.emplace(page.topic, rules.size());
    rules.push_back(topic_json(page));
  }
  std::map<std::string, std::size_t> seen;
  for (const ReleaseFinding& finding : release.findings) {
    const std::string print = fingerprint(release, finding);
    const std::size_t count = ++seen[print];
    if (results.size() < max_results)
      results.push_back(release_result(finding, index.at(finding.topic), fmt::format("{}:{}", print, count)));
  }
  add_results(results, release.read, errors, order);
  return log_of(release.read, driver_json(release.version, std::move(rules)),
                invocation_json(release.read, release_exit_code(release), "errors of the release or of check",
                                release.findings.size() + errors.size()),
                std::move(results));
}

extern const Renderer sarif{"sarif", "SARIF 2.1.0, for code scanning", &render_sarif};

// Rules as JSON, in the form of SARIF's reportingDescriptor.
std::string render_rules_json(std::span<const DescribedRule> rules, std::string_view version) {
  Json list = Json::array();
  for (const DescribedRule& rule : rules) list.push_back(rule_descriptor(rule));
  const Json document = {
      {"schema", "wheelcheck-rules"}, {"version", 1}, {"wheelcheck", safe(version)}, {"rules", std::move(list)}};
  return document_text(document);
}

std::string_view level_of(Severity severity) {
  if (severity == Severity::Error) return "error";
  return severity == Severity::Warning ? "warning" : "note";
}

// GitHub takes 1,024 characters. The help of the rule has all.
std::string_view first_sentences(std::string_view text) {
  constexpr std::size_t max = 1024;
  return text.size() <= max ? text : text.substr(0, text.substr(0, max).rfind(". ") + 1);
}

Json rule_descriptor(const DescribedRule& described) {
  const Rule& rule = *described.rule;
  const rules::RulePage& page = rules::page_of(rule);
  return {{"id", rule.code},
          {"name", pascal_case(rule.name)},
          {"shortDescription", {{"text", page.summary}}},
          {"fullDescription", {{"text", first_sentences(page.why)}}},
          {"help", {{"text", described.help_text}, {"markdown", described.help_markdown}}},
          {"helpUri", fmt::format("docs/rules/{}-{}.md", rule.code, rule.name)},
          {"defaultConfiguration", {{"enabled", !rule.pedantic}, {"level", level_of(rule.severity)}}},
          {"properties",
           {{"rule", rule.name},
            {"precision", name_of(rule.confidence)},
            {"problem.severity", problem_of(rule.severity)},
            {"tags", texts(described.tags)}}}};
}

}  // namespace wheelcheck::report
