// Finds the calls in a Python file that influence the loader. The source is untrusted and may contain any bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "python/prefilter/prune.h"
#include "wheelcheck/python.h"

namespace wheelcheck::python {

// True if the source contains one of the words that every such call needs. The test is cheap, and most files contain
// none.
bool is_worth_parsing(std::string_view source);
// True if it contains the name of the call that sets the flags of dlopen.
bool may_set_flags(std::string_view source);
// Parses the whole source. Never fails: `broken` is set if the parser finds errors.
PythonFile read_source(std::string_view source, MemberIndex member, Detail detail = Detail::Events);
// Only the calls, or also the events of functions that an import may run. This is much cheaper than read_source.
// nullopt if there is no such call.
std::optional<PythonFile> read_loads(std::string_view source, MemberIndex member, Detail detail);
// The events of a file that does not need parsing: only what happens when it is imported.
PythonFile read_imports(std::string_view source, MemberIndex member);
// The same of a long file; nullopt if the code that an import may run is longer than `max` bytes. Without functions:
// only what is outside of them.
std::optional<PythonFile> read_long_imports(std::string_view source, MemberIndex member, std::uint64_t max,
                                            bool with_functions = true);

}  // namespace wheelcheck::python
