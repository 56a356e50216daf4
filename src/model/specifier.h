// Version specifiers of Requires-Dist lines (PEP 440, PEP 508), as far as final releases go.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wheelcheck {

// ">=1.2,<2" of "foo[bar] (>=1.2,<2); marker"; "" where any version fits.
std::string specifier_of(std::string_view requirement);
// nullopt: a version or a clause that is not compared here (pre-releases, ===, a URL).
std::optional<bool> allows(std::string_view specifier, std::string_view version);

}  // namespace wheelcheck
