// SARIF, of the commands whose answer has findings.
#include "report/shared/document.h"

namespace wheelcheck::report {
namespace {

std::string render_sarif_answer(const Answer& answer, const Paint& /*paint*/) {
  return answer.sarif ? answer.sarif() : "";
}

}  // namespace

extern const AnswerFormat sarif_answer{"sarif", &render_sarif_answer, false};

}  // namespace wheelcheck::report
