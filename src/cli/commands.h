// One subcommand a file. Each adds itself to the program and hands back what to run.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace wheelcheck::cli {

struct Command {
  CLI::App* app = nullptr;
  std::function<int()> run;  // gives the exit code
};

Command add_check(CLI::App& program);
Command add_show(CLI::App& program);
Command add_why(CLI::App& program);
Command add_explain(CLI::App& program);
Command add_conflicts(CLI::App& program);
Command add_rules(CLI::App& program);
Command add_symbols(CLI::App& program);
Command add_tree(CLI::App& program);
Command add_schema(CLI::App& program);

}  // namespace wheelcheck::cli
