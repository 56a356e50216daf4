// The sections on the contents of a wheel: libraries, files, symbols, sizes.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/diff/diff_outline.h"
#include "report/shared/text.h"
#include "report/symbols/symbol_list.h"

namespace wheelcheck::report {
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
