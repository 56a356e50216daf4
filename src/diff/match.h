// Which file of the new release is which of the old one, so that the others of this room compare like with like.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/analysis.h"
#include "wheelcheck/diff.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::diff {

struct FileIdentity {
  std::string_view path;
  std::string_view sha256;  // "" where it is not known or there are no bytes
  bool elf = false;
  std::string_view library = {};  // KnownLibrary::id, where the file is that library and not a user of it
};

// Tries one way after the other, the surest first; a way pairs two files where no other file could be meant. By index
// of the new release, then those that are gone, by their old index.
std::vector<FilePair> match(std::span<const FileIdentity> old, std::span<const FileIdentity> now);

// One for each member.
std::vector<FileIdentity> identities(const WheelFacts& wheel, const Analysis& analysis);

// A file name without a repair tool's hash and the interpreter's suffix: libz-1a2b3c4d.so.1 -> libz.so.1,
// _x.cpython-311-x86_64-linux-gnu.so -> _x.so.
std::string plain_file_name(std::string_view name);
// That, without the numbers of a library: libfoo.so.1.2 and libfoo-1.2.so -> libfoo.
std::string library_stem(std::string_view name);
// A path whose first part, if it is foo-1.0.dist-info or foo-1.0.data, has no version.
std::string without_release(std::string_view path);

}  // namespace wheelcheck::diff
