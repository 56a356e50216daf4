// The JSON Schemas that are compiled into the program, for `wheelcheck schema`.
#pragma once

#include <string_view>
#include <vector>

namespace wheelcheck::report {

// "report" is the schema of the format json; the other names are those of the files without ".schema.json". Empty if
// there is no schema of that name.
std::string_view find_schema(std::string_view name);
// The names that find_schema accepts, sorted.
std::vector<std::string_view> schema_names();

}  // namespace wheelcheck::report
