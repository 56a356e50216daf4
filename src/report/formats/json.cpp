// JSON, as the builders of the answers write it: by the published schemas, which `wheelcheck schema` prints.
#include "report/shared/document.h"

namespace wheelcheck::report {
namespace {

std::string render_json_answer(const Answer& answer, const Paint& /*paint*/) { return answer.json(); }

}  // namespace

extern const AnswerFormat json_answer{"json", &render_json_answer};

}  // namespace wheelcheck::report
