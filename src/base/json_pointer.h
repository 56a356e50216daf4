// A step of a JSON pointer (RFC 6901, 3): '~' and '/' in a key are written "~0" and "~1".
#pragma once

#include <string>
#include <string_view>

namespace wheelcheck {

inline std::string pointer_step(std::string_view pointer, std::string_view key) {
  std::string result(pointer);
  result += '/';
  for (const char c : key) {
    if (c == '~') {
      result += "~0";
    } else if (c == '/') {
      result += "~1";
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace wheelcheck
