// Compares RECORD with the archive: paths, hashes, sizes, missing rows and missing members.

#include "wheel/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "base/text.h"

namespace wheelcheck::wheel {

namespace {

constexpr std::size_t row_fields = 3;  // path, hash, size

// pip's uninstallation moves the directory away with all that it contains (UninstallPathSet), uv's ignores the row.
constexpr std::string_view directory_row =
    "the row names a directory: pip uninstall removes what other distributions and users have in it, too";

// Why the path of a row without a member is not valid for an installer; empty if it is well formed.
std::string_view path_problem(std::string_view path) {
  if (path.empty()) return "a row without a path";
  if (path.front() == '/') return "the path is absolute";
  if (path.find('\\') != std::string_view::npos) return "the path has a backslash";
  if (path.size() >= 2 && path[1] == ':' && is_alpha(path[0])) return "the path has a drive";
  const std::vector<std::string_view> parts = split(path, '/');
  if (std::ranges::find(parts, "..") != parts.end()) return "the path leaves the wheel by '..'";
  if (path.back() == '/') return directory_row;
  if (!MemberPath::parse(path)) return "the path is not a clean relative path";
  return {};
}

// Signatures are made after RECORD, so they cannot be listed in it (PEP 427, "Signed wheel files"). RECORD cannot
// contain a hash of itself.
struct Exempt {
  explicit Exempt(std::string_view record) : record_path(record) {}
  bool operator()(std::string_view path) const {
    if (!path.starts_with(record_path)) return false;
    const std::string_view rest = path.substr(record_path.size());
    return rest.empty() || rest == ".jws" || rest == ".p7s";
  }
  std::string_view record_path;
};

struct Algorithm {
  std::string_view name;
  Digest digest;
};
constexpr Algorithm permitted[] = {{"sha256", Digest::Sha256}, {"sha384", Digest::Sha384}, {"sha512", Digest::Sha512}};

// The problem of a row's hash; empty if it is correct. `hex_of` computes the digest of the member.
std::string hash_problem(std::string_view written, const std::function<std::string(Digest)>& hex_of) {
  const std::size_t equals = written.find('=');
  if (equals == std::string_view::npos) return fmt::format("the hash '{}' is not ALGORITHM=DIGEST", written);
  const std::string algorithm = lower(written.substr(0, equals));
  const std::string_view digest = written.substr(equals + 1);
  if (algorithm == "md5" || algorithm == "sha1")
    return fmt::format("the hash is {}, which is not permitted: sha256 or better", algorithm);
  const auto known = std::ranges::find(permitted, algorithm, &Algorithm::name);
  if (known == std::end(permitted)) return fmt::format("the hash '{}' cannot be checked", written);
  const std::string hex = hex_of(known->digest);
  if (hex.empty()) return {};  // not computed, because hashing is disabled
  const std::string right = record_digest(hex);
  if (digest == right) return {};
  if (lower(digest) == hex) return fmt::format("the {} is written in hex, not in URL-safe base64", algorithm);
  if (digest.starts_with(right) && digest.find_first_not_of('=', right.size()) == std::string_view::npos)
    return fmt::format("the {} is written with padding", algorithm);
  return fmt::format("the {} is not that of the file: RECORD says {}, the file has {}", algorithm, digest, right);
}

class Comparison {
 public:
  Comparison(std::span<const MemberFacts> members, std::string_view record_path, const DigestOf& digest_of,
             std::vector<WheelFlaw>& out)
      : members_(members), exempt_(record_path), digest_of_(digest_of), out_(out), listed_(members.size()) {}

  void row(const RecordRow& row) {
    const std::optional<MemberIndex> member = member_of(row.path);
    if (repeated(row, member)) return;
    if (!member) {
      const std::string_view problem = path_problem(row.path);
      return complain(row.path, {}, problem.empty() ? "is in RECORD but not in the archive" : std::string(problem),
                      problem == directory_row);
    }
    const MemberFacts& facts = members_[member->value];
    if (row.path != exempt_.record_path) {  // a file cannot contain its own hash
      if (!row.hash.empty()) {
        if (std::string problem = hash_problem(row.hash, [&](Digest digest) { return hex_of(*member, digest); });
            !problem.empty())
          complain(row.path, member, std::move(problem));
      } else if (!exempt_(row.path)) {
        complain(row.path, member, "has no hash in RECORD");
      }
    }
    if (row.size && *row.size != facts.size)
      complain(row.path, member, fmt::format("has {} bytes, RECORD says {}", facts.size, *row.size));
  }
  void unlisted() {
    for (std::uint32_t i = 0; i < members_.size(); ++i) {
      const std::string& path = members_[i].path.text();
      if (listed_[i] == nullptr && !exempt_(path)) complain(path, MemberIndex{i}, "is not listed in RECORD");
    }
  }

 private:
  // Most RECORDs are sorted as the members are, so the next member is tried first.
  std::optional<MemberIndex> member_of(std::string_view path) {
    if (next_ >= members_.size() || members_[next_].path.text() != path) {
      const auto found = find_member(members_, path);
      if (!found) return std::nullopt;
      next_ = found->value;
    }
    return MemberIndex{static_cast<std::uint32_t>(next_++)};
  }
  // Repeated rows for one path. An identical row is harmless; a different one is a flaw, and its values are not
  // compared.
  bool repeated(const RecordRow& row, std::optional<MemberIndex> member) {
    const RecordRow*& first = member ? listed_[member->value] : strangers_[row.path];
    if (first == nullptr) {
      first = &row;
      return false;
    }
    if (first->hash != row.hash || first->size != row.size)
      complain(row.path, member, "has two rows in RECORD that differ");
    return true;
  }
  std::string hex_of(MemberIndex member, Digest digest) const {
    return digest == Digest::Sha256 ? members_[member.value].sha256 : digest_of_(member, digest);
  }
  void complain(const std::string& path, std::optional<MemberIndex> member, std::string reason, bool minor = false) {
    out_.push_back(
        {.area = WheelArea::Record, .member = member, .subject = path, .reason = std::move(reason), .minor = minor});
  }

  std::span<const MemberFacts> members_;
  Exempt exempt_;
  const DigestOf& digest_of_;
  std::vector<WheelFlaw>& out_;
  std::size_t next_ = 0;                                    // index after the last member that was found
  std::vector<const RecordRow*> listed_;                    // by member: its first row
  std::map<std::string_view, const RecordRow*> strangers_;  // rows without a member, by path
};

}  // namespace

std::string record_digest(std::string_view hex) {
  static constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out;
  unsigned bits = 0, held = 0;
  for (const char c : hex) {
    bits = bits << 4 | hex_value(c);
    held += 4;
    if (held >= 6) {
      held -= 6;
      out += alphabet[bits >> held & 63U];
      bits &= (1U << held) - 1;
    }
  }
  if (held > 0) out += alphabet[bits << (6 - held) & 63U];
  return out;
}

Result<std::vector<RecordRow>> parse_record(std::string_view text, MemberIndex member, std::string_view path,
                                            const Limits& limits, std::vector<WheelFlaw>& flaws) {
  std::vector<RecordRow> rows;
  const auto complain = [&](std::string reason) {
    flaws.push_back(
        {.area = WheelArea::Record, .member = member, .subject = std::string(path), .reason = std::move(reason)});
  };
  if (!is_utf8(text)) complain("is not UTF-8");
  // pip reads the rows with csv.reader(text.splitlines()).
  if (has_odd_line_end(text)) complain("has a character that pip takes for the end of a row, and others do not");
  CsvReader reader(text);
  std::vector<std::string> fields;
  while (reader.next(fields)) {
    if (reader.row() > limits.members) {
      return std::unexpected(
          Error{ErrorCode::OverLimit, fmt::format("{} has more rows than the limit of {} members; raise it with "
                                                  "--limit members=N",
                                                  escape(path), limits.members)});
    }
    if (!reader.problem().empty()) complain(fmt::format("row {} {}", reader.row(), reader.problem()));
    if (fields.size() != row_fields) {
      complain(fmt::format("row {} has {} field{}, not path, hash and size", reader.row(), fields.size(),
                           fields.size() == 1 ? "" : "s"));
      continue;
    }
    RecordRow row{.path = std::move(fields[0]), .hash = std::move(fields[1]), .size = std::nullopt};
    if (std::uint64_t size = 0; parse_number(fields[2], size)) {
      row.size = size;
    } else if (!fields[2].empty()) {
      complain(fmt::format("row {}: the size '{}' of {} is not a number", reader.row(), fields[2], row.path));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

void compare_record(const std::vector<RecordRow>& rows, std::span<const MemberFacts> members,
                    std::string_view record_path, const DigestOf& digest_of, std::vector<WheelFlaw>& flaws) {
  Comparison comparison(members, record_path, digest_of, flaws);
  for (const RecordRow& row : rows) comparison.row(row);
  comparison.unlisted();
}

// Parses CSV like Python's csv module, one row at a time and with bounded memory.

bool CsvReader::next(std::vector<std::string>& fields) {
  fields.clear();
  problem_ = {};
  if (at_ == text_.size()) return false;
  ++row_;
  if (!at_line_end()) {
    read_field(fields);
    while (at_ < text_.size() && text_[at_] == ',') {
      ++at_;
      read_field(fields);
    }
  }
  if (at_ < text_.size() && text_[at_] == '\r') {
    ++at_;
    if (at_ == text_.size() || text_[at_] != '\n') problem_ = "contains a carriage return that does not end a line";
  }
  if (at_ < text_.size() && text_[at_] == '\n') ++at_;
  return true;
}

void CsvReader::read_field(std::vector<std::string>& fields) {
  if (fields.size() == max_fields) {
    problem_ = "has more fields than any RECORD";
    fields.pop_back();  // drops further fields, so that a row of a million commas needs no memory
  }
  std::string& field = fields.emplace_back();
  if (at_ < text_.size() && text_[at_] == '"') read_quoted(field);
  const std::string_view rest = text_.substr(at_);
  const auto* const end = std::ranges::find_if(rest, [](char c) { return c == ',' || ends_line(c); });
  field.append(rest.begin(), end);
  at_ += static_cast<std::size_t>(end - rest.begin());
}

void CsvReader::read_quoted(std::string& field) {
  for (++at_; at_ < text_.size(); ++at_) {
    if (text_[at_] != '"') {
      field += text_[at_];
    } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
      field += text_[++at_];
    } else {
      ++at_;
      if (!at_line_end() && text_[at_] != ',') problem_ = "has text after a closing quote";
      return;
    }
  }
  problem_ = "has a quote that is never closed";
}

}  // namespace wheelcheck::wheel
