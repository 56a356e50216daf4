// The plan file as written (docs/plan.schema.json), before its paths are resolved.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/process.h"
#include "wheelcheck/result.h"

namespace wheelcheck::environment {

struct WrittenOpen {
  std::string path;
  process::OpenFlags flags;
  process::OpenBy by = process::OpenBy::Import;
  std::string caller = {};  // empty: the program
  std::vector<WrittenOpen> constructors = {};
};
struct WrittenPlan {
  std::string main;  // empty: an interpreter of which only the C API is known
  std::vector<std::vector<WrittenOpen>> steps;
  std::map<std::string, std::string> variables;  // LD_*
  std::optional<process::Glibc> glibc;           // nullopt: the version of the platform
};

// `file` is used in messages. Error: Usage.
Result<WrittenPlan> parse_plan(std::string_view text, const std::string& file);

}  // namespace wheelcheck::environment
