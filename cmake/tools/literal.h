// Writes text as C++ source, for the build tools that generate tables.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace wheelcheck {

// A string literal, split into lines. The readers of the tables accept only printable ASCII, tabs and newlines.
inline std::string literal(std::string_view text) {
  constexpr std::size_t width = 100;
  std::string result = "\n     \"";
  std::size_t column = 0;
  for (const char c : text) {
    if (column >= width && (c == ' ' || c == '\n')) {
      result += "\"\n     \"";
      column = 0;
    }
    if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else {
      if (c == '"' || c == '\\' || c == '?') result += '\\';
      result += c;
    }
    ++column;
  }
  return result + '"';
}

// The common text of a table, and its slices (base/piece.h) as source code.
class Pieces {
 public:
  std::string add(std::string_view text) {
    return "{" + std::to_string(place_of(text)) + ", " + std::to_string(text.size()) + "}";
  }
  // The offset of a text, which is added if it is new.
  std::size_t place_of(std::string_view text) {
    const auto [known, is_new] = places_.try_emplace(std::string(text), all_.size());
    if (is_new) all_ += text;
    return known->second;
  }
  // `constexpr char text[]`. The supported compilers accept more than the 65,536 bytes that the standard requires.
  std::string definition() const {
    return "#pragma GCC diagnostic ignored \"-Woverlength-strings\"\nconstexpr char text[] =" + literal(all_) + ";\n\n";
  }

 private:
  std::string all_;
  std::map<std::string, std::size_t> places_;  // text -> its offset
};

}  // namespace wheelcheck
