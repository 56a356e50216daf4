// The JSON Schemas that the build compiled into the program, for `wheelcheck schema`.
#pragma once

#include <string_view>
#include <vector>

namespace wheelcheck::report {

// "report" is the format json; the other names are those of the files: report.schema.json -> report. Empty if there is
// none of that name.
std::string_view find_schema(std::string_view name);
// Names that find_schema knows, sorted.
std::vector<std::string_view> schema_names();

}  // namespace wheelcheck::report
