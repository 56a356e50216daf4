// WC729: an import or a script takes a name from a module of the wheel that does not have it.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "rules/common.h"
#include "rules/own_modules.h"

namespace wheelcheck::rules::name_missing {
namespace {

std::string message_of(const WheelView& view, const MissingName& missing) {
  if (missing.line == 0)
    return fmt::format("the script {} calls {}:{}, which the module does not define: it ends with ImportError",
                       escape(missing.script), escape(missing.module), escape(missing.name));
  return fmt::format("line {} imports {} from {}, and {} does not define it: {} raises ImportError", missing.line,
                     escape(missing.name), escape(missing.module), escape(missing.in),
                     what_runs(view.wheel, missing.file, missing.script));
}

void check(const WheelView& view, const Emit& emit) {
  if (!is_searched(view.wheel)) return;
  const std::vector<MissingName> all = missing_names(view.wheel);
  if (all.empty()) return;
  // What an import needs comes before what a script needs.
  const MissingName& first = *std::ranges::min_element(all, {}, [](const MissingName& one) { return one.line == 0; });
  std::vector<Evidence> evidence{{"name", escape(first.name)}, {"not in", escape(first.in)}};
  std::vector<std::string> others;
  for (const MissingName& one : all)
    if (&one != &first)
      others.push_back(one.line == 0 ? fmt::format("script {}", one.script)
                                     : fmt::format("{} ({}:{})", one.name, one.file, one.line));
  if (!others.empty()) evidence.push_back({"also", list_of(others)});
  emit({.place = AtPath{std::string(view.wheel.members[first.member.value].path.text())},
        .message = message_of(view, first),
        .evidence = std::move(evidence),
        .fix = first.line == 0 ? "name a function of the module in [project.scripts], MODULE:FUNCTION"
                               : "define the name there, or add the module of that name to the build; then install the "
                                 "wheel into an empty environment and import it"});
}

}  // namespace

extern const Rule rule{
    .code = "WC729",
    .name = "name-missing",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::name_missing
