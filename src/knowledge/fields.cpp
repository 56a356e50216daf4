// Implements Field.
#include "knowledge/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>

#include "base/text.h"
#include "json/json.h"

namespace wheelcheck::knowledge {
namespace {

constexpr std::size_t longest = 256;  // bytes of a plain text

}  // namespace

void FirstProblem::add(std::string_view pointer, std::string_view text) {
  if (error_) return;
  const std::string_view colon = pointer.empty() ? "" : ": ";
  error_ = Error{ErrorCode::BadPolicy, fmt::format("{}: {}{}{}", escape(file_), escape(pointer, 400), colon, text)};
}

Field Field::step(const nlohmann::json& value, std::string_view part) const {
  return {value, *problem_, json::pointer_step(pointer_, part)};
}

bool Field::object(std::initializer_list<std::string_view> required,
                   std::initializer_list<std::string_view> optional) const {
  if (!value_->is_object()) {
    fail(fmt::format("is {}; write an object: {{...}}", json::type_name(*value_)));
    return false;
  }
  for (auto at = value_->begin(); at != value_->end(); ++at) {
    if (std::ranges::find(required, at.key()) != required.end()) continue;
    if (std::ranges::find(optional, at.key()) != optional.end()) continue;
    step(at.value(), at.key())
        .fail(fmt::format("is not a key that is known here; known are {}{}{}", fmt::join(required, ", "),
                          required.size() != 0 && optional.size() != 0 ? ", " : "", fmt::join(optional, ", ")));
    return false;
  }
  for (const std::string_view key : required) {
    if (value_->contains(key)) continue;
    fail(fmt::format("has no \"{}\"; add it", key));
    return false;
  }
  return true;
}

std::optional<Field> Field::find(std::string_view key) const {
  if (!value_->is_object()) return std::nullopt;
  const auto at = value_->find(key);
  if (at == value_->end()) return std::nullopt;
  return step(*at, key);
}

std::vector<Field> Field::items() const {
  std::vector<Field> result;
  if (!value_->is_array()) {
    fail(fmt::format("is {}; write an array: [...]", json::type_name(*value_)));
    return result;
  }
  result.reserve(value_->size());
  for (std::size_t i = 0; i < value_->size(); ++i) result.push_back(step((*value_)[i], std::to_string(i)));
  return result;
}

std::vector<Field> Field::items(std::string_view key) const {
  std::vector<Field> result = items();
  std::set<std::string> seen;
  for (const Field& item : result) {
    const std::optional<Field> name = item.find(key);
    if (!name || !name->value_->is_string() || seen.insert(name->value_->get<std::string>()).second) continue;
    name->fail(fmt::format("is \"{}\", as that of an earlier one; take one out",
                           escape(name->value_->get<std::string>(), 100)));
  }
  return result;
}

std::vector<std::pair<std::string_view, Field>> Field::members() const {
  std::vector<std::pair<std::string_view, Field>> result;
  if (!value_->is_object()) {
    fail(fmt::format("is {}; write an object: {{...}}", json::type_name(*value_)));
    return result;
  }
  for (auto at = value_->begin(); at != value_->end(); ++at) result.emplace_back(at.key(), step(at.value(), at.key()));
  return result;
}

std::string_view Field::text(Test test, std::string_view want) const {
  if (!value_->is_string()) {
    fail(fmt::format("is {}; write a string: \"...\"", json::type_name(*value_)));
    return "";
  }
  const std::string_view result = value_->get_ref<const std::string&>();
  if (test(result)) return result;
  fail(fmt::format("is \"{}\"; it must be {}", escape(result, 100), want));
  return "";
}

std::vector<std::string_view> Field::texts(Test test, std::string_view want) const {
  std::vector<std::string_view> result;
  std::set<std::string_view> seen;
  for (const Field& item : items()) {
    result.push_back(item.text(test, want));
    if (!seen.insert(result.back()).second)
      item.fail(fmt::format("repeats \"{}\"; remove it", escape(result.back(), 100)));
  }
  return result;
}

bool Field::flag() const {
  if (value_->is_boolean()) return value_->get<bool>();
  fail(fmt::format("is {}; write true or false", json::type_name(*value_)));
  return false;
}

unsigned Field::number(unsigned least, unsigned max) const {
  if (value_->is_number_unsigned()) {
    const auto number = value_->get<std::uint64_t>();
    if (number >= least && number <= max) return static_cast<unsigned>(number);
  }
  fail(fmt::format("must be a whole number from {} to {}", least, max));
  return least;
}

bool is_plain(std::string_view text) {
  return !text.empty() && text.size() <= longest &&
         std::ranges::all_of(text, [](char c) { return c >= ' ' && c < 0x7F; });
}

bool is_distribution(std::string_view text) {
  return !text.empty() && text.front() != '-' && text.back() != '-' &&
         std::ranges::all_of(text, [](char c) { return is_lower(c) || is_digit(c) || c == '-'; });
}

std::shared_ptr<const nlohmann::json> parse_table(std::string_view text, FirstProblem& problem) {
  auto document = json::parse(text);
  if (document) return std::make_shared<const nlohmann::json>(std::move(*document));
  problem.add("", document.error().front());
  return nullptr;
}

}  // namespace wheelcheck::knowledge
