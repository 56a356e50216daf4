// WC705: machine code in a wheel, or in a part of it, that is declared to contain none.
#include <fmt/format.h>

#include "rules/common.h"

namespace wheelcheck::rules::elf_in_purelib {
namespace {

bool is_below_data(const WheelView& view, ElfIndex elf) {
  const std::string_view path = path_of(view, elf);
  return path.substr(0, path.find('/')).ends_with(".data");
}

std::string what_says_pure(const WheelView& view, ElfIndex index, const ElfMember& elf) {
  if (elf.in_purelib) return "is machine code below purelib, the directory for files of every machine";
  const bool any = claims_family(view, PlatformTag::Family::Any);
  const bool root =
      view.wheel.wheel && view.wheel.wheel->root_is_purelib.value_or(false) && !is_below_data(view, index);
  if (any && root) return "is machine code, but the wheel claims the platform any and Root-Is-Purelib";
  if (any) return "is machine code, but the wheel claims the platform any";
  return root ? "is machine code, but WHEEL says Root-Is-Purelib: true" : "";
}

// One finding for all files with the same contradiction: the first of them, and the number of the others.
void check(const WheelView& view, const Emit& emit) {
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
        .fix = elf.in_purelib ? "install it into platlib (setuptools: has_ext_modules, wheel: root_is_pure = False)"
                              : "build a platform wheel (setuptools: has_ext_modules, wheel: root_is_pure = False)",
        .severity = {}};
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
