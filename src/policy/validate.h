// Policy documents as levels: the format of policies/schema/policy.schema.json, and auditwheel's.
#pragma once

#include <string_view>
#include <vector>

#include "policy/document.h"
#include "policy/level.h"

namespace wheelcheck::policy {

// A file's levels, oldest first. What is wrong goes to `problems`; then the levels are of no use.
std::vector<Level> read_levels(std::string_view text, Problems& problems);

// One object in the format of the schema.
Level read_level(const Cursor& document);
// auditwheel's format: an array of objects, each a level but for "linux".
std::vector<Level> read_auditwheel(const Cursor& document);

// The libc that the version nodes of a level speak of: for each architecture the greatest GLIBC number, of these the
// least. {} where there is none.
Version libc_of_nodes(const Level& level);

}  // namespace wheelcheck::policy
