#include "tests/rules/scene.h"

namespace wheelcheck::test {
namespace {

// Three names of one library, each with that many bytes in the archive.
std::vector<Finding> findings(std::uint64_t packed, std::uint32_t crc_of_last = 7) {
  Scene scene(WheelBuilder(wheel_2_17)
                  .elf(ElfBuilder("foo/libq.so"))
                  .elf(ElfBuilder("foo/libq.so.1"))
                  .elf(ElfBuilder("foo/libq.so.1.2")));
  for (const ElfMember& elf : scene.wheel.elfs) {
    MemberFacts& member = scene.wheel.members[elf.member.value];
    member.size = 4'000'000;
    member.packed_size = packed;
    member.crc32 = member.path.name() == "libq.so.1.2" ? crc_of_last : 7;
  }
  scene.wheel.size = 9'000'000;
  return scene.run("duplicate-files");
}

TEST(DuplicateFiles, CountsTheBytesOfTheCopies) {
  const auto found = findings(1'500'000);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message, "2 duplicate files take 3.0 MB of 9.0 MB");
  EXPECT_EQ(evidence(found[0], "same content"), "foo/libq.so, foo/libq.so.1, foo/libq.so.1.2");
  EXPECT_EQ(findings(1'500'000, 8).at(0).message, "1 duplicate file takes 1.5 MB of 9.0 MB");
}

TEST(DuplicateFiles, IsSilentOnSmallOnes) { EXPECT_TRUE(findings(100'000).empty()); }

}  // namespace
}  // namespace wheelcheck::test
