// Reads untrusted JSON with a pointer to each value; see document.h.
#include "policy/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>

#include "base/text.h"
#include "json/json.h"

namespace wheelcheck::policy {
namespace {

constexpr std::size_t shown_problems = 20;
constexpr std::size_t max_problems = 1000, max_bytes = std::size_t{1} << 20;  // of one file
constexpr std::size_t longest_step = 256;  // of a pointer, because each value below has it

bool is_word(std::string_view text, std::size_t limit) {
  return !text.empty() && text.size() <= limit && std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7F; });
}

}  // namespace

std::string_view objection(std::string_view text, Word word) {
  switch (word) {
    case Word::Name: {
      const auto fits = [](char c) { return is_alnum(c) || c == '_'; };
      if (text.empty() || text.size() > 100 || !is_alpha(text[0]) || !std::ranges::all_of(text, fits))
        return "must be at most 100 letters, digits and '_', a letter first";
      return text == "linux" ? "must not be \"linux\", which is the level that allows nothing" : "";
    }
    case Word::Family:
      return is_word(text, 256) && text.find('_') == text.npos && text.find('/') == text.npos
                 ? ""
                 : "must be the part before the first '_' of a version node, as in GLIBC";
    case Word::Soname:
      return is_word(text, 256) && text.find('/') == text.npos ? ""
                                                               : "must be a library's soname, as in libz.so.1, no path";
    case Word::Plain:
      return is_word(text, 4096) ? "" : "must be printable ASCII without blanks";
  }
  return "";
}

void Problems::add(std::string_view pointer, std::string_view text) {
  bytes_ += pointer.size() + text.size();
  if (all_.size() < max_problems && (bytes_ <= max_bytes || all_.empty()))
    all_.push_back({std::string(pointer), std::string(text)});
  else
    ++left_out_;
}

std::string Problems::summary() const {
  const auto line = [](const Problem& one) {
    return one.pointer.empty() ? one.text : fmt::format("{}: {}", escape(one.pointer, 400), one.text);
  };
  const std::size_t count = all_.size() + left_out_;
  if (count == 1) return line(all_.front());
  std::string result = fmt::format("{} problems", count);
  for (std::size_t i = 0; i < std::min(all_.size(), shown_problems); ++i) result += "\n  " + line(all_[i]);
  if (count > shown_problems) result += fmt::format("\n  and {} more", count - shown_problems);
  return result;
}

Cursor Cursor::step(const nlohmann::json& value, std::string_view part) const {
  return {value, *problems_, json::pointer_step(pointer_, part.substr(0, longest_step))};
}

bool Cursor::is_object() const {
  if (value_->is_object()) return true;
  problem(fmt::format("is {}; write an object: {{...}}", json::type_name(*value_)));
  return false;
}

bool Cursor::is_array() const {
  if (value_->is_array()) return true;
  problem(fmt::format("is {}; write an array: [...]", json::type_name(*value_)));
  return false;
}

void Cursor::only(std::initializer_list<std::string_view> known) const {
  for (const auto& [key, value] : members()) {
    if (std::ranges::find(known, key) == known.end())
      value.problem(fmt::format("is not a key that is known here; known are {}", fmt::join(known, ", ")));
  }
}

std::optional<Cursor> Cursor::find(std::string_view key) const {
  if (!value_->is_object()) return std::nullopt;
  const auto at = value_->find(key);
  if (at == value_->end()) return std::nullopt;
  return step(*at, key);
}

std::optional<Cursor> Cursor::require(std::string_view key) const {
  std::optional<Cursor> found = find(key);
  if (!found) problem(fmt::format("has no \"{}\"; add it", key));
  return found;
}

std::vector<std::pair<std::string, Cursor>> Cursor::members() const {
  std::vector<std::pair<std::string, Cursor>> result;
  if (!value_->is_object()) return result;
  for (auto at = value_->begin(); at != value_->end(); ++at) result.emplace_back(at.key(), step(at.value(), at.key()));
  return result;
}

std::vector<Cursor> Cursor::items(std::size_t max) const {
  std::vector<Cursor> result;
  if (!value_->is_array()) return result;
  for (std::size_t i = 0; i < std::min(value_->size(), max); ++i)
    result.push_back(step((*value_)[i], std::to_string(i)));
  return result;
}

std::optional<std::string> Cursor::text() const {
  if (value_->is_string()) return value_->get<std::string>();
  problem(fmt::format("is {}; write a string: \"...\"", json::type_name(*value_)));
  return std::nullopt;
}

std::optional<std::string> Cursor::word(Word word) const {
  std::optional<std::string> result = text();
  if (!result) return std::nullopt;
  const std::string_view wrong = objection(*result, word);
  if (wrong.empty()) return result;
  problem(fmt::format("is \"{}\"; it {}", escape(*result, 100), wrong));
  return std::nullopt;
}

std::vector<std::string> Cursor::words(Word kind) const {
  std::vector<std::string> result;
  if (!is_array()) return result;
  std::set<std::string> seen;
  for (const Cursor& item : items()) {
    std::optional<std::string> text = item.word(kind);
    if (!text) continue;
    if (!seen.insert(*text).second) {
      item.problem(fmt::format("repeats \"{}\"; remove it", escape(*text, 100)));
    } else {
      result.push_back(std::move(*text));
    }
  }
  return result;
}

StringSet Cursor::word_set(Word kind) const {
  const std::vector<std::string> list = words(kind);
  return {list.begin(), list.end()};
}

std::map<std::string, StringSet, std::less<>> Cursor::word_sets(Word key, Word kind) const {
  std::map<std::string, StringSet, std::less<>> result;
  if (!is_object()) return result;
  for (const auto& [name, value] : members()) {
    const std::string_view wrong = objection(name, key);
    if (!wrong.empty()) value.problem(fmt::format("has a key that {}", wrong));
    result.emplace(name, value.word_set(kind));
  }
  return result;
}

std::optional<nlohmann::json> parse_document(std::string_view text, Problems& problems) {
  auto document = json::parse(text);
  if (document) return std::move(*document);
  for (const std::string& problem : document.error()) problems.add("", problem);
  return std::nullopt;
}

}  // namespace wheelcheck::policy
