// WC728: the wheel contains bytecode of modules whose source it contains too.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/text.h"
#include "rules/common.h"

namespace wheelcheck::rules::bytecode_packed {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (view.wheel.size == 0) return;  // Python writes the files beside installed modules
  std::vector<std::string> files;
  for (const MemberFacts& member : view.wheel.members)
    if (('/' + member.path.text()).contains("/__pycache__/")) files.push_back(member.path.text());
  if (files.empty()) return;
  emit({.place = AtPath{files.front()},
        .message = fmt::format("is below __pycache__{}: Poetry, PDM and others that use the package \"installer\" do "
                               "not install it, and tell users of a security risk",
                               files.size() == 1 ? "" : fmt::format(" ({} files)", files.size())),
        .evidence = {{"files", list_of(files)}},
        .fix = "leave the directories out: Python writes them again; clean the source tree before the build, or "
               "exclude **/__pycache__",
        .severity = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC728",
    .name = "bytecode-packed",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::bytecode_packed
