// One Requires-Dist line (PEP 508), as far as it matters here: whom a wheel depends on, and under which extra.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/installation.h"

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

// Version specifiers of Requires-Dist lines (PEP 440, PEP 508), as far as final releases go.

// ">=1.2,<2" of "foo[bar] (>=1.2,<2); marker"; "" where any version fits.
std::string specifier_of(std::string_view requirement);
// nullopt: a version or a clause that is not compared here (pre-releases, ===, a URL).
std::optional<bool> allows(std::string_view specifier, std::string_view version);

// How a distribution is called, and which others of an installation it asks for by Requires-Dist.

// As its metadata has it, else its file name; of files that belong to none, what they are called for all.
std::string name_of_distribution(const WheelFacts& wheel);
// True for each distribution that the metadata of `distribution` asks for, by way of others too; what is asked for
// under an extra or on another system does not count.
std::vector<bool> required_by(const Installation& installation, DistributionIndex distribution);
// The same distributions, each behind those of them that it requires, else in the order given: an import of a package
// runs the imports of what it needs.
std::vector<DistributionIndex> requirements_first(const Installation& installation,
                                                  const std::vector<DistributionIndex>& order);

}  // namespace wheelcheck
