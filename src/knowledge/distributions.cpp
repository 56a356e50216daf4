// data/distributions.json: the distributions whose wheels hold libraries for others to link.
#include <utility>

#include "knowledge/entries.h"
#include "knowledge/tables.h"

namespace wheelcheck::knowledge {

Result<void> read_distributions(std::string_view text, std::string_view file, Knowledge& into) {
  std::vector<KnownDistribution> read;
  const auto done = read_table(text, file, "distributions", "name", [&](Entry& entry) {
    KnownDistribution one{.name = entry.text("name"), .sonames = entry.texts("sonames"), .brings = {}};
    if (entry.has("brings")) one.brings = entry.texts("brings");
    read.push_back(std::move(one));
  });
  if (!done) return done;
  for (KnownDistribution& one : read) put(into.distributions, &KnownDistribution::name, std::move(one));
  return {};
}

}  // namespace wheelcheck::knowledge
