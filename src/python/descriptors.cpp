// Reads the descriptors that generated Python code adds.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/hash.h"
#include "base/text.h"
#include "python/names.h"

namespace wheelcheck::python {
namespace {

constexpr std::size_t max_definitions = 4096, longest_part = 256;

// --- the literal --------------------------------------------------------------------------------------------------

// The byte of the escape sequence at `at`, which is behind the backslash, and moves `at` behind it. nullopt: not one
// that protoc writes (CEscape of protobuf).
std::optional<char> unescaped(std::string_view text, std::size_t& at) {
  constexpr std::string_view letters = "nrt\"'\\", bytes = "\n\r\t\"'\\";
  if (at >= text.size()) return std::nullopt;
  if (const std::size_t letter = letters.find(text[at]); letter != letters.npos) {
    ++at;
    return bytes[letter];
  }
  if (text[at] == 'x') {
    if (text.size() - at < 3) return std::nullopt;
    const unsigned high = hex_value(text[at + 1]), low = hex_value(text[at + 2]);
    if (high > 15 || low > 15) return std::nullopt;
    at += 3;
    return static_cast<char>(high << 4 | low);
  }
  unsigned value = 0;
  const std::size_t start = at;
  for (; at < text.size() && at - start < 3 && text[at] >= '0' && text[at] <= '7'; ++at)
    value = value * 8 + static_cast<unsigned>(text[at] - '0');
  if (at == start || value > 0xFF) return std::nullopt;
  return static_cast<char>(value);
}

// The bytes of the literal at the start of `text`: b'...', or '...' in a call of _b. A formatter may have put it into
// a line of its own.
std::optional<std::string> bytes_of_literal(std::string_view text) {
  constexpr std::string_view converted = "_b(", blanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  if (text.starts_with(converted)) text.remove_prefix(converted.size());
  if (text.starts_with('b')) text.remove_prefix(1);
  if (text.empty() || (text.front() != '\'' && text.front() != '"')) return std::nullopt;
  const char quote = text.front();
  std::string out;
  for (std::size_t at = 1; at < text.size();) {
    const char c = text[at++];
    if (c == quote) return out;
    if (c == '\n') return std::nullopt;
    if (c != '\\') {
      out += c;
      continue;
    }
    const auto byte = unescaped(text, at);
    if (!byte) return std::nullopt;
    out += *byte;
  }
  return std::nullopt;
}

// --- the message --------------------------------------------------------------------------------------------------

// The fields of a message in the wire format of Protocol Buffers.
class WireFields {
 public:
  explicit WireFields(std::string_view bytes) : rest_(bytes) {}
  // The next field with a length; false at the end, and for bytes that are no message.
  bool next(std::uint64_t& number, std::string_view& value) {
    while (!rest_.empty()) {
      std::uint64_t tag = 0, length = 0;
      if (!varint(tag)) return false;
      switch (tag & 7) {
        case 0:
          if (!varint(length)) return false;
          continue;
        case 1:
          if (!skip(8)) return false;
          continue;
        case 5:
          if (!skip(4)) return false;
          continue;
        case 2:
          if (!varint(length) || length > rest_.size()) return false;
          number = tag >> 3;
          value = rest_.substr(0, length);
          rest_.remove_prefix(length);
          return true;
        default:
          return false;
      }
    }
    return whole_ = true, false;
  }
  bool is_whole() const { return whole_; }

 private:
  bool skip(std::size_t bytes) {
    if (rest_.size() < bytes) return false;
    rest_.remove_prefix(bytes);
    return true;
  }
  bool varint(std::uint64_t& value) {
    value = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }

  std::string_view rest_;
  bool whole_ = false;
};

// A name in a descriptor: identifiers with dots, or the path of a file. "" if it is another text.
std::string_view plain_name(std::string_view text) {
  const auto is_plain = [](char c) { return c > ' ' && c < 0x7F; };
  return text.size() <= longest_part && std::ranges::all_of(text, is_plain) ? text : "";
}

std::string_view name_in(std::string_view message) {
  WireFields fields(message);
  std::uint64_t number = 0;
  for (std::string_view value; fields.next(number, value);)
    if (number == 1) return plain_name(value);
  return "";
}

// google/protobuf/descriptor.proto: the numbers of FileDescriptorProto and EnumDescriptorProto. The values of an enum
// are names in the scope around it.
std::optional<PythonDescriptor> parse_descriptor(std::string_view bytes) {
  constexpr std::uint64_t name = 1, package = 2, message = 4, enumeration = 5, extension = 7, enum_value = 2;
  PythonDescriptor out;
  std::string_view scope;
  std::vector<std::string_view> names;
  const auto add = [&](std::string_view one) {
    if (!one.empty() && names.size() < max_definitions) names.push_back(one);
  };
  WireFields fields(bytes);
  std::uint64_t number = 0;
  for (std::string_view value; fields.next(number, value);) {
    if (number == name) out.file = plain_name(value);
    if (number == package) scope = plain_name(value);
    if (number >= message && number <= extension) add(name_in(value));
    if (number != enumeration) continue;
    WireFields inner(value);
    std::uint64_t field = 0;
    for (std::string_view each; inner.next(field, each);)
      if (field == enum_value) add(name_in(each));
  }
  if (!fields.is_whole() || out.file.empty()) return std::nullopt;
  for (const std::string_view one : names)
    out.names.push_back(scope.empty() ? std::string(one) : fmt::format("{}.{}", scope, one));
  std::ranges::sort(out.names);
  out.digest = sha256_hex(std::as_bytes(std::span(bytes)));
  return out;
}

// --- the code -----------------------------------------------------------------------------------------------------

// "5.27.2" from the call of ValidateProtobufRuntimeVersion (google/protobuf/runtime_version.py); "" without one.
std::string validated_version(std::string_view source) {
  constexpr std::string_view call = "ValidateProtobufRuntimeVersion(";
  std::size_t at = source.find(call);
  if (at == source.npos) return "";
  at = source.find(',', at);
  std::array<std::uint64_t, 3> parts{};
  for (std::uint64_t& part : parts) {
    if (at == source.npos) return "";
    const std::size_t end = source.find(',', at + 1);
    if (end == source.npos || !parse_number(trim(source.substr(at + 1, end - at - 1)), part)) return "";
    at = end;
  }
  return fmt::format("{}.{}.{}", parts[0], parts[1], parts[2]);
}

void set_releases(std::string_view source, PythonDescriptor& descriptor) {
  const auto has = [&](std::string_view text) { return source.find(text) != source.npos; };
  descriptor.since = validated_version(source);
  if (!descriptor.since.empty()) return;
  // protoc 3.20 generates calls of a module that came with protobuf 3.20; protoc before 3.19 generates code that makes
  // each descriptor, which protobuf 4 refuses.
  if (has("from google.protobuf.internal import builder"))
    descriptor.since = "3.20.0";
  else if (has("_descriptor.Descriptor(") || has("_descriptor.EnumDescriptor("))
    descriptor.before = "4";
}

}  // namespace

std::vector<PythonDescriptor> descriptors_in(std::string_view source) {
  constexpr std::size_t start_of_code = 256;
  if (!source.substr(0, start_of_code).contains("Generated by the protocol buffer compiler")) return {};
  for (const std::string_view before : {"AddSerializedFile(", "serialized_pb="}) {
    const std::size_t at = source.find(before);
    if (at == source.npos) continue;
    const auto bytes = bytes_of_literal(source.substr(at + before.size()));
    auto descriptor = bytes ? parse_descriptor(*bytes) : std::nullopt;
    if (!descriptor) return {};
    descriptor->line = static_cast<std::uint32_t>(std::ranges::count(source.substr(0, at), '\n') + 1);
    set_releases(source, *descriptor);
    return {std::move(*descriptor)};
  }
  return {};
}

}  // namespace wheelcheck::python
