// Properties of all output, for any wheel: strict JSON, and text without terminal control sequences. The checks do not
// use the escape functions of src/base, which must ensure these properties.
#pragma once

#include <string_view>

namespace wheelcheck::fuzz {

// Requires UTF-8 without control characters except line feeds, and without characters that hide or reorder others.
void demand_plain_text(std::string_view text, std::string_view what);
// Requires RFC 8259 JSON in UTF-8, without duplicate keys, with numbers that a double can represent.
void demand_strict_json(std::string_view text, std::string_view what);

}  // namespace wheelcheck::fuzz
