// WC110: files for a C library other than the tags name, or for several C libraries if no tag names one.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "rules/common.h"

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
    .check = check,
};

}  // namespace wheelcheck::rules::mixed_libc
