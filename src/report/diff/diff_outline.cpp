// The sections of a comparison, for all formats.
#include "report/diff/diff_outline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "model/requires_dist.h"
#include "report/shared/text.h"

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

// Texts and names for all sections.

namespace {

constexpr std::size_t longest_symbol = 60, names_width = 90;

std::string symbol_name(const std::string& symbol, const DiffStyle& style) {
  if (!style.demangle) return symbol;
  const std::string written = style.demangle(symbol);
  if (written == symbol || columns(written) <= longest_symbol) return written;
  std::size_t end = longest_symbol - 3;
  while (end > 0 && (static_cast<unsigned char>(written[end]) & 0xC0U) == 0x80U) --end;  // not inside a character
  return written.substr(0, end) + "...";
}

}  // namespace

std::string grouped(std::size_t number) {
  std::string out = fmt::format("{}", number);
  for (std::size_t at = out.size(); at > 3; at -= 3) out.insert(at - 3, ",");
  return out;
}

std::string few_names(const std::vector<std::string>& names, std::size_t shown, const DiffStyle& style) {
  std::vector<std::string> out;
  for (const std::string& name : names) out.push_back(style.name(name));
  return first_few(out, shown, names_width);
}

std::string few_symbols(const std::vector<std::string>& symbols, std::size_t shown, const DiffStyle& style) {
  std::vector<std::string> out;
  for (const std::string& symbol : symbols)  // the other symbols are only counted
    out.push_back(out.size() <= shown ? style.name(symbol_name(symbol, style)) : symbol);
  return first_few(out, shown, names_width);
}

std::string in_files(const std::vector<std::string>& files, const DiffStyle& style) {
  if (files.size() == 1) return "in " + style.name(files.front());
  if (files.size() == 2) return fmt::format("in {} and {}", style.name(files[0]), style.name(files[1]));
  return fmt::format("in {} files, such as {}", files.size(), style.name(files.front()));
}

std::string from_to(std::string_view old, std::string_view now, const DiffStyle& style) {
  return fmt::format("{} {} {}", style.prose(old), style.arrow, style.prose(now));
}

// Changed dependencies: one line for each unconditional requirement, and one line for each extra.

namespace {

constexpr std::size_t changed_libraries = 6;

// The part of a requirement after the name: "(>=1.0) ; marker".
std::string_view behind_name(std::string_view line) {
  std::size_t at = 0;
  while (at < line.size() && (is_alnum(line[at]) || line[at] == '-' || line[at] == '_' || line[at] == '.')) ++at;
  std::string_view rest = trim(line.substr(at));
  if (rest.starts_with('(') && rest.find(';') == rest.npos && rest.ends_with(')'))
    rest = rest.substr(1, rest.size() - 2);
  return rest;
}

std::string bounds(const std::string& line, const DiffStyle& style) {
  const std::string_view rest = behind_name(line);
  return rest.empty() ? "any" : style.name(rest);
}

DiffLine plain_line(const Both<std::string>& change, const DiffStyle& style) {
  const std::string& line = change.now.empty() ? change.old : change.now;
  const std::string name = style.name(parse_dependency(line).name);
  if (change.old.empty())
    return {"requires", DiffLine::Tone::Plain, fmt::format("{} {}, new", name, bounds(line, style))};
  if (change.now.empty()) return {"requires", DiffLine::Tone::Plain, fmt::format("{}, removed", name)};
  return {"requires", DiffLine::Tone::Plain,
          fmt::format("{} {} {} {}", name, bounds(change.old, style), style.arrow, bounds(change.now, style))};
}

struct Extra {
  std::vector<std::string> changed, added, gone;
};

std::string extra_text(const Extra& extra, const DiffStyle& style) {
  std::string out;
  const auto add = [&](const char* word, const std::vector<std::string>& names) {
    if (!names.empty()) out += fmt::format("; {} {}", word, few_names(names, changed_libraries, style));
  };
  add("new", extra.added);
  add("removed", extra.gone);
  add("changed", extra.changed);
  return out.substr(std::min<std::size_t>(2, out.size()));
}

}  // namespace

std::vector<DiffLine> dependency_lines(const MetadataChange& metadata, const DiffStyle& style) {
  std::vector<DiffLine> out;
  std::map<std::string, Extra> extras;
  for (const Both<std::string>& change : metadata.dependencies) {
    const Dependency dependency = parse_dependency(change.now.empty() ? change.old : change.now);
    if (!dependency.under) {
      out.push_back(plain_line(change, style));
      continue;
    }
    Extra& extra = extras[*dependency.under];
    std::vector<std::string>& list = change.old.empty() ? extra.added : change.now.empty() ? extra.gone : extra.changed;
    if (list.empty() || list.back() != dependency.name) list.push_back(dependency.name);
  }
  for (const auto& [name, extra] : extras)
    out.push_back({"extra", DiffLine::Tone::Plain, fmt::format("{}: {}", style.name(name), extra_text(extra, style))});
  return out;
}

// ELF files that were added, removed or renamed, and the libraries that files need.

namespace {

using Tone = DiffLine::Tone;
constexpr std::size_t changed_files = 6, shown_changes = 8;

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? "." : path.substr(0, slash);
}

// Lists added or removed files. If there are many, their names are shown without directories.
void add_list(std::vector<DiffLine>& out, const std::vector<ElfChange>& elfs, bool added, const DiffStyle& style) {
  std::vector<std::string> list;
  for (const ElfChange& elf : elfs)
    if (elf.by == MatchedBy::None && (added ? elf.path.old : elf.path.now).empty())
      list.push_back(added ? elf.path.now : elf.path.old);
  if (list.empty()) return;
  if (list.size() > 2)
    for (std::string& path : list) path = base_name(std::string(path));
  std::vector<std::string> names;
  for (const std::string& path : list) names.push_back(style.name(path));
  out.push_back({added ? "new" : "removed", Tone::Plain,
                 fmt::format("{}: {}", plural(list.size(), "ELF file"), first_few(names, changed_files))});
}

bool is_renamed(const ElfChange& elf) { return elf.by == MatchedBy::Soname || elf.by == MatchedBy::Library; }

void add_sonames(std::vector<DiffLine>& out, const std::vector<ElfChange>& elfs, const DiffStyle& style) {
  const auto shown = [&](const std::string& soname) { return soname.empty() ? "none" : style.name(soname); };
  for (const ElfChange& elf : elfs)
    if (elf.by != MatchedBy::None && !is_renamed(elf) && elf.soname.changed())
      out.push_back({"soname", Tone::Doubtful,
                     fmt::format("{} {} {} in {}", shown(elf.soname.old), style.arrow, shown(elf.soname.now),
                                 style.name(elf.path.now))});
}

void add_moves(std::vector<DiffLine>& out, const std::vector<ElfChange>& elfs, const DiffStyle& style) {
  std::map<std::pair<std::string, std::string>, std::vector<const ElfChange*>> folders;
  for (const ElfChange& elf : elfs) {
    if (is_renamed(elf))
      out.push_back({"renamed", Tone::Plain,
                     fmt::format("{} {} {}", style.name(elf.path.old), style.arrow, style.name(elf.path.now))});
    else if (elf.by == MatchedBy::Content || elf.by == MatchedBy::Directory)
      folders[{folder_of(elf.path.old), folder_of(elf.path.now)}].push_back(&elf);
  }
  for (const auto& [folder, moved] : folders) {
    if (moved.size() == 1)
      out.push_back(
          {"moved", Tone::Plain,
           fmt::format("{} {} {}", style.name(moved[0]->path.old), style.arrow, style.name(moved[0]->path.now))});
    else
      out.push_back({"moved", Tone::Plain,
                     fmt::format("{} from {} to {}", plural(moved.size(), "ELF file"), style.name(folder.first),
                                 style.name(folder.second))});
  }
}

std::string needed_text(const NeededChange& change, const DiffStyle& style) {
  const std::string files = in_files(change.files, style);
  if (change.library.old.empty())
    return fmt::format("{}{} {}", style.name(change.library.now), change.whole ? ", new to the wheel," : "", files);
  if (change.library.now.empty()) return fmt::format("{} {}", style.name(change.library.old), files);
  return fmt::format("{} {} {} {}", style.name(change.library.old), style.arrow, style.name(change.library.now), files);
}

// The old and new sonames of files whose soname changed.
std::set<std::pair<std::string_view, std::string_view>> changed_sonames(const std::vector<ElfChange>& elfs) {
  std::set<std::pair<std::string_view, std::string_view>> out;
  for (const ElfChange& elf : elfs)
    if (elf.soname.changed() && !elf.soname.old.empty()) out.emplace(elf.soname.old, elf.soname.now);
  return out;
}

}  // namespace

std::vector<DiffLine> file_lines(const Diff& diff, const DiffStyle& style) {
  const std::vector<ElfChange>& elfs = diff.contents.elfs;
  std::vector<DiffLine> out;
  add_list(out, elfs, true, style);
  add_list(out, elfs, false, style);
  add_sonames(out, elfs, style);
  add_moves(out, elfs, style);
  std::vector<const NeededChange*> needed;
  const auto listed = changed_sonames(elfs);  // needs that only follow a changed soname are not listed
  for (const NeededChange& change : diff.contents.needed)
    if (!listed.contains({change.library.old, change.library.now})) needed.push_back(&change);
  const std::size_t shown = needed.size() <= shown_changes + 1 ? needed.size() : shown_changes;
  for (std::size_t i = 0; i < shown; ++i)
    out.push_back(
        {needed[i]->library.now.empty() ? "no longer needs" : "needs", Tone::Plain, needed_text(*needed[i], style)});
  if (shown < needed.size())
    out.push_back({"", Tone::Plain, fmt::format("and {} other changes of needed libraries", needed.size() - shown)});
  return out;
}

}  // namespace wheelcheck::report
