#include "report/why/why_answer.h"

#include <utility>

#include "report/check/json_wheel.h"

namespace wheelcheck::report {

Json why_answer_json(const WheelReport& wheel, const LevelOfTag& found) {
  const Assessment& assessment = wheel.assessments[found.assessment];
  const std::vector<RequirementIndex>& indices = assessment.levels[found.level.value].unmet_requirements;
  Json unmet_requirements = Json::array();
  for (const RequirementIndex index : indices)
    unmet_requirements.push_back(requirement_json(wheel.facts, assessment.requirements[index.value]));
  return {{"tag", safe(assessment.level_names[found.level.value])},
          {"exact", found.exact},
          {"fits", indices.empty()},
          {"best_tag", safe(assessment.level_names[assessment.best.value])},
          {"met", assessment.requirements.size() - indices.size()},
          {"total", assessment.requirements.size()},
          {"obstacles", std::move(unmet_requirements)}};
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
