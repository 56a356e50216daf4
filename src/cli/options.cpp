// Options that several commands share: their definitions, checks, and the selection of reports.
#include "cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <thread>
#include <variant>

#include "app/cache_trust.h"
#include "base/text.h"
#include "cli/about.h"
#include "cli/inputs.h"
#include "cli/main.h"
#include "cli/outline.h"
#include "cli/output.h"
#include "report/check/ci_summary.h"
#include "report/shared/text.h"
#include "rules/engine.h"
#include "wheelcheck/rewrite.h"

namespace wheelcheck::cli {

namespace {

constexpr const char* reading = "Reading";

// What --limit changes.
using Bytes = std::uint64_t;
using Count = std::uint32_t;
struct LimitOption {
  std::string_view name;
  std::variant<Bytes Limits::*, Count Limits::*, Bytes Settings::*> member;
  std::string_view description;
};
constexpr LimitOption limit_options[] = {
    {"member-bytes", &Limits::member_bytes, "Largest member, inflated"},
    {"total-bytes", &Limits::total_bytes, "Largest sum of all members, inflated"},
    {"members", &Limits::members, "Most members of one archive"},
    {"ratio", &Limits::ratio, "Largest ratio of inflated to packed bytes of the whole archive"},
    {"record-bytes", &Limits::record_bytes, "Largest RECORD"},
    {"metadata-bytes", &Limits::metadata_bytes, "Largest METADATA"},
    {"wheel-file-bytes", &Limits::wheel_bytes, "Largest WHEEL file"},
    {"name-bytes", &Limits::name_bytes, "Longest name of a member"},
    {"part-bytes", &Limits::part_bytes, "Longest part of a member's path"},
    {"depth", &Limits::depth, "Most parts of a member's path"},
    {"source-bytes", &Limits::source_bytes,
     "Largest Python file that is parsed; a longer one that loads libraries is reported"},
    {"texts", &Limits::texts, "Most texts of one kind per ELF file"},
    {"library-name-bytes", &Limits::library_names, "Longest list of library and version names of one ELF file"},
    {"note-bytes", &Limits::note_bytes, "Largest notes of one ELF file"},
    {"dynamic-entries", &Limits::dynamic_entries, "Most dynamic entries of one ELF file"},
    {"version-records", &Limits::version_records, "Most version records of one ELF file"},
    {"symbols", &Limits::symbols, "Most dynamic symbols of one ELF file"},
    {"cache-bytes", &Settings::cache_bytes, "Largest size of the cache"}};

// Calls `use` with the number that a limit is in these settings.
template <class AnySettings>
auto with_limit(const LimitOption& limit, AnySettings& settings, auto use) {
  if (const auto* const member = std::get_if<Bytes Settings::*>(&limit.member)) return use(settings.*(*member));
  if (const auto* const member = std::get_if<Count Limits::*>(&limit.member)) return use(settings.limits.*(*member));
  return use(settings.limits.*std::get<Bytes Limits::*>(limit.member));
}

// Reads NAME=VALUE; returns what is wrong with it, or "".
std::string set_limit(const std::string& word, Settings& settings) {
  const std::size_t at = std::min(word.find('='), word.size());
  const std::string name = word.substr(0, at), value = word.substr(std::min(at + 1, word.size()));
  const auto limit = std::ranges::find(limit_options, name, &LimitOption::name);
  if (limit == std::end(limit_options)) {
    std::vector<std::string> names;
    for (const LimitOption& one : limit_options) names.emplace_back(one.name);
    const std::string similar = closest(name, names);
    return fmt::format("no limit is named {}; {}", escape(name),
                       similar.empty() ? "there are " + join(names, ", ") : "a similar one exists: " + similar);
  }
  const bool is_number = !value.empty() && with_limit(*limit, settings, [&](auto& number) {
    return CLI::detail::lexical_cast(value, number);
  });
  return is_number ? "" : fmt::format("{}: expected {}=NUMBER", escape(word), name);
}

// The cache directory of the XDG base directory specification; "" if the environment does not define it.
std::string user_cache() {
  const auto absolute = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value != nullptr && *value == '/' ? value : "");
  };
  if (const std::string base = absolute("XDG_CACHE_HOME"); !base.empty()) return base + "/wheelcheck/facts";
  const std::string home = absolute("HOME");
  return home.empty() ? "" : home + "/.cache/wheelcheck/facts";
}

}  // namespace

std::vector<LimitOutline> limit_outlines() {
  std::vector<LimitOutline> out;
  const Settings initial;
  for (const LimitOption& limit : limit_options)
    out.push_back({std::string(limit.name), std::string(limit.description),
                   with_limit(limit, initial, [](std::uint64_t number) { return fmt::format("{}", number); })});
  return out;
}

void add_input_options(CLI::App& app, Options& options) {
  Settings& settings = options.settings;
  app.add_option("--policy", settings.policies, "Policy file or directory that adds to or replaces the built-in ones")
      ->group(reading)
      ->type_name("FILE|DIR");
  app.add_option("--external", settings.external, "Libraries that another distribution provides, by soname")
      ->group(reading)
      ->type_name("GLOB");
  app.add_flag("--self-contained", settings.rules.self_contained,
               "Libraries of the distributions that METADATA requires are missing, too")
      ->group(reading);
  app.add_option("--provider", options.providers, "Another wheel that provides libraries to this one")
      ->group(reading)
      ->type_name("DIST=WHEEL");
  app.add_flag("--verify-with-libarchive", settings.verify_with_libarchive,
               "Read every archive a second time with libarchive and compare")
      ->group(reading);
  app.add_flag("!--no-record-hashes", settings.limits.hashes,
               "Do not compare hashes with RECORD; read only ELF files and the text files that rules use")
      ->group(reading);
  add_reading_options(app, options);
}

void add_reading_options(CLI::App& app, Options& options) {
  Settings& settings = options.settings;
  // The default is not shown, because it depends on the machine and the help text must not.
  const CLI::Option* const jobs =
      app.add_option("--jobs,-j", settings.jobs, "Number of threads (default: number of CPUs)")
          ->group(reading)
          ->check(CLI::Range(1u, 1024u));
  app.parse_complete_callback([jobs, &settings] {
    if (jobs->empty()) settings.jobs = std::max(1u, std::thread::hardware_concurrency());
  });
  app.add_option("--cache", options.cache,
                 "Store facts of wheels for later runs: off, auto (the user's cache directory), or a directory")
      ->group(reading)
      ->type_name("off|auto|DIR")
      ->capture_default_str();
  app.add_option(
         "--sandbox", options.sandbox,
         "Deny access to other files, programs and the network before reading; auto: as far as the kernel supports it")
      ->group(reading)
      ->check(CLI::IsMember({"auto", "require", "off"}))
      ->capture_default_str();
  app.add_option("--limit", options.limits, "Change a limit on what is read; `wheelcheck man` lists them")
      ->group("Limits")
      ->type_name("NAME=VALUE")
      ->check([](const std::string& word) {
        Settings unused;
        return set_limit(word, unused);
      });
}

void add_library_index_option(CLI::App& app, InputOptions& options) {
  app.add_option(
         "--library-index", options.library_index,
         "File of `wheelcheck library-index`, by which bundled libraries are named as packages of a distribution")
      ->type_name("FILE");
}

void add_own_options(CLI::App& app, Options& options) {
  const auto in_group = [&](const std::string& name, auto& value, const std::string& what) {
    return app.add_option(name, value, what)->group("Rules");
  };
  in_group("--own-namespace", options.settings.rules.own_namespaces,
           "C++ namespaces and known libraries of the wheel's own project")
      ->type_name("NAME")
      ->delimiter(',');
  in_group("--knowledge", options.settings.knowledge, "File with additional or changed entries about libraries")
      ->type_name("FILE");
}

void add_rule_options(CLI::App& app, Options& options) {
  RuleOptions& rules = options.settings.rules;
  app.add_flag("--pedantic", options.settings.pedantic, "Run pedantic rules as well")->group("Rules");
  add_own_options(app, options);
  const auto in_group = [&](const std::string& name, auto& value, const std::string& what) {
    return app.add_option(name, value, what)->group("Rules");
  };
  in_group("--own-soname", rules.own_sonames, "Sonames that other wheels link by that name")
      ->type_name("GLOB")
      ->delimiter(',');
  in_group("--max-exports", rules.max_exports, "Most exports of one file")->capture_default_str();
  in_group("--leak-threshold", rules.leak_threshold,
           "Report exports of another project's C++ namespaces from this number on")
      ->capture_default_str();
  in_group("--max-wheel-bytes", rules.max_wheel_bytes, "Largest wheel, in bytes")->capture_default_str();
  in_group("--index", rules.index, "Also report what this package index refuses at upload")
      ->check(CLI::IsMember({"pypi"}));
  in_group("--require-cxx11-abi", options.string_abi, "The std::string ABI that the wheel must use")
      ->check(CLI::IsMember({"new", "old"}));
  in_group("--require-sm", rules.required_sm, "Compute capabilities that its device code must support: 80,90")
      ->type_name("SM")
      ->delimiter(',')
      ->check(CLI::Range(1u, 9999u));
}

void add_selection_options(CLI::App& app, Options& options) {
  app.add_option("--select", options.settings.select, "Run only these rules, by name, code or start of a code")
      ->type_name("RULE")
      ->delimiter(',');
  app.add_option("--ignore", options.settings.ignore, "Skip these rules")->type_name("RULE")->delimiter(',');
}

std::string advice_for_rule(const std::string& name) {
  const std::string similar = closest(name, rule_words());
  return similar.empty() ? "`wheelcheck rules` lists them" : "a similar one exists: " + similar;
}

int check_selectors(std::span<const std::string> words) {
  const auto unknown = std::ranges::find_if_not(words, [](const auto& word) { return rules::is_selector(word); });
  if (unknown == words.end()) return 0;
  print_error("wheelcheck: no rule is named {}; {}\n", escape(*unknown), advice_for_rule(*unknown));
  return exit_usage;
}

void add_fail_on_option(CLI::App& app, RuleWords& words, const char* text) {
  app.add_option("--fail-on", words.fail_on, text)
      ->check(CLI::IsMember({"error", "warning", "note", "never"}))
      ->capture_default_str();
}

std::vector<std::string> report_formats() {
  std::vector<std::string> names;
  for (const Renderer* renderer : all_renderers()) names.emplace_back(renderer->name);
  return names;
}

CLI::Validator format_check(const std::vector<std::string>& names) {
  const auto check = [names](const std::string& word) {
    const std::string name = word.substr(0, word.find('='));
    if (std::ranges::find(names, name) == names.end()) {
      const std::string similar = closest(name, names);
      return fmt::format("{} is not one of {}{}", escape(name), join(names, ", "),
                         similar.empty() ? "" : "; a similar one exists: " + similar);
    }
    return word.ends_with('=') ? fmt::format("{}: expected {}=FILE", escape(word), name) : std::string();
  };
  return {check, fmt::format("{{{}}}", join(names, ","))};
}

void add_formats_option(CLI::App& app, OutputOptions& options, const std::vector<std::string>& names,
                        const char* text) {
  app.add_option("--format", options.formats, text)
      ->type_name("NAME[=FILE]")
      ->expected(1)
      ->allow_extra_args(false)  // the next argument is a wheel
      ->take_all()
      ->default_str(options.format)
      ->check(format_check(names));
}

void add_format_word(CLI::App& app, std::string& format, const std::vector<std::string>& names, const char* text) {
  app.add_option("--format", format, text)->type_name("NAME[=FILE]")->check(format_check(names))->capture_default_str();
}

void add_output_options(CLI::App& app, OutputOptions& options, const std::vector<std::string>& formats) {
  add_formats_option(app, options, formats);
  add_stream_options(app, options);
}

void add_answer_options(CLI::App& app, OutputOptions& options, std::span<const std::string_view> more) {
  options.format = "text";
  add_output_options(app, options, answer_formats(more));
}

void add_stream_options(CLI::App& app, OutputOptions& options) {
  app.add_option("--output-file,-o", options.output_file, "Write the report to this file instead of stdout")
      ->type_name("FILE");
  add_terminal_options(app, options);
}

void add_terminal_options(CLI::App& app, OutputOptions& options) {
  app.add_option("--color", options.colour, "Coloured output")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
  app.add_flag("--no-progress", options.no_progress, "Do not show a progress bar");
}

namespace {

void convert_words(const RuleWords& words, Settings& settings) {
  settings.never_fail = words.fail_on == "never";
  settings.fail_on = words.fail_on == "note"      ? Severity::Note
                     : words.fail_on == "warning" ? Severity::Warning
                                                  : Severity::Error;
  settings.rules.required_string_abi = words.string_abi == "new"   ? StringAbi::New
                                       : words.string_abi == "old" ? StringAbi::Old
                                                                   : StringAbi::None;
}

// As finish().
int take_inputs(const InputOptions& options, Settings& settings) {
  for (const std::string& word : options.limits) set_limit(word, settings);
  settings.cache = options.cache == "off" ? "" : options.cache == "auto" ? user_cache() : options.cache;
  if (const std::string why = app::distrust_of_cache(settings); !why.empty()) {
    print_error("wheelcheck: the cache {} is not used: {}\n", escape(settings.cache), why);
    settings.cache.clear();
  }
  for (const std::string& word : options.providers) {
    const std::size_t at = word.find('=');
    if (at == std::string::npos || at == 0 || at + 1 == word.size()) {
      print_error("wheelcheck: --provider {}: expected DISTRIBUTION=WHEEL\n", escape(word));
      return exit_usage;
    }
    // A shell expands no pattern behind "DIST=".
    const std::string path = word.substr(at + 1);
    if (path.find_first_of("*?[") == std::string::npos) {
      settings.providers.push_back({word.substr(0, at), path});
      continue;
    }
    for (const Input& input : expand(std::span(&path, 1))) {
      if (!input.problem.empty()) return complain({ErrorCode::NotFound, escape(input.path) + ": " + input.problem});
      settings.providers.push_back({word.substr(0, at), input.path});
    }
  }
  return 0;
}

// Splits OutputOptions::formats: NAME=FILE items go to `files`, the other item becomes OutputOptions::format.
int choose_reports(OutputOptions& options) {
  std::size_t plain = 0;
  for (const std::string& word : options.formats) {
    const std::size_t at = word.find('=');
    if (at != std::string::npos)
      options.files.push_back({word.substr(0, at), word.substr(at + 1)});
    else if (++plain == 1)
      options.format = word;
  }
  if (plain == 0 && !options.files.empty()) options.format.clear();
  if (plain > 1)
    return complain({ErrorCode::Usage, "--format: one alone goes to stdout; write the others as NAME=FILE"});
  if (options.format.empty() && !options.output_file.empty())
    return complain(
        {ErrorCode::Usage, fmt::format("--output-file {}: no --format without a file of its own is left for it",
                                       escape(options.output_file))});
  return 0;
}

int open_one(OutputOptions& options, const std::string& file, int& output) {
  output = open_output(file);
  if (output < 0) return cannot_write(escape(file));
  add_output(output, options.outputs);
  return 0;
}

int open_outputs(OutputOptions& options) {
  if (!options.output_file.empty())
    if (const int code = open_one(options, options.output_file, options.output)) return code;
  for (ReportFile& one : options.files)
    if (const int code = open_one(options, one.file, one.output)) return code;
  return 0;
}

}  // namespace

int finish(Options& options) {
  options.width = terminal_width();  // the sandbox does not allow the query later
  if (const int code = choose_reports(options)) return code;
  convert_words(options, options.settings);
  if (const int code = take_inputs(options, options.settings)) return code;
  for (const auto* const list : {&options.settings.select, &options.settings.ignore})
    if (const int code = check_selectors(*list)) return code;
  if (!options.library_index.empty()) {
    auto index = load_library_index(options.library_index);
    if (!index) return complain(index.error());
    options.settings.library_index = std::move(*index);
  }
  enter_sandbox_once_open(options);
  if (const int code = configure(options)) return code;
  return open_outputs(options);
}

int complain(const Error& error) {
  print_error("wheelcheck: {}\n", error.message);
  switch (error.code) {
    case ErrorCode::Usage:
    case ErrorCode::BadPolicy:
      return exit_usage;
    case ErrorCode::Rejected:
    case ErrorCode::OverLimit:
      return exit_failed;
    case ErrorCode::NotFound:
    case ErrorCode::NotAWheel:
    case ErrorCode::Io:
      return exit_unreadable;
  }
  return exit_unreadable;
}

int complain(const Unreadable& unreadable) {
  const int code = complain(report::named(unreadable.path, unreadable.error));
  return unreadable.refused() ? exit_failed : code;
}

namespace {

std::optional<Unreadable> input_of(const Error& error, std::span<const std::string> inputs) {
  const auto named = std::ranges::find_if(inputs, [&](const std::string& path) {
    return error.message.find(escape(report::base_name(path))) != std::string::npos;
  });
  return named == inputs.end() ? std::nullopt : std::optional(Unreadable{*named, error});
}

}  // namespace

int complain(const Error& error, std::span<const std::string> inputs) {
  const auto unreadable = input_of(error, inputs);
  return unreadable ? complain(*unreadable) : complain(error);
}

int refuse(const OutputOptions& options, const Unreadable& unreadable) {
  const int code = complain(unreadable);
  const auto is_json = [](const ReportFile& one) { return one.format == "json"; };
  if (options.format != "json" && std::ranges::none_of(options.files, is_json)) return code;
  OutputOptions only_json = options;
  std::erase_if(only_json.files, [&](const ReportFile& one) { return !is_json(one); });
  if (options.format != "json") only_json.format.clear();
  Report report{.version = std::string(version())};
  report.entries.push_back({.unreadable = unreadable});
  return deliver_formats(
      only_json, [&](const auto&, const auto&) { return find_renderer("json")->render(report, {}); }, code);
}

int refuse(const OutputOptions& options, const Error& error, std::span<const std::string> inputs) {
  const auto unreadable = input_of(error, inputs);
  if (!unreadable) return complain(error);
  // A question that cannot be asked of the input says nothing of the input.
  return error.code == ErrorCode::Usage ? complain(*unreadable) : refuse(options, *unreadable);
}

bool has_colour(const OutputOptions& options) { return options.output_file.empty() && wants_colour(options.colour); }

std::size_t width_of(const OutputOptions& options) {
  return options.output_file.empty() ? options.width : RenderOptions().width;
}

report::Paint paint_of(const OutputOptions& options) { return report::Paint(has_colour(options), width_of(options)); }

int cannot_write(const std::string& where) {
  print_error("wheelcheck: cannot write {}\n", where);
  return exit_usage;
}

int print_text(std::string_view text) { return write_out(text) ? 0 : cannot_write("to stdout"); }

int deliver(const OutputOptions& options, const std::string& text, int code) {
  const bool to_file = !options.output_file.empty();
  if (to_file ? replace_content(options.output, text) : write_out(text)) return code;
  return cannot_write(to_file ? escape(options.output_file) : "to stdout");
}

int deliver_formats(const OutputOptions& options, const RenderAs& render, int code) {
  for (const ReportFile& one : options.files) {
    if (!replace_content(one.output, render(one.format, report::Paint()))) return cannot_write(escape(one.file));
    tell_written(options, one.file);
  }
  if (options.format.empty()) return code;
  const int written = deliver(options, render(options.format, paint_of(options)), code);
  if (written == code && !options.output_file.empty()) tell_written(options, options.output_file);
  return written;
}

int deliver_answer(const OutputOptions& options, const report::Answer& answer, int code) {
  return deliver_formats(
      options, [&](const auto& format, const auto& paint) { return render_answer(format, answer, paint); }, code);
}

int print_as(const std::string& word, const RenderAs& render) {
  const std::size_t at = word.find('=');
  if (at == std::string::npos) return print_text(render(word, report::Paint(false, terminal_width())));
  const std::string file = word.substr(at + 1);
  const int output = open_output(file);
  if (output < 0 || !replace_content(output, render(word.substr(0, at), report::Paint())))
    return cannot_write(escape(file));
  tell_written({}, file);
  return 0;
}

void tell_written(const OutputOptions& options, const std::string& file, std::string_view what) {
  if (options.quiet) return;
  print_error("wrote {}{}\n", escape(file), what.empty() ? "" : fmt::format(" ({})", what));
}

void show_progress(ProgressLine& line, Settings& settings) {
  if (!line.on()) return;
  settings.progress = [&line](std::string_view file, std::uint64_t done, std::uint64_t total) {
    line.show(file, done, total);
  };
}

Result<Report> check_with_progress(const std::vector<std::string>& paths, Options& options) {
  ProgressLine progress(options.no_progress);
  show_progress(progress, options.settings);
  return check(paths, options.settings);
}

namespace {

std::string findings_of(const Report& report) {
  std::size_t count = 0;
  for (const Report::Entry& entry : report.entries) count += entry.wheel ? entry.wheel->findings.size() : 0;
  return count_of(count, "finding");
}

// Inputs that cannot be opened or are no wheels. A refused wheel is a finding instead.
void print_unreadable(const Report& report) {
  for (const Report::Entry& entry : report.entries)
    if (entry.unreadable && !entry.unreadable->refused())
      print_error("wheelcheck: cannot check {}\n", report::unreadable_text(*entry.unreadable));
}

// Writes all reports, and the last line to stdout where nothing else goes there.
int deliver_reports(const Options& options, const Report& report, bool facts_only, int code) {
  for (const ReportFile& one : options.files) {
    const RenderOptions how{.facts_only = facts_only, .verbosity = options.verbosity};
    if (!replace_content(one.output, find_renderer(one.format)->render(report, how)))
      return cannot_write(escape(one.file));
    tell_written(options, one.file, findings_of(report));
  }
  RenderOptions how{.colour = has_colour(options),
                    .facts_only = facts_only,
                    .verbosity = options.quiet ? -1 : options.verbosity,
                    .statistics = options.statistics,
                    .unreadable = !options.output_file.empty(),
                    .width = width_of(options),
                    .links = has_colour(options) && shows_links() ? std::string(rule_pages) : ""};
  if (!options.format.empty()) {
    code = deliver(options, find_renderer(options.format)->render(report, how), code);
    if (options.output_file.empty() || code == exit_usage) return code;
    tell_written(options, options.output_file, findings_of(report));
  }
  how.verbosity = -1;
  how.colour = wants_colour(options.colour);
  // Where stdout is closed, the reports are complete all the same.
  (void)write_out(find_renderer("full")->render(report, how));
  return code;
}

}  // namespace

int run_check(Options& options, bool facts_only) {
  if (const int code = finish(options)) return code;
  const std::vector<Input> inputs = expand(options.inputs, options.settings.elf_files);
  if (const auto fine = refuse_outputs(options, inputs); !fine) return complain(fine.error());
  std::vector<std::string> paths;
  for (const Input& input : inputs)
    if (input.problem.empty()) paths.push_back(input.path);

  options.settings.drop_symbols = true;
  Result<Report> done = check_with_progress(paths, options);
  if (!done) return complain(done.error());
  // The report is never destroyed. The kernel frees the memory at exit at once, whereas the destructor would free each
  // name separately.
  static Report* report = nullptr;
  report = new Report(std::move(*done));
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!inputs[i].problem.empty()) {
      Unreadable none{inputs[i].path, {ErrorCode::NotFound, escape(inputs[i].path) + ": " + inputs[i].problem}};
      report->entries.insert(report->entries.begin() + static_cast<std::ptrdiff_t>(i), {.unreadable = std::move(none)});
    }

  const int code = report::exit_code_of(*report, {.facts_only = facts_only});
  print_unreadable(*report);
  const int written = deliver_reports(options, *report, facts_only, code);
  return write_baseline(options, *report, code) ? written : exit_usage;
}

void add_report_options(CLI::App& app, OutputOptions& options) {
  add_formats_option(app, options, report_formats(), "Output format; several if each but one has =FILE");
  app.add_flag("-v,--verbose", options.verbosity,
               "Show notes and the evidence of each finding; -vv: facts of all files");
  app.add_flag("-q,--quiet", options.quiet, "Print the last line only");
  app.add_flag("--statistics", options.statistics, "Count the findings of each rule");
  add_stream_options(app, options);
}

}  // namespace wheelcheck::cli
