// Writes a wheel with changes: unchanged members are copied as they are packed, the others are packed again, and RECORD
// describes the result.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/archive.h"
#include "archive/file.h"
#include "rewrite/elf_edit.h"
#include "rewrite/zip_writer.h"
#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::rewrite {

struct Change {  // of an existing member
  ElfEdit elf;
  std::optional<std::string> content;  // in place of its bytes
  std::optional<std::uint32_t> mode;
  std::optional<std::string> moved_to;  // another path
};
struct Added {
  std::string path;
  std::string content;
  std::uint32_t mode = 0100644;
  std::string sha256 = {};  // of the content; "" if it is not known yet
};
struct Edits {
  std::map<std::string, Change, std::less<>> changes;  // by path
  std::vector<Added> added;
  bool new_record = false;  // even if nothing else changes
  bool empty() const { return changes.empty() && added.empty() && !new_record; }
};
struct WriteOptions {
  std::optional<std::uint64_t> source_date_epoch;  // the time of all members; otherwise each member keeps its own
  std::optional<int> level;  // of libdeflate, for all members; nullopt: default_level for those that change
  unsigned jobs = 1;
};

// Writes the whole archive to the descriptor. Added members follow the old ones, sorted by path and with the time of
// RECORD, signatures of RECORD are left out; then comes *.dist-info (PEP 427, "Recommended archiver features"), RECORD
// last.
Result<void> write_wheel(const archive::Archive& archive, const archive::File& file, const WheelFacts& wheel,
                         const Edits& edits, const ElfTools& tools, const WriteOptions& options, int descriptor);

// RECORD.jws or RECORD.p7s (PEP 427, "Signed wheel files"). Every edit changes RECORD, so it removes them.
bool is_signature(const WheelFacts& wheel, std::string_view path);

// Copies a whole file.
Result<void> copy_file(const archive::File& file, int descriptor);

// The text of WHEEL with its tags replaced by those of `name` and `platforms`, expanded (PEP 425, "Compressed Tag
// Sets"). `platlib`: Root-Is-Purelib becomes false.
std::string with_tags(std::string_view wheel_file, const WheelName& name, const std::vector<std::string>& platforms,
                      bool platlib);
// The file name with other platform tags.
std::string file_name_of(const WheelName& name, const std::vector<std::string>& platforms);

}  // namespace wheelcheck::rewrite
