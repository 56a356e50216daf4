// A limit on work that untrusted input can multiply: names times directories, files times symbols. Loops that can grow
// faster than their input take their steps from a budget. It counts down, and knows afterwards that the work was cut
// and which work that was, so that the report can say so instead of giving a calm answer.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace wheelcheck {

class Budget {
 public:
  // `work`: a static text that names the work in a report, "the search for needed libraries".
  Budget(std::uint64_t steps, std::string_view work) : work_(work), steps_(steps), left_(steps) {}

  // False from the moment that all steps are taken: the caller leaves out the rest.
  bool spend(std::uint64_t steps = 1) {
    left_ -= std::min(left_, steps);
    return left_ != 0;
  }
  bool is_spent() const { return left_ == 0; }
  std::uint64_t steps() const { return steps_; }  // the limit
  // "the search for needed libraries ended at its limit of 50000000 steps"; "" if nothing was cut.
  std::string cut() const {
    return is_spent() ? fmt::format("{} ended at its limit of {} steps", work_, steps_) : std::string();
  }

 private:
  std::string_view work_;
  std::uint64_t steps_, left_;
};

}  // namespace wheelcheck
