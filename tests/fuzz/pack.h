// The input of fuzz_wheel: the name of a wheel and its members, not compressed and without checksums. A mutation of
// such an input reaches the code behind the archive reader; in a ZIP archive most mutations would end at a wrong
// CRC-32.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wheelcheck::fuzz {

struct PackMember {
  std::string name, bytes;
};
struct Pack {
  std::string file;                 // file name of the wheel
  std::vector<PackMember> members;  // an empty RECORD is replaced by a correct one
};

// Any bytes are a valid pack: each text is preceded by its length, with two bytes for names and four for contents,
// little-endian. Lengths beyond the end are reduced.
Pack read_pack(std::string_view bytes);
std::string written_pack(const Pack& pack);
// The archive with correct checksums and sizes, and a correct RECORD if the pack has an empty one.
std::string archive_of(const Pack& pack);

}  // namespace wheelcheck::fuzz
