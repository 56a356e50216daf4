// `wheelcheck policy ...`: what authors of policies ask.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "report/policies.h"
#include "wheelcheck/policies.h"

namespace wheelcheck::cli {
namespace {

struct PolicyOptions {
  std::vector<std::string> policies, files;  // --policy; what is validated
  std::string from, to, arch;
  std::string format = "text";
  int (*run)(const PolicyOptions&) = nullptr;  // of the word that was said
};
using Shared = std::shared_ptr<PolicyOptions>;

// "manylinux_2_17_x86_64" is manylinux_2_17 of that machine.
struct Wanted {
  std::string name;
  std::optional<Arch> arch;
};
Result<Wanted> wanted(const std::string& word, const std::string& arch) {
  const auto bad = [](std::string text) { return std::unexpected(Error{ErrorCode::Usage, std::move(text)}); };
  Wanted out{word, std::nullopt};
  for (std::size_t at = word.find('_'); at != word.npos && !out.arch; at = word.find('_', at + 1))
    if (const auto found = arch_from_name(std::string_view(word).substr(at + 1))) out = {word.substr(0, at), found};
  if (arch.empty()) return out;
  const std::optional<Arch> said = arch_from_name(arch);
  if (!said) return bad(fmt::format("--arch: {} is no architecture that a platform tag names", escape(arch)));
  if (out.arch && out.arch != said) return bad(fmt::format("{} is not of {}", escape(word), escape(arch)));
  out.arch = said;
  return out;
}

Result<policy::Level> level_of(std::span<const policy::Level> levels, const std::string& word,
                               const std::string& arch) {
  const Result<Wanted> want = wanted(word, arch);
  if (!want) return std::unexpected(want.error());
  Result<policy::Level> level = find_level(levels, want->name);
  if (!level || !want->arch) return level;
  std::erase_if(level->policies, [&](const auto& entry) { return entry.first != *want->arch; });
  if (level->policies.empty())
    return std::unexpected(
        Error{ErrorCode::Usage, fmt::format("{} has no {}", escape(level->name), name_of(*want->arch))});
  return level;
}

int run_list(const PolicyOptions& options) {
  const auto levels = load_levels(options.policies);
  if (!levels) return complain(levels.error());
  return say(options.format == "json" ? report::render_levels_json(*levels) : report::render_levels_text(*levels));
}

int run_show(const PolicyOptions& options) {
  const auto levels = load_levels(options.policies);
  if (!levels) return complain(levels.error());
  const auto level = level_of(*levels, options.from, options.arch);
  if (!level) return complain(level.error());
  return say(options.format == "json" ? policy_document(*level) : report::render_level_text(*level));
}

int run_diff(const PolicyOptions& options) {
  const auto levels = load_levels(options.policies);
  if (!levels) return complain(levels.error());
  const auto from = level_of(*levels, options.from, options.arch), to = level_of(*levels, options.to, options.arch);
  if (!from) return complain(from.error());
  if (!to) return complain(to.error());
  const PolicyChange change = compare_levels(*from, *to);
  if (options.format == "json") return say(report::render_policy_change_json(change));
  return say(options.format == "markdown" ? report::render_policy_change_markdown(change)
                                          : report::render_policy_change_text(change));
}

int run_validate(const PolicyOptions& options) {
  const auto check = validate_policies(options.files);
  if (!check) return complain(check.error());
  const int said = say(options.format == "json" ? report::render_policy_check_json(*check)
                                                : report::render_policy_check_text(*check));
  const auto is_error = [](const PolicyProblem& problem) { return problem.severity == Severity::Error; };
  return said != 0 ? said : std::ranges::any_of(check->problems, is_error) ? 1 : 0;
}

CLI::App& add(CLI::App& app, const Shared& options, const char* name, const char* summary,
              int (*run)(const PolicyOptions&), std::vector<std::string> formats) {
  CLI::App& one = *app.add_subcommand(name, summary);
  one.add_option("--format", options->format, "Output format")->check(CLI::IsMember(formats))->capture_default_str();
  one.callback([options, run] { options->run = run; });
  return one;
}
void add_policies(CLI::App& app, const Shared& options) {
  app.add_option("--policy", options->policies, "File or directory whose levels add to the built-in ones")
      ->type_name("FILE");
}
void add_arch(CLI::App& app, const Shared& options) {
  app.add_option("--arch", options->arch, "Only this architecture: x86_64")->type_name("ARCH");
}

Run fill(CLI::App& app) {
  const auto options = std::make_shared<PolicyOptions>();
  app.require_subcommand(1);
  add_policies(add(app, options, "list", "List the levels, oldest first", &run_list, {"text", "json"}), options);

  CLI::App& show = add(app, options, "show", "Show what a level promises; as JSON, a policy file of it", &run_show,
                       {"text", "json"});
  show.add_option("NAME", options->from, "manylinux_2_17, manylinux2014_x86_64, or a file with one level")->required();
  add_arch(show, options);
  add_policies(show, options);

  CLI::App& diff = add(app, options, "diff", "Show what a level adds to another and takes away", &run_diff,
                       {"text", "json", "markdown"});
  diff.add_option("A", options->from, "A level or a file with one")->required();
  diff.add_option("B", options->to, "The other")->required();
  add_arch(diff, options);
  add_policies(diff, options);

  CLI::App& validate = add(app, options, "validate", "Say all that is wrong with policy files, and how to mend it",
                           &run_validate, {"text", "json"});
  validate.add_option("FILE", options->files, "Policy files, or directories of them")->required();
  return [options] { return options->run != nullptr ? options->run(*options) : exit_usage; };
}

}  // namespace

const Command policy_command{"policy", "List, show, compare and validate policies", &fill};

}  // namespace wheelcheck::cli
