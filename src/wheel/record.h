// RECORD (PEP 376, 427) is the wheel's own list of its files, with a hash and a size for each. Installers do not check
// it against the archive, so each row is compared with its member here.
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

// The rows in file order. A row without exactly three fields is a flaw and left out. Error OverLimit if there are more
// rows than a wheel may have members.
Result<std::vector<RecordRow>> parse_record(std::string_view text, MemberIndex member, std::string_view path,
                                            const Limits& limits, std::vector<WheelFlaw>& flaws);

// Reads a member again and returns its digest in lower-case hex; "" if it fails.
using DigestOf = std::function<std::string(MemberIndex, Digest)>;

// `members` are sorted by path and have their SHA-256. `record_path` is the path of RECORD. `digest_of` is called for
// rows with SHA-384 or SHA-512. The flaws are in the order of the rows, followed by the members that no row lists.
void compare_record(const std::vector<RecordRow>& rows, std::span<const MemberFacts> members,
                    std::string_view record_path, const DigestOf& digest_of, std::vector<WheelFlaw>& flaws);

// Converts a digest in lower-case hex to RECORD's form: URL-safe base64 without padding (RFC 4648, section 5).
std::string record_digest(std::string_view hex);

// Comma-separated values in the default dialect of Python's csv module, which is the definition of RECORD's format.

// Returns one row after another. A quoted field may contain commas, line ends and doubled quotes.
class CsvReader {
 public:
  explicit CsvReader(std::string_view text) : text_(text) {}

  static constexpr std::size_t max_fields = 16;  // further fields of a row are parsed and dropped

  // False at the end. An empty line is a row without fields.
  bool next(std::vector<std::string>& fields);
  std::size_t row() const { return row_; }               // number of the last row, from 1
  std::string_view problem() const { return problem_; }  // of the last row; empty if it is well formed

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
