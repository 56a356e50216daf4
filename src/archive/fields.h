// Helpers for the fixed-size structures of ZIP files: signatures, flags, field access, and errors that refuse an
// archive. Section numbers refer to PKWARE's APPNOTE.TXT 6.3.10.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "base/fail.h"
#include "base/text.h"
#include "wheelcheck/result.h"

namespace wheelcheck::archive {

inline constexpr std::uint32_t local_signature = 0x04034b50, central_signature = 0x02014b50,
                               descriptor_signature = 0x08074b50, end_signature = 0x06054b50,
                               zip64_end_signature = 0x06064b50, zip64_locator_signature = 0x07064b50;
inline constexpr std::size_t local_length = 30, central_length = 46, end_length = 22, zip64_end_length = 56,
                             zip64_locator_length = 20;
inline constexpr std::uint16_t no_16 = 0xFFFF;  // the value is in the ZIP64 structure (4.4.1.4)
inline constexpr std::uint32_t no_32 = 0xFFFFFFFF;

// General purpose bits (4.4.4) that do not change the meaning of the data for any reader: compression effort (1, 2), a
// data descriptor follows (3), the name is UTF-8 (11).
inline constexpr std::uint16_t descriptor_flag = 1 << 3, utf8_flag = 1 << 11;
inline constexpr std::uint16_t known_flags = 1 << 1 | 1 << 2 | descriptor_flag | utf8_flag;

// A record whose length is already checked.
class Fields {
 public:
  explicit Fields(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::uint16_t u16(std::uint64_t at) const { return bytes_.read<std::uint16_t>(at).value_or(0); }
  std::uint32_t u32(std::uint64_t at) const { return bytes_.read<std::uint32_t>(at).value_or(0); }
  std::uint64_t u64(std::uint64_t at) const { return bytes_.read<std::uint64_t>(at).value_or(0); }

 private:
  Bytes bytes_;
};

// The version of ZIP that a reader needs. The upper byte may repeat the system of "version made by" (APPNOTE 4.4.3), as
// in cefpython3 66.0; CPython's zipfile and uv ignore it.
inline unsigned zip_version(std::uint16_t field) { return field & 0xFFU; }

inline std::string_view text_of(std::span<const std::byte> bytes) { return Bytes(bytes).as_text(); }

template <class... Args>
std::unexpected<Error> reject(fmt::format_string<Args...> format, Args&&... args) {
  return fail(ErrorCode::Rejected, fmt::format(format, std::forward<Args>(args)...));
}
// "member pkg/a.so: REASON"
template <class... Args>
std::unexpected<Error> reject_member(std::string_view name, fmt::format_string<Args...> format, Args&&... args) {
  return reject("member {}: {}", escape(name), fmt::format(format, std::forward<Args>(args)...));
}
template <class T>
std::unexpected<Error> pass_on(Result<T>& failed) {
  return std::unexpected(std::move(failed.error()));
}

}  // namespace wheelcheck::archive
