// What the JSON formats share: the ordered document type, and text that is valid UTF-8 whatever the wheel held.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace wheelcheck::report {

using Json = nlohmann::ordered_json;

// The whole name, never cut; bytes that are no UTF-8 and characters that deceive a reader are escaped (base/text.h).
inline std::string safe(std::string_view text) { return escape(text, std::string_view::npos); }

// An array of texts, in the order given.
template <class Range>
Json texts(const Range& range) {
  Json out = Json::array();
  for (const auto& text : range) out.push_back(safe(text));
  return out;
}

// The text, or null.
template <class Optional>
Json maybe(const Optional& text) {
  return text ? Json(safe(*text)) : Json(nullptr);
}

}  // namespace wheelcheck::report
