// A wheel as fuzz_wheel takes it: its name and its members, nothing packed, no sums. So a mutation of a member's bytes
// is one of what the program reads behind the archive, where a mutation of an archive would end at its CRC-32.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wheelcheck::fuzz {

struct PackMember {
  std::string name, bytes;
};
struct Pack {
  std::string file;                 // name of the wheel
  std::vector<PackMember> members;  // a RECORD without bytes is written as it should be
};

// Any bytes are a pack: lengths in front of each text, of two bytes for names and four for contents, little-endian;
// lengths past the end are cut.
Pack read_pack(std::string_view bytes);
std::string written_pack(const Pack& pack);
// The archive, with right sums, sizes and a right RECORD where the pack leaves it empty.
std::string archive_of(const Pack& pack);

}  // namespace wheelcheck::fuzz
