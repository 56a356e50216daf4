// Suggestions for a misspelt option or command, and advice for an input that is not a wheel.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wheelcheck::cli {

// A message for the first option in `words` that `app` does not know: "unexpected argument --versoin; a similar option
// exists: --version". "" if all are known.
std::string unknown_option(const CLI::App& app, std::span<const std::string> words);
// Advice for an argument that is not a file: why, and what to type. "" if there is none.
std::string advice_for_missing_input(std::string_view word);
// The same for a file or directory that exists and is not a wheel: a conda package, an sdist, a virtual environment.
std::string advice_for_other_input(std::string_view path);

}  // namespace wheelcheck::cli
