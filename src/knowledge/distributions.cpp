// data/distributions.json: the distributions whose wheels hold libraries for others to link.
#include <utility>

#include "knowledge/entries.h"
#include "knowledge/tables.h"

namespace wheelcheck::knowledge {

Result<void> read_distributions(std::string_view text, std::string_view file, Knowledge& into) {
  std::vector<KnownDistribution> read;
  const auto done = read_table(text, file, "distributions", "name", [&](Entry& entry) {
    read.push_back({.name = entry.text("name"), .sonames = entry.texts("sonames")});
  });
  if (!done) return done;
  for (KnownDistribution& one : read) put(into.distributions, &KnownDistribution::name, std::move(one));
  return {};
}

}  // namespace wheelcheck::knowledge
