// `wheelcheck conflicts A.whl B.whl ...`: how several wheels affect each other in one process. With --environment and
// --plan: which symbols are bound to which files.
#include "report/conflicts/conflicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "config/read.h"
#include "mangling/demangle.h"
#include "model/rtld.h"
#include "wheelcheck/conflict_report.h"
#include "wheelcheck/environment.h"

namespace wheelcheck::cli {
namespace {

struct ConflictsOptions : Options {
  EnvironmentInput environment;
  ConflictSettings requested;
  std::string order, flags;
  std::string crash, trace;  // --explain-crash, and the content of its file
  bool details = false;
};

const std::map<std::string, std::uint32_t, std::less<>> flag_bits = {{"LOCAL", 0},
                                                                     {"LAZY", rtld_lazy},
                                                                     {"NOW", rtld_now},
                                                                     {"NOLOAD", rtld_noload},
                                                                     {"DEEPBIND", rtld_deepbind},
                                                                     {"GLOBAL", rtld_global},
                                                                     {"NODELETE", rtld_nodelete}};

// Parses "GLOBAL,NOW", or a number as for sys.setdlopenflags.
bool parse_flags(const std::string& words, std::optional<std::uint32_t>& out) {
  if (words.empty()) return true;
  std::uint64_t number = 0;
  if (parse_number(words, number) && number <= 0xFFFF) {
    out = static_cast<std::uint32_t>(number);
    return true;
  }
  std::uint32_t bits = 0;
  for (const std::string_view word : split(words, ',')) {
    const auto found = flag_bits.find(word.starts_with("RTLD_") ? word.substr(5) : word);
    if (found == flag_bits.end()) return false;
    bits |= found->second;
  }
  out = bits;
  return true;
}

int complain_of_usage(const std::string& what) {
  print_error("wheelcheck: {}\n", what);
  return exit_usage;
}

int run_plan(ConflictsOptions& options) {
  EnvironmentInput& input = options.environment;
  if (input.directory.empty()) return complain_of_usage("--plan needs --environment DIR, which its paths are in");
  input.python = options.requested.python;
  input.sysroot = options.requested.sysroot;
  input.jobs = options.settings.jobs;
  input.limits = options.settings.limits;
  input.inputs_open = options.settings.inputs_open;
  const auto prediction = predict_environment(input);
  if (!prediction) return complain(prediction.error());
  const Environment& environment = prediction->environment;
  return deliver(options, report::render_bindings(environment.world, environment.names, prediction->outcome), 0);
}

std::string render(const ConflictsOptions& options, const ConflictReport& report, std::string_view format,
                   const report::Paint& paint) {
  if (!options.crash.empty()) return report::crash_text(report, options.trace, &demangle, paint);
  if (format == "json") return report::render_conflicts_json(report);
  if (format == "html") return report::render_conflicts_html(report);
  if (format != "bindings") return report::render_conflicts(report, paint, options.details);
  const Installation& installation = report.conflicts.installation;
  return report::render_bindings(installation.world, installation.names, first_outcome(report.conflicts));
}

// Called before the sandbox is enabled.
Result<std::string> read_trace(const std::string& path) {
  constexpr std::size_t largest = std::size_t{4} << 20;
  if (path != "-") return config::read_text(path, largest);
  std::string text;
  for (std::array<char, 4096> buffer{}; text.size() < largest;) {
    const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), stdin);
    if (got == 0) break;
    text.append(buffer.data(), got);
  }
  return text;
}

int run_conflicts(ConflictsOptions& options) {
  if (const int code = finish(options)) return code;
  if (!options.crash.empty()) {
    const std::string& other = options.files.empty() ? options.format : options.files.front().format;
    if (other != "full")
      return complain_of_usage(fmt::format("--explain-crash: --format {} cannot show it; full can", other));
    auto trace = read_trace(options.crash);
    if (!trace) return complain(trace.error());
    options.trace = std::move(*trace);
  }
  if (!options.environment.plan.empty()) return run_plan(options);
  ConflictSettings& requested = options.requested;
  if (options.order == "both") requested.load_plan.order = ImportOrder::Both;
  if (options.order == "given") requested.load_plan.order = ImportOrder::Given;
  if (!parse_flags(options.flags, requested.load_plan.dlopen_flags))
    return complain_of_usage(fmt::format("--dlopen-flags {}: expected NOW, LAZY, GLOBAL, LOCAL, DEEPBIND or a number",
                                         escape(options.flags)));
  std::vector<std::string> paths;
  const std::vector<Input> inputs = expand(options.inputs);
  if (const auto fine = refuse_outputs(options, inputs); !fine) return complain(fine.error());
  for (const Input& input : inputs) {
    if (!input.problem.empty()) return complain({ErrorCode::NotFound, escape(input.path) + ": " + input.problem});
    paths.push_back(input.path);
  }
  requested.environment = options.environment.directory;
  if (paths.empty() && requested.environment.empty()) return complain_of_usage("conflicts: no wheel is given");
  ProgressLine progress(options.no_progress);
  show_progress(progress, options.settings);
  requested.settings = options.settings;
  const auto report = check_conflicts(paths, requested);
  if (!report) return refuse(options, report.error(), paths);
  return deliver_formats(
      options, [&](const auto& format, const auto& paint) { return render(options, *report, format, paint); },
      report->failed && requested.traced.empty() ? 1 : 0);
}

void add_load_plan_options(CLI::App& app, ConflictsOptions& options) {
  ConflictSettings& requested = options.requested;
  const auto in_group = [&](const std::string& name, auto& value, const std::string& what) {
    return app.add_option(name, value, what)->group("What is imported");
  };
  in_group("--order", options.order,
           "Orders of the imports: given, or both: also the reverse [default: both for up to six wheels]")
      ->check(CLI::IsMember({"given", "both"}));
  in_group("--import", requested.load_plan.imports, "Import only these modules, in this order")
      ->type_name("MODULE")
      ->delimiter(',');
  in_group("--global", requested.load_plan.global, "Opened with RTLD_GLOBAL")->type_name("WHEEL::MEMBER");
  in_group("--dlopen-flags", options.flags, "Flags of every import: NOW, LAZY, GLOBAL, DEEPBIND, or a number")
      ->type_name("FLAGS");
  app.add_flag("--stdlib", requested.stdlib,
               "Then import the extension modules of the standard library (one wheel: always)")
      ->group("What is imported");
  app.add_flag("--possible", requested.load_plan.possible, "Also open what Python code opens under some condition only")
      ->group("What is imported");
  in_group("--python", requested.python, "The interpreter: a file, or a built-in one: shared, static [default: shared]")
      ->type_name("PATH|NAME");
  in_group("--sysroot", requested.sysroot,
           "Root directory of the platform's libraries; default: the built-in Debian 12")
      ->type_name("DIR");
}

Run fill_conflicts(CLI::App& app) {
  const auto options = std::make_shared<ConflictsOptions>();
  app.add_option("WHEEL", options->inputs, "Wheels, in the order in which they are imported");
  app.add_option("--symbol", options->requested.traced,
                 "Show how the loader searches for this symbol, mangled or demangled")
      ->type_name("NAME");
  app.add_option("--environment", options->environment.directory,
                 "A virtual environment or site-packages; with --plan, any directory")
      ->type_name("DIR");
  app.add_option("--plan", options->environment.plan, "File that lists the opens in order (`wheelcheck schema plan`)")
      ->type_name("FILE");
  app.add_option("--distribution", options->requested.distributions,
                 "Only these distributions of the environment and what they require")
      ->type_name("NAME")
      ->delimiter(',');
  app.add_option(
         "--what-if", options->requested.what_if,
         "Simulate a fix: \"hide WHEEL::MEMBER NAMES\", \"no-needed WHEEL::MEMBER SONAME\", \"dlopen-flags WHEEL "
         "FLAGS\" or \"replace FILE\"")
      ->type_name("CHANGE");
  app.add_option("--explain-crash", options->crash,
                 "File with a stack trace: name the owner of each frame (- for stdin)")
      ->type_name("FILE");
  app.add_flag("--details", options->details, "Show all evidence of each finding, and notes");
  app.add_flag("--allow-incomplete", options->requested.allow_incomplete,
               "Exit 0 even if something could not be opened, read or modelled");
  add_load_plan_options(app, *options);
  add_reading_options(app, *options);
  add_own_options(app, *options);
  add_output_options(app, *options, {"full", "json", "html", "bindings"});
  add_fail_on_option(app, *options);
  add_selection_options(app, *options);
  return [options] { return run_conflicts(*options); };
}

}  // namespace

const Command conflicts_command{"conflicts", "Predict how wheels affect each other in one process", &fill_conflicts};

}  // namespace wheelcheck::cli
