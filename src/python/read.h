// From the source of one Python file to the calls that touch the loader. The text is a stranger's: any bytes at all.
#pragma once

#include <optional>
#include <string_view>

#include "python/prefilter/prune.h"
#include "wheelcheck/python.h"

namespace wheelcheck::python {

// Whether `source` holds any of the words without which no such call can be written. Cheap; most files have none.
bool is_worth_parsing(std::string_view source);
// Whether it holds the word for the call that sets flags of dlopen.
bool may_set_flags(std::string_view source);
// Never fails: what the parser cannot read sets `broken`. `member` is copied.
PythonFile read_source(std::string_view source, MemberIndex member);
// The calls alone, or with what functions that an import may run do besides, at a fraction of the cost; nothing where
// no such call is written.
std::optional<PythonFile> read_loads(std::string_view source, MemberIndex member, Detail detail);
// The same for a file that is not worth parsing, as far as what happens when it is imported goes.
PythonFile read_imports(std::string_view source, MemberIndex member);

}  // namespace wheelcheck::python
