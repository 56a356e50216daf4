// Helpers for the JSON formats: the ordered document type, and escaped texts that are valid UTF-8 for any content of a
// wheel.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "report/shared/names.h"

namespace wheelcheck::report {

using Json = nlohmann::ordered_json;

// A name. Bytes that are not UTF-8 and deceptive characters are escaped. A text longer than any real name is cut, with
// a marker that gives its length (base/text.h).
inline std::string safe(std::string_view text) { return escape(text); }

// A text that may contain several names: a message, evidence, or a mangled symbol in a list.
inline constexpr std::size_t long_text_limit = 64 * 1024;
inline std::string safe_long(std::string_view text) { return escape(text, long_text_limit); }

// An array of texts, in the given order.
template <class Range>
Json texts(const Range& range, std::size_t limit = shown_name_limit) {
  Json out = Json::array();
  for (const auto& text : range) out.push_back(escape(text, limit));
  return out;
}
// Like texts(), for mangled names, which may be longer than other names.
template <class Range>
Json symbol_texts(const Range& range) {
  return texts(range, long_text_limit);
}

// The text, or null.
template <class Optional>
Json maybe(const Optional& text) {
  return text ? Json(safe(*text)) : Json(nullptr);
}

// A file of a wheel of the run, or null.
inline Json reference(const Subject& subject, const std::optional<ElfRef>& file) {
  if (!file) return nullptr;
  const WheelFacts& wheel = wheel_of(subject, file->wheel);
  return {{"wheel", safe(wheel.file)}, {"member", elf_path(wheel, file->elf)}};
}

// A document as text, indented; bytes that are not UTF-8 are replaced.
inline std::string document_text(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace wheelcheck::report
