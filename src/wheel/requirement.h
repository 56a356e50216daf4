// What Requires-Dist and Requires-Python may say: the grammar of PEP 508 and the version specifiers of PEP 440, as
// `packaging` reads them.
#pragma once

#include <string>
#include <string_view>

namespace wheelcheck::wheel {

// "" where the text is valid, else what is wrong, to follow the field's name and value: "has the invalid specifier
// >1.x".
std::string requirement_problem(std::string_view requirement);  // foo[bar]>=1.0; python_version < "3.12"
std::string specifiers_problem(std::string_view specifiers);    // >=3.8,!=3.9.0

}  // namespace wheelcheck::wheel
