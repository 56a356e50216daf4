// How ld.so looks up one name: the scopes in order, the files that define the name, the file that is bound, and the
// import orders with another result.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "model/requires_dist.h"
#include "report/conflicts/conflicts.h"
#include "report/shared/text.h"

namespace wheelcheck::report {
namespace {

using process::BoundReference;
using process::ObjectIndex;
using process::Outcome;
using process::Search;

class Searches {
 public:
  Searches(const ConflictReport& report, const Paint& paint) : report_(report), paint_(paint) {}

  std::string text() {
    std::string out;
    for (const std::string& name : report_.traced) out += of_name(name);
    return out;
  }

 private:
  const Installation& all() const { return report_.conflicts.installation; }
  std::string name_of(ObjectIndex object) const { return escape(all().names[object.value]); }

  bool defines(ObjectIndex object, std::string_view name) const {
    const ElfFacts* const facts = all().world.files[object.value].facts;
    return facts != nullptr && facts->dynamic &&
           std::ranges::find(facts->dynamic->exports, name, &Export::name) != facts->dynamic->exports.end();
  }

  std::string of_name(const std::string& name) {
    std::string out;
    for (std::uint32_t load_plan = 0; load_plan < report_.conflicts.outcomes.size(); ++load_plan) {
      const Outcome& outcome = report_.conflicts.outcomes[load_plan];
      std::set<std::pair<ObjectIndex, std::optional<ObjectIndex>>> listed;
      for (const Search& search : outcome.searches) {
        const BoundReference& bound = outcome.bound[search.bound];
        if (bound.undone || symbol_request(bound).name != name || !listed.emplace(bound.from, bound.to).second)
          continue;
        out += of_search(load_plan, search, bound, name);
      }
    }
    if (!out.empty()) return out;
    const std::vector<std::string> importers = who_imports(name);
    if (importers.empty()) return fmt::format("\nno file imports {}\n{}", escape(name), who_defines(name));
    return fmt::format("\n{} is bound by no file that was loaded; {} it: {}\n{}", escape(name),
                       importers.size() == 1 ? "this file imports" : "these files import", first_few(importers, 8),
                       who_defines(name));
  }

  process::SymbolRequest symbol_request(const BoundReference& bound) const {
    return process::symbol_request(*all().world.files[bound.from.value].facts, bound.reference);
  }

  std::vector<std::string> who_imports(std::string_view name) const {
    std::vector<std::string> out;
    for (std::uint32_t i = 0; i < all().world.files.size(); ++i) {
      const ElfFacts* const facts = all().world.files[i].facts;
      if (facts != nullptr && facts->dynamic &&
          std::ranges::find(facts->dynamic->imports, name, &Import::name) != facts->dynamic->imports.end())
        out.push_back(name_of({i}));
    }
    return out;
  }

  std::string who_defines(std::string_view name) const {
    std::string out;
    for (std::uint32_t i = 0; i < all().world.files.size(); ++i)
      if (defines({i}, name)) out += fmt::format("  defined by {}\n", name_of({i}));
    return out;
  }

  std::string of_search(std::uint32_t load_plan, const Search& search, const BoundReference& bound,
                        std::string_view name) const {
    const auto version = symbol_request(bound).version;
    std::string out = fmt::format("\n{} imports {}{}  ({})\n", paint_.bold(name_of(bound.from)), escape(name),
                                  version ? "@" + escape(*version) : "", order_text(load_plan));
    unsigned number = 0;
    const auto holds = [&](const Search::List& list) {
      return bound.to && std::ranges::find(list.files, *bound.to) != list.files.end();
    };
    const auto answering = std::ranges::find_if(search.scope, holds);
    for (const Search::List& list : search.scope)
      out += of_list(list, ++number, answering != search.scope.end() && &list == &*answering, bound, name);
    out += "  " + answer(bound) + "\n";
    const bool global = answering != search.scope.end() && answering->of == all().main && !answering->alone;
    return out + elsewhere(load_plan, bound) + (global ? publisher(load_plan, *bound.to) : "");
  }

  // Lists the files that define the name and only counts the others.
  std::string of_list(const Search::List& list, unsigned number, bool answers, const BoundReference& bound,
                      std::string_view name) const {
    const std::string what = list.alone              ? fmt::format("{} itself (DT_SYMBOLIC)", name_of(list.of))
                             : list.of == all().main ? std::string("global scope")
                                                     : fmt::format("scope of {}", name_of(list.of));
    std::string out = fmt::format("  {}. {}, {}\n", number, what, plural(list.files.size(), "file"));
    for (std::size_t i = 0; i < list.files.size(); ++i) {
      const bool taken = answers && bound.to == list.files[i];
      if (!taken && !defines(list.files[i], name)) continue;
      out += fmt::format("     {:>4}  {}{}\n", i + 1, name_of(list.files[i]), taken ? "  <- taken" : "");
    }
    return out;
  }

  std::string answer(const BoundReference& bound) const {
    switch (bound.way) {
      case process::Way::Plain:
        return fmt::format("bound to {}, the first that defines it", name_of(*bound.to));
      case process::Way::Unique:
        return fmt::format("bound to {}, whose STB_GNU_UNIQUE definition the process took first", name_of(*bound.to));
      case process::Way::Protected:
        return fmt::format("bound to {}, as its own symbol is protected", name_of(*bound.to));
      case process::Way::Platform:
        return bound.to ? fmt::format("bound to {}, which is assumed to define it", name_of(*bound.to))
                        : "left to the platform";
      case process::Way::WeakNull:
        return "null: nothing defines it, and it is weak";
      case process::Way::Missing:
        break;
    }
    return "nothing defines it: the import fails";
  }

  std::string order_text(std::uint32_t load_plan) const {
    std::vector<std::string> names;
    for (const DistributionIndex distribution : report_.conflicts.load_plans[load_plan].order)
      names.push_back(escape(name_of_distribution(all().distributions[distribution.value].facts)));
    return first_few(names, 8);
  }

  // The orders in which the same reference is bound to another file.
  std::string elsewhere(std::uint32_t load_plan, const BoundReference& bound) const {
    std::string out;
    for (std::uint32_t other = 0; other < report_.conflicts.outcomes.size(); ++other) {
      if (other == load_plan) continue;
      const Outcome& outcome = report_.conflicts.outcomes[other];
      for (const Search& search : outcome.searches) {
        const BoundReference& there = outcome.bound[search.bound];
        if (there.from == bound.from && there.reference == bound.reference && there.to != bound.to && there.to)
          out += fmt::format("  imported as {}: {}\n", order_text(other), name_of(*there.to));
      }
    }
    return out;
  }

  // The open that added the file to the global scope.
  std::string publisher(std::uint32_t load_plan, ObjectIndex file) const {
    std::string out;
    for (const process::Published& each : report_.conflicts.outcomes[load_plan].published) {
      if (each.file != file) continue;
      const auto& flags = report_.conflicts.load_plans[load_plan].opens[each.step][each.open].flags;
      if (!flags) continue;
      const WheelFacts& facts = all().distributions[flags->distribution.value].facts;
      const std::string where =
          flags->file ? fmt::format("{}:{}: ", escape(facts.members[flags->file->value].path.text()), flags->line) : "";
      out += fmt::format("  made global by {}{}; without it this scope would not contain it\n", where,
                         escape(flags->text));
    }
    return out;
  }

  const ConflictReport& report_;
  const Paint& paint_;
};

}  // namespace

std::string searches_text(const ConflictReport& report, const Paint& paint) { return Searches(report, paint).text(); }

}  // namespace wheelcheck::report
