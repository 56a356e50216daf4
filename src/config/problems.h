// What is wrong with a configuration file: all of it, each with its place, so that an author mends it in one go.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/toml.h"

namespace wheelcheck::config {

class Problems {
 public:
  void add(Position at, std::string text);
  bool empty() const { return problems_.empty(); }
  // "pyproject.toml:12:3: unknown key `selct`", a line each, by place; the first hundred.
  std::string lines(std::string_view file) const;

 private:
  struct Problem {
    Position at;
    std::string text;
  };
  std::vector<Problem> problems_;
};

// Of `known` the one that was probably meant; "" where none is near.
std::string_view closest(std::string_view word, std::span<const std::string_view> known);
// "; did you mean `select`?", or which there are where none is near.
std::string hint(std::string_view word, std::span<const std::string_view> known);
// "a, b or c"
std::string one_of(std::span<const std::string_view> words);

}  // namespace wheelcheck::config
