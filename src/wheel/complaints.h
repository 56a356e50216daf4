// Flaws of one file of a wheel.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wheelcheck/wheel.h"

namespace wheelcheck::wheel {

// Adds flaws of one file to a list, at most `most` and a last one that says so: each becomes a finding.
class Complaints {
 public:
  static constexpr std::size_t max = 500;

  Complaints(WheelArea area, MemberIndex member, std::string_view path, std::vector<WheelFlaw>& out)
      : area_(area), member_(member), path_(path), out_(out) {}
  void operator()(std::string reason, bool minor = false) const {
    if (++count_ > max + 1) return;
    if (count_ > max) reason = "has so many flaws that the rest is not listed";
    out_.push_back({.area = area_,
                    .member = member_,
                    .subject = path_,
                    .reason = std::move(reason),
                    .minor = minor && count_ <= max});
  }
  bool full() const { return count_ > max; }

 private:
  WheelArea area_;
  MemberIndex member_;
  std::string path_;
  std::vector<WheelFlaw>& out_;
  mutable std::size_t count_ = 0;
};

}  // namespace wheelcheck::wheel
