// The answer of `release`: what is wrong with the wheels of a version together, which Pythons and platforms have one,
// and their sizes.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.h"
#include "report/answers/answers.h"
#include "report/answers/check_errors.h"
#include "report/check/json_wheel.h"
#include "report/shared/json_text.h"
#include "report/shared/names.h"
#include "report/shared/text.h"

namespace wheelcheck::report {
namespace {

Style style_of(Severity severity) {
  return severity == Severity::Error ? Style::Bad : severity == Severity::Warning ? Style::Doubtful : Style::Dim;
}

void add_findings(Document& out, const ReleaseReport& release) {
  constexpr std::size_t indent = 10;
  for (const ReleaseFinding& finding : release.findings) {
    out.blank();
    out.line({padded(name_of(finding.severity), indent), style_of(finding.severity)}, finding.message, indent);
    out.line(std::string(indent, ' ') + "fix: ", finding.fix, indent + 5);
  }
}

void add_grid(Document& out, const ReleaseGrid& grid) {
  out.section({"wheels", Style::Strong});
  TextTable table{.columns = {{.title = "platform"}}};
  for (const std::string& python : grid.pythons) table.columns.push_back({.title = python});
  for (std::size_t i = 0; i < grid.platforms.size(); ++i) {
    std::vector<StyledText>& row = table.rows.emplace_back();
    row.emplace_back(escape(grid.platforms[i]));
    for (const std::string& cell : grid.cells[i]) row.emplace_back(cell.empty() ? "-" : cell);
  }
  out.add(std::move(table));
}

std::string growth_text(const Both<std::uint64_t>& bytes) {
  if (bytes.old == 0 || bytes.now == 0) return "-";
  const bool less = bytes.now < bytes.old;
  const std::uint64_t difference = less ? bytes.old - bytes.now : bytes.now - bytes.old;
  return fmt::format("{}{}%", less ? "-" : "+", difference * 100 / bytes.old);
}

// The largest changes, or the largest wheels where nothing is known of the release before.
void add_sizes(Document& out, const ReleaseReport& release) {
  constexpr std::size_t shown = 10;
  std::vector<const ReleaseSize*> sizes;
  Both<std::uint64_t> sum;  // of wheels that both releases have
  for (const ReleaseSize& size : release.sizes) {
    if (size.bytes.now > 0) sizes.push_back(&size);
    if (size.bytes.old > 0 && size.bytes.now > 0) sum = {sum.old + size.bytes.old, sum.now + size.bytes.now};
  }
  if (sizes.empty()) return;
  std::ranges::stable_sort(sizes, std::greater{}, [](const ReleaseSize* size) {
    const auto [old, now] = size->bytes;
    return std::pair(old == 0 ? 0 : std::max(old, now) - std::min(old, now), now);
  });
  const std::size_t count = std::min(sizes.size(), shown);
  out.section({"sizes", Style::Strong});
  TextTable table{.columns = {{.title = "size", .right = true}}};
  if (sum.old > 0) {
    table.columns.push_back({.title = escape(release.release.old), .right = true});
    table.columns.push_back({.title = "growth", .right = true});
  }
  table.columns.push_back({});
  const auto add = [&](const Both<std::uint64_t>& bytes, StyledText what) {
    std::vector<StyledText>& row = table.rows.emplace_back();
    row.emplace_back(size_text(bytes.now));
    if (sum.old > 0) {
      row.emplace_back(bytes.old == 0 ? "-" : size_text(bytes.old));
      row.emplace_back(growth_text(bytes));
    }
    row.push_back(std::move(what));
  };
  for (const ReleaseSize* const size : std::span(sizes).first(count))
    add(size->bytes, StyledText(escape(size->file), Style::Name));
  if (sum.old > 0) add(sum, "all wheels that both releases have");
  out.add(std::move(table));
  out.and_more("  ", sizes.size() - count, "wheel");
}

Document document_of(const ReleaseReport& release) {
  Document out;
  out.title({fmt::format("{} {}: {}{}", escape(release.distribution), escape(release.release.now),
                         count_of(release.wheels.now, "wheel"),
                         release.release.old.empty()
                             ? ""
                             : fmt::format("; {} has {}", escape(release.release.old), release.wheels.old)),
             Style::Strong});
  add_findings(out, release);
  for (const Report::Entry& entry : release.read.entries)
    if (entry.wheel) add_check_errors(out, *entry.wheel);
  add_grid(out, release.grid);
  add_sizes(out, release);
  const auto count = [&](Severity severity) {
    return static_cast<std::size_t>(std::ranges::count(release.findings, severity, &ReleaseFinding::severity));
  };
  const auto failing = static_cast<std::size_t>(std::ranges::count_if(
      release.read.entries, [](const Report::Entry& entry) { return entry.wheel && has_check_errors(*entry.wheel); }));
  const auto unread = static_cast<std::size_t>(std::ranges::count_if(
      release.read.entries, [](const Report::Entry& entry) { return entry.unreadable.has_value(); }));
  const std::string text =
      fmt::format("{}, {}, {}{}{}", count_of(count(Severity::Error), "error"),
                  count_of(count(Severity::Warning), "warning"), count_of(count(Severity::Note), "note"),
                  failing == 0 ? "" : fmt::format("; check fails {}", count_of(failing, "wheel")),
                  unread == 0 ? "" : fmt::format("; {} could not be read", count_of(unread, "wheel")));
  out.outcome(styled(
      "{}: {}", release_exit_code(release) != 0 ? StyledText("FAILED", Style::Bad) : StyledText("PASSED", Style::Good),
      text));
  return out;
}

// docs/release.schema.json

Json release_finding_json(const ReleaseFinding& finding) {
  return {{"topic", name_of(finding.topic)},       {"severity", name_of(finding.severity)},
          {"message", safe_long(finding.message)}, {"fix", safe(finding.fix)},
          {"wheels", texts(finding.wheels)},       {"members", texts(finding.members)}};
}

Json grid_json(const ReleaseGrid& grid) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < grid.platforms.size(); ++i) {
    Json cells = Json::array();
    for (const std::string& cell : grid.cells[i]) cells.push_back(cell.empty() ? Json(nullptr) : Json(cell));
    rows.push_back({{"platform", safe(grid.platforms[i])}, {"wheels", std::move(cells)}});
  }
  return {{"pythons", texts(grid.pythons)}, {"platforms", std::move(rows)}};
}

Json size_json(const ReleaseSize& size) {
  const auto bytes = [](std::uint64_t value) { return value == 0 ? Json(nullptr) : Json(value); };
  Json grown = Json::array(), sections = Json::array(), gpu_code = Json::array();
  for (const MemberSize& member : size.members)
    grown.push_back({{"path", safe(member.path.now)}, {"old", member.bytes.old}, {"new", member.bytes.now}});
  for (const SizePart& part : size.sections)
    sections.push_back({{"name", safe(part.name)}, {"old", part.bytes.old}, {"new", part.bytes.now}});
  for (const SizePart& part : size.gpu_code)
    gpu_code.push_back({{"target", safe(part.name)},
                        {"old", part.bytes.old},
                        {"new", part.bytes.now},
                        {"unpacked_old", part.unpacked.old},
                        {"unpacked_new", part.unpacked.now}});
  return {
      {"file", safe(size.file)},   {"old", bytes(size.bytes.old)},          {"new", bytes(size.bytes.now)},
      {"grown", std::move(grown)}, {"grown_sections", std::move(sections)}, {"grown_gpu_code", std::move(gpu_code)}};
}

std::string json_of(const ReleaseReport& release) {
  Json findings = Json::array(), sizes = Json::array(), errors = Json::array();
  for (const ReleaseFinding& finding : release.findings) findings.push_back(release_finding_json(finding));
  for (const ReleaseSize& size : release.sizes) sizes.push_back(size_json(size));
  for (const Report::Entry& entry : release.read.entries)
    if (entry.wheel && has_check_errors(*entry.wheel))
      errors.push_back({{"file", safe(entry.wheel->facts.file)}, {"errors", check_errors_json(*entry.wheel)}});
  return document_text({{"schema", "wheelcheck-release"},
                        {"version", json_version},
                        {"wheelcheck", safe(release.version)},
                        {"distribution", safe(release.distribution)},
                        {"release", safe(release.release.now)},
                        {"previous", release.release.old.empty() ? Json(nullptr) : Json(safe(release.release.old))},
                        {"failed", release_exit_code(release) != 0},
                        {"findings", std::move(findings)},
                        {"grid", grid_json(release.grid)},
                        {"sizes", std::move(sizes)},
                        {"check_errors", std::move(errors)}});
}

}  // namespace

int release_exit_code(const ReleaseReport& release) {
  int code = std::ranges::count(release.findings, Severity::Error, &ReleaseFinding::severity) > 0 ? 1 : 0;
  for (const Report::Entry& entry : release.read.entries)
    code = std::max(code, entry.wheel ? int{has_check_errors(*entry.wheel)} : entry.unreadable->refused() ? 1 : 3);
  return code;
}

Answer release_answer(const ReleaseReport& release) {
  return {.document = [&release] { return document_of(release); },
          .json = [&release] { return json_of(release); },
          .sarif = [&release] { return release_sarif(release); }};
}

}  // namespace wheelcheck::report
