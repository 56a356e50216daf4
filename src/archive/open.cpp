// Opens and checks an archive, in this order: end records, central directory, names, total sizes, local headers. What
// remains is at most unusual and is reported as warnings.
//
// A ZIP file says most things twice: in the central directory and in the local header, as 32 and as 64 bits, as a size
// and as an end of data. Installers, scanners and streaming readers trust different copies, which attackers use to show
// each of them another wheel. So nothing is repaired or preferred here: if two readers could see different content, the
// archive is refused (Error Rejected), and what follows may rely on one reading. Section numbers in this folder refer
// to PKWARE's APPNOTE.TXT 6.3.10. All limits are those of Limits; each error names the option that raises its limit.
#include <algorithm>
#include <memory>
#include <string_view>

#include "archive/archive.h"
#include "archive/fields.h"
#include "archive/file.h"
#include "archive/names.h"
#include "archive/records.h"

namespace wheelcheck::archive {
namespace {

Result<void> check_total(std::span<const Member> members, std::uint64_t archive_size, const Limits& limits) {
  std::uint64_t total = 0;
  for (const Member& m : members) {
    const auto sum = checked_add(total, m.size);
    if (!sum || *sum > limits.total_bytes)
      return fail(ErrorCode::OverLimit,
                  "the members have more than {} bytes together, the limit for one archive; raise it with --limit "
                  "total-bytes=N",
                  limits.total_bytes);
    total = *sum;
  }
  const auto max = checked_multiply(archive_size, limits.ratio);
  if (total > limits.ratio_floor && max && total > *max)
    return fail(ErrorCode::OverLimit,
                "{} bytes inflate to {}, over the limit of {} to 1; raise it with --limit ratio=N", archive_size, total,
                limits.ratio);
  return {};
}

// Adds what the Unix mode says beyond permissions. The constants are those of <sys/stat.h>, written as values because
// the mode belongs to the archive, not to this system.
void warn_mode(const Member& m, std::vector<std::string>& reasons) {
  switch (m.unix_mode & 0170000) {
    case 0:
    case 0100000:
      break;
    case 0040000:
      break;  // a directory; check_type has verified it
    case 0120000:
      reasons.push_back("a symbolic link: installers write its target into a file");
      break;
    case 0010000:
      reasons.push_back("a pipe by its attributes");
      break;
    case 0020000:
    case 0060000:
      reasons.push_back("a device by its attributes");
      break;
    case 0140000:
      reasons.push_back("a socket by its attributes");
      break;
    default:
      reasons.push_back(fmt::format("its mode {:o} has no known file type", m.unix_mode));
  }
  if (m.unix_mode & 04000) reasons.push_back("it has the setuid bit");
  if (m.unix_mode & 02000 && !m.is_directory()) reasons.push_back("it has the setgid bit");
}

std::vector<std::string> warnings_of(const Member& m) {
  std::vector<std::string> reasons = odd_name(m.name, m.flags);
  warn_mode(m, reasons);
  if (m.is_directory() && (m.unix_mode & 0170000) == 0100000)
    reasons.push_back("a directory by its name, a regular file by its attributes");
  if (m.flags & descriptor_flag)
    reasons.push_back("its sizes are behind its data (a data descriptor), which package indexes refuse");
  if (m.has_comment) reasons.push_back("it has a comment in the central directory, which package indexes refuse");
  return reasons;
}

// What PyPI refuses although all readers agree (Warehouse, warehouse/utils/zipfiles.py). It looks up the bytes of a
// local header's name, read as UTF-8, among the names of Python's zipfile, which reads a name without the flag as code
// page 437.
std::vector<std::string> index_refusals_of(const Member& m) {
  std::vector<std::string> reasons;
  const auto beyond_ascii = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
  if (m.flags & descriptor_flag) reasons.push_back("its sizes are behind its data (a data descriptor)");
  if (m.has_comment) reasons.push_back("it has a comment in the central directory");
  if (!(m.flags & utf8_flag) && std::ranges::any_of(m.name, beyond_ascii))
    reasons.push_back("its name is not ASCII and not marked as UTF-8");
  return reasons;
}

// The files in `order`, which is the order of their paths.
Result<std::vector<Entry>> entries_of(std::span<const Member> members, std::span<const std::uint32_t> order) {
  std::vector<Entry> entries;
  entries.reserve(members.size());
  for (const std::uint32_t i : order) {
    const Member& m = members[i];
    if (m.is_directory()) continue;
    auto path = MemberPath::parse(m.name);
    if (!path) return reject_member(m.name, "its path is not clean");  // check_names should already have reported why
    entries.push_back({.path = std::move(*path),
                       .size = m.size,
                       .packed_size = m.packed_size,
                       .data_offset = m.data_offset,
                       .header_offset = m.header_offset,
                       .crc32 = m.crc32,
                       .unix_mode = m.unix_mode,
                       .method = m.method});
  }
  return entries;
}

std::optional<std::size_t> index_of(std::span<const Entry> entries, std::string_view name) {
  const auto text = [](const Entry& e) { return std::string_view(e.path.text()); };
  const auto at = std::ranges::lower_bound(entries, name, {}, text);
  if (at == entries.end() || text(*at) != name) return std::nullopt;
  return static_cast<std::size_t>(at - entries.begin());
}

std::vector<Warning> collect_warnings(std::span<const Member> members, std::span<const Entry> entries,
                                      std::string_view comment) {
  std::vector<Warning> warnings;
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (std::ranges::any_of(comment, control))
    warnings.push_back({std::nullopt, "", "its comment has control characters"});
  for (const Member& m : members) {
    for (std::string& reason : warnings_of(m))
      warnings.push_back({index_of(entries, m.name), m.name, std::move(reason)});
    if (loses_its_end(m.name))
      warnings.push_back({index_of(entries, m.name), m.name,
                          "a part of its path ends with a dot or a space, which Windows drops", true});
  }
  std::vector<std::string_view> names;
  names.reserve(entries.size());
  for (const Entry& e : entries) names.push_back(e.path.text());
  for (const auto [name, other] : find_collisions(names))
    warnings.push_back({name, std::string(names[name]),
                        fmt::format("the same file as {} where case or accents are ignored", escape(names[other])),
                        true});
  std::ranges::stable_sort(warnings, {}, &Warning::subject);
  return warnings;
}

std::vector<Warning> collect_index_refusals(std::span<const Member> members, std::span<const Entry> entries) {
  std::vector<Warning> refusals;
  for (const Member& m : members)
    for (std::string& reason : index_refusals_of(m))
      refusals.push_back({index_of(entries, m.name), m.name, std::move(reason)});
  std::ranges::stable_sort(refusals, {}, &Warning::subject);
  return refusals;
}

}  // namespace

Archive::Archive(std::shared_ptr<const File> file, std::vector<Entry> entries, std::vector<Warning> warnings,
                 std::vector<Warning> index_refusals)
    : file_(std::move(file)),
      entries_(std::move(entries)),
      warnings_(std::move(warnings)),
      index_refusals_(std::move(index_refusals)) {}
Archive::Archive(Archive&&) noexcept = default;
Archive& Archive::operator=(Archive&&) noexcept = default;
Archive::~Archive() = default;

std::uint64_t Archive::size() const { return file_->size(); }

Result<Archive> Archive::open(const std::string& path, const Limits& limits) {
  auto file = File::open(path);
  if (!file) return pass_on(file);
  return open(std::make_shared<const File>(std::move(*file)), limits);
}

Result<Archive> Archive::open(std::shared_ptr<const File> file, const Limits& limits) {
  const auto end = read_end_records(*file, limits);
  if (!end) return std::unexpected(end.error());
  auto members = read_central_directory(*file, *end, limits);
  if (!members) return pass_on(members);
  auto order = check_names(*members, limits);
  if (!order) return pass_on(order);
  if (auto ok = check_total(*members, file->size(), limits); !ok) return pass_on(ok);
  if (auto ok = check_local_headers(*file, end->directory_offset, *members); !ok) return pass_on(ok);
  if (members->empty()) return reject("the archive has no members");
  auto entries = entries_of(*members, *order);
  if (!entries) return pass_on(entries);
  std::vector<Warning> warnings = collect_warnings(*members, *entries, end->comment);
  std::vector<Warning> refusals = collect_index_refusals(*members, *entries);
  return Archive(std::move(file), std::move(*entries), std::move(warnings), std::move(refusals));
}

}  // namespace wheelcheck::archive
