// Fuzz target: any bytes as RECORD. There are never more rows than lines, never more flaws than rows and members can
// cause, and correctly written rows are read as written.
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/text.h"
#include "tests/facts/shown.h"
#include "tests/fuzz/fuzz.h"
#include "wheel/record.h"

namespace wheelcheck::fuzz {
namespace {

constexpr std::string_view record_path = "made-1.0.dist-info/RECORD";

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string written(const std::vector<RecordRow>& rows) {
  std::string out;
  for (const RecordRow& row : rows)
    out += quoted(row.path) + ',' + quoted(row.hash) + ',' + (row.size ? std::to_string(*row.size) : "") + "\r\n";
  return out;
}

std::vector<MemberFacts> members_of(const std::vector<RecordRow>& rows) {
  std::set<MemberPath> paths;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (auto path = MemberPath::parse(rows[i].path); path && i % 3 != 0) paths.insert(std::move(*path));
  std::vector<MemberFacts> members;
  for (const MemberPath& path : paths) members.push_back({.path = path, .size = 10, .sha256 = std::string(64, 'a')});
  return members;
}

std::size_t text_in(const std::vector<WheelFlaw>& flaws) {
  std::size_t bytes = 0;
  for (const WheelFlaw& flaw : flaws) bytes += flaw.subject.size() + flaw.reason.size();
  return bytes;
}

}  // namespace
}  // namespace wheelcheck::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wheelcheck;
  const std::string_view text = fuzz::text_of(data, size);
  const auto ends =
      static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return c == '\n' || c == '\r'; }));
  std::vector<WheelFlaw> flaws;
  const auto rows = wheel::parse_record(text, MemberIndex{0}, fuzz::record_path, {}, flaws);
  if (!rows) {
    fuzz::demand(ends > Limits{}.members, "only too many rows are refused", rows.error().message);
    return 0;
  }
  fuzz::demand(rows->size() <= ends + 1, "there are no more rows than lines");
  fuzz::demand(flaws.size() <= 3 * (ends + 2), "a row has few flaws");
  fuzz::demand(fuzz::text_in(flaws) <= 4 * size + 200 * flaws.size(), "complaints are not longer than what is wrong");

  std::vector<WheelFlaw> none;
  const std::string again = fuzz::written(*rows);
  const auto same = wheel::parse_record(again, MemberIndex{0}, fuzz::record_path, {}, none);
  fuzz::demand(same.has_value(), "rows that were read can be written and read");
  fuzz::demand_same(test::Shown::of(*same), test::Shown::of(*rows), "rows are read as they were written");
  const std::size_t wrong = (is_utf8(again) ? 0U : 1U) + (has_odd_line_end(again) ? 1U : 0U);
  fuzz::demand(none.size() == wrong, "nothing is wrong with well-written rows");

  std::vector<WheelFlaw> found;
  const auto members = fuzz::members_of(*rows);
  const auto digest_of = [](MemberIndex member, Digest) { return std::string(member.value % 2 == 0 ? 128 : 0, 'b'); };
  wheel::compare_record(*rows, members, fuzz::record_path, digest_of, found);
  fuzz::demand(found.size() <= 3 * rows->size() + members.size(), "a row and a member have few flaws");
  fuzz::demand(fuzz::text_in(found) <= 4 * size + 200 * found.size(), "complaints are not longer than what is wrong");
  return 0;
}
