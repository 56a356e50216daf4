// The output of `wheelcheck policy explain`.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/shared/text.h"
#include "wheelcheck/policy_words.h"

namespace wheelcheck::report {

std::string render_meanings_text(std::string_view word, std::span<const WordMeaning> meanings, const Paint& paint = {});
std::string render_meanings_json(std::string_view word, std::span<const WordMeaning> meanings);
std::string render_mistake_text(const PolicyMistake& mistake, const Paint& paint = {});
std::string render_mistake_json(const PolicyMistake& mistake);

}  // namespace wheelcheck::report
