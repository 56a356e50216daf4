// CRC-32 as ZIP has it (APPNOTE 4.4.7), by the fastest of the libraries for this processor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace wheelcheck::archive {

// Of what `crc` is the sum of (0: of nothing), followed by `bytes`.
std::uint32_t crc32(std::uint32_t crc, std::span<const std::byte> bytes);

}  // namespace wheelcheck::archive
