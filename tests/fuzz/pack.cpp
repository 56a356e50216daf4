#include "tests/fuzz/pack.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/hash.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/zip_builder.h"
#include "wheel/record.h"

namespace wheelcheck::fuzz {
namespace {

constexpr std::size_t max_members = 100, longest_name = 2000;
constexpr std::size_t worth_packing = 2000;  // bytes; for larger inputs, compression would take most of the time

std::string length_of(std::string_view text, std::size_t bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(text.size() >> 8 * i & 0xFF);
  return out;
}

std::string record_of(const Pack& pack) {
  std::string out;
  for (const PackMember& member : pack.members) {
    if (member.name.ends_with('/')) continue;
    out += '"';
    for (const char c : member.name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    const bool own = member.name.ends_with(".dist-info/RECORD");
    const auto bytes = std::as_bytes(std::span(member.bytes));
    out += own ? "\",,\n"
               : "\",sha256=" + wheel::record_digest(sha256_hex(bytes)) + ',' + std::to_string(bytes.size()) + '\n';
  }
  return out;
}

}  // namespace

Pack read_pack(std::string_view bytes) {
  Input input(bytes);
  Pack pack;
  pack.file = input.text(std::min<std::uint64_t>(input.number(2), 255));
  while (!input.empty() && pack.members.size() < max_members) {
    const std::uint64_t name = input.number(2), size = input.number(4);
    PackMember& member = pack.members.emplace_back();
    member.name = input.text(std::min<std::uint64_t>(name, longest_name));
    member.bytes = input.text(size);
  }
  return pack;
}

std::string written_pack(const Pack& pack) {
  std::string out = length_of(pack.file, 2) + pack.file;
  for (const PackMember& member : pack.members)
    out += length_of(member.name, 2) + length_of(member.bytes, 4) + member.name + member.bytes;
  return out;
}

std::string archive_of(const Pack& pack) {
  std::vector<test::ZipMember> members;
  for (const PackMember& member : pack.members) {
    const bool record = member.bytes.empty() && member.name.ends_with(".dist-info/RECORD");
    std::string bytes = record ? record_of(pack) : member.bytes;
    const bool packed = bytes.size() < worth_packing;
    members.push_back(
        {.name = member.name, .data = std::move(bytes), .method = static_cast<std::uint16_t>(packed ? 8 : 0)});
  }
  return test::make_zip(members);
}

}  // namespace wheelcheck::fuzz
