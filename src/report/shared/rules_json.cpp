#include "report/shared/rules_json.h"

#include "report/shared/rule_descriptor.h"

namespace wheelcheck::report {

std::string render_rules_json(std::span<const DescribedRule> rules, std::string_view version) {
  Json list = Json::array();
  for (const DescribedRule& rule : rules) list.push_back(rule_descriptor(rule));
  const Json document = {
      {"schema", "wheelcheck-rules"}, {"version", 1}, {"wheelcheck", safe(version)}, {"rules", std::move(list)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace wheelcheck::report
