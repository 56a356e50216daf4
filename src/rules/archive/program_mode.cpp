// WC715: a program without an executable bit, which installers do not add outside of .data/scripts.
#include <fmt/format.h>

#include "base/text.h"
#include "rules/common.h"

namespace wheelcheck::rules::program_mode {
namespace {

constexpr std::uint32_t type_bits = 0170000, regular = 0100000, executable = 0111;

// Packaging guide, "binary distribution format": installers make files below .data/scripts executable.
bool is_script(std::string_view path) {
  const std::size_t data = path.find(".data/scripts/");
  return data != std::string_view::npos && path.find('/') == data + std::string_view(".data").size();
}

// A shared object that can also be executed (libc.so.6, ld-linux) is usually opened as a library.
bool is_library_name(std::string_view name) { return name.ends_with(".so") || name.find(".so.") != name.npos; }

void check(const WheelView& view, const Emit& emit) {
  if (view.wheel.size == 0) return;  // an unpacked wheel: the modes in a later archive are not known
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!std::holds_alternative<Program>(elf.role)) return;
    const MemberFacts& member = view.wheel.members[elf.member.value];
    const std::string_view path = member.path.text();
    // pip, _internal/utils/unpacking.py, zip_item_is_executable: the mode must be that of a regular file.
    const bool runs = (member.unix_mode & type_bits) == regular && (member.unix_mode & executable) != 0;
    if (runs || is_script(path) || is_library_name(base_name(path))) return;
    const std::string mode = member.unix_mode == 0 ? "none" : fmt::format("{:06o}", member.unix_mode);
    emit(
        {.place = AtElf{index},
         .message = fmt::format("is a program that pip installs without the executable bit (recorded mode: {})", mode),
         .evidence = {},
         .fix = fmt::format("chmod +x {} before the wheel is packed, or install it to .data/scripts", shell_word(path)),
         .severity = {}});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC715",
    .name = "program-mode",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::program_mode
