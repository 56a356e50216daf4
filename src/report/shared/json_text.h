// What the JSON formats share: the ordered document type, and text that is valid UTF-8 whatever the wheel held.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace wheelcheck::report {

using Json = nlohmann::ordered_json;

// A name; bytes that are no UTF-8 and characters that deceive a reader are escaped, and what is longer than any real
// name is cut with a marker that says how long it was (base/text.h).
inline std::string safe(std::string_view text) { return escape(text); }

// What may hold several names: a message, a piece of evidence, a mangled symbol in a list of symbols.
inline constexpr std::size_t long_text_limit = 64 * 1024;
inline std::string safe_long(std::string_view text) { return escape(text, long_text_limit); }

// An array of texts, in the order given.
template <class Range>
Json texts(const Range& range, std::size_t limit = shown_name_limit) {
  Json out = Json::array();
  for (const auto& text : range) out.push_back(escape(text, limit));
  return out;
}
// Mangled names of templates are longer than other names.
template <class Range>
Json symbol_texts(const Range& range) {
  return texts(range, long_text_limit);
}

// The text, or null.
template <class Optional>
Json maybe(const Optional& text) {
  return text ? Json(safe(*text)) : Json(nullptr);
}

}  // namespace wheelcheck::report
