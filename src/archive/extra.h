// The extra fields of a header (APPNOTE 4.5) of which two can change what a reader sees: ZIP64 sizes (0x0001) and the
// Unicode path of Info-ZIP (0x7075).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace wheelcheck::archive {

struct Extra {
  std::optional<std::span<const std::byte>> zip64;
  std::string flaw;  // not empty: two readers could differ about these fields; starts small
};
// `name`: the header's own, which a Unicode path must repeat.
Extra read_extra(std::span<const std::byte> bytes, std::string_view name);

}  // namespace wheelcheck::archive
