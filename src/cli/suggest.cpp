// Suggestions for a misspelt option, and advice for an input that is not a wheel.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/text.h"
#include "cli/inputs.h"

namespace wheelcheck::cli {
namespace {

namespace fs = std::filesystem;

bool is_package_name(std::string_view word) {
  return std::ranges::all_of(word, [](char c) { return is_alnum(c) || c == '-' || c == '_' || c == '.'; }) &&
         !word.empty() && is_alnum(word.front()) && !word.ends_with(".whl");
}

std::string advice_for_ending(std::string_view path) {
  const std::string name = lower(path);
  const auto ends = [&](std::string_view ending) { return name.ends_with(ending); };
  if (ends(".conda") || ends(".tar.bz2")) return "a conda package; wheelcheck reads wheels (.whl)";
  if (ends(".tar.gz") || ends(".zip")) return "a source distribution; build the wheel first: pip wheel --no-deps FILE";
  if (ends(".egg")) return "an egg; convert it first: wheel convert FILE";
  if (ends(".so") || name.find(".so.") != name.npos) return "a shared library; wheelcheck reads wheels (.whl)";
  return "";
}

}  // namespace

std::string unknown_option(const CLI::App& app, std::span<const std::string> words) {
  std::vector<std::string> known;
  for (const CLI::App* one = &app; one != nullptr;) {
    for (const CLI::Option* const option : one->get_options())
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    const auto below = one->get_subcommands();
    one = below.empty() ? nullptr : below.front();
  }
  for (const std::string& word : words) {
    if (word == "--") break;
    if (!word.starts_with("--")) continue;
    const std::string name = word.substr(0, word.find('='));
    if (std::ranges::find(known, name) != known.end()) continue;
    const std::string similar = closest(name, known);
    return fmt::format("unexpected argument {}{}", escape(name),
                       similar.empty() ? "" : "; a similar option exists: " + similar);
  }
  return "";
}

std::string advice_for_missing_input(std::string_view word) {
  if (word.starts_with("http://") || word.starts_with("https://"))
    return "wheelcheck reads files; download the wheel first: pip download --no-deps URL";
  if (std::string advice = advice_for_ending(word); !advice.empty()) return "";
  if (!is_package_name(word)) return "";
  return fmt::format(
      "for a package of the index, download its wheel first: pip download --no-deps --only-binary :all: {}", word);
}

std::string advice_for_other_input(std::string_view path) {
  std::error_code none;
  if (fs::is_directory(fs::path(path), none)) {
    if (!fs::exists(fs::path(path) / "pyvenv.cfg", none)) return "";
    return "a virtual environment; name its wheels, or use: wheelcheck conflicts --environment DIRECTORY";
  }
  return fs::exists(fs::path(path), none) ? advice_for_ending(path) : "";
}

}  // namespace wheelcheck::cli
