// `wheelcheck policy ...`: the subcommands for authors of policies.

#include "cli/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/text.h"
#include "cli/options.h"
#include "report/answers/answers.h"

namespace wheelcheck::cli {

namespace {

constexpr const Command* policy_commands[] = {
    &policy_list_command,   &policy_show_command,     &policy_diff_command,   &policy_validate_command,
    &policy_derive_command, &policy_simulate_command, &policy_explain_command};

Run fill_policy(CLI::App& app) {
  const auto result = std::make_shared<Run>();  // the function of the selected subcommand
  app.require_subcommand(1);
  for (const Command* const command : policy_commands) {
    CLI::App& one = *app.add_subcommand(command->name, command->summary);
    one.callback([result, run = command->fill(one)] { *result = run; });
  }
  return [result] { return (*result)(); };
}

}  // namespace

std::vector<std::string> policy_command_names() {
  std::vector<std::string> names;
  for (const Command* const command : policy_commands) names.emplace_back(command->name);
  return names;
}

const Command policy_command{"policy", "List, show, compare, validate, derive, try and explain policies", &fill_policy};

// `wheelcheck policy list`: lists the levels.

namespace {

struct ListOptions {
  std::vector<std::string> policies;
  std::string format = "text";
};

int run_list(const ListOptions& options) {
  const auto levels = load_levels(options.policies);
  if (!levels) return complain(levels.error());
  return print_answer(options.format, report::levels_answer(*levels));
}

Run fill_policy_list(CLI::App& app) {
  const auto options = std::make_shared<ListOptions>();
  add_format_option(app, options->format);
  add_level_files_option(app, options->policies);
  return [options] { return run_list(*options); };
}

}  // namespace

const Command policy_list_command{"list", "List the levels, oldest first", &fill_policy_list};

// `wheelcheck policy show NAME`: what a level allows, as text or as a policy file.

namespace {

struct ShowOptions {
  std::vector<std::string> policies;
  std::string name, arch, format = "text";
};

int run_show(const ShowOptions& options) {
  const auto levels = load_levels(options.policies);
  if (!levels) return complain(levels.error());
  const auto level = level_of(*levels, options.name, options.arch);
  if (!level) return complain(level.error());
  return print_answer(options.format, {.document = [&] { return report::level_document(*level); },
                                       .json = [&] { return policy_document(*level); }});
}

Run fill_policy_show(CLI::App& app) {
  const auto options = std::make_shared<ShowOptions>();
  add_format_option(app, options->format);
  app.add_option("NAME", options->name, "manylinux_2_17, manylinux2014_x86_64, or a file with one level")->required();
  add_arch_option(app, options->arch);
  add_level_files_option(app, options->policies);
  return [options] { return run_show(*options); };
}

}  // namespace

const Command policy_show_command{"show", "Show what a level allows; as JSON: a policy file", &fill_policy_show};

// `wheelcheck policy validate FILE...`: all problems of policy files.

namespace {

struct ValidateOptions {
  std::vector<std::string> files, roots;
  std::string format = "text";
};

int run_validate(const ValidateOptions& options) {
  const auto roots = read_roots(options.roots);
  if (!roots) return complain(roots.error());
  const auto check = validate_policies(options.files, *roots);
  if (!check) return complain(check.error());
  const int result = print_answer(options.format, report::policy_check_answer(*check));
  const auto is_error = [](const PolicyProblem& problem) { return problem.severity == Severity::Error; };
  return result != 0 ? result : std::ranges::any_of(check->problems, is_error) ? 1 : 0;
}

Run fill_policy_validate(CLI::App& app) {
  const auto options = std::make_shared<ValidateOptions>();
  add_format_option(app, options->format);
  app.add_option("FILE", options->files, "Policy files, or directories of them")->required();
  add_roots_option(app, options->roots);
  return [options] { return run_validate(*options); };
}

}  // namespace

const Command policy_validate_command{"validate", "Report all mistakes in policy files, and how to fix them",
                                      &fill_policy_validate};

// Parsing of level names on the command line.

void add_level_files_option(CLI::App& app, std::vector<std::string>& files) {
  app.add_option("--policy", files, "File or directory whose levels add to the built-in ones")->type_name("FILE");
}
void add_arch_option(CLI::App& app, std::string& arch) {
  app.add_option("--arch", arch, "Only this architecture: x86_64")->type_name("ARCH");
}
void add_format_option(CLI::App& app, std::string& format, std::span<const std::string_view> more) {
  add_format_word(app, format, answer_formats(more), "Output format; NAME=FILE writes it to a file");
}

int print_answer(const std::string& format, const report::Answer& answer) {
  return print_as(format, [&](const auto& name, const auto& paint) { return render_answer(name, answer, paint); });
}

Result<NamedLevel> named_level(const std::string& word, const std::string& arch) {
  const auto bad = [](std::string text) { return std::unexpected(Error{ErrorCode::Usage, std::move(text)}); };
  NamedLevel out{word, std::nullopt};
  for (std::size_t at = word.find('_'); at != word.npos && !out.arch; at = word.find('_', at + 1))
    if (const auto found = arch_from_name(std::string_view(word).substr(at + 1))) out = {word.substr(0, at), found};
  if (arch.empty()) return out;
  const std::optional<Arch> result = arch_from_name(arch);
  if (!result) return bad(fmt::format("--arch: {} is not an architecture of a platform tag", escape(arch)));
  if (out.arch && out.arch != result) return bad(fmt::format("{} is not of {}", escape(word), escape(arch)));
  out.arch = result;
  return out;
}

Result<policy::Level> level_of(std::span<const policy::Level> levels, const std::string& word,
                               const std::string& arch) {
  const Result<NamedLevel> named = named_level(word, arch);
  if (!named) return std::unexpected(named.error());
  Result<policy::Level> level = find_level(levels, named->name);
  if (!level || !named->arch) return level;
  std::erase_if(level->policies, [&](const auto& entry) { return entry.first != *named->arch; });
  if (level->policies.empty())
    return std::unexpected(
        Error{ErrorCode::Usage, fmt::format("{} has no {}", escape(named->name), name_of(*named->arch))});
  return level;
}

}  // namespace wheelcheck::cli
