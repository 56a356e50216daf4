// `wheelcheck policy diff A B`: what one level allows in addition to another and what it does not. `diff FILE` compares
// a policy file with the built-in levels.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <utility>

#include "base/text.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/policy.h"
#include "report/answers/answers.h"
#include "wheelcheck/simulation.h"

namespace wheelcheck::cli {

namespace {

struct DiffOptions {
  std::vector<std::string> policies;
  std::string from, to, arch, format = "text";
};

Result<PolicyChange> two_levels(std::span<const policy::Level> levels, const DiffOptions& options) {
  const auto from = level_of(levels, options.from, options.arch), to = level_of(levels, options.to, options.arch);
  if (!from) return std::unexpected(from.error());
  if (!to) return std::unexpected(to.error());
  return compare_levels(*from, *to);
}

// Pairs each level of the file with the existing one of the same name; a new level is paired with an empty one.
Result<std::vector<PolicyChange>> file_and_levels(std::span<const policy::Level> levels, const DiffOptions& options) {
  const auto changed = load_level_files(std::span(&options.from, 1));
  if (!changed) return std::unexpected(changed.error());
  std::vector<PolicyChange> out;
  for (const policy::Level& level : *changed) {
    const auto before = find_level(levels, level.name);
    out.push_back(compare_levels(before ? *before : policy::Level{.name = "nothing"}, level));
  }
  return out;
}

int print_changes(std::span<const PolicyChange> changes, const report::Answer& answer, const DiffOptions& options) {
  return print_as(options.format, [&](const auto& format, const auto& paint) {
    if (format != "markdown") return render_answer(format, answer, paint);
    std::string text;
    for (const PolicyChange& change : changes) text += report::render_policy_change_markdown(change);
    return text;
  });
}

int run_diff(const DiffOptions& options) {
  const auto levels = load_levels(options.policies);
  if (!levels) return complain(levels.error());
  if (!options.to.empty()) {
    const auto change = two_levels(*levels, options);
    return change ? print_changes({&*change, 1}, report::policy_change_answer(*change), options)
                  : complain(change.error());
  }
  if (!options.arch.empty()) return complain({ErrorCode::Usage, "--arch goes with two levels"});
  const auto changes = file_and_levels(*levels, options);
  return changes ? print_changes(*changes, report::policy_changes_answer(*changes), options)
                 : complain(changes.error());
}

Run fill_policy_diff(CLI::App& app) {
  const auto options = std::make_shared<DiffOptions>();
  add_format_option(app, options->format, std::array<std::string_view, 1>{"markdown"});  // a table of its own
  app.add_option("A", options->from,
                 "A level, or a file with one; one file alone is compared with the levels of its names")
      ->required();
  app.add_option("B", options->to, "The other");
  add_arch_option(app, options->arch);
  add_level_files_option(app, options->policies);
  return [options] { return run_diff(*options); };
}

}  // namespace

const Command policy_diff_command{"diff", "Show what a level adds to and removes from another", &fill_policy_diff};

// `wheelcheck policy explain WORD`: since which level a library or version node is allowed, where a symbol is denied,
// and the meaning of the codes of `policy validate`.

namespace {

struct ExplainOptions {
  std::vector<std::string> policies;
  std::string word, format = "text";
};

const PolicyMistake* mistake_of(std::string_view word) {
  const auto all = all_policy_mistakes();
  const auto at = std::ranges::find_if(all, [&](const auto& one) { return one.code == word || one.name == word; });
  return at == all.end() ? nullptr : &*at;
}

int run_explain(const ExplainOptions& options) {
  if (const PolicyMistake* const mistake = mistake_of(options.word))
    return print_answer(options.format, report::mistake_answer(*mistake));
  const auto levels = load_levels(options.policies);
  if (!levels) return complain(levels.error());
  const std::vector<WordMeaning> meanings = explain_word(*levels, options.word);
  if (!meanings.empty()) return print_answer(options.format, report::meanings_answer(options.word, meanings));
  return complain({ErrorCode::Usage, fmt::format("no level lists {}; name a version node (GLIBC_2.34), a library "
                                                 "(libz.so.1), a denied symbol or a code (WC902)",
                                                 escape(options.word))});
}

Run fill_policy_explain(CLI::App& app) {
  const auto options = std::make_shared<ExplainOptions>();
  app.add_option("WORD", options->word, "GLIBC_2.34, libz.so.1, uncompress2, WC902")->required();
  add_format_option(app, options->format);
  add_level_files_option(app, options->policies);
  return [options] { return run_explain(*options); };
}

}  // namespace

const Command policy_explain_command{
    "explain", "Show since which level a library, version or symbol is allowed, or explain a code",
    &fill_policy_explain};

// `wheelcheck policy simulate POLICY... --on FILES`: the effect of new or changed levels on a set of wheels.

namespace {

struct SimulateOptions : Options {
  std::vector<std::string> policies, against, facts;
  bool fail_on_loss = false;
};

int exit_code(const Simulation& simulation, const SimulateOptions& options) {
  // As for check: a refused archive fails the run, an input that could not be opened is told apart.
  bool refused = false;
  for (const SimulatedWheel& wheel : simulation.wheels) {
    if (!wheel.unreadable) continue;
    if (!Unreadable{wheel.path, *wheel.unreadable}.refused()) return exit_unreadable;
    refused = true;
  }
  if (refused) return exit_failed;
  return options.fail_on_loss && simulation.lose_claim > 0 ? 1 : 0;
}

int run_simulate(SimulateOptions& options) {
  if (const int code = finish(options)) return code;
  SimulationRequest request{.inputs = {}, .policies = options.policies, .against = options.against};
  for (const auto& inputs : {expand(options.inputs), expand_facts(options.facts)})
    for (const Input& input : inputs) request.inputs.push_back({input.path, input.problem});
  if (request.inputs.empty()) return complain({ErrorCode::Usage, "nothing to simulate on: give --on or --facts"});
  ProgressLine progress(options.no_progress);
  show_progress(progress, options.settings);
  const Result<Simulation> simulation = simulate(request, options.settings);
  if (!simulation) return complain(simulation.error());
  return deliver_answer(options, report::simulation_answer(*simulation, options.fail_on_loss),
                        exit_code(*simulation, options));
}

Run fill_policy_simulate(CLI::App& app) {
  const auto options = std::make_shared<SimulateOptions>();
  app.add_option("POLICY", options->policies, "Files or directories with the new and changed levels")->required();
  // Other list options take one value each time. This one follows POLICY and usually takes several.
  app.add_option("--on", options->inputs, "Wheels, directories of wheels, unpacked wheels or stored facts (*.jsonl.gz)")
      ->type_name("WHEEL")
      ->expected(1, std::numeric_limits<int>::max() / 128);
  app.add_option("--facts", options->facts, "Directory with facts that check --cache stored, also below it")
      ->type_name("DIR");
  app.add_option("--against", options->against, "Files with the old levels; default: the built-in ones")
      ->type_name("FILE|DIR");
  app.add_flag("--fail-on-loss", options->fail_on_loss,
               "Exit 1 if a wheel is no longer compatible with a tag that it claims");
  app.add_option("--external", options->settings.external, "Libraries that another distribution provides, by soname")
      ->type_name("GLOB");
  add_answer_options(app, *options);
  add_reading_options(app, *options);
  return [options] { return run_simulate(*options); };
}

}  // namespace

const Command policy_simulate_command{"simulate", "Show the effect of new or changed levels on a set of wheels",
                                      &fill_policy_simulate};

}  // namespace wheelcheck::cli
