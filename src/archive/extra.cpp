#include "archive/extra.h"

#include "archive/fields.h"

namespace wheelcheck::archive {

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
      // The payload is a version, the CRC-32 of the header's name, and the path. Some readers ignore the field if the
      // CRC differs, others do not check it. Only a path that is equal to the name is safe.
      if (length < 5 || text_of(payload.subspan(5)) != name)
        return {.flaw = length < 5 ? "its Unicode path extra field is too short"
                                   : "its Unicode path extra field gives it another name: " +
                                         escape(text_of(payload.subspan(5)))};
    }
    bytes = bytes.subspan(4 + length);
  }
  return extra;
}

}  // namespace wheelcheck::archive
