// A place in a mangled name, and the readers of the name's parts that share it. Never leaves the text, whatever it
// says.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "base/text.h"
#include "mangling/mangled.h"

namespace wheelcheck::mangled {

class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  bool done() const { return at_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const { return ahead < text_.size() - at_ ? text_[at_ + ahead] : '\0'; }
  void skip(std::size_t count = 1) { at_ += std::min(count, text_.size() - at_); }
  bool take(char c) {
    if (peek() != c) return false;
    skip();
    return true;
  }
  bool take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    skip(word.size());
    return true;
  }
  void skip_any(std::string_view letters) {
    while (!done() && letters.find(peek()) != letters.npos) skip();
  }
  // <number> of at most nine digits, so that it cannot wrap.
  bool number(std::size_t& out) {
    std::size_t digits = 0;
    for (out = 0; is_digit(peek()) && digits < 9; ++digits, skip())
      out = out * 10 + static_cast<unsigned>(peek() - '0');
    return digits > 0 && !is_digit(peek());
  }
  // `length` bytes of text; empty where there are not so many.
  std::string_view bytes(std::size_t length) {
    if (length > text_.size() - at_) return {};
    const std::string_view result = text_.substr(at_, length);
    skip(length);
    return result;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;  // never behind the end
};

// mangled_rust.cpp
bool is_rust_legacy(std::string_view name);
Mangled read_rust_legacy(std::string_view name);
Mangled read_rust_v0(std::string_view name);

}  // namespace wheelcheck::mangled
