// WC717: Python code that exceeds the limits of the reader, so that part of it was not read.
#include "rules/common.h"

namespace wheelcheck::rules::python_not_read {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for (const PythonFile& file : view.wheel.python) {
    if (!file.cut) continue;
    emit({.place = AtMember{file.member},
          .message =
              "was not read completely: it is bytecode, or in an encoding (PEP 263) that does not contain ASCII, "
              "or it runs a text that loads libraries, or it is longer, or takes more steps, than real code that loads "
              "libraries",
          .evidence = {},
          .fix = "look at the file; split generated code into several files",
          .severity = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC717",
    .name = "python-not-read",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::python_not_read
