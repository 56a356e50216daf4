// Version numbers and project names as Python packaging compares them (PEP 440, PEP 503): two spellings of one version
// or name must not be called a mismatch.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wheelcheck::wheel {

// A text that is equal for equal versions: 1.0 and v1.0.0, 1.0-1 and 1.0.post1, 1.0a and 1.0alpha0. Nothing for a text
// that is no version.
std::optional<std::string> comparable_version(std::string_view text);

// Both are versions, and the same one.
bool same_version(std::string_view a, std::string_view b);

// Lower case, each run of '-', '_' and '.' as one '-'.
std::string normal_name(std::string_view text);

}  // namespace wheelcheck::wheel
