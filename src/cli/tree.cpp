// `wheelcheck tree WHEEL[::MEMBER]...`: what each file of a wheel loads, how it is found, and which problems there are.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "report/answers/answers.h"

namespace wheelcheck::cli {
namespace {

struct TreeOptions : Options {
  std::vector<std::string> beside;  // --wheel
};

struct Question {
  std::string wheel, members;  // members: a pattern, or empty for all
};

// The path of a wheel may itself contain "::".
Question split_word(const std::string& word) {
  std::error_code none;
  const std::size_t at = word.rfind("::");
  if (at == std::string::npos || std::filesystem::exists(word, none)) return {word, ""};
  return {word.substr(0, at), word.substr(at + 2)};
}

bool is_named(const MemberPath& path, const std::string& pattern) {
  return glob_match(pattern, path.text()) || glob_match(pattern, path.name());
}

Result<std::vector<ElfIndex>> roots_of(const WheelReport& wheel, const Question& question) {
  if (question.members.empty() && !wheel.resolution.roots.empty()) return wheel.resolution.roots;
  const std::string pattern = question.members.empty() ? "**" : question.members;
  std::vector<ElfIndex> roots;
  for (std::uint32_t i = 0; i < wheel.facts.elfs.size(); ++i) {
    const ElfMember& elf = wheel.facts.elfs[i];
    if (is_host_code(elf) && is_named(wheel.facts.members[elf.member.value].path, pattern))
      roots.push_back(ElfIndex{i});
  }
  if (!roots.empty() || question.members.empty()) return roots;
  return std::unexpected(Error{
      ErrorCode::Usage, fmt::format("{} contains no ELF file {}", escape(wheel.facts.file), escape(question.members))});
}

int run_tree(TreeOptions& options) {
  if (const int code = finish(options)) return code;
  for (const std::string& path : options.beside) options.settings.providers.push_back({"", path});
  std::vector<Question> questions;
  std::vector<std::string> paths;
  for (const std::string& word : options.inputs) {
    const Question question = split_word(word);
    auto wheels = expand_all(std::span(&question.wheel, 1), true);
    if (!wheels) return complain(wheels.error());
    for (std::string& wheel : *wheels) {
      questions.push_back({wheel, question.members});
      paths.push_back(std::move(wheel));
    }
  }
  const auto report = check_with_progress(paths, options);
  if (!report) return complain(report.error());
  std::vector<report::Tree> trees;
  std::vector<Unreadable> unreadable;
  int code = 0;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const Report::Entry& entry = report->entries[i];
    if (entry.unreadable) {
      code = std::max(code, complain(*entry.unreadable));
      unreadable.push_back(*entry.unreadable);
      continue;
    }
    const auto roots = roots_of(*entry.wheel, questions[i]);
    if (!roots) return complain(roots.error());
    report::Tree& tree = trees.emplace_back(
        report::Tree{*entry.wheel, trace(entry.wheel->facts, report->providers, options.settings.external, *roots)});
    tree.left_out = roots->size() - tree.loads.size();
  }
  const report::Answer answer = report::with_unreadable(report::tree_answer(trees, report->providers), unreadable);
  return deliver_answer(options, answer, std::max(code, answer.fails ? 1 : 0));
}

Run fill_tree(CLI::App& app) {
  const auto options = std::make_shared<TreeOptions>();
  options->settings.elf_files = true;
  app.add_option("WHEEL[::MEMBER]", options->inputs,
                 "Wheels, ELF files or directories of them; MEMBER is a pattern of files [default: those that Python "
                 "or a user opens]")
      ->required();
  app.add_option("--wheel", options->beside, "Another installed wheel, like --provider")->type_name("WHEEL");
  add_input_options(app, *options);
  add_answer_options(app, *options, std::array<std::string_view, 1>{"dot"});  // for Graphviz
  add_config_options(app, *options);
  return [options] { return run_tree(*options); };
}

}  // namespace

const Command tree_command{"tree", "Show what each file loads, and how it is found", &fill_tree};

}  // namespace wheelcheck::cli
