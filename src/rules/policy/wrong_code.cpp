// Files for a machine or a C library other than that of the tags.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/text.h"
#include "model/installed_files.h"
#include "model/module_names.h"
#include "rules/common.h"

// WC109: machine code for a machine other than the tags name, or for several machines if no tag names one.
namespace wheelcheck::rules::wrong_machine {
namespace {

bool names_no_machine(const ElfFacts& facts) {
  return facts.arch == Arch::Other && facts.machine == 0 && facts.machine_name.starts_with("machine 0");
}
std::string machine_of(const ElfFacts& facts) {
  if (facts.arch != Arch::Other) return std::string(name_of(facts.arch));
  if (names_no_machine(facts)) return "no machine (e_machine is 0)";
  return facts.machine_name.empty() ? fmt::format("machine {}", facts.machine) : facts.machine_name;
}

std::string words_of(const std::set<Arch>& archs) {
  std::vector<std::string> names;
  for (const Arch arch : archs) names.emplace_back(name_of(arch));
  return list_of(names);
}

// Device code under the name of an extension module: Python opens it, and the loader refuses it.
void named_as_modules(const WheelView& view, const Emit& emit) {
  for (std::uint32_t i = 0; i < view.wheel.elfs.size(); ++i) {
    const ElfMember& elf = view.wheel.elfs[i];
    const ModuleSuffix suffix = suffix_of(base_name(path_of(view, ElfIndex{i})));
    const bool importable = suffix.kind == ModuleSuffix::Kind::CPython || suffix.kind == ModuleSuffix::Kind::Abi3;
    if (elf.facts.use != MachineUse::Device || !importable) continue;
    emit({.place = AtElf{ElfIndex{i}},
          .message = fmt::format("is built for {}, and Python imports it by its name", machine_of(elf.facts)),
          .evidence = {{"machine", machine_of(elf.facts)}},
          .fix = "give device code another name than that of an extension module",
          .severity = Severity::Error});
  }
}

void compare_with_claims(const WheelView& view, const Emit& emit, const std::set<Arch>& claimed) {
  const std::set<std::string_view> needed = needed_names(view);
  std::optional<std::set<ElfIndex>> opened;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const Arch arch = elf.facts.arch;
    if (claimed.contains(arch)) return;
    // An ARMv7 machine runs hard-float ARMv6 code, but not the reverse.
    const bool runs = arch == Arch::armv6l && claimed.contains(Arch::armv7l);
    if (!opened) opened = opened_at_import(view);
    const bool loaded = is_loaded(view, needed, elf) || opened->contains(index);
    const MemberFacts& member = view.wheel.members[elf.member.value];
    const bool is_data = std::holds_alternative<Program>(elf.role) && !is_unpacked(view.wheel) &&
                         member.unix_mode != 0 && !is_executable(member) && !is_script(member.path.text());
    emit({.place = AtElf{index},
          .message = fmt::format("is built for {}, the wheel claims {}{}", machine_of(elf.facts), words_of(claimed),
                                 runs ? ", which can run it" : ""),
          .evidence = {{"machine", machine_of(elf.facts)}, {"claimed", words_of(claimed)}},
          .fix = runs ? std::string("nothing has to be changed")
                 : names_no_machine(elf.facts)
                     ? std::string("the ELF header is damaged: link the file again, and look at "
                                   "the tools that change it afterwards (strip, patchelf)")
                     : fmt::format("rebuild it for {}, or move it to a wheel of its own", words_of(claimed)),
          .severity = loaded && !runs   ? Severity::Error
                      : runs || is_data ? Severity::Note
                                        : Severity::Warning});
  });
}

void compare_with_each_other(const WheelView& view, const Emit& emit) {
  std::map<std::string, std::vector<std::string>> files;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    files[machine_of(elf.facts)].emplace_back(path_of(view, index));
  });
  if (files.size() < 2) return;
  std::vector<std::string> machines;
  std::vector<Evidence> evidence;
  for (const auto& [machine, paths] : files) {
    machines.push_back(machine);
    evidence.push_back({machine, list_of(paths)});
  }
  emit({.place = WholeWheel{},
        .message = fmt::format("contains machine code for {} machines ({}), and no tag names one", files.size(),
                               list_of(machines)),
        .evidence = std::move(evidence),
        .fix = "build one wheel for each machine",
        .severity = Severity::Note});  // WC705 reports that such a wheel has machine code at all
}

void check(const WheelView& view, const Emit& emit) {
  named_as_modules(view, emit);
  const std::set<Arch> claimed = claimed_archs(view);
  claimed.empty() ? compare_with_each_other(view, emit) : compare_with_claims(view, emit, claimed);
}

}  // namespace

extern const Rule rule{
    .code = "WC109",
    .name = "wrong-machine",
    .severity = Severity::Error,
    .stops_import = true,
    .check = check,
};

}  // namespace wheelcheck::rules::wrong_machine

// WC110: files for a C library other than the tags name, or for several C libraries if no tag names one.
namespace wheelcheck::rules::mixed_libc {
namespace {

std::string words_of(const std::set<Libc>& libcs) {
  std::vector<std::string> names;
  for (const Libc libc : libcs) names.emplace_back(name_of(libc));
  return list_of(names);
}

// The evidence for a file's C library: its interpreter, or the C library that it needs; else its name.
Evidence witness(const ElfMember& elf) {
  if (elf.facts.interpreter) return {"interpreter", std::string(*elf.facts.interpreter)};
  if (elf.facts.dynamic && elf.facts.libc != Libc::None) {
    for (const std::string_view needed : elf.facts.dynamic->needed)
      if (needed.starts_with("libc.") || needed.starts_with("ld-") || needed.starts_with("ld64.so"))
        return {"library", std::string(needed)};
  }
  return {"C library", std::string(name_of(elf.libc))};
}

void compare_with_claims(const WheelView& view, const Emit& emit, const std::set<Libc>& claimed) {
  const std::set<std::string_view> needed = needed_names(view);
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (elf.libc == Libc::None || claimed.contains(elf.libc)) return;
    emit({.place = AtElf{index},
          .message = fmt::format("is built for {}, the wheel claims {}", name_of(elf.libc), words_of(claimed)),
          .evidence = {witness(elf), {"claimed", words_of(claimed)}},
          .fix = fmt::format("rebuild it for {}, or publish a wheel for {}", words_of(claimed), name_of(elf.libc)),
          .severity = is_loaded(view, needed, elf) ? Severity::Error : Severity::Warning});
  });
}

void compare_with_each_other(const WheelView& view, const Emit& emit) {
  std::map<Libc, std::vector<std::string>> files;
  bool modules_differ = false;
  std::optional<Libc> of_modules;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (elf.libc == Libc::None) return;
    files[elf.libc].emplace_back(path_of(view, index));
    if (!std::holds_alternative<ExtensionModule>(elf.role)) return;
    modules_differ = modules_differ || (of_modules && *of_modules != elf.libc);
    of_modules = elf.libc;
  });
  if (files.size() < 2) return;
  std::set<Libc> libcs;
  std::vector<Evidence> evidence;
  for (const auto& [libc, paths] : files) {
    libcs.insert(libc);
    evidence.push_back({std::string(name_of(libc)), list_of(paths)});
  }
  emit({.place = WholeWheel{},
        .message = fmt::format("contains files for several C libraries: {}", words_of(libcs)),
        .evidence = std::move(evidence),
        .fix = "build one wheel for each C library",
        .severity = modules_differ ? Severity::Error : Severity::Warning});
}

void check(const WheelView& view, const Emit& emit) {
  const std::set<Libc> claimed = claimed_libcs(view);
  claimed.empty() ? compare_with_each_other(view, emit) : compare_with_claims(view, emit, claimed);
}

}  // namespace

extern const Rule rule{
    .code = "WC110",
    .name = "mixed-libc",
    .severity = Severity::Error,
    .stops_import = true,
    .check = check,
};

}  // namespace wheelcheck::rules::mixed_libc
