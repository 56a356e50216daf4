// WC725: the import of a wheel runs a file with syntax that a claimed CPython refuses.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "rules/archive/claimed_pythons.h"
#include "rules/common.h"
#include "rules/own_modules.h"

namespace wheelcheck::rules::syntax_unsupported {
namespace {

// Releases that nobody installs any more: pip 21 and newer need CPython 3.6.
bool is_for_old_pythons(const PythonSyntax& syntax) {
  constexpr int oldest = 6;
  return syntax.since != PythonSyntax::only_python_2 && syntax.since <= oldest;
}

struct Found {
  const PythonFile* file = nullptr;
  const PythonSyntax* syntax = nullptr;
  std::string pythons;      // those that refuse it: "3.9", "3.6 to 3.9"
  bool old_python = false;  // only CPython 2.7, which the tag py2 claims
};

std::optional<Found> judge(const WheelFacts& wheel, const PythonFile& file, const PythonSyntax& syntax,
                           const std::vector<int>& claimed) {
  std::vector<int> without;
  const bool old = syntax.since == PythonSyntax::only_python_2;
  for (const int minor : claimed)
    if (old || minor < syntax.since) without.push_back(minor);
  // Without a lower bound nothing is promised for old releases.
  if (!without.empty() && (old || has_lower_bound(wheel))) return Found{&file, &syntax, span_text(without), false};
  if (!old && claims_python_2(wheel)) return Found{&file, &syntax, "2.7", true};
  return std::nullopt;
}

void check(const WheelView& view, const Emit& emit) {
  if (!is_searched(view.wheel) || !view.wheel.metadata) return;
  const std::map<MemberIndex, std::string> files = files_that_run(view.wheel);
  const std::vector<int> claimed = claimed_pythons(view.wheel);
  std::vector<Found> all;
  for (const PythonFile& file : view.wheel.python) {
    if (!files.contains(file.member)) continue;
    for (const PythonSyntax& syntax : file.syntax)
      if (auto found = judge(view.wheel, file, syntax, claimed)) all.push_back(std::move(*found));
  }
  if (all.empty()) return;
  const auto weight = [](const Found& found) { return std::pair(found.old_python, -found.syntax->since); };
  const Found& worst = *std::ranges::min_element(all, {}, weight);
  const std::string path = view.wheel.members[worst.file->member.value].path.text();
  std::vector<std::string> others;
  for (const Found& one : all)
    if (one.file != worst.file)
      others.push_back(fmt::format("{}:{}", view.wheel.members[one.file->member.value].path.text(), one.syntax->line));
  std::vector<Evidence> evidence{{"line", std::to_string(worst.syntax->line)}, {"CPython without it", worst.pythons}};
  if (!others.empty()) evidence.push_back({"also", list_of(others)});
  const bool old = worst.syntax->since == PythonSyntax::only_python_2;
  const std::string& wanted = view.wheel.metadata->requires_python;
  emit({.place = AtPath{path},
        .message =
            fmt::format("line {} has {}, which {}: {} raises {} there, and {}", worst.syntax->line, worst.syntax->what,
                        old ? std::string("only CPython 2 knows")
                            : fmt::format("CPython before 3.{} {}", worst.syntax->since,
                                          worst.syntax->evaluated ? "cannot evaluate" : "does not know"),
                        what_runs(view.wheel, below_site(path), files.at(worst.file->member)),
                        worst.syntax->evaluated ? "TypeError" : "SyntaxError",
                        worst.old_python ? "the wheel claims py2"
                        : wanted.empty() ? "the wheel claims py3"
                                         : fmt::format("Requires-Python is {}", escape(wanted))),
        .evidence = std::move(evidence),
        .fix = worst.old_python ? "remove py2 from the tags (setup.cfg: [bdist_wheel] without universal), and set "
                                  "Requires-Python"
               : worst.syntax->evaluated && worst.syntax->what.starts_with("the annotation")
                   ? fmt::format("set Requires-Python to >=3.{}, or begin the file with `from __future__ import "
                                 "annotations`",
                                 worst.syntax->since)
               : old ? "convert the code for Python 3 (2to3, futurize), or build the wheel for py2 only"
                     : fmt::format("set Requires-Python to >=3.{}, or write it without the new syntax",
                                   worst.syntax->since),
        .severity = worst.old_python || is_for_old_pythons(*worst.syntax) ? Severity::Warning : Severity::Error});
}

}  // namespace

extern const Rule rule{
    .code = "WC725",
    .name = "syntax-unsupported",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::syntax_unsupported
