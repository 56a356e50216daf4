// Finds annotations and decorators that only some CPythons can evaluate when a file is imported: TypeError.
#pragma once

#include <optional>

#include "python/prefilter/lines.h"
#include "wheelcheck/python.h"

namespace wheelcheck::python {

// The one that needs the newest CPython; the first of several. Of a module and of classes in it, outside of functions
// and of every condition: `list[int]` (PEP 585), `X | None` and `int | str` (PEP 604) in annotations, without `from
// __future__ import annotations`; keywords of @dataclass.
std::optional<PythonSyntax> evaluated_syntax(const Lines& lines);

}  // namespace wheelcheck::python
