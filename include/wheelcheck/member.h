// A member of the archive, and the only kind of path that the program holds.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace wheelcheck {

// A relative, clean path with '/' between its parts: no empty part, ".", "..", backslash, drive, control byte or NUL,
// valid UTF-8. Made only by parse, so every path that the program holds is safe to join.
class MemberPath {
 public:
  static std::optional<MemberPath> parse(std::string_view raw);  // a trailing '/' (directory) is refused
  const std::string& text() const { return text_; }
  std::string_view name() const;       // the part after the last '/'
  std::string_view directory() const;  // what stands before it, "" at the root
  auto operator<=>(const MemberPath&) const = default;

 private:
  explicit MemberPath(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

// What a member holds that is no ELF file and yet is, or holds, code or an archive: listed, never judged. By its first
// bytes; Inside: by bytes further in; EmptyLibrary and the three behind it: by a library's name that it bears.
enum class ForeignKind : std::uint8_t {
  None,
  Zip,
  Gzip,
  Bzip2,
  Xz,
  Zstandard,
  SevenZip,
  Ar,
  MachO,
  WindowsProgram,
  WebAssembly,
  LlvmBitcode,
  CudaFatBinary,
  Ptx,
  OffloadBundle,
  SpirV,
  JavaClass,
  Inside,
  EmptyLibrary,
  LinkerScript,
  TextLibrary,
  DataLibrary
};
std::string_view name_of(ForeignKind kind);  // "zip archive"; "" for None

struct MemberFacts {
  MemberPath path;
  std::uint64_t size = 0;         // bytes, inflated
  std::uint64_t packed_size = 0;  // bytes in the archive
  std::uint32_t crc32 = 0;
  std::uint32_t unix_mode = 0;  // st_mode from the external attributes; 0 where none is recorded
  std::string sha256;           // lower-case hex of the inflated bytes; empty if it was not read
  ForeignKind foreign = ForeignKind::None;
};

}  // namespace wheelcheck
