// `wheelcheck explain RULE` and `wheelcheck rules`: the pages of the rules, which are compiled in.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "report/shared/registry.h"
#include "report/shared/rules_json.h"
#include "rules/page.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::cli {

namespace {

struct ExplainOptions {
  std::vector<std::string> names;
  bool all = false;
  std::string format = "text";
};

int run_explain(const ExplainOptions& options) {
  std::vector<const Rule*> chosen;
  if (options.all) chosen.assign(all_rules().begin(), all_rules().end());
  for (const std::string& name : options.names) {
    const Rule* const rule = find_rule(name);
    if (rule == nullptr) {
      std::vector<std::string> known;
      for (const Rule* const one : all_rules()) {
        known.emplace_back(one->name);
        known.emplace_back(one->code);
      }
      const std::string similar = closest(name, known);
      if (!similar.empty()) {
        print_error("wheelcheck: no rule is named {}; a similar one exists: {}\n", escape(name), similar);
        return exit_usage;
      }
      print_error("wheelcheck: no rule is named {}; {}\n", escape(name),
                  name.starts_with("WC9") ? "`wheelcheck policy explain` explains codes of policy files"
                                          : "`wheelcheck rules` lists them");
      return exit_usage;
    }
    chosen.push_back(rule);
  }
  if (chosen.empty()) {
    print_error("wheelcheck: explain: name a rule, by code or name, or use --all\n");
    return exit_usage;
  }
  std::string text;
  for (const Rule* const rule : chosen) {
    if (!text.empty()) text += "\n";
    text += options.format == "markdown" ? rules::rule_page_markdown(*rule) : rules::rule_page_text(*rule);
  }
  return print_text(text);
}

std::string rules_text() {
  std::string text;
  std::size_t width = 0;
  for (const Rule* const rule : all_rules()) width = std::max(width, rule->name.size());
  for (const Rule* const rule : all_rules())
    text += fmt::format("{:<6} {:<{}} {:<8} {:<7} {:<9} {}\n", rule->code, rule->name, width, name_of(rule->severity),
                        name_of(rule->confidence), rule->pedantic ? "pedantic" : "", rules::page_of(*rule).summary);
  return text;
}

std::string rules_json() {
  std::vector<report::DescribedRule> described;
  for (const Rule* const rule : all_rules())
    described.push_back({rule, rules::rule_help_text(*rule), rules::rule_help_markdown(*rule), rules::tags_of(*rule)});
  return report::render_rules_json(described, version());
}

Run fill_explain(CLI::App& app) {
  const auto options = std::make_shared<ExplainOptions>();
  app.add_option("RULE", options->names, "Code or name: WC102, symbol-version-too-new");
  app.add_flag("--all", options->all, "Every rule");
  app.add_option("--format", options->format, "Output format")
      ->check(CLI::IsMember({"text", "markdown"}))
      ->capture_default_str();
  return [options] { return run_explain(*options); };
}

Run fill_rules(CLI::App& app) {
  const auto format = std::make_shared<std::string>("text");
  app.add_option("--format", *format, "text, or JSON with the fields of SARIF")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  return [format] { return print_text(*format == "json" ? rules_json() : rules_text()); };
}

}  // namespace

const Command explain_command{"explain", "Explain a rule: what it reports, why it matters, how to fix it",
                              &fill_explain};
const Command rules_command{"rules", "List the rules: code, name, severity, confidence, what they report", &fill_rules};

// `wheelcheck schema NAME`: prints a published JSON Schema.

namespace {

Run fill_schema(CLI::App& app) {
  const auto name = std::make_shared<std::string>();
  const std::vector<std::string_view> known = report::schema_names();
  app.add_option("NAME", *name,
                 "json: the report; symbols, why, rules, diff, runs-on, interfaces: of those commands; config and the "
                 "others: of "
                 "files to read")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>(known.begin(), known.end())));
  return [name] { return print_text(report::find_schema(*name)); };
}

}  // namespace

const Command schema_command{"schema", "Print a JSON Schema", &fill_schema};

}  // namespace wheelcheck::cli
