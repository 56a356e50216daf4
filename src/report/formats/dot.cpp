// A graph in the language of Graphviz, of the commands whose answer is one.
#include "report/shared/document.h"

namespace wheelcheck::report {
namespace {

std::string render_dot(const Answer& answer, const Paint& /*paint*/) { return answer.graph ? answer.graph() : ""; }

}  // namespace

extern const AnswerFormat dot_answer{"dot", &render_dot, false};

}  // namespace wheelcheck::report
