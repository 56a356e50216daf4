// Implements Value.
#include "facts/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "json/json.h"

namespace wheelcheck::facts {
namespace {

const nlohmann::json nothing;

}  // namespace

std::string Value::pointer() const {
  std::vector<const Value*> steps;
  for (const Value* at = this; at->above_ != nullptr; at = at->above_) steps.push_back(at);
  std::string out;
  for (auto at = steps.rbegin(); at != steps.rend(); ++at)
    out = json::pointer_step(out, (*at)->key_.empty() ? std::to_string((*at)->index_) : std::string((*at)->key_));
  return out;
}

void Value::fail(std::string_view what) const {
  if (problem_->found) return;
  *problem_ = {pointer(), std::string(what), true};
}

bool Value::object(std::initializer_list<std::string_view> known) const {
  if (!json_->is_object()) return fail("is not an object"), false;
  for (auto at = json_->begin(); at != json_->end(); ++at)
    if (std::ranges::find(known, at.key()) == known.end())
      return fail(fmt::format("has the key \"{}\", which is not known here", escape(at.key(), 100))), false;
  return true;
}

std::optional<Value> Value::find(std::string_view key) const {
  if (!json_->is_object()) return std::nullopt;
  const auto at = json_->find(key);
  if (at == json_->end()) return std::nullopt;
  return Value(*at, *this, key, 0);
}

Value Value::need(std::string_view key) const {
  if (const auto found = find(key)) return *found;
  fail(fmt::format("has no \"{}\"", key));
  return Value(nothing, *this, key, 0);
}

std::size_t Value::items(std::size_t least, std::size_t most) const {
  if (!json_->is_array()) return fail("is not an array"), 0;
  if (json_->size() >= least && json_->size() <= most) return json_->size();
  return fail(fmt::format("has {} items", json_->size())), 0;
}

Value Value::operator[](std::size_t index) const { return Value((*json_)[index], *this, {}, index); }

std::uint64_t Value::unsigned_number(std::uint64_t most) const {
  if (!json_->is_number_unsigned()) return fail("is not a whole number from 0"), 0;
  const auto value = json_->get<std::uint64_t>();
  if (value > most) return fail(fmt::format("is {}, more than {}", value, most)), 0;
  return value;
}

std::uint64_t Value::negated(std::uint64_t most) const {
  const auto value = json_->get<std::int64_t>();
  const std::uint64_t positive = value == INT64_MIN ? UINT64_MAX : static_cast<std::uint64_t>(-value);
  if (positive > most) return fail(fmt::format("is {}, less than -{}", value, most)), 1;
  return positive;
}

bool Value::flag() const {
  if (json_->is_boolean()) return json_->get<bool>();
  return fail("is neither true nor false"), false;
}

const std::string& Value::raw() const {
  static const std::string none;
  if (json_->is_string()) return json_->get_ref<const std::string&>();
  return fail("is not a text"), none;
}

// Each character is the byte with its number. In JSON it is UTF-8, two bytes from 0x80 on.
std::string_view Value::text(StringPool& pool) const {
  const std::string& written = raw();
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::ranges::all_of(written, is_ascii)) return pool.add(written);
  std::string bytes;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const auto lead = static_cast<unsigned char>(written[i]);
    if (lead < 0x80) {
      bytes += written[i];
    } else if ((lead == 0xc2 || lead == 0xc3) && i + 1 < written.size()) {
      bytes += static_cast<char>((lead & 3) << 6 | (static_cast<unsigned char>(written[++i]) & 0x3f));
    } else {
      return fail("has a character that stands for no byte"), std::string_view{};
    }
  }
  return pool.add(bytes);
}

}  // namespace wheelcheck::facts
