// Errors. An Error means that wheelcheck cannot give an answer. A defect inside of a wheel is not an Error: it is a
// Flaw or WheelFlaw in the facts, and a rule reports it.
#pragma once

#include <expected>
#include <string>

namespace wheelcheck {

enum class ErrorCode {
  Usage,      // command line or configuration value                              exit 2
  BadPolicy,  // a policy or knowledge file that cannot be used                    exit 2
  NotFound,   // no such file, or nothing to check                                 exit 3
  NotAWheel,  // not a ZIP archive (exit 1), or not the file name of a wheel       exit 3
  Rejected,   // the archive is ambiguous or unsafe to read                        exit 1
  OverLimit,  // a limit of Limits is exceeded                                     exit 1
  Io,         // the operating system refuses to read the input                    exit 3
};

struct Error {
  ErrorCode code;
  // Starts with a lower-case letter, without a full stop. Names the file or member and what to do.
  std::string message;
};

template <class T>
using Result = std::expected<T, Error>;

}  // namespace wheelcheck
