// `wheelcheck runs-on WHEEL...`: the Linux distributions on which wheels run, and those on which pip installs them; and
// the processors on which their import works.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "report/answers/answers.h"
#include "report/answers/check_errors.h"
#include "wheelcheck/processors.h"

namespace wheelcheck::cli {
namespace {

struct RunsOnOptions : Options {
  std::vector<std::string> on, cpus;
  bool fails = false;  // --fail-on-broken
  bool allow_incomplete = false;
};

// Whether the answer for one of the processors gives exit code 1.
bool unfit_for_processor(const report::Compatibility& one, bool allow_incomplete) {
  return std::ranges::any_of(one.processors, [&](const ProcessorCompatibility& processor) {
    return processor.runs == Runs::No || (processor.runs == Runs::Depends && !allow_incomplete);
  });
}

bool breaks_where_installed(const WheelCompatibility& reach) {
  return std::ranges::any_of(reach.machines, [](const MachineCompatibility& machine) {
    return std::ranges::any_of(
        machine.systems, [](const SystemCompatibility& one) { return one.runs == Runs::No && !one.tags.empty(); });
  });
}

// Removes the systems whose support ended before that day and returns their number.
std::size_t leave_out_ended(std::vector<KnownSystem>& systems, const std::optional<Date>& today) {
  if (!today) return 0;
  return std::erase_if(systems, [&](const KnownSystem& system) {
    const std::optional<Date> end = parse_date(system.support_ends);
    return end && *end < *today;
  });
}

int run_runs_on(RunsOnOptions& options) {
  if (const int code = finish(options)) return code;
  auto systems = load_systems(options.settings.knowledge);
  if (systems) systems = choose_systems(std::move(*systems), options.on);
  if (!systems) return complain(systems.error());
  const auto processors = find_processors(options.cpus);
  if (!processors) return complain(processors.error());
  const std::size_t ended = leave_out_ended(*systems, options.settings.today);
  const std::vector<Input> inputs = expand(options.inputs);
  if (const auto fine = refuse_outputs(options, inputs); !fine) return complain(fine.error());
  std::vector<std::string> paths;
  int code = 0;
  for (const Input& input : inputs) {
    if (input.problem.empty()) paths.push_back(input.path);
    if (!input.problem.empty())
      code = std::max(code, complain({ErrorCode::NotFound, escape(input.path) + ": " + input.problem}));
  }
  const auto report = check_with_progress(paths, options);
  if (!report) return complain(report.error());
  std::vector<report::Compatibility> wheels;
  std::vector<Unreadable> unreadable;
  for (const Report::Entry& entry : report->entries) {
    if (entry.unreadable) code = std::max(code, complain(unreadable.emplace_back(*entry.unreadable)));
    if (!entry.wheel) continue;
    wheels.push_back({*entry.wheel, system_compatibility_of(*entry.wheel, *systems), {}});
    for (const KnownProcessor& processor : *processors)
      wheels.back().processors.push_back(processor_compatibility_of(*entry.wheel, processor));
  }
  const bool breaks = std::ranges::any_of(wheels, [](const auto& one) { return breaks_where_installed(one.reach); });
  const bool failed = std::ranges::any_of(wheels, [](const auto& one) { return report::has_check_errors(one.wheel); });
  const bool processors_only = !options.cpus.empty() && options.on.empty();
  const bool unfit = failed || (options.fails && breaks);
  const bool unfit_processor =
      std::ranges::any_of(wheels, [&](const auto& one) { return unfit_for_processor(one, options.allow_incomplete); });
  if (code == 0 && ((unfit && !processors_only) || unfit_processor)) code = 1;
  const report::Answer answer =
      report::runs_on_answer(wheels, {*systems, options.today, ended, options.fails, *processors, processors_only});
  return deliver_answer(options, report::with_unreadable(answer, unreadable), code);
}

Run fill_runs_on(CLI::App& app) {
  const auto options = std::make_shared<RunsOnOptions>();
  app.add_option("WHEEL", options->inputs, "Wheels, directories that contain wheels, or patterns")->required();
  app.add_option("--on", options->on, "Only these systems: debian-12, ubuntu, bookworm, alpine-3.2*")
      ->type_name("SYSTEM")
      ->delimiter(',');
  app.add_option("--cpu", options->cpus, "Does the import work on this processor: core2duo, haswell, cortex-a72")
      ->type_name("NAME")
      ->delimiter(',');
  app.add_option("--today", options->today, "Leave out systems that were end of life by then")->type_name("YYYY-MM-DD");
  app.add_flag("--allow-incomplete", options->allow_incomplete,
               "Exit 0 even if it is not known whether the import works on a processor");
  app.add_flag("--fail-on-broken", options->fails, "Exit 1 if pip installs a wheel on a system on which it breaks");
  app.add_option("--knowledge", options->settings.knowledge, "File with additional or changed systems")
      ->type_name("FILE");
  add_input_options(app, *options);
  add_answer_options(app, *options);
  add_config_options(app, *options);
  return [options] { return run_runs_on(*options); };
}

}  // namespace

const Command runs_on_command{"runs-on", "List the Linux distributions on which wheels run and pip installs them",
                              &fill_runs_on};

}  // namespace wheelcheck::cli
