// Combines the command line with the configuration file and the baseline into the settings of a run. The command line
// has precedence.
#include <fmt/format.h>

#include <set>
#include <utility>

#include "app/baseline.h"
#include "base/text.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/output.h"
#include "config/read.h"
#include "model/required_tag.h"
#include "rules/engine.h"

namespace wheelcheck::cli {
namespace {

constexpr std::uint64_t largest_baseline = 64 << 20;  // bytes

// An option on the command line replaces a key of the configuration file.
struct Twin {
  const char* option;
  const char* key;
};
constexpr Twin twins[] = {{"--select", "select"},
                          {"--ignore", "ignore"},
                          {"--fail-on", "fail-on"},
                          {"--pedantic", "pedantic"},
                          {"--require-tag", "require-tag"},
                          {"--self-contained", "self-contained"},
                          {"--own-namespace", "own-namespaces"},
                          {"--own-soname", "own-sonames"},
                          {"--max-wheel-bytes", "max-size"},
                          {"--index", "index"},
                          {"--max-exports", "max-exports"},
                          {"--leak-threshold", "leak-threshold"},
                          {"--require-cxx11-abi", "require-cxx11-abi"},
                          {"--require-sm", "require-sm"},
                          {"--external", "external"},
                          {"--policy", "policies"},
                          {"--knowledge", "knowledge"}};

std::set<std::string, std::less<>> overruled(const CLI::App& app) {
  std::set<std::string, std::less<>> keys;
  for (const Twin& twin : twins)
    if (const CLI::Option* const option = app.get_option_no_throw(twin.option);
        option != nullptr && option->count() > 0)
      keys.insert(twin.key);
  return keys;
}

config::Known known_rules() {
  config::Known known{.is_rule = &rules::is_selector, .rules = {}};
  for (const Rule* rule : all_rules()) {
    known.rules.push_back(rule->name);
    known.rules.push_back(rule->code);
  }
  return known;
}

int refuse(std::string_view what) {
  print_error("wheelcheck: {}\n", what);
  return exit_usage;
}

Result<std::optional<Config>> find_and_read(const Options& options) {
  if (options.no_config) return std::nullopt;
  std::string path = options.config, text;
  if (path.empty()) {
    auto found = config::find_config();
    if (!found) return std::unexpected(found.error());
    if (!*found) return std::nullopt;
    path = std::move((*found)->path);
    const std::vector<Input> input{{path, ""}};
    if (auto fine = refuse_outputs(options, input); !fine) return std::unexpected(std::move(fine.error()));
    text = std::move((*found)->text);
  } else {
    auto read = config::read_text(path);
    if (!read) return std::unexpected(read.error());
    text = std::move(*read);
  }
  return config::read_config({path, text}, known_rules(), overruled(*options.configured));
}

bool read_configuration(Options& options) {
  Result<std::optional<Config>> found = find_and_read(options);
  if (!found) {
    complain(found.error());
    return false;
  }
  if (!*found) return true;
  Config& config = **found;
  std::vector<Input> inputs;
  for (const auto* const list : {&config.policies, &config.knowledge})
    for (const std::string& path : *list) inputs.push_back({path, ""});
  if (const auto fine = refuse_outputs(options, inputs); !fine) {
    complain(fine.error());
    return false;
  }
  Settings& settings = options.settings;
  config::apply(config.keys, settings);
  if (!config.policies.empty()) settings.policies = std::move(config.policies);
  if (!config.knowledge.empty()) settings.knowledge = std::move(config.knowledge);
  settings.overrides = std::move(config.overrides);
  settings.configuration = std::move(config.file);
  return true;
}

bool read_known_findings(Options& options) {
  if (options.baseline.empty()) return true;
  const std::string name = options.baseline.substr(options.baseline.rfind('/') + 1);
  const auto text = config::read_text(options.baseline, largest_baseline);
  auto baseline = text ? app::read_baseline(name, *text) : Result<Baseline>(std::unexpected(text.error()));
  if (!baseline) complain(baseline.error());
  if (baseline) options.settings.baseline = std::move(*baseline);
  return baseline.has_value();
}

}  // namespace

void add_config_options(CLI::App& app, ConfigurationOptions& options) {
  options.configured = &app;
  const char* const group = "Configuration";
  auto* const file = app.add_option("--config", options.config,
                                    "Configuration file; default: the nearest wheelcheck.toml or pyproject.toml with "
                                    "[tool.wheelcheck], in this directory or above")
                         ->type_name("FILE")
                         ->group(group);
  app.add_flag("--no-config", options.no_config, "Read no configuration file")->group(group)->excludes(file);
}

void add_term_options(CLI::App& app, Options& options) {
  const char* const group = "Configuration";
  app.add_option("--require-tag", options.settings.required_tags,
                 "Tag that the content must be compatible with, whatever the wheel claims: manylinux_2_28")
      ->type_name("TAG")
      ->delimiter(',')
      ->group(group);
  app.add_option("--today", options.today,
                 "Date that `until` of ignore rules is compared with; without it none has expired")
      ->type_name("YYYY-MM-DD")
      ->group(group);
}

void add_baseline_options(CLI::App& app, ConfigurationOptions& options) {
  const char* const group = "Configuration";
  app.add_option("--baseline", options.baseline, "File with known findings, which do not fail the run")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--write-baseline", options.write_baseline,
                 "Write all findings to this file; none of them fails this run")
      ->type_name("FILE")
      ->group(group);
}

void add_check_options(CLI::App& app, Options& options) {
  add_fail_on_option(app, options);
  add_selection_options(app, options);
  add_report_options(app, options);
  add_rule_options(app, options);
  add_config_options(app, options);
  add_term_options(app, options);
  add_baseline_options(app, options);
  add_input_options(app, options);
}

int configure(Options& options) {
  if (options.configured == nullptr) return 0;
  Settings& settings = options.settings;
  for (const std::string& tag : settings.required_tags)
    if (!parse_required_tag(tag)) {
      const std::string meant = meant_tag(tag);
      return refuse(meant.empty() ? fmt::format("--require-tag {}: expected a tag: {}", escape(tag), required_tag_form)
                                  : fmt::format("--require-tag {}: a similar tag exists: {}", escape(tag), meant));
    }
  settings.today = parse_date(options.today);
  if (!options.today.empty() && !settings.today)
    return refuse(fmt::format("--today {}: expected a date: 2027-01-31", escape(options.today)));
  if (!read_configuration(options) || !read_known_findings(options)) return exit_usage;
  settings.make_baseline = !options.write_baseline.empty();
  if (!settings.make_baseline) return 0;
  options.baseline_output = open_output(options.write_baseline);
  if (options.baseline_output < 0) return cannot_write(escape(options.write_baseline));
  add_output(options.baseline_output, options.outputs);
  return 0;
}

bool write_baseline(const Options& options, const Report& report, int code) {
  if (options.baseline_output < 0) return true;
  if (!replace_content(options.baseline_output, app::baseline_text(report))) {
    cannot_write(escape(options.write_baseline));
    return false;
  }
  std::size_t findings = 0;
  for (const Report::Entry& entry : report.entries) findings += entry.wheel ? entry.wheel->findings.size() : 0;
  tell_written(
      options, options.write_baseline,
      fmt::format("{}; this run {}", count_of(findings, "finding"),
                  code == 0 ? "passes, and so does one with --baseline until there is another" : "fails nevertheless"));
  return true;
}

}  // namespace wheelcheck::cli
