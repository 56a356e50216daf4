// Whether a member is an ELF file, by the first bits of its deflate stream. Inflating the start of 15,000 members only
// to look at four bytes would cost more than inflating the ELF files among them.
#pragma once

#include <cstdint>
#include <span>

namespace bench {

enum class Start { Elf, Other, Unknown };  // Unknown: the first block holds fewer bytes

// `packed`: the start of a raw deflate stream (RFC 1951); 600 bytes are always enough for what a compressor writes.
Start start_of_deflated(std::span<const std::uint8_t> packed);
Start start_of_stored(std::span<const std::uint8_t> bytes);

}  // namespace bench
