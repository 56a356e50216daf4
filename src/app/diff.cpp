// The pipeline of `diff`: judges both wheels as `check` does, then compares them.
#include "wheelcheck/diff.h"

#include <algorithm>
#include <string>
#include <vector>

#include "diff/compare.h"
#include "knowledge/tables.h"
#include "report/shared/fingerprint.h"
#include "report/shared/text.h"
#include "wheelcheck/rule.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {

Result<Diff> compare(const std::string& old, const std::string& now, const Settings& settings) {
  const auto knowledge = knowledge::shared_knowledge(settings.knowledge);
  if (!knowledge) return std::unexpected(knowledge.error());
  const std::vector<std::string> paths = {old, now};
  auto report = check(paths, settings);
  if (!report) return std::unexpected(report.error());
  for (Report::Entry& entry : report->entries) {
    if (entry.unreadable) return std::unexpected(report::named(entry.unreadable->path, entry.unreadable->error));
    // Findings about the configuration belong to neither release.
    std::erase_if(entry.wheel->findings, [](const Finding& finding) { return finding.rule->check_config != nullptr; });
  }
  const Attributor attribution(**knowledge);
  Diff out = diff::compare(
      *report->entries[0].wheel, *report->entries[1].wheel, **knowledge,
      [&](std::string_view symbol) { return attribution(symbol); }, report::fingerprint);
  out.version = version();
  return out;
}

}  // namespace wheelcheck
