// Matches the files of the old release to those of the new one, so that the other parts of the comparison compare the
// same file. Names change with versions and with the hashes of repair tools, so several methods are tried.
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
  std::string_view sha256;  // "" if unknown, or if the file is empty
  bool elf = false;
  std::string_view library = {};  // KnownLibrary::id if the file is that library, not merely a user of it
};

// Tries the methods one after another, the most reliable first. A method pairs two files only if the pairing is
// unambiguous. The result is sorted by the index in the new release, followed by the removed files by their old index.
std::vector<FilePair> match(std::span<const FileIdentity> old, std::span<const FileIdentity> now);

// One for each member.
std::vector<FileIdentity> identities(const WheelFacts& wheel, const Analysis& analysis);

// A file name without the hash of a repair tool and without the interpreter's suffix: libz-1a2b3c4d.so.1 becomes
// libz.so.1, _x.cpython-311-x86_64-linux-gnu.so becomes _x.so.
std::string plain_file_name(std::string_view name);
// The same, without the version numbers of a library: libfoo.so.1.2 and libfoo-1.2.so become libfoo.
std::string library_stem(std::string_view name);
// A path without the version in its first part, if that is foo-1.0.dist-info or foo-1.0.data.
std::string without_release(std::string_view path);

}  // namespace wheelcheck::diff
