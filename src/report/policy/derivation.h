// What `wheelcheck policy derive` tells beside the policy: which root lacks what.
#pragma once

#include <string>

#include "wheelcheck/derive.h"

namespace wheelcheck::report {

std::string render_evidence_text(const Derivation& derivation);
std::string render_evidence_json(const Derivation& derivation);

}  // namespace wheelcheck::report
