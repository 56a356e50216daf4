// The records at the end of a ZIP file (APPNOTE 4.3.14 to 4.3.16), which say where the central directory is.
#pragma once

#include <cstdint>
#include <string>

#include "archive/file.h"
#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::archive {

struct EndRecords {
  std::uint64_t directory_offset = 0, directory_size = 0, members = 0;
  std::string comment;  // of the archive
};
// Accepts only a directory that ends where these records start, and records that end with the file.
Result<EndRecords> read_end_records(const File& file, const Limits& limits);

}  // namespace wheelcheck::archive
