// The files that DT_NEEDED leads to from some files of a wheel, through all that they need. What is loaded with a
// module, what the system must provide for it, and which bundled copies nothing uses are all answers about this set.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "wheelcheck/binding.h"

namespace wheelcheck {

// Breadth first, each file once. A start is listed only if another file leads to it. The dependencies of a file of
// another wheel are not followed, because its resolution is not known here.
inline std::vector<ElfRef> needed_closure(const Resolution& resolution, const std::vector<ElfIndex>& starts) {
  std::vector<ElfIndex> queue = starts;  // of the wheel
  const std::set<ElfIndex> started(starts.begin(), starts.end());
  std::set<ElfRef> seen;
  std::vector<ElfRef> result;
  for (std::size_t at = 0; at < queue.size(); ++at) {
    if (queue[at].value >= resolution.needed.size()) continue;
    for (const NeededFound& found : resolution.needed[queue[at].value]) {
      if (!found.provider || !seen.insert(*found.provider).second) continue;
      result.push_back(*found.provider);
      if (found.provider->wheel.value == 0 && !started.contains(found.provider->elf))
        queue.push_back(found.provider->elf);
    }
  }
  return result;
}

}  // namespace wheelcheck
