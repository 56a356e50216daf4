// `wheelcheck explain RULE` and `wheelcheck rules`: the pages of the rules, which are compiled in.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "report/shared/registry.h"
#include "report/shared/rules_json.h"
#include "report/shared/text.h"
#include "rules/engine.h"
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
      const std::string advice = name.starts_with("WC9") ? "`wheelcheck policy explain` explains codes of policy files"
                                                         : advice_for_rule(name);
      print_error("wheelcheck: no rule is named {}; {}\n", escape(name), advice);
      return exit_usage;
    }
    chosen.push_back(rule);
  }
  if (chosen.empty()) {
    print_error("wheelcheck: explain: name a rule, by code or name, or use --all\n");
    return exit_usage;
  }
  return print_as(options.format, [&](const auto& format, const auto&) {
    std::string text;
    for (const Rule* const rule : chosen) {
      if (!text.empty()) text += "\n";
      text += format == "markdown" ? rules::rule_page_markdown(*rule) : rules::rule_page_text(*rule);
    }
    return text;
  });
}

// Which commands can give the rule, where it is not `check` alone.
std::string_view commands_of(const Rule& rule) {
  if (rule.check_set != nullptr) return rule.check == nullptr ? "conflicts" : "check, conflicts";
  return rule.check == nullptr && rule.check_config == nullptr ? "" : "check";
}

// The rules of each group below its title, in 100 columns.
std::string rules_text(std::span<const Rule* const> chosen) {
  constexpr std::size_t width = 100, indent = 8;
  std::string text, group;
  for (const Rule* const rule : chosen) {
    if (const rules::RuleGroup& of = rules::group_of(*rule); of.title != group) {
      text += fmt::format("{}{}: {}\n", text.empty() ? "" : "\n", of.prefix, of.title);
      group = of.title;
    }
    const std::string head =
        fmt::format("{:<6}  {}  {}, confidence {}{}  [{}]", rule->code, rule->name, name_of(rule->severity),
                    name_of(rule->confidence), rule->pedantic ? ", pedantic" : "", commands_of(*rule));
    text += fmt::format("{}\n{}{}\n", head, std::string(indent, ' '),
                        report::wrapped(rules::page_of(*rule).summary, indent, indent, width));
  }
  return text;
}

std::string rules_json(std::span<const Rule* const> chosen) {
  std::vector<report::DescribedRule> described;
  for (const Rule* const rule : chosen)
    described.push_back({rule, rules::rule_help_text(*rule), rules::rule_help_markdown(*rule), rules::tags_of(*rule)});
  return report::render_rules_json(described, version());
}

struct RulesOptions {
  std::vector<std::string> names;
  std::string format = "text";
};

int run_rules(const RulesOptions& options) {
  if (const int code = check_selectors(options.names)) return code;
  std::vector<const Rule*> chosen;
  for (const Rule* const rule : all_rules())
    if (options.names.empty() ||
        std::ranges::any_of(options.names, [&](const auto& word) { return rules::exactness(*rule, word) > 0; }))
      chosen.push_back(rule);
  return print_as(options.format, [&](const auto& format, const auto&) {
    return format == "json" ? rules_json(chosen) : rules_text(chosen);
  });
}

Run fill_explain(CLI::App& app) {
  const auto options = std::make_shared<ExplainOptions>();
  app.add_option("RULE", options->names, "Code or name: WC102, symbol-version-too-new");
  app.add_flag("--all", options->all, "Every rule");
  add_format_word(app, options->format, {"text", "markdown"}, "Output format; NAME=FILE writes it to a file");
  return [options] { return run_explain(*options); };
}

Run fill_rules(CLI::App& app) {
  const auto options = std::make_shared<RulesOptions>();
  app.add_option("RULE", options->names, "Only these, by code, name or start of a code: WC5");
  add_format_word(app, options->format, {"text", "json"},
                  "text, or JSON with the fields of SARIF; NAME=FILE writes it to a file");
  return [options] { return run_rules(*options); };
}

}  // namespace

const Command explain_command{"explain", "Explain a rule: what it reports, why it matters, how to fix it",
                              &fill_explain};
const Command rules_command{"rules", "List the rules: code, name, severity, confidence, command, what they report",
                            &fill_rules};

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
