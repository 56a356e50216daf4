// Fuzz target: any bytes as an archive. It is rejected, or its members are adjacent in the file without gaps, each has
// a unique name that is safe to join, and a second reader sees the same.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "archive/archive.h"
#include "archive/file.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/shown_text.h"

namespace wheelcheck::fuzz {
namespace {

constexpr std::uint64_t local_signature = 0x04034b50, central_signature = 0x02014b50;
constexpr std::uint64_t max_inflated = std::uint64_t{4} << 20;

std::uint64_t number_at(std::string_view file, std::uint64_t at, std::size_t bytes) {
  return Input(file.substr(static_cast<std::size_t>(std::min<std::uint64_t>(at, file.size())))).number(bytes);
}

// The start of the next structure: after the data, or after the descriptor, which has four forms.
std::uint64_t behind(std::string_view file, std::uint64_t data_end, bool described) {
  if (!described) return data_end;
  for (const std::uint64_t length : {12U, 16U, 20U, 24U}) {
    const std::uint64_t next = number_at(file, data_end + length, 4);
    if (next == local_signature || next == central_signature) return data_end + length;
  }
  fail("a structure follows a data descriptor");
}

// Walks the local headers as a streaming reader does. From the central directory it uses only the sizes.
void demand_tiles(std::string_view file, const archive::Archive& read) {
  std::map<std::uint64_t, const archive::Entry*> files;
  for (const archive::Entry& entry : read.entries())
    demand(files.emplace(entry.header_offset, &entry).second, "each member has a local header of its own");
  std::uint64_t at = 0;
  std::size_t walked = 0, listed = 0, found = 0;
  while (number_at(file, at, 4) == local_signature) {
    ++walked;
    const std::uint64_t data = at + 30 + number_at(file, at + 26, 2) + number_at(file, at + 28, 2);
    const bool described = (number_at(file, at + 6, 2) & 8) != 0;
    const auto entry = files.find(at);
    // A directory is not an entry. It has no content, so at most the five bytes of an empty stream.
    const std::uint64_t packed = entry == files.end() ? number_at(file, at + 18, 4) : entry->second->packed_size;
    if (entry == files.end()) {
      demand(file[static_cast<std::size_t>(at + 30 + number_at(file, at + 26, 2) - 1)] == '/',
             "what is no entry is a directory");
      if (described || packed > 5) return;  // its sizes are elsewhere
    } else {
      ++found;
      demand(entry->second->data_offset == data, "data stands behind its local header");
      const std::string_view name = file.substr(static_cast<std::size_t>(at + 30), number_at(file, at + 26, 2));
      demand_same(name, entry->second->path.text(), "the local name is the name");
    }
    at = behind(file, data + packed, described);
  }
  demand(found == files.size(), "every entry is met by a walk over the local headers");
  while (number_at(file, at, 4) == central_signature) {
    ++listed;
    at += 46 + number_at(file, at + 28, 2) + number_at(file, at + 30, 2) + number_at(file, at + 32, 2);
  }
  demand(walked == listed, "the central directory follows the last member and lists all of them");
}

void demand_names(const archive::Archive& read) {
  std::string_view last;
  for (const archive::Entry& entry : read.entries()) {
    const std::string& name = entry.path.text();
    demand(last.empty() || last < name, "names are sorted and unique");
    demand(MemberPath::parse(name).has_value(), "a name is a clean path");
    for (const char bad : {'\0', '\\', '\n'}) demand(name.find(bad) == name.npos, "a name has no such character");
    demand(!name.starts_with('/') && ("/" + name + "/").find("/../") == std::string::npos, "a name stays inside");
    last = name;
  }
}

// libarchive must see the same members with the same bytes. It ends the target of a link at the first NUL.
void demand_second_reader(const archive::Archive& read, const archive::File& file) {
  std::uint64_t total = 0;
  for (const archive::Entry& entry : read.entries()) total += entry.size;
  if (total > max_inflated) return;
  for (const archive::Entry& entry : read.entries()) {
    const auto content = read.read(entry, {.keep = archive::Keep::Everything});
    if (!content) return;
    demand(content->bytes.size() == entry.size, "a member has its declared size");
    const bool is_link = (entry.unix_mode & 0170000) == 0120000;
    if (is_link && std::ranges::find(content->bytes, std::byte{0}) != content->bytes.end()) return;
  }
  static const archive::SecondReader second;
  const auto same = second.compare(read, file);
  if (same) return;
  demand_plain_text(same.error().message, "a message");
  // zlib, which libarchive uses, rejects a few streams that are accepted here (src/archive/inflate.cpp).
  if (same.error().message.find("libarchive cannot read it") == std::string::npos)
    fail("libarchive sees the same", same.error().message);
}

}  // namespace
}  // namespace wheelcheck::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wheelcheck;
  static fuzz::MemoryFile file;
  const std::string_view bytes = fuzz::text_of(data, size);
  file.write(bytes);
  auto opened = archive::File::open(file.path());
  if (!opened) return 0;
  const auto shared = std::make_shared<const archive::File>(std::move(*opened));
  const auto read = archive::Archive::open(shared, {});
  if (!read) {
    fuzz::demand_plain_text(read.error().message, "a message");
    return 0;
  }
  fuzz::demand_names(*read);
  fuzz::demand_tiles(bytes, *read);
  fuzz::demand_second_reader(*read, *shared);
  return 0;
}
