// The central directory (APPNOTE 4.3.12): the list of members, each checked on its own and against the others.
#include <algorithm>
#include <array>
#include <iterator>
#include <span>

#include "archive/fields.h"
#include "archive/records.h"

namespace wheelcheck::archive {

namespace {

// DEFLATE's best ratio: a match of 258 bytes takes at least two bits. The slack is for the smallest streams.
constexpr std::uint64_t best_ratio = 1032, ratio_slack = 1024;

constexpr std::uint16_t type_mask = 0170000, directory_type = 0040000,
                        regular_type = 0100000;  // values of <sys/stat.h>

Result<void> check_flags(const Member& m) {
  if (m.flags & 1 << 0 || m.flags & 1 << 6) return reject_member(m.name, "it is encrypted");
  if (m.flags & 1 << 5) return reject_member(m.name, "it contains patch data, not a file");
  if (m.flags & 1 << 13) return reject_member(m.name, "its header is masked");
  if (m.flags & ~known_flags)
    return reject_member(m.name, "its flags 0x{:04x} have bits that mean nothing in a wheel", m.flags);
  if (m.method != 0 && m.method != 8)
    return reject_member(m.name, "it is packed by method {}; a wheel may only store (0) or deflate (8)", m.method);
  if (m.flags & descriptor_flag && m.method == 0)
    return reject_member(m.name, "it is stored, and its size is written only behind its bytes");
  return {};
}

// Values that are all ones in the header are in its ZIP64 field, in this order and without others (4.5.3).
Result<void> apply_zip64(Member& m, std::uint16_t& disk, const Extra& extra) {
  const std::array<std::uint64_t*, 3> values = {&m.size, &m.packed_size, &m.header_offset};
  const auto missing = static_cast<std::size_t>(std::ranges::count_if(values, [](auto* v) { return *v == no_32; }));
  const bool no_disk = disk == no_16;
  if (!extra.zip64) {
    if (missing != 0 || no_disk) return reject_member(m.name, "its ZIP64 extra field is missing");
    return {};
  }
  const Fields fields(*extra.zip64);
  const std::size_t length = extra.zip64->size();
  if (const std::size_t needed = 8 * missing + (no_disk ? 4 : 0); length != needed)
    return reject_member(m.name, "its ZIP64 extra field has {} bytes, not the {} that its header requires", length,
                         needed);
  std::size_t at = 0;
  for (std::uint64_t* value : values) {
    if (*value != no_32) continue;
    *value = fields.u64(at);
    at += 8;
  }
  if (no_disk) disk = fields.u32(at) == 0 ? 0 : 1;
  return {};
}

Result<void> check_sizes(const Member& m, const Limits& limits) {
  // CPython deflates the empty content of a directory. The check of the local header verifies that it is empty.
  if (m.is_directory() && (m.size != 0 || m.packed_size > longest_nothing || m.crc32 != 0))
    return reject_member(m.name, "a directory with {} bytes of data", std::max(m.size, m.packed_size));
  if (m.method == 0 && m.size != m.packed_size)
    return reject_member(m.name, "it is stored, but its two sizes are {} and {}", m.packed_size, m.size);
  if (m.size > limits.member_bytes)
    return fail(ErrorCode::OverLimit,
                "member {}: it has {} bytes, over the limit of {} for one member; raise it with --limit member-bytes=N",
                escape(m.name), m.size, limits.member_bytes);
  const auto max = checked_multiply(m.packed_size, best_ratio);
  if (max && m.size > ratio_slack && m.size - ratio_slack > *max)
    return reject_member(m.name, "{} packed bytes cannot contain the {} that are declared", m.packed_size, m.size);
  return {};
}

// Readers take the type from the name, from the Unix mode or from the DOS attributes, so all three must agree.
Result<void> check_type(const Member& m, std::uint8_t host, std::uint32_t attributes) {
  const std::uint32_t type = m.unix_mode & type_mask;
  const bool dos_directory = (host == 0 || host == 10 || host == 11) && (attributes & 0x10) != 0;  // FAT, NTFS (4.4.2)
  if (!m.is_directory() && (type == directory_type || dos_directory))
    return reject_member(m.name, "a directory by its attributes, a file by its name");
  if (m.is_directory() && type != 0 && type != directory_type && type != regular_type)
    return reject_member(m.name, "a directory by its name, a special file by its attributes");
  return {};
}

struct Parsed {
  Member member;
  std::uint64_t length = 0;  // bytes of the record
};

Result<Parsed> read_member(Window& window, std::uint64_t offset, std::uint64_t left, const Limits& limits) {
  if (left < central_length) return reject("the central directory is cut short at {}", offset);
  const auto head = window.at(offset, central_length);
  if (!head) return std::unexpected(head.error());
  const Fields fixed(*head);
  if (fixed.u32(0) != central_signature) return reject("the central directory has no entry at {}", offset);
  const std::size_t name_length = fixed.u16(28), extra_length = fixed.u16(30), comment_length = fixed.u16(32);
  const std::size_t length = central_length + name_length + extra_length + comment_length;
  if (length > left) return reject("the central directory is cut short in its entry at {}", offset);
  const auto record = window.at(offset, length);
  if (!record) return std::unexpected(record.error());
  const Fields f(*record);
  Member m{.name = std::string(text_of(record->subspan(central_length, name_length))),
           .size = f.u32(24),
           .packed_size = f.u32(20),
           .header_offset = f.u32(42),
           .crc32 = f.u32(16),
           .unix_mode = f.u32(38) >> 16,
           .flags = f.u16(8),
           .method = f.u16(10),
           .has_comment = comment_length != 0};
  if (m.name.size() > limits.name_bytes)
    return fail(ErrorCode::OverLimit,
                "member {}: its name has {} bytes, over the limit of {}; raise it with --limit name-bytes=N",
                escape(m.name), m.name.size(), limits.name_bytes);
  if (const unsigned version = zip_version(f.u16(6)); version > 45)
    return reject_member(m.name, "it needs version {} of ZIP, above 45", version);
  if (auto ok = check_flags(m); !ok) return pass_on(ok);
  const Extra extra = read_extra(record->subspan(central_length + name_length, extra_length), m.name);
  if (!extra.flaw.empty()) return reject_member(m.name, "{}", extra.flaw);
  std::uint16_t disk = f.u16(34);
  if (auto ok = apply_zip64(m, disk, extra); !ok) return pass_on(ok);
  if (disk != 0) return reject_member(m.name, "it lies in another part of the archive");
  if (auto ok = check_type(m, static_cast<std::uint8_t>(f.u16(4) >> 8), f.u32(38)); !ok) return pass_on(ok);
  if (auto ok = check_sizes(m, limits); !ok) return pass_on(ok);
  return Parsed{std::move(m), length};
}

}  // namespace

Result<std::vector<Member>> read_central_directory(const File& file, const EndRecords& end, const Limits& limits) {
  std::vector<Member> members;
  Window window(file, 64 * 1024);
  std::uint64_t offset = end.directory_offset, left = end.directory_size;
  while (left != 0) {
    if (members.size() == end.members)
      return reject("the central directory goes on behind the {} members that the end record counts", end.members);
    auto parsed = read_member(window, offset, left, limits);
    if (!parsed) return pass_on(parsed);
    offset += parsed->length;
    left -= parsed->length;
    members.push_back(std::move(parsed->member));
  }
  if (members.size() != end.members)
    return reject("the end record counts {} members, the central directory lists {}", end.members, members.size());
  return members;
}

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
      // The payload is a version, the CRC-32 of the header's name, and the path. Some readers ignore the field if the
      // CRC differs, others do not check it. Only a path that is equal to the name is safe.
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
