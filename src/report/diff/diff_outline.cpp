// The sections of a comparison, and those about the contents of the files.
#include "report/diff/diff_outline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "model/requires_dist.h"
#include "report/shared/names.h"
#include "report/shared/text.h"
#include "report/symbols/symbols.h"

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

constexpr std::size_t names_width = 90;

std::string symbol_name(const std::string& symbol, const DiffStyle& style) {
  return style.demangle ? short_symbol(symbol) : symbol;
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

DiffLine names_line(bool added, std::string_view what, const std::vector<std::string>& list, const DiffStyle& style) {
  std::vector<std::string> names;
  for (const std::string& path : list) names.push_back(style.name(path));
  return {added ? "new" : "removed", Tone::Plain,
          fmt::format("{}: {}", plural(list.size(), what), first_few(names, changed_files))};
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
  out.push_back(names_line(added, "ELF file", list, style));
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
  const std::vector<std::string>& lost = diff.contents.python_removed;
  if (!lost.empty()) out.push_back(names_line(false, "Python file", lost, style));
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

// The sections on the contents of a wheel: libraries, files, symbols, sizes.
namespace {

using Tone = DiffLine::Tone;
constexpr std::size_t shown_groups = 8, shown_names = 4;
// a folder whose difference is below this fraction (1/200) of the wheel is counted with the others
constexpr std::uint64_t small_share = 200;

std::string versions_text(const std::vector<std::string>& versions, const DiffStyle& style) {
  return versions.empty() ? "of unknown version" : style.prose(join(versions, ", "));
}

DiffLine library_line(const LibraryChange& library, const DiffStyle& style) {
  const std::string name = style.prose(library.name);
  if (library.files.old.empty())
    return {"new", Tone::Plain,
            fmt::format("{}{}{} {}", name, library.versions.now.empty() ? "" : " ",
                        style.prose(join(library.versions.now, ", ")), in_files(library.files.now, style))};
  if (library.files.now.empty())
    return {"removed", Tone::Plain,
            fmt::format("{}{}{} {}", name, library.versions.old.empty() ? "" : " ",
                        style.prose(join(library.versions.old, ", ")), in_files(library.files.old, style))};
  return {"changed", Tone::Plain,
          fmt::format("{} {} {} {} {}", name, versions_text(library.versions.old, style), style.arrow,
                      versions_text(library.versions.now, style), in_files(library.files.now, style))};
}

DiffLine cxx_line(const CxxChange& change, const DiffStyle& style) {
  std::string text;
  if (change.string_abi.changed())
    text = fmt::format("the std::string of {}", from_to(change.string_abi.old, change.string_abi.now, style));
  if (change.runtime.changed())
    text += fmt::format("{}{}", text.empty() ? "" : "; ", from_to(change.runtime.old, change.runtime.now, style));
  return {"C++ ABI", change.string_abi.changed() ? Tone::Bad : Tone::Doubtful,
          fmt::format("{}, {}", text, in_files(change.files, style))};
}

std::string group_name(const SymbolGroup& group, const DiffStyle& style) {
  switch (group.kind) {
    case SymbolGroup::Kind::Namespace:
      return group.name.empty() ? "C++ names outside namespaces" : "namespace " + style.name(group.name);
    case SymbolGroup::Kind::Library:
      return style.prose(group.name);
    case SymbolGroup::Kind::Platform:
      return style.name(group.name);
    case SymbolGroup::Kind::Python:
      return "Python's C API";
    case SymbolGroup::Kind::Rust:
      return "Rust names";
    case SymbolGroup::Kind::C:
      break;
  }
  return "other C names";
}

std::string signed_counts(std::size_t gained, std::size_t lost) {
  if (gained == 0) return "-" + grouped(lost);
  return lost == 0 ? "+" + grouped(gained) : fmt::format("+{} -{}", grouped(gained), grouped(lost));
}

// C names are useful to a reader. If there are many C++ names, the first few are not.
std::string examples(const SymbolGroup& group, const DiffStyle& style) {
  const bool cxx = group.kind == SymbolGroup::Kind::Namespace || group.kind == SymbolGroup::Kind::Rust;
  std::string out;
  const auto add = [&](const char* word, std::size_t count, const std::vector<std::string>& names) {
    if (names.empty() || (cxx && count > shown_names)) return;
    std::vector<std::string> padded_names = names;
    padded_names.resize(count);  // so that the other names are counted
    out += fmt::format("{}{}{}", out.empty() ? ": " : "; ", word, few_symbols(padded_names, shown_names, style));
  };
  add("new ", group.gained, group.gained_names);
  add("removed ", group.lost, group.lost_names);
  return out;
}

std::string byte_change(const Both<std::uint64_t>& bytes) {
  if (!bytes.changed()) return "same";
  const bool grown = bytes.now > bytes.old;
  return (grown ? "+" : "-") + size_text(grown ? bytes.now - bytes.old : bytes.old - bytes.now);
}

std::string from_to_bytes(const Both<std::uint64_t>& bytes, const DiffStyle& style) {
  if (!bytes.changed()) return size_text(bytes.now);
  return fmt::format("{} {} {}", size_text(bytes.old), style.arrow, size_text(bytes.now));
}

// The members that are not listed by name, by folder; small differences are combined.
template <class Files>
void add_folders(std::vector<DiffLine>& out, const SizeChanges& sizes, const DiffStyle& style, Files files) {
  const std::uint64_t least = std::max(sizes.unpacked.old, sizes.unpacked.now) / small_share;
  Both<std::uint64_t> rest;
  std::size_t folders = 0;
  for (const FolderSize& folder : sizes.folders) {
    if (std::max(folder.bytes.old, folder.bytes.now) - std::min(folder.bytes.old, folder.bytes.now) > least) {
      out.push_back({byte_change(folder.bytes), Tone::Plain,
                     fmt::format("the rest of {}: {}", style.name(folder.folder.empty() ? "." : folder.folder),
                                 files(folder.files))});
      continue;
    }
    rest.old += folder.bytes.old;
    rest.now += folder.bytes.now;
    ++folders;
  }
  if (rest.changed()) out.push_back({byte_change(rest), Tone::Plain, "all else, in " + plural(folders, "folder")});
}

}  // namespace

std::vector<DiffLine> library_lines(const Diff& diff, const DiffStyle& style) {
  std::vector<DiffLine> out;
  for (const CxxChange& change : diff.contents.cxx) out.push_back(cxx_line(change, style));
  for (const LibraryChange& library : diff.contents.libraries) out.push_back(library_line(library, style));
  const auto add_targets = [&](const char* word, const std::vector<std::string>& targets) {
    if (!targets.empty()) out.push_back({word, Tone::Plain, "GPU code for " + few_names(targets, 12, style)});
  };
  add_targets("new", diff.contents.device_added);
  add_targets("removed", diff.contents.device_removed);
  return out;
}

std::vector<DiffLine> symbol_lines(const SymbolChange& change, std::string_view what, const DiffStyle& style) {
  std::vector<DiffLine> out;
  if (change.gained == 0 && change.lost == 0) return out;
  DiffLine all{
      signed_counts(change.gained, change.lost), Tone::Plain,
      fmt::format("all {}: {} {} {}", what, grouped(change.count.old), style.arrow, grouped(change.count.now))};
  const SymbolFile* const most = change.files.empty() ? nullptr : &change.files.front();
  if (most != nullptr && change.files.size() > 1)
    all.details.push_back(fmt::format("most by {}: {} {} {}", style.name(most->file), grouped(most->count.old),
                                      style.arrow, grouped(most->count.now)));
  out.push_back(std::move(all));
  const std::size_t shown = change.groups.size() <= shown_groups + 1 ? change.groups.size() : shown_groups;
  for (std::size_t i = 0; i < shown; ++i) {
    const SymbolGroup& group = change.groups[i];
    out.push_back(
        {signed_counts(group.gained, group.lost), Tone::Plain, group_name(group, style) + examples(group, style)});
  }
  std::size_t gained = 0, lost = 0;
  for (std::size_t i = shown; i < change.groups.size(); ++i) {
    gained += change.groups[i].gained;
    lost += change.groups[i].lost;
  }
  if (shown < change.groups.size())
    out.push_back(
        {signed_counts(gained, lost), Tone::Plain, fmt::format("in {} smaller groups", change.groups.size() - shown)});
  return out;
}

std::vector<DiffLine> size_lines(const Diff& diff, const DiffStyle& style) {
  std::vector<DiffLine> out;
  const SizeChanges& sizes = diff.sizes;
  const auto files = [&](const Both<std::uint64_t>& count) {
    if (!count.changed()) return grouped(count.now) + " files";
    return fmt::format("{} {} {} files", grouped(count.old), style.arrow, grouped(count.now));
  };
  if (sizes.archive.old != 0 && sizes.archive.now != 0 && sizes.archive.changed())
    out.push_back({byte_change(sizes.archive), Tone::Plain, "the wheel: " + from_to_bytes(sizes.archive, style)});
  if (sizes.unpacked.changed() || sizes.files.changed() || sizes.rewritten > 0) {
    std::string text = fmt::format("unpacked: {}, {}", from_to_bytes(sizes.unpacked, style), files(sizes.files));
    if (sizes.rewritten > 0) text += fmt::format(", {} of them with different content", grouped(sizes.rewritten));
    out.push_back({byte_change(sizes.unpacked), Tone::Plain, std::move(text)});
  }
  for (const MemberSize& member : sizes.members) {
    const std::string& path = member.path.now.empty() ? member.path.old : member.path.now;
    const char* const note = member.path.old.empty() ? ", new" : member.path.now.empty() ? ", removed" : "";
    out.push_back({byte_change(member.bytes), Tone::Plain,
                   style.name(path) + (*note != '\0' ? note : ": " + from_to_bytes(member.bytes, style))});
  }
  add_folders(out, sizes, style, files);
  return out;
}

}  // namespace wheelcheck::report
