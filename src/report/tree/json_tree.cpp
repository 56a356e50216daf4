// The tree as JSON. It is flat, with the files in loading order, so that a reader needs no recursion.
#include <algorithm>
#include <map>
#include <variant>

#include "report/shared/json_text.h"
#include "report/tree/tree_facts.h"

namespace wheelcheck::report {
namespace {

constexpr int tree_version = 1;

Json reference(const Subject& subject, const std::optional<ElfRef>& ref) {
  if (!ref) return nullptr;
  const WheelFacts& wheel = wheel_of(subject, ref->wheel);
  return {{"wheel", safe(wheel.file)}, {"member", safe(member_of(wheel, ref->elf).path.text())}};
}

Json need_json(const Subject& subject, const NeedStatuses& statuses, const Load::Need& need) {
  const NeededFound& found = need.found;
  const bool searched = found.how == How::Rpath || found.how == How::Runpath;
  return {{"name", safe(found.name)},
          {"standing", name_of(statuses.of(need))},
          {"how", name_of(found.how)},
          {"provider", reference(subject, found.provider)},
          {"search_path_of", reference(subject, found.by)},
          {"search_path_element", searched ? Json(safe(found.element)) : Json(nullptr)},
          {"loaded_before_for", reference(subject, need.first)},
          {"own_search_finds_it", need.own_search && found.provider.has_value()},
          {"unreached", reference(subject, found.unreached)}};
}

Json file_json(const Subject& subject, ElfRef file, Json needed) {
  const WheelFacts& wheel = wheel_of(subject, file.wheel);
  const auto& dynamic = wheel.elfs[file.elf.value].facts.dynamic;
  Json out = reference(subject, file);
  out["soname"] = dynamic ? maybe(dynamic->soname) : Json(nullptr);
  out["rpath"] = dynamic ? texts(dynamic->search.rpath) : Json::array();
  out["runpath"] = dynamic ? texts(dynamic->search.runpath) : Json::array();
  out["needed"] = std::move(needed);
  return out;
}

// The root comes first. A file of a provider is listed only if it is loaded.
Json load_json(const Subject& subject, const NeedStatuses& statuses, const Load& load) {
  std::vector<ElfRef> order = {{WheelIndex{0}, load.root}};
  std::map<ElfRef, Json> needed;
  needed[order.front()] = Json::array();
  for (const Load::Need& need : load.needs) {
    if (need.found.provider && needed.try_emplace(*need.found.provider, Json::array()).second)
      order.push_back(*need.found.provider);
    needed[need.user].push_back(need_json(subject, statuses, need));
  }
  Json files = Json::array();
  for (const ElfRef file : order) files.push_back(file_json(subject, file, std::move(needed[file])));
  const auto* const module = std::get_if<ExtensionModule>(&subject.wheel.facts.elfs[load.root.value].role);
  return {{"root", safe(member_of(subject.wheel.facts, load.root).path.text())},
          {"module", module != nullptr ? Json(safe(module->module)) : Json(nullptr)},
          {"files", std::move(files)}};
}

Json problems_json(const Subject& subject, std::span<const Load> loads, const NeedStatuses& statuses) {
  Json out = Json::array();
  for (const TreeProblem& problem : problems_of(subject, loads, statuses))
    out.push_back({{"kind", name_of(problem.kind)},
                   {"member", safe(member_of(subject.wheel.facts, problem.user.elf).path.text())},
                   {"subject", problem.subject},
                   {"text", problem.text}});
  return out;
}

}  // namespace

std::string tree_json(std::span<const Tree> trees, std::span<const WheelFacts> providers) {
  Json wheels = Json::array(), beside = Json::array();
  for (const WheelFacts& provider : providers) beside.push_back(safe(provider.file));
  for (const Tree& tree : trees) {
    const Subject subject{tree.wheel, providers};
    const NeedStatuses statuses(tree.wheel);
    Json loads = Json::array();
    for (const Load& load : tree.loads) loads.push_back(load_json(subject, statuses, load));
    wheels.push_back({{"file", safe(tree.wheel.facts.file)},
                      {"trees", std::move(loads)},
                      {"left_out", tree.left_out},
                      {"problems", problems_json(subject, tree.loads, statuses)}});
  }
  const Json document = {{"schema", "wheelcheck-tree"},
                         {"version", tree_version},
                         {"wheels", std::move(wheels)},
                         {"providers", std::move(beside)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace wheelcheck::report
