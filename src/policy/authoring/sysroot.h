// Collects the libraries of a root (the file system or the packages of a system) from its ELF files.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "wheelcheck/derive.h"
#include "wheelcheck/result.h"

namespace wheelcheck::sysroot {

// A path in a root without a leading "./" or "/", which archives may contain.
std::string_view in_root(std::string_view path);

// The rank of a file's directory in the search order of the loader, from 0; nullopt if the loader does not search it.
// The trusted directories are those of glibc (elf/Makefile, rtld-default-dirs; Debian's multiarch patch puts
// lib/TRIPLET before lib) and of musl (ldso/dynlink.c: /lib, /usr/local/lib, /usr/lib).
std::optional<unsigned> rank_of(std::string_view path);

class Offers {
 public:
  explicit Offers(const Limits& limits) : limits_(limits) {}

  // True if a file with this path and size may be a library that the loader finds.
  bool wants(std::string_view path, std::uint64_t size);
  // Adds the file if it is a library. Of two files with the same soname, the one in the earlier directory is used.
  void add(std::string_view path, std::span<const std::byte> bytes);

  // A library that is too large to be read; "" if there is none.
  const std::string& too_large() const { return too_large_; }

  std::map<Arch, std::map<std::string, OfferedLibrary, std::less<>>> take();

 private:
  struct Held {
    unsigned rank = 0;
    OfferedLibrary library;
  };
  Limits limits_;
  std::string too_large_;
  std::map<Arch, std::map<std::string, Held, std::less<>>> held_;
};

// --- roots in archives --------------------------------------------------------------------------------------------

// Packages of a distribution, or a tar archive of its file system. libarchive reads them; nothing is unpacked to disk.

bool is_package(std::string_view file);  // by file name extension: .deb, .rpm, .apk
Result<void> read_package(const std::string& file, const Limits& limits, Offers& offers);

}  // namespace wheelcheck::sysroot
