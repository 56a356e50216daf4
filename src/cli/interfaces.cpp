// `wheelcheck interfaces WHEEL...`: what wheels require of other packages and of the system.
#include "wheelcheck/interfaces.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "report/answers/answers.h"
#include "report/answers/check_errors.h"

namespace wheelcheck::cli {
namespace {

struct InterfacesOptions : Options {
  std::string environment;
};

// The distributions that the wheels could take something from: NumPy, and those with a library that they need.
std::vector<WheelFacts> relevant(std::vector<WheelFacts> installed, const Report& report) {
  std::set<std::string_view> needed;
  for (const Report::Entry& entry : report.entries)
    if (entry.wheel)
      for (const ElfMember& elf : entry.wheel->facts.elfs)
        if (elf.facts.dynamic) needed.insert(elf.facts.dynamic->needed.begin(), elf.facts.dynamic->needed.end());
  std::erase_if(installed, [&](const WheelFacts& distribution) {
    const auto provides = [&](const ElfMember& elf) {
      return elf.facts.dynamic && elf.facts.dynamic->soname && needed.contains(*elf.facts.dynamic->soname);
    };
    return distribution.name.distribution != "numpy" && std::ranges::none_of(distribution.elfs, provides);
  });
  return installed;
}

Result<Report> check_beside(const std::vector<std::string>& paths, InterfacesOptions& options) {
  if (options.environment.empty()) return check_with_progress(paths, options);
  const auto root = environment_root(options.environment);
  if (!root) return std::unexpected(root.error());
  std::vector<std::string> all;
  for (const Provider& provider : options.settings.providers) all.push_back(provider.wheel);
  all.insert(all.end(), paths.begin(), paths.end());
  auto report = check_opened([&] { return open_inputs(all, options.settings, {*root}); }, options.settings);
  if (!report) return report;
  auto installed =
      read_environment_distributions(options.environment, {}, options.settings.limits, options.settings.jobs);
  if (!installed) return std::unexpected(installed.error());
  std::ranges::move(relevant(std::move(*installed), *report), std::back_inserter(report->providers));
  return report;
}

// "NumPy" if something requires it and it is not among these.
std::string absent_numpy(const WheelInterfaces& found, std::span<const WheelFacts> installed) {
  const auto requires_it = [](const InterfaceEntry& entry) { return entry.group == InterfaceEntry::Group::Numpy; };
  const auto is_numpy = [](const WheelFacts& one) { return one.name.distribution == "numpy"; };
  const bool absent = std::ranges::any_of(found.entries, requires_it) && std::ranges::none_of(installed, is_numpy);
  return absent ? "NumPy" : "";
}

int run_interfaces(InterfacesOptions& options) {
  if (const int code = finish(options)) return code;
  const auto knowledge = load_knowledge(options.settings.knowledge);
  if (!knowledge) return complain(knowledge.error());
  std::vector<std::string> paths;
  int code = 0;
  const std::vector<Input> inputs = expand(options.inputs);
  if (const auto fine = refuse_outputs(options, inputs); !fine) return complain(fine.error());
  for (const Input& input : inputs) {
    if (input.problem.empty()) paths.push_back(input.path);
    if (!input.problem.empty())
      code = std::max(code, complain({ErrorCode::NotFound, escape(input.path) + ": " + input.problem}));
  }
  const auto report = check_beside(paths, options);
  if (!report) return complain(report.error());
  std::vector<report::Interfaces> wheels;
  std::vector<Unreadable> unreadable;
  for (const Report::Entry& entry : report->entries) {
    if (entry.unreadable) code = std::max(code, complain(unreadable.emplace_back(*entry.unreadable)));
    if (entry.wheel) {
      wheels.push_back({*entry.wheel, report->providers, interfaces_of(*entry.wheel, *knowledge, report->providers)});
      if (!options.environment.empty()) wheels.back().absent = absent_numpy(wheels.back().found, report->providers);
    }
    if (entry.wheel && report::has_check_errors(*entry.wheel)) code = std::max(code, 1);
  }
  const report::Answer answer = report::with_unreadable(report::interfaces_answer(wheels), unreadable);
  return deliver_formats(
      options,
      [&](const auto& format, const auto& paint) {
        return format == "variants" ? render_variants_json(wheels) : render_answer(format, answer, paint);
      },
      code);
}

Run fill_interfaces(CLI::App& app) {
  const auto options = std::make_shared<InterfacesOptions>();
  app.add_option("WHEEL", options->inputs, "Wheels, directories that contain wheels, or patterns")->required();
  app.add_option("--environment", options->environment,
                 "Also compare with what is installed there: a virtual environment or site-packages")
      ->type_name("DIR");
  app.add_option("--knowledge", options->settings.knowledge,
                 "File with additional or changed entries of the built-in tables")
      ->type_name("FILE");
  add_input_options(app, *options);
  std::vector<std::string> formats = answer_formats();
  formats.emplace_back("variants");  // has a meaning for this command only
  options->format = "text";
  add_output_options(app, *options, formats);
  add_config_options(app, *options);
  return [options] { return run_interfaces(*options); };
}

}  // namespace

const Command interfaces_command{"interfaces", "List what wheels require of other packages and of the system",
                                 &fill_interfaces};

}  // namespace wheelcheck::cli
