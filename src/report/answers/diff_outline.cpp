// The sections of a comparison, and those about the contents of the files.
#include "report/answers/diff_outline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "model/requires_dist.h"
#include "report/answers/symbols.h"
#include "report/shared/names.h"
#include "report/shared/text.h"

namespace wheelcheck::report {

std::string diff_title(const Diff& diff) {
  if (normal_project_name(diff.distribution.old) != normal_project_name(diff.distribution.now))
    return fmt::format("{} {} -> {} {}", escape(diff.distribution.old), escape(diff.release.old),
                       escape(diff.distribution.now), escape(diff.release.now));
  return fmt::format("{} {}", escape(diff.distribution.now), from_to(diff.release.old, diff.release.now));
}

std::vector<DiffSection> outline(const Diff& diff) {
  std::vector<DiffSection> all = {{"Platform", platform_lines(diff)},
                                  {"Findings", finding_lines(diff)},
                                  {"Python", python_lines(diff)},
                                  {"Libraries inside", library_lines(diff)},
                                  {"Files", file_lines(diff)},
                                  {"Version floors of files", floor_lines(diff)},
                                  {"Exports", symbol_lines(diff.exports, "exports")},
                                  {"Imports from outside", symbol_lines(diff.imports, "imports")},
                                  {"Size", size_lines(diff)}};
  std::erase_if(all, [](const DiffSection& section) { return section.lines.empty(); });
  return all;
}

// Texts and names for all sections.

namespace {

constexpr std::size_t names_width = 90;

}  // namespace

std::string grouped(std::size_t number) {
  std::string out = std::to_string(number);
  for (std::size_t at = out.size(); at > 3; at -= 3) out.insert(at - 3, ",");
  return out;
}

StyledText few_names(const std::vector<std::string>& names, std::size_t shown) {
  std::vector<StyledText> out;
  for (const std::string& name : names) out.push_back(name_text(name));
  return first_few(out, shown, names_width);
}

StyledText few_symbols(const std::vector<std::string>& symbols, std::size_t shown) {
  std::vector<StyledText> out;
  for (const std::string& symbol : symbols)  // the other symbols are only counted
    out.push_back(out.size() <= shown ? name_text(short_symbol(symbol)) : StyledText());
  return first_few(out, shown, names_width);
}

StyledText in_files(const std::vector<std::string>& files) {
  if (files.size() == 1) return "in " + name_text(files.front());
  if (files.size() == 2) return styled("in {} and {}", name_text(files[0]), name_text(files[1]));
  return styled("in {} files, such as {}", files.size(), name_text(files.front()));
}

std::string from_to(std::string_view old, std::string_view now) {
  return fmt::format("{} -> {}", escape(old), escape(now));
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

StyledText bounds(const std::string& line) {
  const std::string_view rest = behind_name(line);
  return rest.empty() ? StyledText("any") : name_text(rest);
}

DiffLine plain_line(const Both<std::string>& change) {
  const std::string& line = change.now.empty() ? change.old : change.now;
  const StyledText name = name_text(parse_dependency(line).name);
  if (change.old.empty()) return {"requires", Style::Term, styled("{} {}, new", name, bounds(line))};
  if (change.now.empty()) return {"requires", Style::Term, styled("{}, removed", name)};
  return {"requires", Style::Term, styled("{} {} -> {}", name, bounds(change.old), bounds(change.now))};
}

struct Extra {
  std::vector<std::string> changed, added, gone;
};

StyledText extra_text(const Extra& extra) {
  StyledText out;
  const auto add = [&](const char* word, const std::vector<std::string>& names) {
    if (!names.empty()) out += styled("{}{} {}", out.empty() ? "" : "; ", word, few_names(names, changed_libraries));
  };
  add("new", extra.added);
  add("removed", extra.gone);
  add("changed", extra.changed);
  return out;
}

}  // namespace

std::vector<DiffLine> dependency_lines(const MetadataChange& metadata) {
  std::vector<DiffLine> out;
  std::map<std::string, Extra> extras;
  for (const Both<std::string>& change : metadata.dependencies) {
    const Dependency dependency = parse_dependency(change.now.empty() ? change.old : change.now);
    if (!dependency.under) {
      out.push_back(plain_line(change));
      continue;
    }
    Extra& extra = extras[*dependency.under];
    std::vector<std::string>& list = change.old.empty() ? extra.added : change.now.empty() ? extra.gone : extra.changed;
    if (list.empty() || list.back() != dependency.name) list.push_back(dependency.name);
  }
  for (const auto& [name, extra] : extras)
    out.push_back({"extra", Style::Term, styled("{}: {}", name_text(name), extra_text(extra))});
  return out;
}

// ELF files that were added, removed or renamed, and the libraries that files need.

namespace {

constexpr std::size_t changed_files = 6, shown_changes = 8;

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? "." : path.substr(0, slash);
}

DiffLine names_line(bool added, std::string_view what, const std::vector<std::string>& list) {
  std::vector<StyledText> names;
  for (const std::string& path : list) names.push_back(name_text(path));
  return {added ? "new" : "removed", Style::Term,
          styled("{}: {}", count_of(list.size(), what), first_few(names, changed_files))};
}

// Lists added or removed files. If there are many, their names are shown without directories.
void add_list(std::vector<DiffLine>& out, const std::vector<ElfChange>& elfs, bool added) {
  std::vector<std::string> list;
  for (const ElfChange& elf : elfs)
    if (elf.by == MatchedBy::None && (added ? elf.path.old : elf.path.now).empty())
      list.push_back(added ? elf.path.now : elf.path.old);
  if (list.empty()) return;
  if (list.size() > 2)
    for (std::string& path : list) path = base_name(std::string(path));
  out.push_back(names_line(added, "ELF file", list));
}

bool is_renamed(const ElfChange& elf) { return elf.by == MatchedBy::Soname || elf.by == MatchedBy::Library; }

void add_sonames(std::vector<DiffLine>& out, const std::vector<ElfChange>& elfs) {
  const auto shown = [](const std::string& soname) { return soname.empty() ? StyledText("none") : name_text(soname); };
  for (const ElfChange& elf : elfs)
    if (elf.by != MatchedBy::None && !is_renamed(elf) && elf.soname.changed())
      out.push_back({"soname", Style::Doubtful,
                     styled("{} -> {} in {}", shown(elf.soname.old), shown(elf.soname.now), name_text(elf.path.now))});
}

void add_moves(std::vector<DiffLine>& out, const std::vector<ElfChange>& elfs) {
  std::map<std::pair<std::string, std::string>, std::vector<const ElfChange*>> folders;
  for (const ElfChange& elf : elfs) {
    if (is_renamed(elf))
      out.push_back({"renamed", Style::Term, styled("{} -> {}", name_text(elf.path.old), name_text(elf.path.now))});
    else if (elf.by == MatchedBy::Content || elf.by == MatchedBy::Directory)
      folders[{folder_of(elf.path.old), folder_of(elf.path.now)}].push_back(&elf);
  }
  for (const auto& [folder, moved] : folders) {
    if (moved.size() == 1)
      out.push_back(
          {"moved", Style::Term, styled("{} -> {}", name_text(moved[0]->path.old), name_text(moved[0]->path.now))});
    else
      out.push_back({"moved", Style::Term,
                     styled("{} from {} to {}", count_of(moved.size(), "ELF file"), name_text(folder.first),
                            name_text(folder.second))});
  }
}

StyledText needed_text(const NeededChange& change) {
  const StyledText files = in_files(change.files);
  if (change.library.old.empty())
    return styled("{}{} {}", name_text(change.library.now), change.whole ? ", new to the wheel," : "", files);
  if (change.library.now.empty()) return styled("{} {}", name_text(change.library.old), files);
  return styled("{} -> {} {}", name_text(change.library.old), name_text(change.library.now), files);
}

// The old and new sonames of files whose soname changed.
std::set<std::pair<std::string_view, std::string_view>> changed_sonames(const std::vector<ElfChange>& elfs) {
  std::set<std::pair<std::string_view, std::string_view>> out;
  for (const ElfChange& elf : elfs)
    if (elf.soname.changed() && !elf.soname.old.empty()) out.emplace(elf.soname.old, elf.soname.now);
  return out;
}

}  // namespace

std::vector<DiffLine> file_lines(const Diff& diff) {
  const std::vector<ElfChange>& elfs = diff.contents.elfs;
  std::vector<DiffLine> out;
  add_list(out, elfs, true);
  add_list(out, elfs, false);
  const std::vector<std::string>& lost = diff.contents.python_removed;
  if (!lost.empty()) out.push_back(names_line(false, "Python file", lost));
  add_sonames(out, elfs);
  add_moves(out, elfs);
  std::vector<const NeededChange*> needed;
  const auto listed = changed_sonames(elfs);  // needs that only follow a changed soname are not listed
  for (const NeededChange& change : diff.contents.needed)
    if (!listed.contains({change.library.old, change.library.now})) needed.push_back(&change);
  const std::size_t shown = needed.size() <= shown_changes + 1 ? needed.size() : shown_changes;
  for (std::size_t i = 0; i < shown; ++i)
    out.push_back({needed[i]->library.now.empty() ? "no longer needs" : "needs", Style::Term, needed_text(*needed[i])});
  if (shown < needed.size())
    out.push_back({"", Style::Term, styled("and {} other changes of needed libraries", needed.size() - shown)});
  return out;
}

// The sections on the contents of a wheel: libraries, files, symbols, sizes.
namespace {

constexpr std::size_t shown_groups = 8, shown_names = 4, shown_parts = 6;
// a folder whose difference is below this fraction (1/200) of the wheel is counted with the others
constexpr std::uint64_t small_share = 200;

std::string versions_text(const std::vector<std::string>& versions) {
  return versions.empty() ? "of unknown version" : escape(join(versions, ", "));
}

DiffLine library_line(const LibraryChange& library) {
  const std::string name = escape(library.name);
  if (library.files.old.empty())
    return {"new", Style::Term,
            styled("{}{}{} {}", name, library.versions.now.empty() ? "" : " ", escape(join(library.versions.now, ", ")),
                   in_files(library.files.now))};
  if (library.files.now.empty())
    return {"removed", Style::Term,
            styled("{}{}{} {}", name, library.versions.old.empty() ? "" : " ", escape(join(library.versions.old, ", ")),
                   in_files(library.files.old))};
  return {"changed", Style::Term,
          styled("{} {} -> {} {}", name, versions_text(library.versions.old), versions_text(library.versions.now),
                 in_files(library.files.now))};
}

DiffLine cxx_line(const CxxChange& change) {
  std::string text;
  if (change.string_abi.changed())
    text = fmt::format("the std::string of {}", from_to(change.string_abi.old, change.string_abi.now));
  if (change.runtime.changed())
    text += fmt::format("{}{}", text.empty() ? "" : "; ", from_to(change.runtime.old, change.runtime.now));
  return {"C++ ABI", change.string_abi.changed() ? Style::Bad : Style::Doubtful,
          styled("{}, {}", text, in_files(change.files))};
}

StyledText group_name(const SymbolGroup& group) {
  switch (group.kind) {
    case SymbolGroup::Kind::Namespace:
      return group.name.empty() ? "C++ names outside namespaces" : "namespace " + name_text(group.name);
    case SymbolGroup::Kind::Library:
      return escape(group.name);
    case SymbolGroup::Kind::Platform:
      return name_text(group.name);
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
StyledText examples(const SymbolGroup& group) {
  const bool cxx = group.kind == SymbolGroup::Kind::Namespace || group.kind == SymbolGroup::Kind::Rust;
  StyledText out;
  const auto add = [&](const char* word, std::size_t count, const std::vector<std::string>& names) {
    if (names.empty() || (cxx && count > shown_names)) return;
    std::vector<std::string> padded_names = names;
    padded_names.resize(count);  // so that the other names are counted
    out += styled("{}{}{}", out.empty() ? ": " : "; ", word, few_symbols(padded_names, shown_names));
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

std::string from_to_bytes(const Both<std::uint64_t>& bytes) {
  if (!bytes.changed()) return size_text(bytes.now);
  return fmt::format("{} -> {}", size_text(bytes.old), size_text(bytes.now));
}

// The members that are not listed by name, by folder; small differences are combined.
template <class Files>
void add_folders(std::vector<DiffLine>& out, const SizeChanges& sizes, Files files) {
  const std::uint64_t least = std::max(sizes.unpacked.old, sizes.unpacked.now) / small_share;
  Both<std::uint64_t> rest;
  std::size_t folders = 0;
  for (const FolderSize& folder : sizes.folders) {
    if (std::max(folder.bytes.old, folder.bytes.now) - std::min(folder.bytes.old, folder.bytes.now) > least) {
      out.push_back(
          {byte_change(folder.bytes), Style::Term,
           styled("the rest of {}: {}", name_text(folder.folder.empty() ? "." : folder.folder), files(folder.files))});
      continue;
    }
    rest.old += folder.bytes.old;
    rest.now += folder.bytes.now;
    ++folders;
  }
  if (rest.changed()) out.push_back({byte_change(rest), Style::Term, "all else, in " + count_of(folders, "folder")});
}

// ".text +30.1 MB, .rodata -2.0 MB"; small differences are left out.
void add_parts(std::vector<DiffLine>& out, const char* mark, const std::vector<SizePart>& parts, std::uint64_t least) {
  std::vector<StyledText> texts;
  for (const SizePart& part : parts) {
    if (std::max(part.bytes.old, part.bytes.now) - std::min(part.bytes.old, part.bytes.now) <= least) continue;
    texts.push_back(styled("{} {}", part.name.empty() ? StyledText("in no section") : name_text(part.name),
                           byte_change(part.bytes)));
    if (part.unpacked.old > part.bytes.old || part.unpacked.now > part.bytes.now)
      texts.back() += fmt::format(" ({} after decompression)", byte_change(part.unpacked));
  }
  if (!texts.empty()) out.push_back({mark, Style::Term, first_few(texts, shown_parts)});
}

}  // namespace

std::vector<DiffLine> library_lines(const Diff& diff) {
  std::vector<DiffLine> out;
  for (const CxxChange& change : diff.contents.cxx) out.push_back(cxx_line(change));
  for (const LibraryChange& library : diff.contents.libraries) out.push_back(library_line(library));
  const auto package = [](const std::string& url) {
    return url.empty() ? StyledText("none of the index") : name_text(url);
  };
  for (const PackageChange& change : diff.contents.packages)
    out.push_back(
        {"package", Style::Term,
         styled("{}: {} -> {}", name_text(change.file), package(change.package.old), package(change.package.now))});
  const auto add_targets = [&](const char* word, const std::vector<std::string>& targets) {
    if (!targets.empty()) out.push_back({word, Style::Term, "GPU code for " + few_names(targets, 12)});
  };
  add_targets("new", diff.contents.device_added);
  add_targets("removed", diff.contents.device_removed);
  return out;
}

std::vector<DiffLine> symbol_lines(const SymbolChange& change, std::string_view what) {
  std::vector<DiffLine> out;
  if (change.gained == 0 && change.lost == 0) return out;
  DiffLine all{signed_counts(change.gained, change.lost), Style::Term,
               styled("all {}: {} -> {}", what, grouped(change.count.old), grouped(change.count.now))};
  const SymbolFile* const max = change.files.empty() ? nullptr : &change.files.front();
  if (max != nullptr && change.files.size() > 1)
    all.details.push_back(
        styled("most by {}: {} -> {}", name_text(max->file), grouped(max->count.old), grouped(max->count.now)));
  out.push_back(std::move(all));
  const std::size_t shown = change.groups.size() <= shown_groups + 1 ? change.groups.size() : shown_groups;
  for (std::size_t i = 0; i < shown; ++i) {
    const SymbolGroup& group = change.groups[i];
    out.push_back({signed_counts(group.gained, group.lost), Style::Term, group_name(group) + examples(group)});
  }
  std::size_t gained = 0, lost = 0;
  for (std::size_t i = shown; i < change.groups.size(); ++i) {
    gained += change.groups[i].gained;
    lost += change.groups[i].lost;
  }
  if (shown < change.groups.size())
    out.push_back(
        {signed_counts(gained, lost), Style::Term, styled("in {} smaller groups", change.groups.size() - shown)});
  return out;
}

std::vector<DiffLine> size_lines(const Diff& diff) {
  std::vector<DiffLine> out;
  const SizeChanges& sizes = diff.sizes;
  const auto files = [&](const Both<std::uint64_t>& count) {
    if (!count.changed()) return grouped(count.now) + " files";
    return fmt::format("{} -> {} files", grouped(count.old), grouped(count.now));
  };
  if (sizes.archive.old != 0 && sizes.archive.now != 0 && sizes.archive.changed())
    out.push_back({byte_change(sizes.archive), Style::Term, "the wheel: " + from_to_bytes(sizes.archive)});
  if (sizes.unpacked.changed() || sizes.files.changed() || sizes.rewritten > 0) {
    std::string text = fmt::format("unpacked: {}, {}", from_to_bytes(sizes.unpacked), files(sizes.files));
    if (sizes.rewritten > 0) text += fmt::format(", {} of them with different content", grouped(sizes.rewritten));
    out.push_back({byte_change(sizes.unpacked), Style::Term, std::move(text)});
  }
  for (const MemberSize& member : sizes.members) {
    const std::string& path = member.path.now.empty() ? member.path.old : member.path.now;
    const char* const note = member.path.old.empty() ? ", new" : member.path.now.empty() ? ", removed" : "";
    out.push_back({byte_change(member.bytes), Style::Term,
                   name_text(path) + (*note != '\0' ? note : ": " + from_to_bytes(member.bytes))});
  }
  add_folders(out, sizes, files);
  const std::uint64_t least = std::max(sizes.unpacked.old, sizes.unpacked.now) / small_share;
  add_parts(out, "sections", sizes.sections, least);
  add_parts(out, "GPU code", sizes.gpu_code, least);
  return out;
}

}  // namespace wheelcheck::report
