// A limit on the work for one process. The files are untrusted: ten thousand of them can need each other under one
// name, and the number of search path entries multiplies with the number of names. Loops that can grow faster than the
// facts count their steps here.
#pragma once

#include <algorithm>
#include <cstdint>

namespace wheelcheck::resolver {

class Work {
 public:
  explicit Work(std::uint64_t steps) : steps_(steps), left_(steps) {}

  void spend(std::uint64_t steps) { left_ -= std::min(left_, steps); }
  bool spent() const { return left_ == 0; }
  std::uint64_t steps() const { return steps_; }  // the limit

 private:
  std::uint64_t steps_, left_;
};

}  // namespace wheelcheck::resolver
