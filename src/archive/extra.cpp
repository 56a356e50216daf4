#include "archive/extra.h"

#include <algorithm>
#include <iterator>

#include "archive/fields.h"

namespace wheelcheck::archive {
namespace {

// Fields that change neither name, type nor content for any reader: sizes, the checked path, times, owners, padding.
// All others are refused: libarchive takes a file's mode, thus a symbolic link, from 0x6c78 of the local header, and
// unzip from 0x756e.
bool is_harmless(std::uint16_t id) {
  constexpr std::uint16_t ids[] = {0x0001,          // ZIP64
                                   0x7075,          // Info-ZIP Unicode path
                                   0x000a,          // NTFS times
                                   0x5455, 0x5855,  // Info-ZIP times
                                   0x7855, 0x7875,  // Info-ZIP owners
                                   0xa11e, 0xd935,  // padding for alignment
                                   0xcafe};         // Java archive
  return std::ranges::find(ids, id) != std::end(ids);
}

}  // namespace

Extra read_extra(std::span<const std::byte> bytes, std::string_view name) {
  Extra extra;
  bool has_path = false;
  while (!bytes.empty()) {
    if (bytes.size() < 4) return {.flaw = "its extra fields end in the middle of one"};
    const Fields head(bytes);
    const std::size_t length = head.u16(2);
    if (length > bytes.size() - 4) return {.flaw = "an extra field is longer than all of them"};
    const auto payload = bytes.subspan(4, length);
    if (head.u16(0) == 0x0001) {
      if (extra.zip64) return {.flaw = "it has two ZIP64 extra fields"};
      extra.zip64 = payload;
    } else if (head.u16(0) == 0x7075) {
      if (has_path) return {.flaw = "it has two Unicode path extra fields"};
      has_path = true;
      // Version, CRC-32 of the header's name, the path. A reader that finds another CRC ignores the field, another does
      // not look: only a path that says the same thing is safe.
      if (length < 5 || text_of(payload.subspan(5)) != name)
        return {.flaw = length < 5 ? "its Unicode path extra field is too short"
                                   : "its Unicode path extra field gives it another name: " +
                                         escape(text_of(payload.subspan(5)))};
    }
    if (!is_harmless(head.u16(0)))
      return {.flaw = fmt::format("it has an extra field 0x{:04x}, by which some readers take it for another type or "
                                  "other content",
                                  head.u16(0))};
    bytes = bytes.subspan(4 + length);
  }
  return extra;
}

}  // namespace wheelcheck::archive
