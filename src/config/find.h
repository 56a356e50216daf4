// Which file configures a run: the nearest upward from the current directory, as other tools of Python look for theirs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "wheelcheck/result.h"

namespace wheelcheck::config {

struct Found {
  std::string path;  // relative to the current directory
  std::string text;
};
Result<std::string> read_text(const std::string& path, std::uint64_t largest = 1 << 20);  // bytes. Usage
// wheelcheck.toml, or a pyproject.toml with a [tool.wheelcheck]; of two in one directory the first.
Result<std::optional<Found>> find_config();

}  // namespace wheelcheck::config
