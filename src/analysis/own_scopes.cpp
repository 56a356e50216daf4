#include "analysis/parts.h"

namespace wheelcheck::analysis {

std::vector<std::string> own_scopes(const WheelFacts&, const Knowledge&, const RuleOptions&) { return {}; }

}  // namespace wheelcheck::analysis
