// A member of the archive, and its path. A wheel is untrusted, so paths from it are parsed into MemberPath before any
// use.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "wheelcheck/index.h"

namespace wheelcheck {

// A relative, clean path with '/' between its parts. It is valid UTF-8 and contains no empty part, ".", "..",
// backslash, drive, control byte or NUL. Only `parse` creates one, so every path in the program can be joined to a
// directory safely.
class MemberPath {
 public:
  // Nullopt for any other text, also for a trailing '/' (a directory).
  static std::optional<MemberPath> parse(std::string_view raw);
  const std::string& text() const { return text_; }
  std::string_view name() const;       // the part after the last '/'
  std::string_view directory() const;  // the part before the last '/', "" at the root
  auto operator<=>(const MemberPath&) const = default;

 private:
  explicit MemberPath(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

// The kind of a member that is not an ELF file but contains code or an archive. Such members are listed but not judged.
// Most kinds are recognised by the first bytes. Inside is recognised by later bytes. EmptyLibrary, LinkerScript,
// TextLibrary and DataLibrary are files with the name of a library.
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

// What is known of every member.
struct MemberFacts {
  MemberPath path;
  std::uint64_t size = 0;         // bytes, inflated
  std::uint64_t packed_size = 0;  // bytes in the archive
  std::uint32_t crc32 = 0;
  std::uint32_t unix_mode = 0;  // st_mode from the external attributes; 0 if none is recorded
  std::string sha256;           // lower-case hex of the inflated bytes; empty if it was not computed
  ForeignKind foreign = ForeignKind::None;
};

// The member with that path. `members` are sorted by path, as WheelFacts::members are.
std::optional<MemberIndex> find_member(std::span<const MemberFacts> members, std::string_view path);

}  // namespace wheelcheck
