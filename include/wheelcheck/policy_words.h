// What a word of a policy stands for, across all levels: since when it is promised, and where it is denied.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/policies.h"

namespace wheelcheck {

// Since which level a library or a version node is promised, for the architectures of which that is so.
struct PromisedSince {
  std::string level;  // name; empty: no level of the C library promises it
  std::vector<Arch> arches;
};
struct DeniedAt {
  std::string library;
  std::vector<std::string> levels;  // oldest first
};
struct WordMeaning {
  enum class Kind { Version, Library, Symbol };
  Kind kind = Kind::Library;
  PlatformTag::Family family = PlatformTag::Family::Manylinux;
  std::vector<PromisedSince> since;  // oldest first
  std::vector<DeniedAt> denied;      // of a symbol
};
// GLIBC_2.34, libz.so.1, uncompress2: empty where no level knows the word.
std::vector<WordMeaning> explain_word(std::span<const policy::Level> levels, std::string_view word);

// A kind of mistake that validate_policies finds.
struct PolicyMistake {
  std::string_view code;  // WC902
  Severity severity = Severity::Error;
  std::string_view name;  // not-monotonic
  std::string_view text;  // what it is, why it matters, and what to do
};
std::span<const PolicyMistake> all_policy_mistakes();

}  // namespace wheelcheck
