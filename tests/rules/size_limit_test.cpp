#include "tests/rules/scene.h"

namespace wheelcheck::test::size_limit_test {
namespace {

Scene of_size(std::uint64_t size) {
  return Scene(WheelBuilder(wheel_2_17)
                   .member("foo/data.bin", 90'000'000)
                   .member("foo/small.bin", 2'500'000)
                   .edit([=](WheelFacts& wheel) { wheel.size = size; }));
}

TEST(SizeLimit, FiresAboveTheLimitAndNamesTheLargestMembers) {
  const auto findings = of_size(104'857'601).run("size-limit");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings[0].message,
            "is 104.8 MB: PyPI refuses files above 100 MiB unless the project was granted a higher limit");
  EXPECT_THAT(findings[0].evidence[0].value, testing::StartsWith("foo/data.bin (90.0 MB), foo/small.bin (2.5 MB)"));
  EXPECT_THAT(findings[0].fix, testing::EndsWith("--max-wheel-bytes 104857601"));
}

TEST(SizeLimit, IsSilentAtTheLimit) { EXPECT_TRUE(of_size(104'857'600).run("size-limit").empty()); }

TEST(SizeLimit, TakesTheLimitOfTheUser) {
  Scene scene = of_size(5'000'000);
  scene.options.max_wheel_bytes = 4'999'999;
  ASSERT_EQ(scene.run("size-limit").size(), 1U);
  EXPECT_EQ(scene.run("size-limit")[0].message, "has 5000000 bytes, 1 B above the limit of 4999999");
  scene.options.index = "pypi";  // WC853
  EXPECT_TRUE(scene.run("size-limit").empty());
  scene.options.index = "";
  scene.options.max_wheel_bytes = 5'000'000;
  EXPECT_TRUE(scene.run("size-limit").empty());
}

TEST(SizeLimit, SaysWhatStrippingWouldGive) {
  WheelBuilder builder(wheel_2_17);
  builder.elf(ElfBuilder(module_so).edit([](ElfMember& m) { m.facts.sections.debug_bytes = 40'000'000; }));
  builder.edit([](WheelFacts& wheel) { wheel.size = 200'000'000; });
  const auto findings = Scene(builder).run("size-limit");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(evidence(findings[0], "debug sections, unpacked"), "40.0 MB");
  EXPECT_THAT(findings[0].fix, testing::StartsWith("strip the libraries"));
}

TEST(SizeLimit, FiresOnStoredMachineCode) {
  const auto found = [](std::uint64_t size, std::uint64_t packed, std::uint64_t wheel_size = 1'000'000) {
    Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so)));
    for (const ElfMember& elf : scene.wheel.elfs) {
      scene.wheel.members[elf.member.value].size = size;
      scene.wheel.members[elf.member.value].packed_size = packed;
    }
    scene.wheel.size = wheel_size;
    return scene.run("size-limit");
  };
  ASSERT_EQ(found(500'000, 500'000).size(), 1U);
  EXPECT_EQ(found(500'000, 500'000)[0].message,
            "1 member with machine code is stored without compression: 500.0 kB of 1.0 MB");
  EXPECT_EQ(found(500'000, 500'000)[0].severity, Severity::Warning);
  EXPECT_TRUE(found(500'000, 499'999).empty());
  EXPECT_TRUE(found(99'999, 99'999).empty());
  EXPECT_TRUE(found(500'000, 500'000, 11'000'000).empty());
  EXPECT_TRUE(found(500'000, 0).empty()) << "an unpacked wheel";
}

}  // namespace
}  // namespace wheelcheck::test::size_limit_test
