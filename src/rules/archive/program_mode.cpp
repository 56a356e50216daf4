// WC715: a program or a script without an executable bit, which pip does not add.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "rules/common.h"

namespace wheelcheck::rules::program_mode {
namespace {

constexpr std::uint32_t type_bits = 0170000, regular = 0100000, executable = 0111;

// A shared object that can also be executed (libc.so.6, ld-linux) is usually opened as a library.
bool is_library_name(std::string_view name) { return name.ends_with(".so") || name.find(".so.") != name.npos; }

// pip, _internal/utils/unpacking.py, zip_item_is_executable: the mode must be that of a regular file.
bool runs(const MemberFacts& member) {
  return (member.unix_mode & type_bits) == regular && (member.unix_mode & executable) != 0;
}

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
  if (view.wheel.size == 0) return;  // an unpacked wheel: the modes in a later archive are not known
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!std::holds_alternative<Program>(elf.role)) return;
    const MemberFacts& member = view.wheel.members[elf.member.value];
    const std::string_view path = member.path.text();
    if (runs(member) || is_command(path) || is_library_name(base_name(path))) return;
    emit({.place = AtElf{index},
          .message = fmt::format("is a program that pip installs without the executable bit (recorded mode: {})",
                                 mode_of(member)),
          .evidence = {},
          .fix = fmt::format("chmod +x {} before the wheel is packed", shell_word(path)),
          .severity = {}});
  });
  for (const MemberFacts& member : view.wheel.members)
    if (const std::string_view path = member.path.text(); is_command(path) && !runs(member))
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
