// `wheelcheck diff OLD NEW`: what changed between two releases, for people, for release notes and for programs.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "wheelcheck/diff.h"

namespace wheelcheck::report {

struct DiffOptions {
  bool colour = false;
  std::function<std::string(std::string_view)> demangle;  // empty: names are shown as they stand
};
std::string render_diff_text(const Diff& diff, const DiffOptions& options);
std::string render_diff_markdown(const Diff& diff, const DiffOptions& options);
std::string render_diff_json(const Diff& diff);  // docs/diff.schema.json

}  // namespace wheelcheck::report
