// Checks of the local headers (APPNOTE 4.3.7). A local header repeats a member's fields in front of its data. Streaming
// readers use the local header, other readers the central directory, so the two must agree.
#pragma once

#include <span>

#include "archive/central_directory.h"
#include "archive/file.h"
#include "wheelcheck/result.h"

namespace wheelcheck::archive {

// Requires that the members cover the file without gaps: the first starts at 0, each starts where the previous one
// ends, and the central directory follows the last. Requires that every local header agrees with the directory. Sets
// data_offset of the members.
Result<void> check_local_headers(const File& file, std::uint64_t directory_offset, std::span<Member> members);

}  // namespace wheelcheck::archive
