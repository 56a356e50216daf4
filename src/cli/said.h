// Which options a run has use for. An option costs CLI11 some 10,000 instructions, and a run names few of the fifty:
// those that no word can be one of are left out.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace wheelcheck::cli {

// While one lives, options are added for these words alone. Without one all are, as for the manual page.
class Said {
 public:
  explicit Said(std::span<const std::string> words) : words_(words) { now_ = this; }
  Said(const Said&) = delete;
  Said& operator=(const Said&) = delete;
  ~Said() { now_ = nullptr; }

  // False if no word starts with one of these. They are long names; the help that is asked for tells of all.
  static bool any_of(std::initializer_list<std::string_view> starts) {
    return now_ == nullptr || std::ranges::any_of(now_->words_, [&](std::string_view word) {
             if (word == "--help" || (word.starts_with('-') && !word.starts_with("--") && word.contains('h')))
               return true;
             return std::ranges::any_of(starts, [&](std::string_view start) { return word.starts_with(start); });
           });
  }

 private:
  static inline const Said* now_ = nullptr;
  std::span<const std::string> words_;
};

}  // namespace wheelcheck::cli
