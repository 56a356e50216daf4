// One line a kind: how many files, and the first of them by name.
#include "report/check/foreign_text.h"

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace wheelcheck::report {
namespace {
constexpr std::size_t foreign_files_shown = 5;
}

std::string foreign_text(const WheelReport& wheel, const Paint& paint) {
  std::map<std::string_view, std::vector<std::string>> by_kind;
  for (const MemberFacts& member : wheel.facts.members)
    if (member.foreign != ForeignKind::None) by_kind[name_of(member.foreign)].push_back(escape(member.path.text()));
  if (by_kind.empty()) return "";
  std::string out = fmt::format("\n{}\n", paint.bold("Not judged: archives, and code that no loader here maps"));
  for (const auto& [kind, files] : by_kind) {
    const std::string line = fmt::format("{}: {}", kind, first_few(files, foreign_files_shown));
    out += fmt::format("  {}\n", wrapped(line, 2, 4));
  }
  return out;
}

}  // namespace wheelcheck::report
