// WC235: dlsym(RTLD_NEXT, NAME) skips the definition of NAME that another wheel contains.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "model/each_symbol.h"
#include "rules/sets/set_common.h"

namespace wheelcheck::rules::next_definition {
namespace {

using process::ObjectIndex;

struct Skipped {
  ObjectIndex file;
  std::string name;
  ObjectIndex other;
  auto operator<=>(const Skipped&) const = default;
};

bool defines(const ElfFacts* facts, std::string_view name) {
  return facts != nullptr && facts->dynamic &&
         any_symbol(facts->dynamic->exports, [&](const Export& symbol) { return symbol.name == name; });
}

void check_set(const SetView& view, const Emit& emit) {
  const Installation& all = view.conflicts.installation;
  const auto facts_of = [&](ObjectIndex file) { return all.world.files[file.value].facts; };
  const auto is_of_wheel = [&](ObjectIndex file) { return all.origins[file.value].kind == Origin::Kind::Distribution; };
  std::map<Skipped, std::vector<std::uint32_t>> found;
  for (std::uint32_t plan = 0; plan < view.conflicts.outcomes.size(); ++plan) {
    const process::Outcome& outcome = view.conflicts.outcomes[plan];
    std::set<std::pair<std::string_view, ObjectIndex>> calls;
    for (const process::Loaded& each : outcome.loaded)
      if (is_of_wheel(each.file) && facts_of(each.file) != nullptr)
        for (const LoaderCall& call : facts_of(each.file)->loader_calls)
          if (call.function == LoaderCall::Function::DlsymNext) calls.emplace(call.name, each.file);
    // Only what joined the global scope would answer the name itself; RTLD_NEXT searches the dependencies of the file
    // that dlopen opened, behind the caller (glibc elf/dl-sym.c).
    for (const process::Published& each : outcome.published)
      for (const auto& [name, file] : calls) {
        const Origin &from = all.origins[file.value], &to = all.origins[each.file.value];
        if (!is_of_wheel(each.file) || from.distribution == to.distribution || !defines(facts_of(each.file), name))
          continue;
        auto& plans = found[{file, std::string(name), each.file}];
        if (plans.empty() || plans.back() != plan) plans.push_back(plan);
      }
  }
  for (const auto& [skipped, plans] : found) {
    std::vector<Evidence> evidence{{"symbol", skipped.name}, {"skipped", std::string(file_name(all, skipped.other))}};
    add_orders(view.conflicts, plans, evidence);
    emit({.place = AtObject{skipped.file},
          .message = fmt::format("{} looks up {} with dlsym(RTLD_NEXT) and skips {} of {}, which all other files use",
                                 file_name(all, skipped.file), skipped.name, file_name(all, skipped.other),
                                 name_of(all, all.origins[skipped.other.value].distribution)),
          .evidence = std::move(evidence),
          .fix =
              fmt::format("open {} without RTLD_GLOBAL, or hide {} in it", file_name(all, skipped.other), skipped.name),
          .load_plans = plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC235",
    .name = "next-definition",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::next_definition
