// Text as C++ source, for the tools of the build that write tables.
#pragma once

#include <string>
#include <string_view>

namespace wheelcheck {

// A literal in pieces of a line. The readers of the tables let nothing through but printable ASCII, tabs and line ends.
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

}  // namespace wheelcheck
