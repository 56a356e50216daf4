// WC504: an element of a search path is relative to the file but leads to a directory that no wheel installs to.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "rules/common.h"
#include "rules/loading/path_repair.h"

namespace wheelcheck::rules::runpath_outside_wheel {
namespace {

// Directories that only build systems create: Bazel, conda-build.
bool is_of_a_build(std::string_view part) {
  return part.starts_with("_solib_") || part.ends_with(".runfiles") || part == "bazel-out" || part == "conda-bld" ||
         part == "_h_env_placehold_placehold_placehold";
}

// True below site-packages, and in a directory of the prefix for a wheel's data and scripts: lib, bin, share.
bool is_installed_to(const std::vector<std::string_view>& parts) {
  if (parts.size() < 2) return !parts.empty();
  const bool python = parts[0].starts_with("lib") && parts[1].starts_with("python");
  return !python || (parts.size() > 2 && (parts[2] == "site-packages" || parts[2] == "lib-dynload"));
}

enum class Where { Inside, Above, Build };
Where where(const ElfMember& elf, std::string_view element) {
  if (!starts_at_origin(element) || elf.installed.empty()) return Where::Inside;
  const auto parts = split(element, '/');
  if (std::ranges::any_of(parts, is_of_a_build)) return Where::Build;
  const auto directory = directory_of(elf.installed, element);
  return directory && is_installed_to(*directory) ? Where::Inside : Where::Above;
}

std::string fix_for(const WheelView& view, ElfIndex index, const EffectivePath& path,
                    const std::vector<std::string_view>& kept) {
  if (kept.size() <= shown_items) return path_repair(view, index, kept);
  return fmt::format("keep the {} of {} elements that lead to directories of wheels: patchelf --set-rpath", kept.size(),
                     path.elements.size());
}

struct File {
  ElfIndex index;
  EffectivePath path;
  std::vector<std::string> stray;  // elements that point into a build tree come first
  bool build = false;
  std::vector<std::string_view> kept;
};

std::optional<File> stray_of(ElfIndex index, const ElfMember& elf) {
  File file{.index = index, .path = effective_path(elf.facts), .stray = {}, .kept = {}};
  std::set<std::string_view> above, build, kept;
  for (const std::string_view element : file.path.elements) {
    const Where place = where(elf, element);
    if (place == Where::Inside && kept.insert(element).second) file.kept.push_back(element);
    if (place != Where::Inside) (place == Where::Build ? build : above).insert(element);
  }
  if (build.empty() && above.empty()) return std::nullopt;
  file.build = !build.empty();
  file.stray.assign(build.begin(), build.end());
  file.stray.insert(file.stray.end(), above.begin(), above.end());
  return file;
}

void check(const WheelView& view, const Emit& emit) {
  std::vector<File> files;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (auto file = stray_of(index, elf)) files.push_back(std::move(*file));
  });
  if (files.empty()) return;
  const bool build = std::ranges::any_of(files, &File::build);
  const std::string_view what = build ? "of a build tree" : "outside of the directories that wheels install to";
  const File& first = *std::ranges::find(files, build, &File::build);
  if (files.size() == 1)
    return emit({.place = AtElf{first.index},
                 .message = fmt::format("{} has {}, {} {}", first.path.kind, first_of(first.stray),
                                        first.stray.size() == 1 ? "a directory" : "directories", what),
                 .evidence = {{"search path", list_of(first.stray)}},
                 .fix = fix_for(view, first.index, first.path, first.kept),
                 .severity = {}});
  std::vector<std::string> names;
  for (const File& file : files) names.emplace_back(path_of(view, file.index));
  emit({.place = WholeWheel{},
        .message = fmt::format("{} have search paths with directories {}, such as {}", count_of(files.size(), "file"),
                               what, first.stray.front()),
        .evidence = {{"files", list_of(names)}},
        .fix = "set the paths anew after the build, for the first file: " +
               fix_for(view, first.index, first.path, first.kept),
        .severity = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC504",
    .name = "runpath-outside-wheel",
    .severity = Severity::Info,
    .check = check,
};

}  // namespace wheelcheck::rules::runpath_outside_wheel

namespace wheelcheck::rules {

bool leads_outside(const ElfMember& elf, std::string_view element) {
  return runpath_outside_wheel::where(elf, element) != runpath_outside_wheel::Where::Inside;
}

}  // namespace wheelcheck::rules
