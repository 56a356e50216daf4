// WC718: a file with the name of a shared library that the loader cannot open, because it is not an ELF file.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "rules/common.h"

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
  const std::set<std::string_view> needed = needed_names(view);
  for (std::uint32_t i = 0; i < view.wheel.members.size(); ++i) {
    const MemberFacts& member = view.wheel.members[i];
    const std::string_view name = member.path.name();
    if (member.foreign == ForeignKind::None || !is_library_name(name)) continue;
    const bool text = member.foreign == ForeignKind::TextLibrary || member.foreign == ForeignKind::LinkerScript;
    const bool loaded = is_module_name(name) || needed.contains(name);
    emit({.place = AtMember{MemberIndex{i}},
          .message =
              fmt::format("is named like a shared library, but is not an ELF file ({}): loading it fails with \"{}\"",
                          name_of(member.foreign), member.size < 64 ? "file too short" : "invalid ELF header"),
          .evidence = {{"size", count_of(member.size, "byte")}},
          .fix = text ? "pack the library itself: a checkout without Git LFS, a link that was stored as text, or a "
                        "linker script for development was packed instead"
                      : "build it for Linux, or leave it out",
          .severity = loaded ? Severity::Error : Severity::Warning});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC718",
    .name = "library-not-elf",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::library_not_elf
