// The paths in a file by which the loader searches: PT_INTERP, DT_RPATH and DT_RUNPATH.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "model/machines.h"
#include "model/unprovided.h"
#include "rules/common.h"
#include "rules/loading/path_repair.h"

// WC514: a program requires a loader (PT_INTERP) at a path that other systems do not have.
namespace wheelcheck::rules::interpreter_path {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (elf.facts.kind != ElfKind::Executable || !elf.facts.interpreter) return;
    const std::string_view standard = standard_loader(elf);
    if (standard.empty() || *elf.facts.interpreter == standard) return;
    emit({.place = AtElf{index},
          .message =
              fmt::format("names the loader {}, but systems of this machine have {}", *elf.facts.interpreter, standard),
          .evidence = {},
          .fix = fmt::format("patchelf --set-interpreter {} {}", standard, shell_word(path_of(view, index))),
          .severity = {}});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC514",
    .name = "interpreter-path",
    .severity = Severity::Error,
    .stops_import = true,
    .check = check,
};

}  // namespace wheelcheck::rules::interpreter_path

// WC505: a search path that is longer than any library needs.
namespace wheelcheck::rules::runpath_bloat {
namespace {

constexpr std::size_t max_elements = 32;
constexpr std::size_t max_bytes = 4096;

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const EffectivePath path = effective_path(elf.facts);
    if (path.elements.empty()) return;
    const std::set<std::string_view> distinct(path.elements.begin(), path.elements.end());
    std::size_t bytes = path.elements.size() - 1;                              // colons
    if (std::ranges::all_of(path.elements, &std::string_view::empty)) return;  // WC501
    for (const std::string_view element : path.elements) bytes += element.size();
    const std::size_t all = path.elements.size(), repeated = all - distinct.size();
    const bool long_path = all > max_elements || bytes > max_bytes;
    if (!long_path && repeated == 0) return;
    const std::string size = bytes > max_bytes ? fmt::format(" and {} bytes", bytes) : "";
    const std::string again = repeated == 0 ? "" : fmt::format(", {} of them repeated", repeated);
    emit({.place = AtElf{index},
          .message = fmt::format("{} has {}{}{}", path.kind, count_of(all, "element"), size, again),
          .evidence = {},
          .fix = path_repair(view, index),
          .severity = long_path ? Severity::Warning : Severity::Note});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC505",
    .name = "runpath-bloat",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::runpath_bloat

// WC501: a search path has an empty element, which means the current directory.
namespace wheelcheck::rules::runpath_empty_element {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const EffectivePath path = effective_path(elf.facts);
    const auto empty = static_cast<std::size_t>(std::ranges::count(path.elements, std::string_view()));
    if (empty == 0) return;
    // musl skips empty elements (ldso/dynlink.c, path_open).
    const bool musl = elf.libc == Libc::Musl;
    emit({.place = AtElf{index},
          .message = fmt::format("{} has {}, which {}", path.kind, count_of(empty, "empty element"),
                                 musl ? "only musl ignores" : "means the current directory"),
          .evidence = {{"search path", fmt::format("{}", fmt::join(path.elements, ":"))}},
          .fix = path_repair(view, index),
          .severity = musl || !is_searched(elf) ? Severity::Warning : Severity::Error});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC501",
    .name = "runpath-empty-element",
    .severity = Severity::Error,
    .security = "7.8",
    .check = check,
};

}  // namespace wheelcheck::rules::runpath_empty_element

// WC502: an element of a search path that depends on the current directory.
namespace wheelcheck::rules::runpath_relative {
namespace {

bool is_relative(std::string_view element) {
  return !element.empty() && !element.starts_with('/') && !starts_at_origin(element);
}

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const EffectivePath path = effective_path(elf.facts);
    std::vector<std::string> relative;
    for (const std::string_view element : path.elements)
      if (is_relative(element)) relative.emplace_back(element);
    if (relative.empty()) return;
    emit({.place = AtElf{index},
          .message = fmt::format("{} has {}, which depends on the current directory", path.kind, first_of(relative)),
          .evidence = {{"search path", list_of(relative)}},
          .fix = path_repair(view, index),
          .severity = is_searched(elf) ? Severity::Error : Severity::Warning});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC502",
    .name = "runpath-relative",
    .severity = Severity::Error,
    .security = "7.8",
    .check = check,
};

}  // namespace wheelcheck::rules::runpath_relative

// WC503: an element of a search path is a directory of the build machine.
namespace wheelcheck::rules::runpath_absolute {
namespace {

bool is_below(std::string_view element, std::string_view directory) {
  return element.starts_with(directory) && (element.size() == directory.size() || element[directory.size()] == '/');
}

// Where containers and the Windows Subsystem for Linux have the driver of the GPU, which no wheel contains.
bool is_of_a_driver(std::string_view element) {
  constexpr std::string_view drivers[] = {"/usr/local/nvidia", "/usr/local/cuda/compat", "/usr/lib/wsl/lib"};
  return std::ranges::any_of(drivers, [&](std::string_view directory) { return is_below(element, directory); });
}

bool anyone_can_write(std::string_view element) {
  constexpr std::string_view shared[] = {"/tmp", "/var/tmp", "/dev/shm", "/usr/tmp"};
  return std::ranges::any_of(shared, [&](std::string_view directory) { return is_below(element, directory); });
}

// Directories that exist only on build machines. On a user's machine, another user may be able to create some of them.
bool is_of_a_build(std::string_view element) {
  constexpr std::string_view build[] = {"/home",    "/root",   "/__w", "/build",         "/github",
                                        "/project", "/builds", "/io",  "/opt/_internal", "/Users"};
  return std::ranges::any_of(build, [&](std::string_view directory) { return is_below(element, directory); });
}

std::string_view grade(std::string_view element) {
  if (anyone_can_write(element)) return ", where every user can plant a library";
  return is_of_a_build(element) ? ", a directory of the build machine" : "";
}

// An empty element or a relative one is an error of its own (WC501, WC502), whose command removes this element too.
bool is_of_an_error(std::string_view element) { return !element.starts_with('/') && !starts_at_origin(element); }

// A directory of the system after one of the wheel in which the file finds a library. Only libraries of the system are
// looked up there, and only the owner of the system can put one there.
bool is_harmless(const WheelView& view, ElfIndex index, const EffectivePath& path) {
  const auto is_safe = [](std::string_view element) {
    return !element.starts_with('/') || element.starts_with("/opt/") || is_of_a_system(element);
  };
  if (!std::ranges::all_of(path.elements, is_safe) || index.value >= view.resolution.needed.size()) return false;
  if (std::ranges::none_of(path.elements, is_of_a_system)) return true;  // a tool cache of build machines
  const auto first = std::ranges::find_if(path.elements, [](std::string_view e) { return e.starts_with('/'); });
  return std::ranges::any_of(view.resolution.needed[index.value], [&](const NeededFound& found) {
    return found.found == Found::InWheel && std::find(path.elements.begin(), first, found.element) != first;
  });
}

std::optional<Severity> severity_of(const WheelView& view, ElfIndex index, const EffectivePath& path,
                                    std::string_view worst) {
  if (!is_searched(view.wheel.elfs[index.value])) return Severity::Note;
  if (std::ranges::any_of(path.elements, is_of_an_error) && !anyone_can_write(worst)) return Severity::Note;
  const bool only_drivers = std::ranges::all_of(
      path.elements, [](std::string_view element) { return !element.starts_with('/') || is_of_a_driver(element); });
  return only_drivers || is_harmless(view, index, path) ? std::optional(Severity::Note) : std::nullopt;
}

// What leads to a library that is found nowhere else is the matter of that library (WC103).
void report_needed(const WheelView& view, ElfIndex index, const EffectivePath& path, const std::string& elements,
                   const std::vector<std::string_view>& libraries, const Emit& emit) {
  emit({.place = AtElf{index},
        .message = fmt::format("{} has {}, which may lead to {}", path.kind, elements, list_of_first(libraries, 3)),
        .evidence = {{"found nowhere else", list_of_first(libraries)}},
        .fix = fmt::format("bundle {} (wheelcheck repair {}), which also removes the directory",
                           libraries.size() == 1 ? "it" : "them", shell_word(view.wheel.file)),
        .severity = Severity::Note});
}

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const EffectivePath path = effective_path(elf.facts);
    std::vector<std::string> absolute;
    for (const std::string_view element : path.elements)
      if (element.starts_with('/')) absolute.emplace_back(element);
    if (absolute.empty()) return;
    // The worst elements are put first, so that the message contains them.
    std::ranges::stable_partition(absolute, [](const std::string& e) { return is_of_a_build(e); });
    std::ranges::stable_partition(absolute, [](const std::string& e) { return anyone_can_write(e); });
    const std::vector<std::string_view> libraries = unprovided(view.resolution, view.assessments, index);
    if (!libraries.empty() && std::ranges::all_of(absolute, is_of_a_system))
      return report_needed(view, index, path, first_of(absolute), libraries, emit);
    const std::string_view worst = grade(absolute.front());
    std::vector<std::string> so_graded;
    std::ranges::copy_if(absolute, std::back_inserter(so_graded), [&](const auto& e) { return grade(e) == worst; });
    emit({.place = AtElf{index},
          .message = fmt::format("{} has {}{}", path.kind, first_of(so_graded), worst),
          .evidence = {{"search path", list_of(absolute)}},
          .fix = path_repair(view, index),
          .severity = severity_of(view, index, path, absolute.front())});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC503",
    .name = "runpath-absolute",
    .severity = Severity::Warning,
    .security = "7.3",
    .check = check,
};

}  // namespace wheelcheck::rules::runpath_absolute

// WC504: an element of a search path is relative to the file but leads to a directory that no wheel installs to.
namespace wheelcheck::rules::runpath_outside_wheel {
namespace {

struct File {
  ElfIndex index;
  EffectivePath path;
  std::vector<std::string> stray;  // elements that point into a build tree come first
  bool build = false;
};

std::optional<File> stray_of(ElfIndex index, const ElfMember& elf) {
  File file{.index = index, .path = effective_path(elf.facts), .stray = {}};
  std::set<std::string_view> above, build;
  for (const std::string_view element : file.path.elements) {
    const PathTarget place = target_of(elf, element);
    if (place != PathTarget::Inside) (place == PathTarget::Build ? build : above).insert(element);
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
                 .fix = path_repair(view, first.index),
                 .severity = {}});
  std::vector<std::string> names;
  for (const File& file : files) names.emplace_back(path_of(view, file.index));
  emit({.place = WholeWheel{},
        .message = fmt::format("{} have search paths with directories {}, such as {}", count_of(files.size(), "file"),
                               what, first.stray.front()),
        .evidence = {{"files", list_of(names)}},
        .fix = "set the paths anew after the build, for the first file: " + path_repair(view, first.index),
        .severity = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC504",
    .name = "runpath-outside-wheel",
    .severity = Severity::Note,
    .check = check,
};

}  // namespace wheelcheck::rules::runpath_outside_wheel
