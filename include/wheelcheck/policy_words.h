// The explanation of a library, version node or symbol in terms of the policies: since which level it is allowed, and
// at which levels it is denied. The command `wheelcheck policy` uses it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/policies.h"

namespace wheelcheck {

// The oldest level that allows a library or a version node, and the architectures for which this is so.
struct PromisedSince {
  std::string level;  // name of the level; empty: no level of the C library allows it
  std::vector<Arch> arches;
};
// The levels that deny a symbol of a library.
struct DeniedAt {
  std::string library;
  std::vector<std::string> levels;  // oldest first
};
// What the levels of one policy family contain about a word.
struct WordMeaning {
  enum class Kind { Version, Library, Symbol };
  Kind kind = Kind::Library;
  PlatformTag::Family family = PlatformTag::Family::Manylinux;
  std::vector<PromisedSince> since;  // oldest first
  std::vector<DeniedAt> denied;      // of a symbol
};
// Explains a version node, a library or a symbol: GLIBC_2.34, libz.so.1, uncompress2. Empty if no level contains it.
std::vector<WordMeaning> explain_word(std::span<const policy::Level> levels, std::string_view word);

// A kind of mistake that validate_policies reports.
struct PolicyMistake {
  std::string_view code;  // WC902
  Severity severity = Severity::Error;
  std::string_view name;  // not-monotonic
  std::string_view text;  // what it is, why it matters, and what to do
};
std::span<const PolicyMistake> all_policy_mistakes();

}  // namespace wheelcheck
