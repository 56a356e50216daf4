// Local headers (APPNOTE 4.3.7), which must say the same as the central directory.
#include <algorithm>
#include <vector>

#include "archive/fields.h"
#include "archive/records.h"

namespace wheelcheck::archive {
namespace {

// One of the two sizes: the 32-bit field, the ZIP64 field if there is one, and the value of the central directory.
struct Size {
  const char* what;
  std::uint32_t small;
  std::optional<std::uint64_t> large;
  std::uint64_t central;
};

Result<void> check_size(const Member& m, const Size& size) {
  const bool later = (m.flags & descriptor_flag) != 0;  // 0 means "see the data descriptor"
  const auto agrees = [&](std::uint64_t value) { return value == size.central || (later && value == 0); };
  if (size.small == no_32 && !size.large) return reject_member(m.name, "its local header lacks its ZIP64 extra field");
  if (size.small != no_32 && !agrees(size.small))
    return reject_member(m.name, "{} {} in its local header, {} in the central directory", size.what, size.small,
                         size.central);
  if (size.large && !agrees(*size.large))
    return reject_member(m.name, "{} {} in the ZIP64 extra field of its local header, {} in the central directory",
                         size.what, *size.large, size.central);
  return {};
}

// Checks the data descriptor behind the data (4.3.9): CRC-32 and sizes, with or without a signature. The sizes have 8
// bytes if the local header has a ZIP64 field.
Result<void> check_descriptor(const Member& m, std::span<const std::byte> bytes, bool zip64) {
  const std::size_t plain = zip64 ? 20 : 12;
  const Fields f(bytes);
  if (bytes.size() != plain && (bytes.size() != plain + 4 || f.u32(0) != descriptor_signature))
    return reject_member(m.name, "it has no data descriptor of {} or {} bytes behind its data, but {} bytes", plain,
                         plain + 4, bytes.size());
  const std::size_t at = bytes.size() - plain;
  const std::uint64_t packed = zip64 ? f.u64(at + 4) : f.u32(at + 4);
  const std::uint64_t size = zip64 ? f.u64(at + 12) : f.u32(at + 8);
  if (f.u32(at) != m.crc32)
    return reject_member(m.name, "CRC-32 {:08x} in its data descriptor, {:08x} in the central directory", f.u32(at),
                         m.crc32);
  if (packed != m.packed_size)
    return reject_member(m.name, "packed size {} in its data descriptor, {} in the central directory", packed,
                         m.packed_size);
  if (size != m.size)
    return reject_member(m.name, "size {} in its data descriptor, {} in the central directory", size, m.size);
  return {};
}

struct Local {
  std::uint64_t data_offset = 0;
  bool zip64 = false;
};

Result<void> check_fixed(const Member& m, const Fields& f) {
  if (const unsigned version = zip_version(f.u16(4)); version > 45)
    return reject_member(m.name, "its local header needs version {} of ZIP, above 45", version);
  if (f.u16(6) != m.flags)
    return reject_member(m.name, "flags 0x{:04x} in its local header, 0x{:04x} in the central directory", f.u16(6),
                         m.flags);
  if (f.u16(8) != m.method)
    return reject_member(m.name, "method {} in its local header, {} in the central directory", f.u16(8), m.method);
  const bool later = (m.flags & descriptor_flag) != 0;
  if (f.u32(14) != m.crc32 && !(later && f.u32(14) == 0))
    return reject_member(m.name, "CRC-32 {:08x} in its local header, {:08x} in the central directory", f.u32(14),
                         m.crc32);
  return {};
}

// `end` is the start of the next member or of the directory.
Result<Local> check_header(Window& window, const Member& m, std::uint64_t end) {
  const std::uint64_t space = end - m.header_offset;
  if (space < local_length)
    return reject_member(m.name, "its local header at {} overlaps what follows at {}", m.header_offset, end);
  const auto head = window.at(m.header_offset, local_length);
  if (!head) return std::unexpected(head.error());
  if (Fields(*head).u32(0) != local_signature)
    return reject_member(m.name, "the central directory points to {}, where no local header is", m.header_offset);
  const std::size_t name_length = Fields(*head).u16(26), extra_length = Fields(*head).u16(28);
  const std::size_t length = local_length + name_length + extra_length;
  if (length > space || m.packed_size > space - length)
    return reject_member(m.name, "its {} packed bytes at {} overlap what follows at {}", m.packed_size,
                         m.header_offset + length, end);
  const auto record = window.at(m.header_offset, length);
  if (!record) return std::unexpected(record.error());
  const std::string_view name = text_of(record->subspan(local_length, name_length));
  if (name != m.name) return reject_member(m.name, "its local header calls it {}", escape(name));
  const Fields f(*record);
  if (auto ok = check_fixed(m, f); !ok) return pass_on(ok);
  const Extra extra = read_extra(record->subspan(local_length + name_length), m.name);
  if (!extra.flaw.empty()) return reject_member(m.name, "in its local header, {}", extra.flaw);
  Size packed{"packed size", f.u32(18), std::nullopt, m.packed_size};
  Size size{"size", f.u32(22), std::nullopt, m.size};
  if (extra.zip64) {
    if (extra.zip64->size() != 16)  // both sizes must be present (4.5.3)
      return reject_member(m.name, "the ZIP64 extra field of its local header has {} bytes, not 16",
                           extra.zip64->size());
    size.large = Fields(*extra.zip64).u64(0);
    packed.large = Fields(*extra.zip64).u64(8);
  }
  if (auto ok = check_size(m, packed); !ok) return pass_on(ok);
  if (auto ok = check_size(m, size); !ok) return pass_on(ok);
  return Local{m.header_offset + length, extra.zip64.has_value()};
}

// A directory's packed bytes are empty, or one empty deflate block, compressed or stored (RFC 1951, 3.2.3).
Result<void> check_nothing(Window& window, const Member& m, const Local& local) {
  const auto packed = window.at(local.data_offset, static_cast<std::size_t>(m.packed_size));
  if (!packed) return std::unexpected(packed.error());
  const std::string_view bytes = text_of(*packed);
  using namespace std::string_view_literals;
  if (bytes.empty() || (m.method == 8 && (bytes == "\3\0"sv || bytes == "\1\0\0\xff\xff"sv))) return {};
  return reject_member(m.name, "a directory with {} bytes of data", m.packed_size);
}

// Checks the bytes between the end of `m`'s data and the next structure: a data descriptor or nothing.
Result<void> check_gap(Window& window, const Member& m, const Local& local, std::uint64_t end) {
  const std::uint64_t data_end = local.data_offset + m.packed_size, gap = end - data_end;
  if (m.flags & descriptor_flag) {
    const auto bytes = window.at(data_end, static_cast<std::size_t>(std::min<std::uint64_t>(gap, 25)));
    if (!bytes) return std::unexpected(bytes.error());
    return check_descriptor(m, *bytes, local.zip64);
  }
  if (gap == 0) return {};
  if (gap >= 4) {
    const auto word = window.at(data_end, 4);
    if (!word) return std::unexpected(word.error());
    if (Fields(*word).u32(0) == local_signature)
      return reject_member(m.name, "behind it is a file that the central directory does not list");
  }
  return reject_member(m.name, "{} bytes behind it belong to no member", gap);
}

}  // namespace

Result<void> check_local_headers(const File& file, std::uint64_t directory_offset, std::span<Member> members) {
  std::vector<std::uint32_t> order(members.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::pair(members[i].header_offset, i); });
  if (order.empty() && directory_offset != 0)
    return reject("{} bytes are before an archive without members", directory_offset);
  for (const Member& m : members)
    if (m.header_offset >= directory_offset)
      return reject_member(m.name, "the central directory points to {}, which is not before itself", m.header_offset);
  Window window(file, 8 * 1024);
  std::uint64_t expected = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    Member& m = members[order[i]];
    if (m.header_offset != expected)
      return reject("{} bytes are before the first member, {}", m.header_offset - expected, escape(m.name));
    const std::uint64_t end = i + 1 < order.size() ? members[order[i + 1]].header_offset : directory_offset;
    if (end == m.header_offset)
      return reject_member(m.name, "the central directory lists the same bytes again as {}",
                           escape(members[order[i + 1]].name));
    const auto local = check_header(window, m, end);
    if (!local) return std::unexpected(local.error());
    if (m.is_directory())
      if (auto ok = check_nothing(window, m, *local); !ok) return pass_on(ok);
    if (auto ok = check_gap(window, m, *local, end); !ok) return pass_on(ok);
    m.data_offset = local->data_offset;
    expected = end;
  }
  return {};
}

}  // namespace wheelcheck::archive
