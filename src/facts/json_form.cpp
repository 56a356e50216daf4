// The character-level parts of JsonWriter and JsonReader.
#include "facts/json_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/text.h"

namespace wheelcheck::facts {
namespace {

constexpr bool is_plain(char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

// True if all bytes are printable ASCII. Processes eight bytes at a time; a carry in the sums can only come from a byte
// that is not printable.
bool is_printable(std::string_view bytes) {
  constexpr std::uint64_t each = 0x0101010101010101;
  std::uint64_t odd = 0;
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), 8);
    odd |= word | (word - 0x20 * each) | (word + each);
  }
  return (odd & 0x80 * each) == 0 && std::ranges::all_of(bytes, [](char c) { return c >= 0x20 && c < 0x7f; });
}

}  // namespace

// Each byte is written as the character with the same number, so that names that are not UTF-8 are restored exactly.
void JsonWriter::text(std::string_view bytes) {
  out_ += '"';
  while (!bytes.empty()) {
    const auto odd = std::ranges::find_if_not(bytes, is_plain);
    const auto plain = static_cast<std::size_t>(odd - bytes.begin());
    out_ += bytes.substr(0, plain);
    bytes.remove_prefix(plain);
    if (bytes.empty()) break;
    fmt::format_to(std::back_inserter(out_), "\\u{:04x}", static_cast<unsigned char>(bytes.front()));
    bytes.remove_prefix(1);
  }
  out_ += '"';
}

void JsonWriter::number(std::uint64_t value) {
  const fmt::format_int digits(value);
  out_.append(digits.data(), digits.size());
}

bool JsonReader::comes(std::string_view key) {
  const std::size_t comma = first_ ? 0 : 1;
  const std::size_t size = comma + key.size() + 3;
  if (text_.size() < size || (comma == 1 && text_[0] != ',') || text_[comma] != '"' ||
      text_.substr(comma + 1, key.size()) != key || text_.substr(size - 2, 2) != "\":")
    return false;
  text_.remove_prefix(size);
  first_ = false;
  return true;
}

std::string_view JsonReader::bytes() {
  expect("\"");
  const std::size_t end = text_.find('"');  // a quote in the text is written as \u0022
  if (end == text_.npos) return fail(), std::string_view{};
  const std::string_view written = text_.substr(0, end);
  text_.remove_prefix(end + 1);
  if (!is_printable(written)) return fail(), std::string_view{};
  if (written.find('\\') == written.npos) return written;
  unescaped_.clear();
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i] != '\\') {
      unescaped_ += written[i];
      continue;
    }
    if (written.substr(i, 4) != "\\u00" || written.size() - i < 6) return fail(), std::string_view{};
    const char high = written[i + 4], low = written[i + 5];
    const char byte = static_cast<char>(hex_value(high) << 4 | hex_value(low));
    if (!is_lower_hex(high) || !is_lower_hex(low) || is_plain(byte)) return fail(), std::string_view{};
    unescaped_ += byte;
    i += 5;
  }
  return unescaped_;
}

std::uint64_t JsonReader::number(std::uint64_t max) {
  std::uint64_t value = 0;
  std::size_t digits = 0;
  for (; digits < text_.size() && text_[digits] >= '0' && text_[digits] <= '9'; ++digits) {
    const auto digit = static_cast<std::uint64_t>(text_[digits] - '0');
    if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, digit, &value)) return fail(), 0;
  }
  if (digits == 0 || (digits > 1 && text_[0] == '0') || value > max) return fail(), 0;
  text_.remove_prefix(digits);
  return value;
}

}  // namespace wheelcheck::facts
