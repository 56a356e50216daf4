// Makes the Error of a function that returns a Result:
//   return fail(ErrorCode::Usage, "{}: no such file", escape(path));
#pragma once

#include <fmt/format.h>

#include <expected>
#include <string>
#include <utility>

#include "wheelcheck/result.h"

namespace wheelcheck {

inline std::unexpected<Error> fail(ErrorCode code, std::string message) {
  return std::unexpected(Error{code, std::move(message)});
}
template <class First, class... Args>
std::unexpected<Error> fail(ErrorCode code, fmt::format_string<First, Args...> format, First&& first, Args&&... args) {
  return fail(code, fmt::format(format, std::forward<First>(first), std::forward<Args>(args)...));
}

}  // namespace wheelcheck
