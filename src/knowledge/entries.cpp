#include "knowledge/entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/json_pointer.h"
#include "base/text.h"

namespace wheelcheck::knowledge {
namespace {

constexpr std::size_t longest = 256;  // bytes of a text

bool is_plain(std::string_view text) {
  return text.size() <= longest && std::ranges::all_of(text, [](char c) { return c >= ' ' && c < 0x7F; });
}

}  // namespace

void Complaint::operator()(std::string_view pointer, std::string_view what) {
  if (error_) return;
  error_ = Error{ErrorCode::BadPolicy, fmt::format("{}: {}: {}", escape(file_), escape(pointer), what)};
}

Entry::Entry(const nlohmann::json& value, std::string pointer, Complaint& complain)
    : value_(value), pointer_(std::move(pointer)), complain_(complain) {
  if (!value_.is_object()) complain_(pointer_, "is no object; write one: {...}");
}

std::string Entry::at(std::string_view key) const { return pointer_step(pointer_, key); }

void Entry::complain(std::string_view key, std::string_view what) { complain_(at(key), what); }

const nlohmann::json* Entry::find(std::string_view key) {
  asked_.emplace_back(key);
  if (!value_.is_object()) return nullptr;
  const auto found = value_.find(key);
  return found == value_.end() ? nullptr : &*found;
}

std::string Entry::text_of(const nlohmann::json& value, std::string_view key) {
  if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
    complain(key, "is no text; write \"...\"");
    return "";
  }
  std::string text = value.get<std::string>();
  if (!is_plain(text)) complain(key, fmt::format("must be printable ASCII of at most {} bytes", longest));
  return text;
}

std::string Entry::text(std::string_view key) {
  const nlohmann::json* const value = find(key);
  if (value != nullptr) return text_of(*value, key);
  complain_(pointer_, fmt::format("has no \"{}\"; add it", key));
  return "";
}

std::string Entry::optional_text(std::string_view key) {
  const nlohmann::json* const value = find(key);
  return value == nullptr ? "" : text_of(*value, key);
}

bool Entry::flag(std::string_view key, bool otherwise) {
  const nlohmann::json* const value = find(key);
  if (value == nullptr) return otherwise;
  if (value->is_boolean()) return value->get<bool>();
  complain(key, "is neither true nor false; write one of them");
  return otherwise;
}

std::vector<std::string> Entry::texts(std::string_view key) {
  const nlohmann::json* const value = find(key);
  if (value == nullptr || !value->is_array()) {
    complain(key, "must be an array of texts; write [\"...\"]");
    return {};
  }
  std::vector<std::string> result;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < value->size(); ++i) {
    const std::string place = fmt::format("{}/{}", key, i);
    std::string text;
    if ((*value)[i].is_string()) text = (*value)[i].get<std::string>();
    if (text.empty() || !is_plain(text)) complain_(pointer_ + '/' + place, "is no plain text");
    if (!seen.insert(text).second) complain_(pointer_ + '/' + place, "is there twice; take one out");
    result.push_back(std::move(text));
  }
  return result;
}

void Entry::each(std::string_view key, const std::function<void(Entry&)>& visit) {
  const nlohmann::json* const value = find(key);
  if (value == nullptr) return;
  if (!value->is_array()) return complain(key, "is no array; write [...]");
  for (std::size_t i = 0; i < value->size(); ++i) {
    Entry entry((*value)[i], fmt::format("{}/{}", at(key), i), complain_);
    visit(entry);
    entry.finish();
  }
}

std::vector<std::pair<std::string, std::string>> Entry::pairs(std::string_view key) {
  const nlohmann::json* const value = find(key);
  if (value == nullptr) return {};
  std::vector<std::pair<std::string, std::string>> result;
  if (!value->is_object()) {
    complain(key, "is no object; write {...}");
    return result;
  }
  Entry entry(*value, at(key), complain_);
  for (const auto& [name, text] : value->items()) result.emplace_back(name, entry.text(name));
  return result;
}

void Entry::finish() {
  if (!value_.is_object()) return;
  for (const auto& [key, value] : value_.items()) {
    if (std::ranges::find(asked_, key) == asked_.end())
      complain(key, fmt::format("is not a key that is known here; known are {}", fmt::join(asked_, ", ")));
  }
}

Result<void> read_table(std::string_view text, std::string_view file, std::string_view key, std::string_view name,
                        const std::function<void(Entry&)>& take) {
  Complaint complain(file);
  const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
  if (document.is_discarded()) {
    complain("", "is no JSON");
    return std::unexpected(*complain.error());
  }
  Entry top(document, "", complain);
  top.optional_text("$schema");
  top.optional_text("$comment");
  for (const char* const table : {"libraries", "gpu", "distributions", "stable_abi"}) top.ignore(table);
  std::set<std::string> names;
  top.each(key, [&](Entry& entry) {
    const std::string own = entry.text(name);
    if (!own.empty() && !names.insert(own).second)
      entry.complain(name, fmt::format("{} is there twice; take one out", escape(own)));
    if (!complain.error()) take(entry);
  });
  top.finish();
  if (complain.error()) return std::unexpected(*complain.error());
  return {};
}

}  // namespace wheelcheck::knowledge
