// Converts policy documents to levels. The formats are that of policies/schema/policy.schema.json and that of
// auditwheel.
#pragma once

#include <string_view>
#include <vector>

#include "policy/document.h"
#include "policy/level.h"

namespace wheelcheck::policy {

// The levels of a file, oldest first. If `problems` is not empty afterwards, the levels must not be used.
std::vector<Level> read_levels(std::string_view text, Problems& problems);

// Reads one object in the format of the schema.
Level read_level(const Cursor& document);
// Reads auditwheel's format: an array of objects. Each is a level, except "linux".
std::vector<Level> read_auditwheel(const Cursor& document);

// The libc version that the version nodes of a level imply: the highest GLIBC version of each architecture, and the
// lowest of these. {} if there is none.
Version libc_of_nodes(const Level& level);

}  // namespace wheelcheck::policy
