// One Requires-Dist line (PEP 508), as far as it matters here: whom a wheel depends on, and under which extra.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelcheck {

// Lower case, each run of '-', '_' and '.' as one '-' (PEP 503).
std::string normal_project_name(std::string_view text);

struct Dependency {
  std::string name;                  // normalised
  std::vector<std::string> extras;   // of that distribution: cuda-toolkit[cublas,cudart]
  std::optional<std::string> under;  // the extra that asks for it, if its marker names one
  bool for_linux = true;             // false where the marker asks for another system
};
// Never fails: a line that starts with no name gives an empty one.
Dependency parse_dependency(std::string_view line);

}  // namespace wheelcheck
