#include "rules/load_closure.h"

#include "rules/common.h"

namespace wheelcheck::rules {

std::set<ElfIndex> loaded_with(const WheelView& view, std::vector<ElfIndex> files) {
  std::set<ElfIndex> result(files.begin(), files.end());
  while (!files.empty()) {
    const ElfIndex at = files.back();
    files.pop_back();
    if (at.value >= view.resolution.needed.size()) continue;
    for (const NeededFound& found : view.resolution.needed[at.value]) {
      if (found.found != Found::InWheel || !found.provider || found.provider->wheel.value != 0) continue;
      if (result.insert(found.provider->elf).second) files.push_back(found.provider->elf);
    }
  }
  return result;
}

std::set<ElfIndex> loaded_by_import(const WheelView& view) {
  std::vector<ElfIndex> modules;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (std::holds_alternative<ExtensionModule>(elf.role)) modules.push_back(index);
  });
  return loaded_with(view, std::move(modules));
}

}  // namespace wheelcheck::rules
