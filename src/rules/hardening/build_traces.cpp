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

// WC604: debug information and symbol tables that every user downloads.
namespace wheelcheck::rules::debug_info_shipped {
namespace {

constexpr std::uint64_t least = 64 * 1024;  // bytes of one file; smaller amounts are not reported
// Less than this, and less than a tenth of what the wheel installs, is a note: no user would see the difference.
constexpr std::uint64_t much = 5'000'000;
constexpr std::uint64_t small_part = 10;
constexpr std::uint64_t little = 200'000;           // a note, whatever the wheel installs: packed it is about a quarter
constexpr std::uint64_t least_symbols = 1'000'000;  // of a wheel

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
  if (files.size() == 1)
    return fmt::format("strip --strip-debug {} before auditwheel repair; with maturin: maturin build --strip",
                       shell_word(first));
  return "link with -Wl,-s, or repair what the build wrote with auditwheel repair --strip; with maturin: maturin build "
         "--strip";
}

struct Shipped {
  Sizes files;  // with more than `least` bytes of it
  std::uint64_t bytes = 0;
  std::vector<std::string> lines(const WheelView& view) const {
    std::vector<std::string> out;
    for (const auto& [size, index] : files)
      out.push_back(fmt::format("{} ({})", path_of(view, index), size_text(size)));
    return out;
  }
};
Shipped shipped(const WheelView& view, std::uint64_t SectionFacts::* size) {
  Shipped out;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (const std::uint64_t bytes = elf.facts.sections.*size; bytes > least) {
      out.files.emplace_back(bytes, index);
      out.bytes += bytes;
    }
  });
  std::ranges::stable_sort(out.files, std::ranges::greater{}, [](const auto& file) { return file.first; });
  return out;
}

void check(const WheelView& view, const Emit& emit) {
  const Shipped debug = shipped(view, &SectionFacts::debug_bytes), symbols = shipped(view, &SectionFacts::symbol_bytes);
  std::uint64_t installed = 0;
  for (const MemberFacts& member : view.wheel.members) installed += member.size;
  const auto is_small = [&](const Shipped& what) {
    return what.bytes < little || (what.bytes < much && what.bytes < installed / small_part);
  };
  const bool is_debug = !debug.files.empty();
  if (!is_debug && (symbols.bytes < least_symbols || is_small(symbols))) return;
  const Shipped& what = is_debug ? debug : symbols;
  const std::string_view name = is_debug ? "debug information" : "symbol tables that no loader reads (.symtab)";
  const bool one = what.files.size() == 1;
  std::vector<Evidence> evidence = {{is_debug ? "debug information" : "symbol tables", list_of(what.lines(view))}};
  if (is_debug && !symbols.files.empty()) evidence.push_back({"symbol tables", size_text(symbols.bytes)});
  emit({.place = one ? Place{AtElf{what.files.front().second}} : Place{WholeWheel{}},
        .message =
            one ? fmt::format("contains {} of {}", size_text(what.bytes), name)
                : fmt::format("{} contain {} of {}", count_of(what.files.size(), "file"), size_text(what.bytes), name),
        .evidence = std::move(evidence),
        .fix = is_debug ? remedy(view, what.files) : "link with -Wl,-s, or wheelcheck repair --strip-level unneeded",
        .severity = !is_debug || is_small(debug) ? Severity::Note : std::optional<Severity>()});
}

}  // namespace

extern const Rule rule{
    .code = "WC604",
    .name = "debug-info-shipped",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::debug_info_shipped
