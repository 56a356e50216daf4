#include "tests/fuzz/shown_text.h"

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz.h"

namespace wheelcheck::fuzz {
namespace {

bool is_deceptive(std::uint32_t c) {
  if ((c < 0x20 && c != '\n') || (c >= 0x7F && c < 0xA0)) return true;
  for (const auto& [first, last] : {std::pair{0x061CU, 0x061CU},
                                    {0x200BU, 0x200BU},
                                    {0x200EU, 0x200FU},
                                    {0x2028U, 0x202EU},
                                    {0x2066U, 0x2069U},
                                    {0xFEFFU, 0xFEFFU}})
    if (c >= first && c <= last) return true;
  return false;
}

// Length of a UTF-8 sequence by its first byte (RFC 3629, 4); 0: invalid.
std::size_t length_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

// The property that the character at `at` violates; empty if there is none.
std::string_view problem_at(std::string_view text, std::size_t at) {
  constexpr std::string_view not_utf8 = "is UTF-8";
  const auto first = static_cast<unsigned char>(text[at]);
  const std::size_t length = length_of(first);
  if (length == 0 || length > text.size() - at) return not_utf8;
  std::uint32_t c = length == 1 ? first : first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[at + i]);
    if ((next & 0xC0) != 0x80) return not_utf8;
    c = c << 6 | (next & 0x3FU);
  }
  const bool shortest = c >= (length == 4 ? 0x10000U : length == 3 ? 0x800U : 0U);
  if (!shortest || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) return not_utf8;
  return is_deceptive(c) ? "has no character that controls or deceives" : "";
}

class Strict : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override {
    keys_.emplace_back();
    return true;
  }
  bool key(string_t& key) override { return keys_.back().insert(key).second; }
  bool end_object() override {
    keys_.pop_back();
    return true;
  }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
    why = error.what();
    return false;
  }
  std::string why = "a key stands twice in one object";

 private:
  std::vector<std::set<std::string>> keys_;
};

}  // namespace

void demand_plain_text(std::string_view text, std::string_view what) {
  for (std::size_t at = 0; at < text.size();) {
    const auto first = static_cast<unsigned char>(text[at]);
    const std::string_view problem = first >= 0x20 && first < 0x7F ? "" : problem_at(text, at);
    if (!problem.empty())
      fail(std::string(what) + ' ' + std::string(problem), text.substr(at - std::min<std::size_t>(at, 100), 200));
    at += length_of(first);
  }
}

void demand_strict_json(std::string_view text, std::string_view what) {
  Strict strict;
  const bool good = nlohmann::json::sax_parse(text, &strict);
  demand(good, std::string(what) + " is JSON", strict.why);
}

}  // namespace wheelcheck::fuzz
