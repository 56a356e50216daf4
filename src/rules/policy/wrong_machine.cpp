// WC109: machine code for a machine other than the tags name, or for several machines if no tag names one.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "rules/common.h"

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

void compare_with_claims(const WheelView& view, const Emit& emit, const std::set<Arch>& claimed) {
  const std::set<std::string_view> needed = needed_names(view);
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const Arch arch = elf.facts.arch;
    if (claimed.contains(arch)) return;
    // An ARMv7 machine runs hard-float ARMv6 code, but not the reverse.
    const bool runs = arch == Arch::armv6l && claimed.contains(Arch::armv7l);
    const bool loaded = is_loaded(view, needed, elf);
    emit({.place = AtElf{index},
          .message = fmt::format("is built for {}, the wheel claims {}{}", machine_of(elf.facts), words_of(claimed),
                                 runs ? ", which can run it" : ""),
          .evidence = {{"machine", machine_of(elf.facts)}, {"claimed", words_of(claimed)}},
          .fix = runs ? std::string("nothing has to be changed")
                 : names_no_machine(elf.facts)
                     ? std::string("the ELF header is damaged: link the file again, and look at "
                                   "the tools that change it afterwards (strip, patchelf)")
                     : fmt::format("rebuild it for {}, or move it to a wheel of its own", words_of(claimed)),
          .severity = runs ? Severity::Info : (loaded ? Severity::Error : Severity::Warning)});
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
        .severity = Severity::Warning});
}

void check(const WheelView& view, const Emit& emit) {
  const std::set<Arch> claimed = claimed_archs(view);
  claimed.empty() ? compare_with_each_other(view, emit) : compare_with_claims(view, emit, claimed);
}

}  // namespace

extern const Rule rule{
    .code = "WC109",
    .name = "wrong-machine",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::wrong_machine
