// `wheelcheck why` as JSON: what both of its forms say of a tag, and the document around the answers.
#pragma once

#include <string>

#include "report/shared/json_text.h"
#include "report/shared/level_of_tag.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {

Json why_answer_json(const WheelReport& wheel, const LevelOfTag& found);
// asked: the tag as typed, safe to print, or null.
std::string why_document(const WheelReport& wheel, Json asked, Json answers);

}  // namespace wheelcheck::report
