// Tests for texts that no file may contain, and for the description that a source file begins with.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/source_tree/tree.h"

namespace wheelcheck::meta {
namespace {

bool is_code(std::string_view file) { return file.ends_with(".cpp") || file.ends_with(".h"); }

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
