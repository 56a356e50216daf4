// How a distribution is called, and which others of an installation it asks for by Requires-Dist.
#pragma once

#include <string>
#include <vector>

#include "wheelcheck/installation.h"

namespace wheelcheck {

// As its metadata has it, else its file name; of files that belong to none, what they are called for all.
std::string name_of_distribution(const WheelFacts& wheel);
// True for each party that the metadata of `party` asks for, by way of others too; what is asked for under an extra or
// on another system does not count.
std::vector<bool> required_by(const Installation& installation, PartyIndex party);
// The same parties, each behind those of them that it requires, else in the order given: an import of a package runs
// the imports of what it needs.
std::vector<PartyIndex> requirements_first(const Installation& installation, const std::vector<PartyIndex>& order);

}  // namespace wheelcheck
