// What shells read to complete the words of wheelcheck: one function a shell, one shell a file.
#pragma once

#include <string>

#include "cli/outline.h"

namespace wheelcheck::cli {

std::string bash_completions(const Outline& outline);
std::string fish_completions(const Outline& outline);
std::string zsh_completions(const Outline& outline);

}  // namespace wheelcheck::cli
