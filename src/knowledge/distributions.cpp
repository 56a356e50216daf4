// data/distributions.json: the distributions whose wheels hold libraries for others to link.
#include "knowledge/fields.h"
#include "knowledge/tables.h"

namespace wheelcheck::knowledge {

std::vector<KnownDistribution> distributions_of(const Field& table) {
  std::vector<KnownDistribution> result;
  for (const Field& field : table.items("name")) {
    if (!field.object({"name", "sonames"}, {"brings"})) break;
    KnownDistribution& one = result.emplace_back();
    one.name = field.find("name")->text(is_distribution, distribution_words);
    one.sonames = field.find("sonames")->list(is_plain, plain_words);
    if (const auto brings = field.find("brings")) one.brings = brings->list(is_plain, plain_words);
  }
  return result;
}

}  // namespace wheelcheck::knowledge
