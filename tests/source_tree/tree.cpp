// The files of the source tree. Files of a build, an editor or git are excluded by name, so that the tests have the
// same result in a clone, in an unpacked archive and in a working tree.
#include "tests/source_tree/tree.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <sstream>

namespace wheelcheck::meta {

namespace fs = std::filesystem;

fs::path root() { return WHEELCHECK_SOURCE_DIR; }

std::string text_of(const std::string& file) {
  std::ifstream in(root() / file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> lines_of(const std::string& file) {
  std::istringstream in(text_of(file));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> files_of(std::string_view folder) {
  static constexpr std::string_view passed_over[] = {".git", "build", "__pycache__", ".cache", ".vscode", ".idea"};
  std::vector<std::string> files;
  for (auto it = fs::recursive_directory_iterator(root() / folder); it != fs::recursive_directory_iterator(); ++it) {
    if (std::ranges::find(passed_over, it->path().filename().string()) != std::end(passed_over)) {
      it.disable_recursion_pending();
    } else if (it->is_regular_file()) {
      const std::string file = it->path().lexically_relative(root()).string();
      if (text_of(file).find('\0') == std::string::npos) files.push_back(file);
    }
  }
  std::ranges::sort(files);
  return files;
}

bool has_word(std::string_view text, std::string_view word) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool starts = at == 0 || !is_word(text[at - 1]) || !is_word(word.front());
    const bool ends = end == text.size() || !is_word(text[end]);
    if (starts && ends) return true;
  }
  return false;
}

}  // namespace wheelcheck::meta
