// Tests for texts that no file may contain, and for the length of files and functions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/source_tree/tree.h"

namespace wheelcheck::meta {
namespace {

bool is_code(std::string_view file) { return file.ends_with(".cpp") || file.ends_with(".h"); }

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// True if `word` occurs in `text` as a whole word, not as a part of a longer one.
bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool starts = at == 0 || !is_word(text[at - 1]) || !is_word(word.front());
    const bool ends = end == text.size() || !is_word(text[end]);
    if (starts && ends) return true;
  }
  return false;
}

// Each word is written in two parts, so that this file does not contain it.
std::vector<std::string> joined(std::vector<std::pair<std::string, std::string>> parts) {
  std::vector<std::string> words;
  for (const auto& [a, b] : parts) words.push_back(a + b);
  return words;
}

TEST(Words, NoFileTellsWhereItWasWritten) {
  // A folder, a package registry or a mirror of one machine is of no use on another; pip and apt have their own
  // configuration.
  const std::vector<std::string> words = joined({{" /wo", "rk"},
                                                 {"\"/wo", "rk"},
                                                 {"=/wo", "rk"},
                                                 {"(/wo", "rk"},
                                                 {"`/wo", "rk"},
                                                 {"shared/", "facts"},
                                                 {"shared/", "design"},
                                                 {"shared/", "corpus"},
                                                 {"pypi", ".org"},
                                                 {"python", "hosted"},
                                                 {"deb.debian", ".org"},
                                                 {"security.debian", ".org"},
                                                 {"quay", ".io"},
                                                 {"ghcr", ".io"},
                                                 {"docker", ".io"},
                                                 {"cla", "ude"},
                                                 {"Cla", "ude"},
                                                 {"anth", "ropic"}});
  const std::vector<std::string> files = files_of("");
  EXPECT_GT(files.size(), 50U);
  for (const std::string& file : files) {
    const std::string text = " " + text_of(file);
    for (const std::string& word : words) EXPECT_FALSE(has_word(text, word)) << file << " holds " << word;
  }
}

TEST(Words, NothingIsLeftForLater) {
  const std::vector<std::string> words = joined({{"TO", "DO"}, {"FIX", "ME"}, {"XX", "X"}, {"HA", "CK"}});
  for (const char* const top : {"src", "include", "tests", "scripts", "cmake", "docs", "bench"}) {
    for (const std::string& file : files_of(top)) {
      const std::string text = text_of(file);
      for (const std::string& word : words) EXPECT_FALSE(has_word(text, word)) << file << " holds " << word;
    }
  }
}

// A source file must start with a description, unless it has a header with one.
TEST(Words, ASourceFileOpensWithWhatItIs) {
  for (const char* const top : {"src", "include", "bench"}) {
    for (const std::string& file : files_of(top)) {
      if (!is_code(file)) continue;
      const std::string first = lines_of(file).at(0);
      const std::string stem = std::filesystem::path(file).stem().string();
      const bool told_in_header = first.starts_with("#include \"") && first.ends_with("/" + stem + ".h\"");
      EXPECT_TRUE(first.starts_with("// ") || told_in_header) << file;
    }
  }
}

TEST(Words, NoSourceFileIsLongerThan500Lines) {
  for (const char* const top : {"src", "include", "tests", "scripts", "bench"}) {
    for (const std::string& file : files_of(top)) {
      const bool script = file.starts_with("scripts/") || file.ends_with(".py");
      EXPECT_TRUE(!(is_code(file) || script) || lines_of(file).size() <= 500) << file;
    }
  }
}

// In clang-format's layout a "}" alone at the margin ends a function. The last line before it that starts at the margin
// is the start of the function.
TEST(Words, NoFunctionIsLongerThan60Lines) {
  std::size_t seen = 0;
  for (const char* const top : {"src", "include", "bench"}) {
    for (const std::string& file : files_of(top)) {
      if (!is_code(file)) continue;
      const std::vector<std::string> lines = lines_of(file);
      std::size_t start = 0;
      for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i] == "}") {
          EXPECT_LE(i - start + 1, 60U) << file << ":" << start + 1;
          ++seen;
        } else if (!lines[i].empty() && lines[i][0] != ' ' && lines[i][0] != '#') {
          start = i;
        }
      }
    }
  }
  EXPECT_GT(seen, 50U) << "the functions were not found";
}

TEST(Words, PlainTextIsPlain) {
  for (const char* const top : {"src", "include", "tests", "scripts", "cmake", "docs", "bench"}) {
    for (const std::string& file : files_of(top)) {
      if (file.find("/golden/") != std::string::npos) continue;
      const std::string text = text_of(file);
      EXPECT_EQ(text.find('\r'), std::string::npos) << file << " has a carriage return";
      EXPECT_TRUE(!is_code(file) || text.find('\t') == std::string::npos) << file << " has a tab";
      EXPECT_TRUE(text.empty() || text.ends_with('\n')) << file << " does not end its last line";
    }
  }
}

}  // namespace
}  // namespace wheelcheck::meta
