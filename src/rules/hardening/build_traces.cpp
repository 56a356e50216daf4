// What the build leaves in a file: its id, debug information and paths.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/library_name.h"
#include "rules/common.h"

// WC606: a file without a build ID, which symbol servers cannot identify.
namespace wheelcheck::rules::build_id_missing {
namespace {

void check(const WheelView& view, const Emit& emit) {
  std::vector<std::string> files;
  std::optional<ElfIndex> first;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (elf.facts.build_id || (elf.facts.kind != ElfKind::SharedObject && elf.facts.kind != ElfKind::Executable))
      return;
    if (!first) first = index;
    files.emplace_back(path_of(view, index));
  });
  if (!first) return;
  const bool one = files.size() == 1;
  emit({.place = one ? Place{AtElf{*first}} : Place{WholeWheel{}},
        .message = one ? "has no build ID" : fmt::format("{} have no build ID", count_of(files.size(), "file")),
        .evidence = {{"without", list_of(files)}},
        .fix = "link with -Wl,--build-id",
        .severity = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC606",
    .name = "build-id-missing",
    .severity = Severity::Note,
    .pedantic = true,
    .check = check,
};

}  // namespace wheelcheck::rules::build_id_missing

// WC607: the constants of a file contain paths of the build machine.
namespace wheelcheck::rules::build_path_leak {
namespace {

template <std::size_t N>
bool any_prefix(std::string_view text, const std::string_view (&prefixes)[N]) {
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return text.starts_with(prefix); });
}

// True for source files, which compilers write for __FILE__ and assertions. Other paths below /tmp or /mnt may be meant
// for the user's machine.
bool is_source(std::string_view path) {
  constexpr std::string_view suffixes[] = {".c",   ".h",  ".cc",  ".cpp", ".cxx", ".hpp", ".hh", ".hxx", ".cu", ".cuh",
                                           ".inc", ".rs", ".f90", ".f",   ".pyx", ".go",  ".S",  ".ipp", ".tcc"};
  return std::ranges::any_of(suffixes, [&](std::string_view suffix) { return path.ends_with(suffix); });
}

// A string of Rust has no NUL at its end, so that prose may follow the name of a source file.
std::string_view to_source_end(std::string_view text) {
  constexpr std::string_view ending = ".rs";
  const std::size_t at = text.find(ending);
  return at == text.npos ? text : text.substr(0, at + ending.size());
}

bool is_leak(std::string_view path) {
  if (path.find('%') != std::string_view::npos || path.find("XXXXXX") != std::string_view::npos) return false;
  constexpr std::string_view builds[] = {"/home/", "/Users/", "/__w/", "/github/", "/builds/", "/buildbot/"};
  return any_prefix(path, builds) || is_source(path);
}

// True if the path starts with /home/ or /Users/ and a name that is not one of a build service.
bool names_a_person(std::string_view path) {
  constexpr std::string_view homes[] = {"/home/", "/Users/"};
  if (!any_prefix(path, homes)) return false;
  path.remove_prefix(path.find('/', 1) + 1);
  const std::string_view user = path.substr(0, path.find('/'));
  constexpr std::string_view services[] = {"runner",    "vsts",          "circleci", "qt",          "travis",
                                           "builder",   "build",         "buildbot", "conda",       "ubuntu",
                                           "jenkins",   "user",          "root",     "runneradmin", "ci",
                                           "azureuser", "gitlab-runner", "vagrant",  "centos"};
  return std::ranges::find(services, user) == std::end(services);
}

void check(const WheelView& view, const Emit& emit) {
  std::set<std::string_view> all;
  std::vector<std::string> files;
  std::optional<ElfIndex> first;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    bool any = false;
    for (const std::string_view text : elf.facts.texts.build_paths)
      if (const std::string_view path = to_source_end(text); is_leak(path)) all.insert(path), any = true;
    if (!any) return;
    if (!first) first = index;
    files.emplace_back(path_of(view, index));
  });
  if (!first) return;
  std::vector<std::string> paths(all.begin(), all.end());
  std::ranges::stable_partition(paths, names_a_person);
  const std::string_view owner = names_a_person(paths.front()) ? ", in the home of a user" : "";
  const bool one = files.size() == 1;
  emit({.place = one ? Place{AtElf{*first}} : Place{WholeWheel{}},
        .message = fmt::format("{} {} of the build machine, such as {}{}",
                               one ? "contains" : count_of(files.size(), "file") + " contain",
                               count_of(paths.size(), "path"), paths.front(), owner),
        .evidence = {{"paths", list_of(paths)}, {"files", list_of(files)}},
        .fix = "compile with -ffile-prefix-map=$PWD=. (GCC, clang) or --remap-path-prefix (rustc)",
        .severity = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC607",
    .name = "build-path-leak",
    .severity = Severity::Note,
    .confidence = Confidence::Medium,
    .check = check,
};

}  // namespace wheelcheck::rules::build_path_leak

// WC604: debug information that every user downloads.
namespace wheelcheck::rules::debug_info_shipped {
namespace {

constexpr std::uint64_t least = 64 * 1024;  // bytes of one file; smaller amounts are not reported
// Less than this, and less than a tenth of what the wheel installs, is a note: no user would see the difference.
constexpr std::uint64_t much = 5'000'000;
constexpr std::uint64_t small_part = 10;

using Sizes = std::vector<std::pair<std::uint64_t, ElfIndex>>;  // bytes of debug information, largest first

// A library that auditwheel or maturin copied does not exist under its name before, and strip damages it afterwards.
std::string remedy(const WheelView& view, const Sizes& files) {
  const auto is_copied = [&](const auto& file) {
    return std::holds_alternative<BundledLibrary>(view.wheel.elfs[file.second.value].role);
  };
  const std::string_view first = path_of(view, files.front().second);
  if (std::ranges::all_of(files, is_copied))
    return fmt::format(
        "strip --strip-debug the {} of the build image before auditwheel or maturin copies it, or use "
        "auditwheel repair --strip",
        plain_library_name(base_name(first)));
  if (files.size() == 1) return fmt::format("strip --strip-debug {} before auditwheel repair", shell_word(first));
  return "link with -Wl,-s, or repair what the build wrote with auditwheel repair --strip";
}

void check(const WheelView& view, const Emit& emit) {
  Sizes files;
  std::uint64_t all = 0;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const std::uint64_t bytes = elf.facts.sections.debug_bytes;
    if (bytes <= least) return;
    files.emplace_back(bytes, index);
    all += bytes;
  });
  if (files.empty()) return;
  std::ranges::stable_sort(files, std::ranges::greater{}, [](const auto& file) { return file.first; });
  std::vector<std::string> lines;
  for (const auto& [bytes, index] : files)
    lines.push_back(fmt::format("{} ({})", path_of(view, index), size_text(bytes)));
  std::uint64_t installed = 0;
  for (const MemberFacts& member : view.wheel.members) installed += member.size;
  const bool one = files.size() == 1;
  emit({.place = one ? Place{AtElf{files.front().second}} : Place{WholeWheel{}},
        .message =
            one ? fmt::format("contains {} of debug information", size_text(all))
                : fmt::format("{} contain {} of debug information", count_of(files.size(), "file"), size_text(all)),
        .evidence = {{"debug information", list_of(lines)}},
        .fix = remedy(view, files),
        .severity = all < much && all < installed / small_part ? Severity::Note : std::optional<Severity>()});
}

}  // namespace

extern const Rule rule{
    .code = "WC604",
    .name = "debug-info-shipped",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::debug_info_shipped
