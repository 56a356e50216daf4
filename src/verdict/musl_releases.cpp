#include "verdict/musl_releases.h"

#include <algorithm>

#include "model/each_symbol.h"
#include "verdict/release_tables.h"
#include "wheelcheck/version.h"

namespace wheelcheck::verdict {

MuslReleases::MuslReleases(const WheelFacts& wheel) {
  if (std::ranges::none_of(wheel.elfs, [](const ElfMember& elf) { return elf.libc == Libc::Musl; })) return;
  for (const ElfMember& elf : wheel.elfs)
    if (elf.facts.dynamic)
      each_symbol(elf.facts.dynamic->exports, [&](const Export& symbol) {
        if (!musl_with(symbol.name).empty() || only_glibc_has(symbol.name)) own_.insert(symbol.name);
      });
}

MuslReleases::Required MuslReleases::by(const DynamicFacts& file) const {
  Required out;
  each_symbol(file.imports, [&](const Import& import) {
    if (import.weak || import.bound == Bound::Never) return;
    const std::string_view since = musl_with(import.name);
    if (since.empty() || natural_order(since, out.release) <= 0 || own_.contains(import.name)) return;
    out = {since, import.name};
  });
  return out;
}

std::string_view MuslReleases::of_glibc(const DynamicFacts& file) const {
  std::string_view first;
  each_symbol(file.imports, [&](const Import& import) {
    if (!first.empty() || import.weak || import.bound == Bound::Never || own_.contains(import.name)) return;
    if (only_glibc_has(import.name)) first = import.name;
  });
  return first;
}

}  // namespace wheelcheck::verdict
