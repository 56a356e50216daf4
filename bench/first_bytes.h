// Detects ELF files from the first bits of a member's deflate stream. Inflating the start of 15,000 members only to
// read four bytes would take longer than inflating the ELF files among them.
#pragma once

#include <cstdint>
#include <span>

namespace bench {

enum class Start { Elf, Other, Unknown };  // Unknown: the first block has fewer bytes

// `packed`: the start of a raw deflate stream (RFC 1951); 600 bytes are sufficient for the output of any compressor.
Start start_of_deflated(std::span<const std::uint8_t> packed);
Start start_of_stored(std::span<const std::uint8_t> bytes);

}  // namespace bench
