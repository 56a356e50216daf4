// The first byte that a deflate stream makes, told from its first symbol: most members are no files of interest by
// that byte alone, and an inflater takes longer to begin than this takes to end.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace wheelcheck::archive {

// Of a raw stream (RFC 1951), or of its beginning. Nothing where its first block makes no byte or does not begin in
// `packed`, and where zlib would refuse the block's codes.
std::optional<std::byte> first_byte(std::span<const std::byte> packed);

}  // namespace wheelcheck::archive
