#include "bench/zip.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace bench {
namespace {

constexpr std::size_t end_length = 22, locator_length = 20, zip64_end_length = 56, central_length = 46;
constexpr std::uint32_t no_32 = 0xFFFFFFFF;

// Little-endian, like the machine.
template <class T>
T number(const std::uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

struct Directory {
  std::uint64_t offset = 0, size = 0, members = 0;
};

// The end record comes last, because wheels have no comment. The locator of its ZIP64 form precedes it, if there is
// one.
Directory find_directory(const Wheel& wheel, std::uint64_t file_size) {
  std::uint8_t tail[locator_length + end_length] = {};
  if (file_size < sizeof tail || wheel.read(file_size - sizeof tail, tail) != sizeof tail) give_up("too short");
  const std::uint8_t* const end = tail + locator_length;
  if (number<std::uint32_t>(end) != 0x06054b50) give_up("no end record");
  Directory found{number<std::uint32_t>(end + 16), number<std::uint32_t>(end + 12), number<std::uint16_t>(end + 10)};
  if (number<std::uint32_t>(tail) != 0x07064b50) return found;
  std::uint8_t wide[zip64_end_length];
  if (wheel.read(number<std::uint64_t>(tail + 8), wide) != sizeof wide) give_up("no ZIP64 end record");
  return {number<std::uint64_t>(wide + 48), number<std::uint64_t>(wide + 40), number<std::uint64_t>(wide + 32)};
}

// Sizes and offset that do not fit are in the ZIP64 extra field, in this order (4.5.3).
void widen(Member& member, const std::uint8_t* extra, std::size_t length) {
  for (std::size_t at = 0; at + 4 <= length; at += 4 + number<std::uint16_t>(extra + at + 2)) {
    if (number<std::uint16_t>(extra + at) != 1) continue;
    const std::uint8_t* value = extra + at + 4;
    for (std::uint64_t* const field : {&member.size, &member.packed, &member.header}) {
      if (*field != no_32) continue;
      *field = number<std::uint64_t>(value);
      value += 8;
    }
    return;
  }
}

}  // namespace

void give_up(const char* what) {
  std::fprintf(stderr, "floor: %s\n", what);
  std::exit(2);
}

// True for Python code that an audit must read; test suites are not imported by users.
bool is_code(std::string_view path) {
  return path.ends_with(".py") && !path.starts_with("tests/") && path.find("/tests/") == path.npos;
}

std::size_t length_of_local(std::span<const std::uint8_t> header) {
  return local_length + number<std::uint16_t>(header.data() + 26) + number<std::uint16_t>(header.data() + 28);
}

Wheel::Wheel(const char* path) : file_(open(path, O_RDONLY | O_CLOEXEC)) {
  struct stat status{};
  if (file_ < 0 || fstat(file_, &status) != 0) give_up("cannot open the wheel");
  const Directory directory = find_directory(*this, static_cast<std::uint64_t>(status.st_size));
  std::vector<std::uint8_t> bytes(directory.size);
  if (read(directory.offset, bytes) != bytes.size()) give_up("no central directory");
  members_.reserve(directory.members);
  const std::uint8_t *at = bytes.data(), *const end = at + bytes.size();
  for (std::uint64_t i = 0; i < directory.members; ++i) {
    if (static_cast<std::size_t>(end - at) < central_length) give_up("the central directory is cut short");
    const std::size_t name = number<std::uint16_t>(at + 28), extra = number<std::uint16_t>(at + 30),
                      comment = number<std::uint16_t>(at + 32);
    if (static_cast<std::size_t>(end - at) < central_length + name + extra + comment) give_up("a member has no name");
    Member member{.header = number<std::uint32_t>(at + 42),
                  .packed = number<std::uint32_t>(at + 20),
                  .size = number<std::uint32_t>(at + 24),
                  .crc = number<std::uint32_t>(at + 16),
                  .method = number<std::uint16_t>(at + 10),
                  .python = is_code({reinterpret_cast<const char*>(at) + central_length, name})};
    widen(member, at + central_length + name, extra);
    members_.push_back(member);
    at += central_length + name + extra + comment;
  }
}

Wheel::~Wheel() { close(file_); }

std::size_t Wheel::read(std::uint64_t offset, std::span<std::uint8_t> out) const {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t got = pread(file_, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

}  // namespace bench
