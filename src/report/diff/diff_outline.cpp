#include "report/diff/diff_outline.h"

#include <fmt/format.h>

#include "model/dependency.h"

namespace wheelcheck::report {

std::string diff_title(const Diff& diff, const DiffStyle& style) {
  if (normal_project_name(diff.distribution.old) != normal_project_name(diff.distribution.now))
    return fmt::format("{} {} {} {} {}", style.prose(diff.distribution.old), style.prose(diff.release.old), style.arrow,
                       style.prose(diff.distribution.now), style.prose(diff.release.now));
  return fmt::format("{} {}", style.prose(diff.distribution.now), from_to(diff.release.old, diff.release.now, style));
}

std::vector<DiffSection> outline(const Diff& diff, const DiffStyle& style) {
  std::vector<DiffSection> all = {{"Platform", platform_lines(diff, style)},
                                  {"Findings", finding_lines(diff, style)},
                                  {"Python", python_lines(diff, style)},
                                  {"Libraries inside", library_lines(diff, style)},
                                  {"Files", file_lines(diff, style)},
                                  {"Version floors of files", floor_lines(diff, style)},
                                  {"Exports", symbol_lines(diff.exports, "exports", style)},
                                  {"Imports from outside", symbol_lines(diff.imports, "imports", style)},
                                  {"Size", size_lines(diff, style)}};
  std::erase_if(all, [](const DiffSection& section) { return section.lines.empty(); });
  return all;
}

}  // namespace wheelcheck::report
