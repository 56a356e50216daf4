// What the ELF files of a root offer, gathered one file after the other.
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

// A path in a root without the "./" or "/" that archives write before it.
std::string_view in_root(std::string_view path);

// Of the directory of a file: 0 where the loader looks first. nullopt: it does not look there. The trusted directories
// of glibc (elf/Makefile, rtld-default-dirs; Debian's multiarch patch puts lib/TRIPLET before lib) and of musl
// (ldso/dynlink.c: /lib, /usr/local/lib, /usr/lib).
std::optional<unsigned> rank_of(std::string_view path);

class Offers {
 public:
  explicit Offers(const Limits& limits) : limits_(limits) {}

  // Whether the file of this path and size may be a library that the loader finds.
  bool wants(std::string_view path, std::uint64_t size) const;
  // Takes it up where it is one. Of two files of one soname the loader takes the one of the earlier directory.
  void add(std::string_view path, std::span<const std::byte> bytes);

  std::map<Arch, std::map<std::string, OfferedLibrary, std::less<>>> take();

 private:
  struct Held {
    unsigned rank = 0;
    OfferedLibrary library;
  };
  Limits limits_;
  std::map<Arch, std::map<std::string, Held, std::less<>>> held_;
};

// A root that lies in archives: packages of a distribution, or a tar of its file system. libarchive reads them; nothing
// is unpacked to disk.

bool is_package(std::string_view file);  // by its ending: .deb, .rpm, .apk
Result<void> read_package(const std::string& file, const Limits& limits, Offers& offers);

}  // namespace wheelcheck::sysroot
