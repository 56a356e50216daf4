// `wheelcheck symbols WHEEL`: the symbols that a wheel exports and imports, counted by owner, or listed if a pattern is
// given.

#include "cli/symbols.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/output.h"
#include "mangling/demangle.h"
#include "report/answers/check_errors.h"
#include "report/answers/symbols.h"
#include "report/shared/text.h"

namespace wheelcheck::cli {

namespace {

struct SymbolOptions : Options {
  std::string wheel, by, match;
  bool exports = false, imports = false, demangle = false;
};

report::SymbolQuestion::By grouping(const SymbolOptions& options) {
  using By = report::SymbolQuestion::By;
  if (options.by == "library") return By::Library;
  // The default is by namespace for counts, and by file for lists.
  if (options.by == "file" || (options.by.empty() && !options.match.empty())) return By::File;
  return By::Namespace;
}

struct Read {
  WheelFacts wheel;
  Knowledge knowledge;
  Analysis analysis;
};

Result<Read> read_and_analyse(SymbolOptions& options) {
  const Settings& settings = options.settings;
  auto knowledge = load_knowledge(settings.knowledge);
  if (!knowledge) return std::unexpected(knowledge.error());
  const auto inputs = open_inputs(std::span(&options.wheel, 1), settings);
  if (!inputs) return std::unexpected(inputs.error());
  ProgressLine line(options.no_progress);
  Progress progress;
  if (line.on()) progress = [&](std::uint64_t done, std::uint64_t total) { line.show(options.wheel, done, total); };
  auto wheel = read_any(inputs->front(), settings, settings.jobs, progress);
  if (!wheel) return std::unexpected(report::named(options.wheel, std::move(wheel.error())));
  Read out{std::move(*wheel), std::move(*knowledge), {}};
  out.analysis = analyse(out.wheel, resolve(out.wheel, {}, {}), out.knowledge, settings.rules);
  return out;
}

report::Answer count(const Read& read, const Attributor& attribution, const SymbolOptions& options) {
  return report::symbol_counts_answer(
      read.wheel, read.analysis, read.knowledge,
      {.by = grouping(options),
       .side = options.imports ? report::SymbolSide::Imports : report::SymbolSide::Exports,
       .attribute = [&](std::string_view symbol) { return attribution(symbol); }});
}

report::Answer list(const Read& read, const Attributor& attribution, const Pattern& pattern,
                    const SymbolOptions& options) {
  report::SymbolSearch search{.by = grouping(options),
                              .exports = !options.imports,
                              .imports = !options.exports,
                              .attribute = [&](std::string_view symbol) { return attribution(symbol); },
                              .matches = [&](std::string_view name) { return pattern.found_in_symbol(name); },
                              .demangle = {}};
  if (options.demangle) search.demangle = demangle;
  return report::symbol_list_answer(read.wheel, read.analysis, read.knowledge, search);
}

int run_symbols(SymbolOptions& options) {
  if (const int code = finish(options)) return code;
  std::optional<Pattern> pattern;
  if (!options.match.empty()) {
    auto parsed = Pattern::parse(options.match);
    if (!parsed) return complain(parsed.error());
    pattern = std::move(*parsed);
  }
  auto wheel = expand_one(options.wheel, true);
  if (!wheel) return complain(wheel.error());
  options.wheel = std::move(*wheel);
  const Result<Read> read = read_and_analyse(options);
  if (!read) return refuse(options, read.error(), std::span(&options.wheel, 1));
  const Attributor attribution(read->knowledge);
  return deliver_answer(options,
                        pattern ? list(*read, attribution, *pattern, options) : count(*read, attribution, options), 0);
}

Run fill_symbols(CLI::App& app) {
  const auto options = std::make_shared<SymbolOptions>();
  options->settings.elf_files = true;
  app.add_option("WHEEL", options->wheel, "A wheel, an ELF file, or a directory of ELF files")->required();
  app.add_option("--by", options->by,
                 "Group to count by [default: namespace]; with --match: order of the list [default: file]")
      ->check(CLI::IsMember({"namespace", "file", "library"}));
  CLI::Option* const exports =
      app.add_flag("--exports", options->exports, "List defined symbols only; counts are always of these");
  app.add_flag("--imports", options->imports, "Undefined symbols")->excludes(exports);
  app.add_option("--match", options->match,
                 "List the symbols whose name, mangled or demangled, matches this regular expression (RE2)")
      ->type_name("REGEX");
  app.add_flag("--demangle", options->demangle, "Show demangled names as well");
  add_reading_options(app, *options);
  add_own_options(app, *options);
  add_answer_options(app, *options);
  return [options] { return run_symbols(*options); };
}

}  // namespace

const Command symbols_command{"symbols", "Count the symbols of a wheel by the library they belong to, or list them",
                              &fill_symbols};

Result<Pattern> Pattern::parse(const std::string& text) {
  re2::RE2::Options options(re2::RE2::Quiet);
  options.set_never_capture(true);
  auto pattern = std::make_shared<const re2::RE2>(text, options);
  if (pattern->ok()) return Pattern(std::move(pattern));
  // RE2 returns the part that it could not parse. If that is not found, the position is character 1.
  const std::string& part = pattern->error_arg();
  const std::size_t at = text.find(part);
  return std::unexpected(Error{ErrorCode::Usage, fmt::format("--match {}: {}, at character {}", escape(text),
                                                             escape(pattern->error()), at == text.npos ? 1 : at + 1)});
}

bool Pattern::found_in_symbol(std::string_view name) const {
  if (found_in(name)) return true;
  const bool mangled = name.starts_with("_Z") || name.starts_with("_R");
  return mangled && found_in(demangle(name));
}

bool Pattern::found_in(std::string_view text) const {
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *pattern_);
}

}  // namespace wheelcheck::cli
