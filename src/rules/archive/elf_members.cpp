// Members that are ELF files where none is expected, or that are no sound ELF files.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "base/text.h"
#include "import_plan/own_imports.h"
#include "rules/common.h"

// WC707: machine code in a file whose name suggests text or data.
namespace wheelcheck::rules::elf_disguised {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for (std::uint32_t i = 0; i < view.wheel.elfs.size(); ++i) {
    const ElfMember& elf = view.wheel.elfs[i];
    if (!elf.disguised) continue;
    emit({.place = AtElf{ElfIndex{i}},
          .message = fmt::format("is an ELF file ({}) with the name of a text file", name_of(elf.role)),
          .evidence = {},
          .fix = "rename it: .so for a library, no suffix for a program",
          .severity = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC707",
    .name = "elf-disguised",
    .severity = Severity::Warning,
    .security = "5.3",
    .check = check,
};

}  // namespace wheelcheck::rules::elf_disguised

// WC705: machine code in a wheel, or in a part of it, that is declared to contain none.
namespace wheelcheck::rules::elf_in_purelib {
namespace {

// By its file name, for which installers take it. Another platform in WHEEL alone is WC701.
bool is_for_every_platform(const WheelView& view) {
  return std::ranges::find(view.wheel.name.platforms, PlatformTag::Family::Any, &PlatformTag::family) !=
         view.wheel.name.platforms.end();
}

bool is_below_data(const WheelView& view, ElfIndex elf) { return data_path(path_of(view, elf)).has_value(); }

std::string what_says_pure(const WheelView& view, ElfIndex index, const ElfMember& elf) {
  if (elf.in_purelib) return "is machine code below purelib, the directory for files of every machine";
  const bool any = is_for_every_platform(view);
  const bool root =
      view.wheel.wheel && view.wheel.wheel->root_is_purelib.value_or(false) && !is_below_data(view, index);
  if (any && root) return "is machine code, but the wheel claims the platform any and Root-Is-Purelib";
  if (any) return "is machine code, but the wheel claims the platform any";
  return root ? "is machine code, but WHEEL says Root-Is-Purelib: true" : "";
}

// Whether one half of a package is below purelib and the other in platlib. On systems where these are two directories,
// Python finds one half alone.
bool is_split(const WheelView& view, std::span<const ElfIndex> files) {
  if (view.wheel.wheel && view.wheel.wheel->root_is_purelib.value_or(false)) return false;
  const auto package_of = [](std::string_view path) { return path.substr(0, path.find('/')); };
  std::set<std::string_view> packages;
  for (const ElfIndex file : files)
    if (const auto data = data_path(path_of(view, file))) packages.insert(package_of(data->rest));
  return std::ranges::any_of(view.wheel.members, [&](const MemberFacts& member) {
    const std::string_view path = member.path.text();
    const auto data = data_path(path);
    return (!data || data->scheme == "platlib") && packages.contains(package_of(data ? data->rest : path));
  });
}

// Whether the wheel has code for several machines of Linux, of which the package chooses.
bool is_for_several(const WheelView& view) {
  std::set<std::pair<Arch, std::string_view>> machines;
  for_each_judged(view,
                  [&](ElfIndex, const ElfMember& elf) { machines.emplace(elf.facts.arch, elf.facts.machine_name); });
  return machines.size() > 1;
}

// Of a wheel for one platform, the contradiction only chooses between two directories, which are one on most systems.
Severity severity_of(const WheelView& view, std::span<const ElfIndex> files) {
  if (view.wheel.elfs[files.front().value].in_purelib && is_split(view, files)) return Severity::Error;
  if (!is_for_every_platform(view)) return Severity::Warning;
  return is_for_several(view) ? Severity::Note : Severity::Error;
}

// A wheel for every system with a program for macOS and for Windows, and none for Linux. Where it is for one of them
// only, the package may be for that system.
void check_other_systems(const WheelView& view, const Emit& emit) {
  if (!is_for_every_platform(view) || !view.wheel.elfs.empty()) return;
  const auto is_program = [](const MemberFacts& member) {
    return member.foreign == ForeignKind::MachO && !member.path.name().contains('.');
  };
  const auto is_of_windows = [](const MemberFacts& member) {
    return member.foreign == ForeignKind::WindowsProgram && member.path.name().ends_with(".exe");
  };
  const auto& members = view.wheel.members;
  const auto program = std::ranges::find_if(members, is_program);
  if (program == members.end() || std::ranges::none_of(members, is_of_windows)) return;
  emit({.place = AtMember{MemberIndex{static_cast<std::uint32_t>(program - members.begin())}},
        .message = "is a program for macOS; there is one for Windows too and none for Linux, but the wheel claims the "
                   "platform any",
        .evidence = {{"on Linux", "Exec format error"}},
        .fix = "build a wheel for each platform, with its program",
        .severity = Severity::Warning});
}

// One finding for all files with the same contradiction: the first of them, and the number of the others.
void check(const WheelView& view, const Emit& emit) {
  check_other_systems(view, emit);
  std::map<std::string, std::vector<ElfIndex>> by_message;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const std::string message = what_says_pure(view, index, elf);
    if (!message.empty()) by_message[message].push_back(index);
  });
  for (const auto& [message, files] : by_message) {
    const ElfMember& elf = view.wheel.elfs[files.front().value];
    std::vector<std::string> others;
    for (const ElfIndex file : files)
      if (file != files.front()) others.emplace_back(path_of(view, file));
    Emit::Draft draft{
        .place = AtElf{files.front()},
        .message =
            others.empty() ? message : fmt::format("{} (also {})", message, count_of(others.size(), "other file")),
        .evidence = {{"machine",
                      elf.facts.arch == Arch::Other ? elf.facts.machine_name : std::string(name_of(elf.facts.arch))}},
        .fix =
            elf.in_purelib
                ? "install it into platlib (setuptools: a distribution whose has_ext_modules returns True)"
                : "build a platform wheel (setuptools: bdist_wheel with root_is_pure = False, and get_tag if it is for "
                  "every Python 3; hatchling: build_data[\"pure_python\"] = False)",
        .severity = severity_of(view, files)};
    if (!others.empty()) draft.evidence.push_back({"also", list_of(others)});
    emit(std::move(draft));
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC705",
    .name = "elf-in-purelib",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::elf_in_purelib

// WC708: parts of an ELF file that could not be read, or that the loader and other readers interpret differently.
namespace wheelcheck::rules::elf_malformed {
namespace {

std::string describe(const Flaw& flaw, bool fatal) {
  return fmt::format("{} {}: {}", fatal ? "malformed" : "odd", name_of(flaw.area), flaw.reason);
}

// One finding for each file: the message is the first of its most severe flaws, the others are evidence.
void report(const Emit& emit, ElfIndex index, std::span<const Flaw> flaws, bool unreadable) {
  const auto worst = std::ranges::find(flaws, true, &Flaw::fatal);
  const Flaw& first = worst == flaws.end() ? flaws.front() : *worst;
  const bool fatal = first.fatal || unreadable;
  // The loader skips a note that it cannot parse; old releases of patchelf produced such build IDs.
  const bool only_notes = std::ranges::all_of(flaws, [](const Flaw& flaw) { return flaw.area == ElfArea::Notes; });
  Emit::Draft draft{.place = AtElf{index},
                    .message = describe(first, fatal),
                    .evidence = {},
                    .fix = fatal ? "build or copy the file again: it is damaged, or a tool changed it incorrectly"
                                 : "link the file again without the tool that changed it",
                    .severity = !fatal && only_notes ? Severity::Note : Severity::Error};
  for (const Flaw& flaw : flaws)
    if (&flaw != &first) draft.evidence.push_back({"also", describe(flaw, flaw.fatal || unreadable)});
  emit(std::move(draft));
}

void check(const WheelView& view, const Emit& emit) {
  const std::vector<Flaw> nothing_said = {{ElfArea::Header, true, "it cannot be read"}};
  for (std::uint32_t i = 0; i < view.wheel.elfs.size(); ++i) {
    const ElfMember& elf = view.wheel.elfs[i];
    const bool unreadable = std::holds_alternative<BrokenElf>(elf.role);
    if (!unreadable && !is_host_code(elf)) continue;
    if (!elf.facts.flaws.empty()) report(emit, ElfIndex{i}, elf.facts.flaws, unreadable);
    if (unreadable && elf.facts.flaws.empty()) report(emit, ElfIndex{i}, nothing_said, true);
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC708",
    .name = "elf-malformed",
    .severity = Severity::Error,
    .stops_import = true,
    .check = check,
};

}  // namespace wheelcheck::rules::elf_malformed

// WC709: an ELF file without section headers, in which most other tools find nothing.
namespace wheelcheck::rules::elf_no_sections {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (elf.facts.has_sections || std::ranges::any_of(elf.facts.flaws, &Flaw::fatal)) return;  // WC708
    emit({.place = AtElf{index},
          .message = "has no section headers in the file, so tools that look for sections find nothing in it",
          .evidence = {},
          .fix = "use strip --strip-unneeded, which leaves the section headers; build a truncated file again",
          .severity = {}});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC709",
    .name = "elf-no-sections",
    .severity = Severity::Note,
    .check = check,
};

}  // namespace wheelcheck::rules::elf_no_sections

// WC718: a file with the name of a shared library that the loader cannot open, because it is not an ELF file.
namespace wheelcheck::rules::library_not_elf {
namespace {

// libfoo.so, libfoo.so.1.2; not libfoo.so.gz
bool is_library_name(std::string_view name) {
  const std::size_t at = name.rfind(".so");
  return at != name.npos && std::ranges::all_of(name.substr(at + 3), [](char c) { return is_digit(c) || c == '.'; });
}

// A name that an interpreter on Linux imports: core.so, core.abi3.so, core.cpython-311-x86_64-linux-gnu.so
// (CPython Python/dynload_shlib.c, _PyImport_DynLoadFiletab).
bool is_module_name(std::string_view name) {
  if (!name.ends_with(".so") || name.starts_with("lib")) return false;
  const std::string_view stem = name.substr(0, name.size() - 3);
  const std::size_t dot = stem.find('.');
  if (dot == stem.npos) return true;
  const std::string_view tag = stem.substr(dot + 1);
  return tag.starts_with("abi3") || tag.find("linux") != tag.npos;
}

void check(const WheelView& view, const Emit& emit) {
  // such a file may be a Mach-O or WebAssembly library by right
  if (is_for_other_systems(view.wheel.name.platforms)) return;
  const std::set<std::string_view> needed = needed_names(view);
  const auto opens =
      view.wheel.all_python ? import_plan::certain_opens(view.wheel) : std::vector<import_plan::CertainOpen>();
  bool for_linux = false;
  for_each_judged(view, [&](ElfIndex, const ElfMember&) { for_linux = true; });
  // A wheel for every system may have files for each.
  const bool for_others = for_linux && claims_family(view, PlatformTag::Family::Any);
  for (std::uint32_t i = 0; i < view.wheel.members.size(); ++i) {
    const MemberFacts& member = view.wheel.members[i];
    const std::string_view name = member.path.name();
    if (member.foreign == ForeignKind::None || !is_library_name(name)) continue;
    if (for_others && (member.foreign == ForeignKind::MachO || member.foreign == ForeignKind::Ar)) continue;
    const bool text = member.foreign == ForeignKind::TextLibrary || member.foreign == ForeignKind::LinkerScript;
    const bool loaded =
        is_module_name(name) || needed.contains(name) || import_plan::opens_path(opens, member.path.text());
    const bool for_linkers = member.foreign == ForeignKind::LinkerScript;  // mpich 5.0.2: libmpi.so, for mpicc
    emit({.place = AtMember{MemberIndex{i}},
          .message =
              fmt::format("is named like a shared library, but is not an ELF file ({}): loading it fails with \"{}\"",
                          name_of(member.foreign), member.size < 64 ? "file too short" : "invalid ELF header"),
          .evidence = {{"size", count_of(member.size, "byte")}},
          .fix = text ? "pack the library itself: a checkout without Git LFS, a link that was stored as text, or a "
                        "linker script for development was packed instead"
                      : "build it for Linux, or leave it out",
          .severity = loaded        ? Severity::Error
                      : for_linkers ? Severity::Note
                                    : Severity::Warning});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC718",
    .name = "library-not-elf",
    .severity = Severity::Error,
    .stops_import = true,
    .check = check,
};

}  // namespace wheelcheck::rules::library_not_elf
