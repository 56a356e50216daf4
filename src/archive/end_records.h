// The records at the end of a ZIP file (APPNOTE 4.3.14 to 4.3.16): the end of central directory record and its ZIP64
// form. They contain the position of the central directory, so every reader starts here.
#pragma once

#include <cstdint>
#include <string>

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

}  // namespace wheelcheck::archive
