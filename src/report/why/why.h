// `wheelcheck why WHEEL TAG`: what stands between a wheel and a tag.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "report/shared/json_text.h"
#include "report/shared/levels.h"
#include "wheelcheck/remediation.h"
#include "wheelcheck/report.h"
#include "wheelcheck/result.h"

namespace wheelcheck::report {

struct WhyOptions {
  bool json = false;
  bool colour = false;
};
// Every unmet requirement by name: file, library, version node, symbols. Usage for a tag that the wheel was not
// measured against.
Result<std::string> render_why(const WheelReport& wheel, std::string_view tag, const WhyOptions& options);
// What would have to go so that it fits the tag, or without one the tag that is cheapest to reach, and the other steps.
// paths: of cheapest().
Result<std::string> render_why_cheapest(const WheelReport& wheel, std::optional<std::string_view> tag,
                                        std::span<const RemediationPath> paths, const WhyOptions& options);

// `wheelcheck why` as JSON: what both of its forms say of a tag, and the document around the answers.

Json why_answer_json(const WheelReport& wheel, const LevelOfTag& found);
// asked: the tag as typed, safe to print, or null.
std::string why_document(const WheelReport& wheel, Json asked, Json answers);

}  // namespace wheelcheck::report
