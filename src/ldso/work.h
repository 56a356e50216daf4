// What may be spent on one process. The files come from strangers: ten thousand of them can need each other under one
// name, and search paths multiply with names. Loops that grow faster than the facts do count their steps here.
#pragma once

#include <algorithm>
#include <cstdint>

namespace wheelcheck::resolver {

class Work {
 public:
  explicit Work(std::uint64_t steps) : steps_(steps), left_(steps) {}

  void spend(std::uint64_t steps) { left_ -= std::min(left_, steps); }
  bool spent() const { return left_ == 0; }
  std::uint64_t steps() const { return steps_; }  // allowed at the start

 private:
  std::uint64_t steps_, left_;
};

}  // namespace wheelcheck::resolver
