#include "report/why_answer.h"

#include <utility>

#include "report/json_wheel.h"

namespace wheelcheck::report {

Json why_answer_json(const WheelReport& wheel, const RungOfTag& found) {
  const Assessment& assessment = wheel.assessments[found.assessment];
  const std::vector<RequirementIndex>& indices = assessment.rungs[found.rung.value].obstacles;
  Json obstacles = Json::array();
  for (const RequirementIndex index : indices)
    obstacles.push_back(requirement_json(wheel.facts, assessment.requirements[index.value]));
  return {{"tag", safe(assessment.rung_names[found.rung.value])},
          {"exact", found.exact},
          {"fits", indices.empty()},
          {"best_tag", safe(assessment.rung_names[assessment.best.value])},
          {"met", assessment.requirements.size() - indices.size()},
          {"total", assessment.requirements.size()},
          {"obstacles", std::move(obstacles)}};
}

std::string why_document(const WheelReport& wheel, Json asked, Json answers) {
  const Json document = {{"schema", "wheelcheck-why"},
                         {"version", json_version},
                         {"file", safe(wheel.facts.file)},
                         {"asked", std::move(asked)},
                         {"answers", std::move(answers)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace wheelcheck::report
