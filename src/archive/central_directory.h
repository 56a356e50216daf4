// The central directory of a ZIP archive (APPNOTE 4.3.12): the list of members with their names, sizes and offsets.
// Every reader except a streaming one uses it. Each record is checked while it is read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "archive/end_records.h"
#include "archive/file.h"
#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::archive {

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

}  // namespace wheelcheck::archive
