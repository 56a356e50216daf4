// The regular expressions of --match. RE2 is used because its time is linear in the text: patterns and names may both
// be untrusted.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "wheelcheck/result.h"

namespace re2 {
class RE2;
}

namespace wheelcheck::cli {

class Pattern {
 public:
  // Error Usage for an invalid pattern; the message contains the position.
  static Result<Pattern> parse(const std::string& text);
  bool found_in(std::string_view text) const;
  bool found_in_symbol(std::string_view name) const;  // as it is or demangled

 private:
  explicit Pattern(std::shared_ptr<const re2::RE2> pattern) : pattern_(std::move(pattern)) {}
  std::shared_ptr<const re2::RE2> pattern_;
};

}  // namespace wheelcheck::cli
