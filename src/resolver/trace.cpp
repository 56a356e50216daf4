// One walk for each root that was asked for, told edge by edge: what `wheelcheck tree` shows.
#include <cstdint>
#include <map>
#include <variant>

#include "resolver/needed_result.h"
#include "resolver/walk.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {

// Steps over all loads, each of which is kept; pyside6 needs 0.4 million.
constexpr std::uint64_t trace_work = 4'000'000;

std::vector<Load> trace(const WheelFacts& wheel, std::span<const WheelFacts> providers,
                        std::span<const std::string> external, std::span<const ElfIndex> roots) {
  using namespace resolver;
  const Catalog catalog(wheel, providers);
  Walk walk(catalog, trace_work);
  walk.explain();
  const Libc of_wheel = libc_of(wheel);
  Told told(catalog, external);
  std::vector<Load> out;
  for (const ElfIndex elf : roots) {
    const FileIndex root = Catalog::of_wheel(elf);
    const ElfMember& member = *catalog.file(root).member;
    walk.run(root, dialect_of_root(member, of_wheel), std::holds_alternative<Program>(member.role));
    if (walk.out_of_work()) break;
    Load& load = out.emplace_back(Load{.root = elf, .needs = {}});
    std::map<FileIndex, ElfRef> brought;  // file -> whose need of it was the first
    for (const Edge& edge : walk.edges()) {
      const File& user = catalog.file(edge.user);
      Load::Need& need = load.needs.emplace_back(
          Load::Need{.user = user.ref,
                     .found = told(edge.user, text_of_entry(user, edge.entry), edge.outcome, root),
                     .first = {},
                     .own_search = edge.own_search});
      if (!edge.outcome.provider || *edge.outcome.provider == root) continue;
      const auto [first, fresh] = brought.try_emplace(*edge.outcome.provider, user.ref);
      if (!fresh) need.first = first->second;
    }
  }
  return out;
}

}  // namespace wheelcheck
