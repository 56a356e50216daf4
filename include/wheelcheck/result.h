// How wheelcheck says that it cannot answer. A bad wheel is never an Error: what is wrong inside a wheel is a Flaw in
// its facts, and a rule reports it.
#pragma once

#include <expected>
#include <string>

namespace wheelcheck {

enum class ErrorCode {
  Usage,      // the words on the command line, or a configuration value           exit 2
  BadPolicy,  // a policy file that cannot be used                                 exit 2
  NotFound,   // no such file, or nothing to check                                 exit 3
  NotAWheel,  // not a ZIP archive (exit 1), or its name is not a wheel's name      exit 3
  Rejected,   // the archive has more than one reading, or is unsafe to read       exit 1
  OverLimit,  // a limit of Limits was passed                                      exit 1
  Io,         // the system refused to read the input                              exit 3
};

struct Error {
  ErrorCode code;
  std::string message;  // starts small, no full stop; names the file or member and what to do
};

template <class T>
using Result = std::expected<T, Error>;

}  // namespace wheelcheck
