// The files of the source tree, for the tests that read them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace wheelcheck::meta {

std::filesystem::path root();
// Paths relative to root(), sorted, of every text file under `folder` ("" for all) that is not ignored by git.
std::vector<std::string> files_of(std::string_view folder);
std::string text_of(const std::string& file);
std::vector<std::string> lines_of(const std::string& file);
// True if `word` occurs in `text` as a whole word, not as a part of a longer one.
bool has_word(std::string_view text, std::string_view word);

}  // namespace wheelcheck::meta
