// Modes and first lines of programs and scripts.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "model/installed_files.h"
#include "rules/common.h"

// WC715: a program or a script without an executable bit, which pip does not add.
namespace wheelcheck::rules::program_mode {
namespace {

// A shared object that can also be executed (libc.so.6, ld-linux) is usually opened as a library.
bool is_library_name(std::string_view name) { return name.ends_with(".so") || name.find(".so.") != name.npos; }

// A file below .data/scripts that is run by its name, and neither for another system nor read by a shell (`source`).
bool is_command(std::string_view path) {
  constexpr std::string_view others[] = {".bat", ".cmd",  ".exe", ".ps1", ".dll",
                                         ".sh",  ".bash", ".csh", ".zsh", ".fish"};
  return is_script(path) && path.find("/", path.find("/scripts/") + 9) == path.npos &&
         std::ranges::none_of(others, [&](std::string_view end) { return lower(path).ends_with(end); });
}

std::string mode_of(const MemberFacts& member) {
  return member.unix_mode == 0 ? "none" : fmt::format("{:06o}", member.unix_mode);
}

void check(const WheelView& view, const Emit& emit) {
  if (is_unpacked(view.wheel)) return;  // an unpacked wheel: the modes in a later archive are not known
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!std::holds_alternative<Program>(elf.role)) return;
    const MemberFacts& member = view.wheel.members[elf.member.value];
    const std::string_view path = member.path.text();
    if (is_executable(member) || is_command(path) || is_library_name(base_name(path))) return;
    if (is_program_for_elsewhere(view, elf)) return;  // WC109
    emit({.place = AtElf{index},
          .message = fmt::format("is a program that pip installs without the executable bit (recorded mode: {})",
                                 mode_of(member)),
          .evidence = {},
          .fix = fmt::format("chmod +x {} before the wheel is packed", shell_word(path)),
          .severity = {}});
  });
  for (const MemberFacts& member : view.wheel.members)
    // Empty files and files such as .gitkeep are not scripts.
    if (const std::string_view path = member.path.text();
        is_command(path) && !is_executable(member) && member.size != 0 && !base_name(path).starts_with('.'))
      emit({.place = AtPath{std::string(path)},
            .message = fmt::format("is a script that pip installs without the executable bit, unlike uv (recorded "
                                   "mode: {})",
                                   mode_of(member)),
            .evidence = {},
            .fix = fmt::format("chmod +x {} before the wheel is packed, or make the command an entry point "
                               "([project.scripts])",
                               shell_word(path)),
            .severity = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC715",
    .name = "program-mode",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::program_mode

// WC726: the first line of a script names an interpreter that users do not have. Installers replace it only where the
// line begins with "#!python" (pip: operations/install/wheel.py, fix_script).
namespace wheelcheck::rules::script_interpreter {
namespace {

// Directories of the system.
constexpr std::string_view system_directories[] = {"/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin"};

struct Fault {
  std::string what;
  bool fails = false;  // the script cannot be started
};

// Nothing for a script that starts.
std::optional<Fault> fault_of(const ScriptLine& script) {
  std::string_view line = script.interpreter;
  if (line.starts_with("python")) return std::nullopt;
  line = trim(line);
  const std::string_view program = line.substr(0, line.find_first_of(" \t"));
  // The kernel takes the carriage return for the last character of the interpreter, or of its argument.
  if (script.carriage_return)
    return Fault{
        fmt::format("begins with \"#!{}\" and a carriage return, which the kernel takes for a part of the name",
                    escape(line, 100)),
        true};
  if (program.empty()) return std::nullopt;
  if (!program.starts_with('/'))
    return Fault{fmt::format("begins with \"#!{}\", which is no absolute path", escape(program, 100)), true};
  const std::string_view directory = program.substr(0, program.rfind('/'));
  if (std::ranges::find(system_directories, directory) == std::end(system_directories))
    return Fault{fmt::format("begins with \"#!{}\", a path of the machine that built the wheel", escape(program, 100)),
                 true};
  const std::string_view name = base_name(program);
  if (name.starts_with("python") || name.starts_with("pypy"))
    return Fault{fmt::format("begins with \"#!{}\", the Python of the system", escape(program, 100)), false};
  return std::nullopt;
}

void check(const WheelView& view, const Emit& emit) {
  if (is_unpacked(view.wheel)) return;  // installers have replaced the line of an installed script
  for (const ScriptLine& script : view.wheel.script_lines) {
    const std::string path = view.wheel.members[script.member.value].path.text();
    if (path.find('/', path.find("/scripts/") + 9) != path.npos) continue;  // not a command
    const auto fault = fault_of(script);
    if (!fault) continue;
    emit({.place = AtPath{path},
          .message = fmt::format("{}: {}", fault->what,
                                 fault->fails ? "the script cannot be started"
                                              : "in a virtual environment the script does not find its modules"),
          .evidence = {},
          .fix = "begin the script with \"#!python\", which installers replace, or make the command an entry point "
                 "([project.scripts])",
          .severity = fault->fails ? Severity::Error : Severity::Warning});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC726",
    .name = "script-interpreter",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::script_interpreter

// WC730: files that nobody may read once a tool that keeps the modes of the archive has unpacked them.
namespace wheelcheck::rules::unreadable_mode {
namespace {

constexpr std::uint32_t type_bits = 0170000, regular = 0100000, permissions = 0777, owner_reads = 0400;

// A mode without permissions was not recorded.
bool is_unreadable(const MemberFacts& member) {
  return (member.unix_mode & type_bits) == regular && (member.unix_mode & permissions) != 0 &&
         (member.unix_mode & owner_reads) == 0;
}

void check(const WheelView& view, const Emit& emit) {
  if (is_unpacked(view.wheel)) return;  // an unpacked wheel: the modes in a later archive are not known
  std::vector<std::string> paths;
  std::uint32_t mode = 0;
  for (const MemberFacts& member : view.wheel.members) {
    if (!is_unreadable(member)) continue;
    if (paths.empty()) mode = member.unix_mode;
    paths.push_back(member.path.text());
  }
  if (paths.empty()) return;
  emit({.place = AtPath{paths.front()},
        .message = fmt::format("{} may not be read even by the owner (recorded mode: {:06o}): after `unzip` the "
                               "package cannot be imported; pip and uv do not use the mode",
                               count_of(paths.size(), "file"), mode),
        .evidence = {{"files", list_of(paths)}},
        .fix = "pack the wheel again with mode 0644 (wheel unpack, chmod -R u+rwX,go+rX, wheel pack); uv_build: use a "
               "newer release"});
}

}  // namespace

extern const Rule rule{
    .code = "WC730",
    .name = "unreadable-mode",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::unreadable_mode
