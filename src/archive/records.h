// The records of a ZIP file, in the order in which they are read: the end records, the central directory that they
// point to, and the local header of each member. Readers differ in which of them they trust, so each is compared with
// the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "archive/file.h"
#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::archive {

struct EndRecords {
  std::uint64_t directory_offset = 0, directory_size = 0, members = 0;
  std::string comment;  // the archive comment
};
// Requires that the directory ends where these records start and that the records end with the file.
Result<EndRecords> read_end_records(const File& file, const Limits& limits);

// --- The central directory of a ZIP archive (APPNOTE 4.3.12): the list of members with their names, sizes and offsets.
// Every reader except a streaming one uses it. Each record is checked while it is read.

struct Member {
  std::string name;  // as written; a directory ends in '/'
  std::uint64_t size = 0, packed_size = 0, header_offset = 0;
  std::uint64_t data_offset = 0;  // set when the local header is read
  std::uint32_t crc32 = 0;
  std::uint32_t unix_mode = 0;
  std::uint16_t flags = 0, method = 0;
  bool has_comment = false;

  bool is_directory() const { return !name.empty() && name.back() == '/'; }
};
inline constexpr std::uint64_t longest_nothing = 5;  // packed bytes of a deflate stream of one empty block
// The members in the order of the directory. Every field is checked as far as possible without the rest of the file.
Result<std::vector<Member>> read_central_directory(const File& file, const EndRecords& end, const Limits& limits);

// --- The extra fields of a header (APPNOTE 4.5). Two of them can change what a reader sees: the ZIP64 sizes (0x0001)
// and Info-ZIP's Unicode path (0x7075).

struct Extra {
  std::optional<std::span<const std::byte>> zip64;
  std::string flaw;  // if not empty: why two readers could disagree about these fields; starts with a lower-case letter
};
// `name` is the header's own name, which a Unicode path must repeat.
Extra read_extra(std::span<const std::byte> bytes, std::string_view name);

// --- Checks of the local headers (APPNOTE 4.3.7). A local header repeats a member's fields in front of its data.
// Streaming readers use the local header, other readers the central directory, so the two must agree.

// Requires that the members cover the file without gaps: the first starts at 0, each starts where the previous one
// ends, and the central directory follows the last. Requires that every local header agrees with the directory. Sets
// data_offset of the members.
Result<void> check_local_headers(const File& file, std::uint64_t directory_offset, std::span<Member> members);

}  // namespace wheelcheck::archive
