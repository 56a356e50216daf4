// The extra fields of a header (APPNOTE 4.5). Two of them can change what a reader sees: the ZIP64 sizes (0x0001) and
// Info-ZIP's Unicode path (0x7075).
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
  std::string flaw;  // if not empty: why two readers could disagree about these fields; starts with a lower-case letter
};
// `name` is the header's own name, which a Unicode path must repeat.
Extra read_extra(std::span<const std::byte> bytes, std::string_view name);

}  // namespace wheelcheck::archive
