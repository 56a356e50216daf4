// Collects the problems of a configuration file with their positions, so that the author sees all of them at once.
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
  // "pyproject.toml:12:3: unknown key `selct`": one line for each problem, sorted by position; at most a hundred.
  std::string lines(std::string_view file) const;

 private:
  struct Problem {
    Position at;
    std::string text;
  };
  std::vector<Problem> problems_;
};

// "; did you mean `select`?", or a list of the valid ones if none is similar.
std::string hint(std::string_view word, std::span<const std::string_view> known);
// "a, b or c"
std::string one_of(std::span<const std::string_view> words);

}  // namespace wheelcheck::config
