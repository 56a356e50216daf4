#include "report/shared/groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "report/shared/names.h"
#include "report/shared/text.h"
#include "rules/page.h"

namespace wheelcheck::report {
namespace {

// The first few texts. "requires a; requires b" becomes "requires a, b": all begin alike, and one word follows.
std::string join_some(std::vector<std::string> texts, std::size_t shown) {
  const std::string start = texts.front().substr(0, texts.front().rfind(' ') + 1);
  const auto is_alike = [&](const std::string& text) {
    return text.starts_with(start) && text.find(' ', start.size()) == std::string::npos;
  };
  if (!start.empty() && texts.size() > 1 && std::ranges::all_of(texts, is_alike)) {
    for (std::size_t i = 1; i < texts.size(); ++i) texts[i].erase(0, start.size());
    return first_few(texts, shown);
  }
  const std::size_t count = texts.size() <= shown + 1 ? texts.size() : shown;
  std::string out =
      fmt::format("{}", fmt::join(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(count), "; "));
  if (count < texts.size()) out += fmt::format("; and {} more", texts.size() - count);
  return out;
}

// Removes a final clause that all texts have in common: ", which manylinux_2_17_x86_64 does not allow".
void drop_common_clause(std::vector<std::string>& texts) {
  if (texts.size() < 2) return;
  std::string_view common = texts.front();
  for (const std::string_view text : texts) {
    const auto [a, b] = std::ranges::mismatch(common.rbegin(), common.rend(), text.rbegin(), text.rend());
    common = common.substr(common.size() - static_cast<std::size_t>(a - common.rbegin()));
  }
  const std::size_t clause = common.find(", which ");
  if (clause == std::string_view::npos) return;
  const std::size_t length = common.size() - clause;
  for (std::string& text : texts) text.resize(text.size() - length);
}

// Removes repetitions and keeps the order.
std::vector<std::string> distinct(const std::vector<std::string>& texts) {
  std::vector<std::string> out;
  std::set<std::string_view> seen;
  for (const std::string& text : texts)
    if (seen.insert(text).second) out.push_back(text);
  return out;
}

FindingGroup group_of(const WheelReport& wheel, std::span<const Finding> findings) {
  std::vector<std::string> each_path, details, fixes;  // for each finding
  for (const Finding& finding : findings) {
    each_path.push_back(place_path(wheel.facts, finding.place));
    details.push_back(with_short_symbols(finding.message));
    fixes.push_back(escape(finding.fix));
  }
  const std::vector<std::string> paths = distinct(each_path), messages = distinct(details);
  FindingGroup group{.findings = findings, .heading = {}, .brief = {}, .rows = {}, .fixes = {}};
  if (messages.size() == 1) {
    group.heading = messages.front();
    if (paths.size() > 1) group.heading += fmt::format(" ({})", count_of(paths.size(), "file"));
  } else {
    std::string_view summary = rules::page_of(*findings.front().rule).summary;
    summary.remove_suffix(summary.size() - (summary.find_last_not_of('.') + 1));
    const std::string in = paths.size() > 1 ? fmt::format(" in {}", count_of(paths.size(), "file")) : "";
    group.heading = fmt::format("{} ({}{})", summary, count_of(findings.size(), "finding"), in);
    drop_common_clause(details);
  }
  std::map<std::string_view, std::vector<std::size_t>> by_message;  // positions in `findings`
  std::map<std::string_view, std::vector<std::string>> by_path;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    by_message[details[i]].push_back(i);
    by_path[each_path[i]].push_back(details[i]);
  }
  std::size_t first = 0;  // the finding of the first row
  const bool no_path = paths.size() == 1 && paths.front().empty();
  if (messages.size() == 1) {
    if (!no_path) group.rows = paths;
  } else if (messages.size() <= paths.size() || no_path) {
    // What concerns most files comes first.
    std::vector<std::pair<std::string_view, const std::vector<std::size_t>*>> order;
    for (const auto& [text, places] : by_message) order.emplace_back(text, &places);
    std::ranges::stable_sort(order, std::greater<>(), [](const auto& one) { return one.second->size(); });
    first = order.front().second->front();
    for (const auto& [text, places] : order) {
      const std::string more = places->size() == 1 ? "" : " and " + count_of(places->size() - 1, "more file");
      const std::string& place = each_path[places->front()];
      group.rows.push_back(place.empty() ? std::string(text) : fmt::format("{}{}: {}", place, more, text));
    }
  } else {
    for (const std::string& place : paths)
      group.rows.push_back((place.empty() ? "" : place + ": ") + join_some(by_path[place], 3));
  }
  group.brief = messages.size() == 1
                    ? group.heading
                    : group.rows.front() + (group.rows.size() == 1 ? "" : ";") + and_more(group.rows.size() - 1);
  fixes.insert(fixes.begin(), fixes[first]);
  group.fixes = std::ranges::all_of(findings, &Finding::fixable)
                    ? std::vector{"wheelcheck fix " + escape(wheel.facts.file)}
                    : distinct(fixes);
  std::erase(group.fixes, "");
  return group;
}

std::vector<std::span<const Finding>> runs(std::span<const Finding> rest, const auto& same) {
  std::vector<std::span<const Finding>> out;
  while (!rest.empty()) {
    const auto differs = [&](const Finding& finding) { return !same(rest.front(), finding); };
    const auto count = static_cast<std::size_t>(std::ranges::find_if(rest, differs) - rest.begin());
    out.push_back(rest.first(count));
    rest = rest.subspan(count);
  }
  return out;
}

}  // namespace

std::vector<FindingGroup> grouped(const WheelReport& wheel, std::span<const Finding> findings) {
  const auto same_rule = [](const Finding& a, const Finding& b) {
    return a.rule == b.rule && a.severity == b.severity;
  };
  std::vector<FindingGroup> out;
  for (const std::span<const Finding> same : runs(findings, same_rule)) out.push_back(group_of(wheel, same));
  return out;
}

std::vector<std::span<const Finding>> same_but_place(std::span<const Finding> findings) {
  return runs(findings, [](const Finding& a, const Finding& b) {
    const auto same_evidence = [](const Evidence& x, const Evidence& y) {
      return x.label == y.label && x.value == y.value;
    };
    return a.rule == b.rule && a.severity == b.severity && a.message == b.message && a.fix == b.fix &&
           std::ranges::equal(a.evidence, b.evidence, same_evidence);
  });
}

}  // namespace wheelcheck::report
