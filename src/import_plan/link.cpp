#include "import_plan/link.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "import_plan/import_walk.h"
#include "model/rtld.h"

namespace wheelcheck::import_plan {
namespace {

Part part_of(const WheelFacts& wheel) {
  Part part{.wheel = &wheel, .modules = {}};
  for (std::uint32_t i = 0; i < wheel.elfs.size(); ++i)
    if (const auto* module = std::get_if<ExtensionModule>(&wheel.elfs[i].role))
      part.modules.emplace_back(module->module, ElfIndex{i});
  return part;
}

GlobalImports effect_of(const Cause& cause) {
  GlobalImports effect{.file = cause.place.file, .line = cause.place.line, .reach = cause.reach, .modules = {}};
  if (cause.through) {
    effect.through = cause.through->file;
    effect.through_line = cause.through->line;
  }
  return effect;
}

}  // namespace

// Each file is imported in a process of its own: which one the user's import begins with is not asked. Of several ways
// to a call the surest is kept, then the one that opens more.
std::vector<GlobalImports> link_global_imports(const WheelFacts& wheel) {
  if (std::ranges::none_of(wheel.python, sets_global)) return {};
  const Part part = part_of(wheel);
  const Modules modules(std::span(&part, 1));
  Run run(modules, rtld_now, false);
  std::map<std::pair<MemberIndex, std::uint32_t>, GlobalImports> best;
  for (const PythonFile& file : wheel.python) {
    const auto module = modules.of_file(0, file.member);
    if (!module) continue;
    run.restart();
    run.import(*module);
    std::map<std::pair<MemberIndex, std::uint32_t>, GlobalImports> effects;
    for (const Cause& cause : run.global_imports())
      effects.try_emplace({cause.place.file, cause.place.line}, effect_of(cause));
    for (const Opening& opening : run.openings()) {
      if (!opening.module || !opening.cause || (opening.flags & rtld_global) == 0) continue;
      const auto at = effects.find({opening.cause->place.file, opening.cause->place.line});
      if (at == effects.end()) continue;
      at->second.modules.push_back(*opening.module);
    }
    for (auto& [key, effect] : effects) {
      std::ranges::sort(effect.modules);
      const auto [at, is_new] = best.try_emplace(key, effect);
      const auto rank = [](const GlobalImports& one) { return std::tuple(one.reach, one.modules.size()); };
      if (!is_new && rank(effect) > rank(at->second)) at->second = std::move(effect);
    }
  }
  std::vector<GlobalImports> result;
  for (auto& [key, effect] : best) result.push_back(std::move(effect));
  return result;
}

}  // namespace wheelcheck::import_plan
