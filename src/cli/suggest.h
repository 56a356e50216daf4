// What was probably meant by a misspelt option, and what to type for an input that is not a wheel.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wheelcheck::cli {

// The first option of `words` that `app` does not know: "unexpected argument --versoin; a similar option exists:
// --version". "" where all are known.
std::string unknown_option(const CLI::App& app, std::span<const std::string> words);
// For a word that is no file: why it cannot be one, and what to type. "" where nothing is known of it.
std::string advice_for_missing_input(std::string_view word);
// The same for a file or directory that exists and is not a wheel: a conda package, an sdist, a virtual environment.
std::string advice_for_other_input(std::string_view path);

}  // namespace wheelcheck::cli
