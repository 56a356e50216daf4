// Generates completion scripts for shells from the outline of the command line. Each shell has its own function.
#pragma once

#include <string>

#include "cli/outline.h"

namespace wheelcheck::cli {

std::string bash_completions(const Outline& outline);
std::string fish_completions(const Outline& outline);
std::string zsh_completions(const Outline& outline);

}  // namespace wheelcheck::cli
