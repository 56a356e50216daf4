#include "rules/load_closure.h"

namespace wheelcheck::rules {

std::vector<bool> loaded_with(const WheelView& view, std::span<const ElfIndex> files) {
  std::vector<bool> loaded(view.wheel.elfs.size());
  std::vector<ElfIndex> waiting;
  const auto load = [&](ElfIndex file) {
    if (loaded[file.value]) return;
    loaded[file.value] = true;
    waiting.push_back(file);
  };
  for (const ElfIndex file : files) load(file);
  while (!waiting.empty()) {
    const ElfIndex user = waiting.back();
    waiting.pop_back();
    if (user.value >= view.resolution.needed.size()) continue;
    for (const NeededFound& needed : view.resolution.needed[user.value])
      if (needed.found == Found::InWheel && needed.provider) load(needed.provider->elf);
  }
  return loaded;
}

}  // namespace wheelcheck::rules
