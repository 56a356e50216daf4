// The ELF files of a wheel in the HTML page: the versions that each requires, the libraries recognized in them, and the
// owners of the symbols that they export.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "report/check/facts_text.h"
#include "report/html/html_parts.h"
#include "report/shared/text.h"
#include "report/symbols/symbol_list.h"
#include "wheelcheck/version.h"

namespace wheelcheck::report::html {

namespace {

constexpr std::size_t most_files = 2000;  // in one table
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

// A table cell. In a narrow window, a row is shown as a list with the label in front of each value.
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

// What each root of a wheel loads, as nested lists. The needs of a file are listed where it occurs first.

namespace {

constexpr std::size_t deepest = 24;       // levels of nesting
constexpr std::size_t open_roots = 5;     // further ones are folded
constexpr std::size_t most_items = 5000;  // for one wheel

class Tree {
 public:
  explicit Tree(const Subject& subject) : subject_(subject), promises_(subject.wheel) {}

  std::string root(ElfIndex elf, bool open) {
    seen_.insert(elf);
    const std::string below = children(elf, 0);
    const std::string name = fmt::format("<code>{}</code>", path_of(elf));
    if (below.empty()) return fmt::format("<li>{}</li>\n", name);
    return fmt::format("<li><details{}><summary>{}</summary>{}</details></li>\n", open ? " open" : "", name, below);
  }
  bool full() const { return items_ >= most_items; }

 private:
  std::string path_of(ElfIndex elf) const { return markup_shown(elf_path(subject_.wheel.facts, elf)); }

  // Needs that are met in the same way share an item; those that the platform provides come last.
  std::string children(ElfIndex elf, std::size_t depth) {
    if (elf.value >= subject_.wheel.resolution.needed.size()) return "";
    std::string inside, platform;
    std::vector<std::pair<std::string, std::string>> rest;  // how it is found -> names
    for (const NeededFound& needed : subject_.wheel.resolution.needed[elf.value]) {
      const std::string how = found_text(subject_, promises_, elf, needed);
      if (needed.provider && needed.provider->wheel.value == 0) {
        inside += child(needed, how, depth);
        continue;
      }
      const auto same = std::ranges::find(rest, how, &std::pair<std::string, std::string>::first);
      if (same == rest.end())
        rest.emplace_back(how, markup(needed.name));
      else
        same->second += ", " + markup(needed.name);
    }
    for (const auto& [how, names] : rest) {
      ++items_;
      std::string& part = how.starts_with("from the platform") ? platform : inside;
      part += fmt::format("<li><code>{}</code> <span class=\"{}\">{}</span></li>\n", names,
                          is_missing(how) ? "lost" : "how", markup_shown(how));
    }
    if (inside.empty() && platform.empty()) return "";
    return fmt::format("<ul>\n{}{}</ul>\n", inside, platform);
  }

  std::string child(const NeededFound& needed, const std::string& how, std::size_t depth) {
    ++items_;
    const ElfIndex file = needed.provider->elf;
    const bool fresh = seen_.insert(file).second && depth < deepest && !full();
    const std::string below = fresh ? children(file, depth + 1) : "";
    return fmt::format("<li><code>{}</code> <span class=\"how\">&rarr; {}{}</span>{}</li>\n", markup(needed.name),
                       markup_shown(how), fresh ? "" : ", as above", below);
  }

  const Subject& subject_;
  const LibraryLevels promises_;
  std::set<ElfIndex> seen_;
  std::size_t items_ = 0;
};

}  // namespace

std::string needs(const Subject& subject) {
  const std::vector<ElfIndex>& roots = subject.wheel.resolution.roots;
  if (roots.empty()) return "";
  Tree tree(subject);
  std::string items;
  std::size_t shown = 0;
  for (; shown < roots.size() && !tree.full(); ++shown) items += tree.root(roots[shown], roots.size() <= open_roots);
  std::string out = fmt::format("<h3>What is loaded <small>{}</small></h3>\n<ul class=\"tree\">\n{}</ul>\n",
                                plural(roots.size(), "root"), items);
  if (shown < roots.size())
    out += fmt::format("<p class=\"none\">and {} more; wheelcheck tree lists them</p>\n", roots.size() - shown);
  return out;
}

}  // namespace wheelcheck::report::html
