// ELF files that came, went or are called otherwise, and the libraries that files need.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "report/diff/diff_outline.h"
#include "report/shared/text.h"

namespace wheelcheck::report {
namespace {

using Tone = DiffLine::Tone;
constexpr std::size_t changed_files = 6, shown_changes = 8;

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? "." : path.substr(0, slash);
}

// New ones, or those that are gone. Of many the names without folders.
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
  out.push_back({added ? "new" : "gone", Tone::Plain,
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

// Old and new sonames of files that bear another one now.
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
  const auto told = changed_sonames(elfs);  // what files need by that name followed
  for (const NeededChange& change : diff.contents.needed)
    if (!told.contains({change.library.old, change.library.now})) needed.push_back(&change);
  const std::size_t shown = needed.size() <= shown_changes + 1 ? needed.size() : shown_changes;
  for (std::size_t i = 0; i < shown; ++i)
    out.push_back(
        {needed[i]->library.now.empty() ? "needs no more" : "needs", Tone::Plain, needed_text(*needed[i], style)});
  if (shown < needed.size())
    out.push_back({"", Tone::Plain, fmt::format("and {} other changes of needed libraries", needed.size() - shown)});
  return out;
}

}  // namespace wheelcheck::report
