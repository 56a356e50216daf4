// The ELF files of a wheel: the versions that each asks of the platform, what was recognised in them, and whose symbols
// they export.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "report/check/elf_text.h"
#include "report/html/html_parts.h"
#include "report/shared/markup.h"
#include "report/shared/text.h"
#include "report/symbols/symbol_names.h"
#include "wheelcheck/version.h"

namespace wheelcheck::report::html {
namespace {

constexpr std::size_t most_files = 2000;  // of a table
constexpr std::size_t most_scopes = 25;
constexpr std::size_t html_symbols = 3;

constexpr std::string_view own_columns[] = {"GLIBC", "GLIBCXX", "CXXABI", "GCC"};

std::string floor_text(const Floor& floor) {
  std::vector<std::string> symbols;
  for (const std::string_view symbol : floor.symbols) symbols.push_back(escape(symbol));
  const std::string who = symbols.empty() ? "" : first_few(symbols, html_symbols, 90);
  return fmt::format("<code>{}</code>{}", markup(floor.node),
                     who.empty() ? "" : fmt::format("<span class=\"asks\">{}</span>", markup_shown(who)));
}

// Narrow windows show a row as a list, with the label in front.
std::string cell(std::string_view label, const std::string& content) {
  if (content.empty()) return "<td class=\"empty\"><span class=\"soft\">&ndash;</span></td>";
  return fmt::format("<td data-label=\"{}\"><span>{}</span></td>", markup(label), content);
}

std::string file_row(const WheelReport& wheel, ElfIndex elf, const std::vector<std::string_view>& families) {
  const auto floors = floors_of(wheel, elf);
  std::string out =
      fmt::format("<tr><td class=\"file\"><code>{}</code><span class=\"asks\">{}</span></td>",
                  markup_shown(elf_path(wheel.facts, elf)), markup_shown(identity_text(wheel.facts.elfs[elf.value])));
  for (const std::string_view family : families) {
    const auto at = floors.find(family);
    out += cell(family, at == floors.end() ? "" : floor_text(at->second));
  }
  std::string others;
  for (const auto& [family, floor] : floors)
    if (std::ranges::find(own_columns, family) == std::end(own_columns))
      others += fmt::format("{}{}", others.empty() ? "" : "<br>", floor_text(floor));
  return out + cell("Others", others) + "</tr>\n";
}

struct Scopes {
  std::map<std::string, ScopeCount> by_name;
  std::uint64_t all = 0, c = 0, rust = 0;
};

Scopes scopes_of(const WheelReport& wheel) {
  Scopes out;
  for (std::uint32_t i = 0; i < wheel.facts.elfs.size(); ++i) {
    const ExportSummary& exports = analysis_of(wheel.analysis, ElfIndex{i}).exports;
    out.all += exports.all;
    out.c += exports.c;
    out.rust += exports.rust;
    for (const ScopeCount& scope : exports.scopes) {
      ScopeCount& sum = out.by_name[scope.scope];
      sum.scope = scope.scope;
      sum.exports += scope.exports;
      sum.own = scope.own;
    }
  }
  return out;
}

struct Row {
  std::string name;
  std::uint64_t count = 0;
  bool own = false;
};

}  // namespace

std::string files(const Subject& subject) {
  const WheelReport& wheel = subject.wheel;
  const std::size_t count = wheel.facts.elfs.size();
  if (count == 0) return "";
  std::set<std::string_view> seen;
  for (std::uint32_t i = 0; i < count; ++i)
    for (const auto& [family, floor] : floors_of(wheel, ElfIndex{i})) seen.insert(family);
  std::vector<std::string_view> families;
  for (const std::string_view family : own_columns)
    if (seen.contains(family)) families.push_back(family);
  std::string out = fmt::format(
      "<h3>What each file requires <small>{}</small></h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"Versions by file\"><table class=\"floors\">\n<thead><tr><th scope=\"col\">File</th>",
      plural(count, "ELF file"));
  for (const std::string_view family : families) out += fmt::format("<th scope=\"col\">{}</th>", markup(family));
  out += "<th scope=\"col\">Others</th></tr></thead>\n<tbody>\n";
  const std::size_t shown = std::min(count, most_files);
  for (std::uint32_t i = 0; i < shown; ++i) out += file_row(wheel, ElfIndex{i}, families);
  out += "</tbody>\n</table></div>\n";
  if (shown < count) out += fmt::format("<p class=\"none\">and {} more files</p>\n", count - shown);
  return out;
}

std::string libraries(const WheelReport& wheel) {
  std::string rows;
  for (std::uint32_t i = 0; i < wheel.facts.elfs.size(); ++i) {
    for (const IdentifiedLibrary& library : analysis_of(wheel.analysis, ElfIndex{i}).libraries) {
      std::string grounds;
      for (const LibraryEvidence& evidence : library.evidence)
        grounds += fmt::format("{}{}: <code>{}</code>", grounds.empty() ? "" : "; ", markup(evidence.what),
                               markup(evidence.text));
      rows += fmt::format(
          "<tr><td>{}</td><td>{}</td><td>{}</td><td><code>{}</code>{}<span class=\"asks\">{}</span></td></tr>\n",
          markup(library.name), library.version ? markup(*library.version) : "<span class=\"soft\">unknown</span>",
          name_of(library.confidence), markup_shown(elf_path(wheel.facts, ElfIndex{i})),
          library.itself ? "" : " <span class=\"soft\">linked in</span>", grounds);
    }
  }
  if (rows.empty()) return "";
  return fmt::format(
      "<h3>Libraries inside</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"Libraries\"><table class=\"libraries\">\n"
      "<thead><tr><th scope=\"col\">Library</th><th scope=\"col\">Version</th><th scope=\"col\">Sure</th><th "
      "scope=\"col\">Where, and on what grounds</th></tr></thead>\n<tbody>\n{}</tbody>\n</table></div>\n",
      rows);
}

std::string symbols(const WheelReport& wheel) {
  const Scopes scopes = scopes_of(wheel);
  if (scopes.all == 0) return "";
  std::vector<Row> rows = {{"C names", scopes.c, true}, {"Rust names", scopes.rust, true}};
  for (const auto& [name, scope] : scopes.by_name)
    rows.push_back({std::string(scope_name(name)), scope.exports, scope.own || name.empty()});
  std::erase_if(rows, [](const Row& row) { return row.count == 0; });
  std::ranges::stable_sort(rows, std::ranges::greater(), &Row::count);
  if (rows.size() > most_scopes + 1) {
    Row others{fmt::format("{} more", rows.size() - most_scopes), 0, true};
    for (std::size_t i = most_scopes; i < rows.size(); ++i) {
      others.count += rows[i].count;
      others.own = others.own && rows[i].own;
    }
    rows.resize(most_scopes);
    rows.push_back(std::move(others));
  }
  const std::uint64_t most = std::ranges::max(rows, {}, &Row::count).count;
  std::string text;
  for (const Row& row : rows)
    text += fmt::format("<tr><td class=\"name\"><code>{}</code></td><td class=\"number\">{}</td><td>{}</td></tr>\n",
                        markup(row.name), number(row.count), bar(row.count, most, row.own ? "own" : ""));
  return fmt::format(
      "<h3>Exported symbols <small>{} in all</small></h3>\n<table class=\"bars\">\n<caption>By outermost C++ "
      "namespace, "
      "over all files</caption>\n<tbody>\n{}</tbody>\n</table>\n<p class=\"legend\"><i></i>namespaces of others <i "
      "class=\"own\"></i>the wheel's own, and names without one</p>\n",
      number(scopes.all), text);
}

}  // namespace wheelcheck::report::html
