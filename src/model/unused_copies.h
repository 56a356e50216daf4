// Copies of bundled libraries that nothing loads.
#pragma once

#include <cstddef>
#include <set>
#include <string_view>
#include <variant>
#include <vector>

#include "base/text.h"
#include "wheelcheck/binding.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck {

// One flag per ELF file: a bundled library that no module, program or library of the package itself leads to by
// DT_NEEDED, while they load another file of its name. What such a copy requires is required of nobody. auditwheel does
// not judge it either, because its name is among the needed ones (wheel_abi.py, get_wheel_elfdata).
inline std::vector<bool> unused_copies(const WheelFacts& wheel, const Resolution& resolution) {
  std::vector<bool> reached(wheel.elfs.size());
  std::vector<std::size_t> queue;
  const auto is_bundled = [&](std::size_t i) { return std::holds_alternative<BundledLibrary>(wheel.elfs[i].role); };
  for (std::size_t i = 0; i < reached.size(); ++i)
    if (!is_bundled(i)) queue.push_back(i);
  for (std::size_t at = 0; at < queue.size(); ++at) {
    if (queue[at] >= resolution.needed.size()) continue;
    for (const NeededFound& found : resolution.needed[queue[at]]) {
      if (!found.provider || found.provider->wheel.value != 0) continue;
      const std::size_t next = found.provider->elf.value;
      if (next >= reached.size() || reached[next]) continue;
      reached[next] = true;
      if (is_bundled(next)) queue.push_back(next);
    }
  }
  const auto name_of = [&](const ElfMember& elf) { return base_name(wheel.members[elf.member.value].path.text()); };
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < reached.size(); ++i)
    if (reached[i]) names.insert(name_of(wheel.elfs[i]));
  std::vector<bool> result(reached.size());
  for (std::size_t i = 0; i < reached.size(); ++i)
    result[i] = !reached[i] && is_bundled(i) && names.contains(name_of(wheel.elfs[i]));
  return result;
}

}  // namespace wheelcheck
