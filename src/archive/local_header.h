// The local headers (APPNOTE 4.3.7), which a streaming reader believes, held against the central directory.
#pragma once

#include <span>

#include "archive/central_directory.h"
#include "archive/file.h"
#include "wheelcheck/result.h"

namespace wheelcheck::archive {

// Demands that the members tile the file: the first at 0, each next where the last one ends, the directory right
// behind. Demands that every local header says what the directory says. Sets data_offset.
Result<void> check_local_headers(const File& file, std::uint64_t directory_offset, std::span<Member> members);

}  // namespace wheelcheck::archive
