// Runs every wheelcheck command in the documentation and compares its output. WHEELCHECK_UPDATE=1 writes the output
// into the pages.
//
// A block fenced as ```console contains commands after "$ ", each with its output. Those that start with `wheelcheck`
// are run in a folder that contains the demo wheel (scripts/demo_wheel.py); a line "..." matches any lines.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "tests/source_tree/tree.h"

namespace wheelcheck::meta {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string out;
  char buffer[4096];
  while (const std::size_t n = fread(buffer, 1, sizeof buffer, pipe.get())) out.append(buffer, n);
  return out;
}

std::string quoted(const fs::path& path) { return "'" + path.string() + "'"; }

Lines split(const std::string& text) {
  Lines lines;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

// True if `shown` equals `real`, where a line "..." of `shown` matches any number of lines.
bool matches(const Lines& shown, const Lines& real, std::size_t i = 0, std::size_t j = 0) {
  for (; i < shown.size(); ++i, ++j) {
    if (shown[i] == "...") {
      for (std::size_t rest = j; rest <= real.size(); ++rest) {
        if (matches(shown, real, i + 1, rest)) return true;
      }
      return false;
    }
    if (j >= real.size() || shown[i] != real[j]) return false;
  }
  return j == real.size();
}

fs::path demo_folder() {
  const fs::path folder = fs::path(WHEELCHECK_BINARY_DIR) / "demo";
  output_of(std::string(WHEELCHECK_PYTHON) + " " + quoted(root() / "scripts/demo_wheel.py") + " " + quoted(folder));
  return folder;
}

// The page with the current output of every command, and the commands whose output differs.
struct Checked {
  Lines page;
  Lines differing;
  std::size_t commands = 0;
};

Checked check_page(const std::string& file, const fs::path& folder) {
  Checked result;
  const std::string prefix = "cd " + quoted(folder) + " && PATH=" + quoted(fs::path(WHEELCHECK_PROGRAM).parent_path()) +
                             ":\"$PATH\" NO_COLOR=1 ";
  const Lines lines = lines_of(file);
  bool console = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    result.page.push_back(lines[i]);
    if (lines[i].starts_with("```")) console = !console && lines[i] == "```console";
    if (!console || !lines[i].starts_with("$ wheelcheck")) continue;
    Lines shown;
    while (i + 1 < lines.size() && !lines[i + 1].starts_with("```") && !lines[i + 1].starts_with("$ ")) {
      shown.push_back(lines[++i]);
    }
    const std::size_t answer = i - shown.size();
    const Lines blank(shown.rbegin(), std::find_if(shown.rbegin(), shown.rend(), [](auto& s) { return !s.empty(); }));
    shown.resize(shown.size() - blank.size());
    const Lines real = split(output_of(prefix + lines[answer].substr(2) + " 2>&1 </dev/null"));
    const bool same = matches(shown, real);
    if (!same) result.differing.push_back(file + ": " + lines[answer]);
    const bool elided = std::ranges::find(shown, "...") != shown.end();
    const Lines& kept = same || elided ? shown : real;
    result.page.insert(result.page.end(), kept.begin(), kept.end());
    result.page.insert(result.page.end(), blank.begin(), blank.end());
    ++result.commands;
  }
  return result;
}

// A page without its fenced blocks, because output such as `f[abi:cxx11](int)` is not a link.
std::string without_fences(const std::string& file) {
  std::string text;
  std::size_t open = 0;  // number of backticks of the open fence
  for (const std::string& line : lines_of(file)) {
    const std::size_t ticks = std::min(line.find_first_not_of('`'), line.size());
    if (open == 0 && ticks >= 3) {
      open = ticks;
    } else if (open > 0) {
      if (ticks >= open && ticks == line.size()) open = 0;
    } else {
      text += line + "\n";
    }
  }
  return text;
}

TEST(Documents, EveryCommandShownGivesTheAnswerShown) {
  const fs::path folder = demo_folder();
  std::size_t commands = 0;
  for (const std::string& file : files_of("")) {
    if (file != "README.md" && !(file.starts_with("docs/") && file.ends_with(".md"))) continue;
    const Checked checked = check_page(file, folder);
    commands += checked.commands;
    if (getenv("WHEELCHECK_UPDATE") != nullptr && !checked.differing.empty()) {
      std::ofstream out(root() / file);
      for (const std::string& line : checked.page) out << line << '\n';
    } else {
      for (const std::string& what : checked.differing) ADD_FAILURE() << what << " now answers otherwise";
    }
  }
  EXPECT_GT(commands, 0U) << "no page shows a command";
}

TEST(Documents, EveryFileThatAPageLinksIsThere) {
  for (const std::string& file : files_of("")) {
    if (!file.ends_with(".md")) continue;
    const std::string text = without_fences(file);
    for (std::size_t at = text.find("]("); at != text.npos; at = text.find("](", at + 2)) {
      const std::string link = text.substr(at + 2, text.find_first_of(")#", at + 2) - at - 2);
      if (link.empty() || link.find(':') != link.npos) continue;
      EXPECT_TRUE(fs::exists(root() / fs::path(file).parent_path() / link)) << file << " links " << link;
    }
  }
}

TEST(DemoWheel, IsTheSameBytesWhereverItIsMade) {
  const fs::path first = demo_folder();
  const fs::path second = fs::path(WHEELCHECK_BINARY_DIR) / "demo again";
  fs::remove_all(second);
  const std::string made = output_of("cd / && " + std::string(WHEELCHECK_PYTHON) + " " +
                                     quoted(root() / "scripts/demo_wheel.py") + " " + quoted(second));
  const fs::path wheel = split(made).at(0);
  EXPECT_EQ(output_of("cmp " + quoted(wheel) + " " + quoted(first / wheel.filename()) + " 2>&1 && echo same"),
            "same\n");
}

}  // namespace
}  // namespace wheelcheck::meta
