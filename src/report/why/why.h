// The output of `wheelcheck why WHEEL TAG`: the unmet requirements that make a wheel not compatible with a tag. With
// --cheapest, it shows which symbols must be avoided to become compatible.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "report/shared/json_text.h"
#include "report/shared/levels.h"
#include "report/shared/text.h"
#include "wheelcheck/remediation.h"
#include "wheelcheck/report.h"
#include "wheelcheck/result.h"

namespace wheelcheck::report {

struct WhyOptions {
  bool json = false;
  Paint paint = {};
};
// All unmet requirements: file, library, version node, symbols. Error Usage if the wheel was not assessed for the tag.
Result<std::string> render_why(const WheelReport& wheel, std::string_view tag, const WhyOptions& options);
// What must be removed so that the wheel fits the tag; without a tag, the tag that is cheapest to reach, and the other
// levels. `paths` is the result of cheapest().
Result<std::string> render_why_cheapest(const WheelReport& wheel, std::optional<std::string_view> tag,
                                        std::span<const RemediationPath> paths, const WhyOptions& options);

// JSON of `wheelcheck why`: what both of its forms contain for a tag, and the enclosing document.

Json why_answer_json(const WheelReport& wheel, const LevelOfTag& found);
// `asked` is the tag as typed, safe to print, or null.
std::string why_document(const WheelReport& wheel, Json asked, Json answers);

}  // namespace wheelcheck::report
