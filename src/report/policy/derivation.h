// The evidence that `wheelcheck policy derive` prints in addition to the policy: which root file system lacks which
// item.
#pragma once

#include <string>

#include "report/shared/text.h"
#include "wheelcheck/derive.h"

namespace wheelcheck::report {

std::string render_evidence_text(const Derivation& derivation, const Paint& paint = {});
std::string render_evidence_json(const Derivation& derivation);

}  // namespace wheelcheck::report
