// Options that are added together. CLI11 compares an option that is added with all that its App has, and copies their
// names to do so: with fifty options that was a seventh of the instructions of a small wheel's run.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace wheelcheck::cli {

// While it lives, its App has none of the options that it had before; then those stand in front of the new ones again.
// So no name may be given twice in a command; the manual page's test sees that none is.
class Part {
 public:
  explicit Part(CLI::App& app) : options_(app.*Access::get()) { before_.swap(options_); }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  ~Part() {
    std::ranges::move(options_, std::back_inserter(before_));
    options_ = std::move(before_);
  }

 private:
  using Options = std::vector<CLI::Option_p>;
  struct Access : CLI::App {
    static Options CLI::App::* get() { return &Access::options_; }
  };

  Options& options_;
  Options before_;
};

}  // namespace wheelcheck::cli
