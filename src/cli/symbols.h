// The regular expressions of --match: RE2's, whose time is linear in the text, because both the pattern and the names
// may come from strangers.
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
  // Usage for a pattern that cannot be read; the message says where.
  static Result<Pattern> parse(const std::string& text);
  bool found_in(std::string_view text) const;
  bool found_in_symbol(std::string_view name) const;  // as it is or demangled

 private:
  explicit Pattern(std::shared_ptr<const re2::RE2> pattern) : pattern_(std::move(pattern)) {}
  std::shared_ptr<const re2::RE2> pattern_;
};

}  // namespace wheelcheck::cli
