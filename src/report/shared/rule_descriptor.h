// A rule as SARIF's reportingDescriptor (SARIF 2.1.0, 3.49), the same in `rules --format json` and in a log.
#pragma once

#include <string_view>

#include "report/shared/json_text.h"
#include "report/shared/rules_json.h"
#include "wheelcheck/finding.h"

namespace wheelcheck::report {

std::string_view level_of(Severity severity);  // reportingConfiguration.level, 3.50.3
Json rule_descriptor(const DescribedRule& described);

}  // namespace wheelcheck::report
