// Suggestions for a misspelt option, command or path, and advice for an input that is not a wheel.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "base/text.h"
#include "cli/inputs.h"
#include "cli/main.h"
#include "cli/policy.h"

namespace wheelcheck::cli {
namespace {

namespace fs = std::filesystem;

bool is_package_name(std::string_view word) {
  return std::ranges::all_of(word, [](char c) { return is_alnum(c) || c == '-' || c == '_' || c == '.'; }) &&
         !word.empty() && is_alnum(word.front()) && !word.ends_with(".whl");
}

std::string advice_for_ending(std::string_view path) {
  const std::string name = lower(base_name(path));
  const auto ends = [&](std::string_view ending) { return name.ends_with(ending); };
  if (ends(".conda") || ends(".tar.bz2")) return "a conda package; wheelcheck reads wheels (.whl)";
  if (ends(".tar.gz") || ends(".zip")) return "a source distribution; build the wheel first: pip wheel --no-deps FILE";
  if (ends(".egg")) return "an egg; convert it first: wheel convert FILE";
  if (ends(".so") || name.find(".so.") != name.npos)
    return "a shared library; show, tree and symbols take it, check takes wheels (.whl)";
  return "";
}

// Words of other tools: what they are called here.
struct OtherWord {
  std::string_view word, here;
};
constexpr OtherWord other_commands[] = {
    {"lddtree", "tree"},       {"ldd", "tree"},           {"deps", "tree"},
    {"readelf", "show"},       {"objdump", "show"},       {"inspect", "show"},
    {"info", "show"},          {"nm", "symbols"},         {"abi3audit", "check"},
    {"audit", "check"},        {"auditwheel", "check"},   {"lint", "check"},
    {"verify", "check"},       {"test", "check"},         {"compare", "diff"},
    {"compat", "runs-on"},     {"levels", "policy list"}, {"policies", "policy list"},
    {"config", "check-config"}};
constexpr OtherWord other_options[] = {{"-f", "--format"},
                                       {"--json", "--format json"},
                                       {"--sarif", "--format sarif"},
                                       {"--html", "--format html"},
                                       {"--output-format", "--format json"},
                                       {"--exit-zero", "--fail-on never"},
                                       {"--no-fail", "--fail-on never"},
                                       {"--strict", "--fail-on warning"},
                                       {"--werror", "--fail-on warning"},
                                       {"--debug", "-vv"},
                                       {"--list-rules", "wheelcheck rules"},
                                       {"--disable", "--ignore"},
                                       {"--exclude", "--external for a library, --ignore for a rule"},
                                       {"--plat", "--require-tag"},
                                       {"--output", "--output-file"}};

std::string_view other_name(std::span<const OtherWord> table, std::string_view word) {
  for (const OtherWord& other : table)
    if (other.word == word) return other.here;
  return "";
}

}  // namespace

std::string similar_path(const std::string& word) {
  fs::path path = word;
  if (!path.has_filename()) path = path.parent_path();
  const fs::path directory = path.parent_path();
  std::error_code none;
  if (!directory.empty() && !fs::is_directory(directory, none)) {
    if (directory == path) return "";
    const std::string other = similar_path(directory.string());
    const fs::path moved = fs::path(other) / path.filename();
    return !other.empty() && fs::exists(moved, none) ? moved.string() : "";
  }
  std::vector<std::string> names;
  for (fs::directory_iterator it(directory.empty() ? "." : directory, none), end; !none && it != end;
       it.increment(none)) {
    std::error_code ignored;
    const std::string name = it->path().filename().string();
    if (name.ends_with(".whl") || it->is_directory(ignored)) names.push_back(name);
  }
  std::ranges::sort(names);
  const std::string name = closest(path.filename().string(), names);
  return name.empty() ? "" : (directory / name).string();
}

std::string unknown_command(const std::string& word) {
  if (const std::string_view here = other_name(other_commands, word); !here.empty())
    return fmt::format("{} is not a command; use: wheelcheck {}", escape(word), here);
  const std::vector<std::string> below = policy_command_names();
  if (std::ranges::find(below, word) != below.end())
    return fmt::format("{0} is a command of policy: wheelcheck policy {0}", escape(word));
  std::vector<std::string> names;
  for (const Command* const command : all_commands()) names.emplace_back(command->name);
  const std::string similar = closest(word, names);
  return similar.empty()
             ? ""
             : fmt::format("no command or file is named {}; a similar command exists: {}", escape(word), similar);
}

std::string late_command(std::span<const std::string> words) {
  for (const std::string& word : words) {
    std::error_code none;
    if (fs::exists(fs::symlink_status(word, none))) continue;
    if (word == "help") return "help comes first: wheelcheck help COMMAND";
    if (find_command(word) != nullptr)
      return fmt::format("{0} is a command, which comes first: wheelcheck {0} ...", word);
  }
  return "";
}

std::string unknown_option(const CLI::App& app, std::span<const std::string> words) {
  std::vector<std::string> known;
  for (const CLI::App* one = &app; one != nullptr;) {
    for (const CLI::Option* const option : one->get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
      for (const std::string& name : option->get_snames()) known.push_back("-" + name);
    }
    const auto below = one->get_subcommands();
    one = below.empty() ? nullptr : below.front();
  }
  for (const std::string& word : words) {
    if (word == "--") break;
    if (!word.starts_with('-') || word.size() == 1) continue;
    const std::string name = word.starts_with("--") ? word.substr(0, word.find('=')) : word.substr(0, 2);
    if (std::ranges::find(known, name) != known.end()) continue;
    // A word of another tool, if the command has the option that it is called here.
    const std::string_view here = other_name(other_options, name);
    const bool has_it =
        !here.starts_with("--") || std::ranges::find(known, here.substr(0, here.find(' '))) != known.end();
    const std::string similar = closest(name, known);
    return fmt::format("unexpected argument {}{}", escape(name),
                       !here.empty() && has_it ? fmt::format("; use: {}", here)
                       : similar.empty()       ? ""
                                               : "; a similar option exists: " + similar);
  }
  return "";
}

std::string advice_for_missing_input(const std::string& word, bool alone) {
  if (word.starts_with("http://") || word.starts_with("https://"))
    return "wheelcheck reads files; download the wheel first: pip download --no-deps URL";
  if (const std::string path = similar_path(word); !path.empty())
    return fmt::format("a similar path exists: {}", escape(path));
  // Only a word that is alone: to install what a mistyped command or directory is called would be dangerous.
  if (!alone || !is_package_name(word) || !advice_for_ending(word).empty()) return "";
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
