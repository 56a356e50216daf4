// RECORD (PEP 376, 427): the wheel's own list of its files, with a hash and a size for each. Installers do not check it
// against the archive, so it is compared here, row by row and member by member.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::wheel {

// Rows in file order; what is no row of three fields is a flaw and left out. Error OverLimit if there are more rows
// than a wheel may have members.
Result<std::vector<RecordRow>> parse_record(std::string_view text, MemberIndex member, std::string_view path,
                                            const Limits& limits, std::vector<WheelFlaw>& flaws);

// A member's digest in lower-case hex, by reading it once more; "": it is not known.
using DigestOf = std::function<std::string(MemberIndex, Digest)>;

// `members` by path, each with its SHA-256; `record_path` is where RECORD itself stands; `digest_of` is asked for what
// a row gives by SHA-384 or SHA-512. Flaws come by row, then the members that no row names.
void compare_record(const std::vector<RecordRow>& rows, std::span<const MemberFacts> members,
                    std::string_view record_path, const DigestOf& digest_of, std::vector<WheelFlaw>& flaws);

// A digest in lower-case hex -> as RECORD writes it: URL-safe base64 without padding (RFC 4648, 5).
std::string record_digest(std::string_view hex);

// Comma-separated values in the dialect that Python's csv module reads by default, which is how RECORD is defined.

// Hands out one row after the other. A quoted field may hold commas, line ends and doubled quotes.
class CsvReader {
 public:
  explicit CsvReader(std::string_view text) : text_(text) {}

  static constexpr std::size_t most_fields = 16;  // what a row has beyond this is read and dropped

  // False at the end. An empty line is a row without fields.
  bool next(std::vector<std::string>& fields);
  std::size_t row() const { return row_; }               // of the row last handed out, from 1
  std::string_view problem() const { return problem_; }  // with that row; empty if it is well formed

 private:
  void read_field(std::vector<std::string>& fields);
  void read_quoted(std::string& field);
  static bool ends_line(char c) { return c == '\n' || c == '\r'; }
  bool at_line_end() const { return at_ == text_.size() || ends_line(text_[at_]); }

  std::string_view text_;
  std::string_view problem_;
  std::size_t at_ = 0;
  std::size_t row_ = 0;
};

}  // namespace wheelcheck::wheel
