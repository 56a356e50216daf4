// What holds of everything that the program writes, whatever the wheel held: strict JSON, and text that no terminal
// takes for a command. Written without the escaper of src/base, which must make it so.
#pragma once

#include <string_view>

namespace wheelcheck::fuzz {

// UTF-8 without control characters but line feeds, without characters that hide or reorder others.
void demand_plain_text(std::string_view text, std::string_view what);
// RFC 8259, UTF-8, no key twice in one object, numbers that a double holds.
void demand_strict_json(std::string_view text, std::string_view what);

}  // namespace wheelcheck::fuzz
