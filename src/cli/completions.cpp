// `wheelcheck completions SHELL` and `wheelcheck man`: what is installed beside the program, from its own options.
#include "cli/completions.h"

#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/man.h"
#include "cli/options.h"

namespace wheelcheck::cli {
namespace {

struct CompletionOptions : Options {
  std::string shell;
};

std::string completions(const std::string& shell) {
  const Outline outline = read_outline();
  if (shell == "bash") return bash_completions(outline);
  return shell == "fish" ? fish_completions(outline) : zsh_completions(outline);
}

void add_output_file(CLI::App& app, Options& options) {
  app.add_option("--output-file,-o", options.output_file, "Write it there instead of to stdout")->type_name("FILE");
}

Run fill_completions(CLI::App& app) {
  const auto options = std::make_shared<CompletionOptions>();
  app.add_option("SHELL", options->shell, "The shell")->required()->check(CLI::IsMember({"bash", "fish", "zsh"}));
  add_output_file(app, *options);
  return [options] {
    const int code = finish(*options);
    return code != 0 ? code : deliver(*options, completions(options->shell), 0);
  };
}

Run fill_man(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add_output_file(app, *options);
  return [options] {
    const int code = finish(*options);
    return code != 0 ? code : deliver(*options, man_page(read_outline()), 0);
  };
}

}  // namespace

const Command completions_command{"completions", "Print what a shell needs to complete these words", &fill_completions};
const Command man_command{"man", "Print the manual page", &fill_man};

}  // namespace wheelcheck::cli
