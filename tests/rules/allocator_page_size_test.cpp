#include "tests/rules/scene.h"

namespace wheelcheck::test::allocator_page_size_test {
namespace {

std::vector<Finding> run(Arch arch, std::uint64_t page) {
  return Scene(WheelBuilder("foo-1.0-py3-none-linux_x86_64.whl")
                   .elf(ElfBuilder("foo/libfoo.so").arch(arch).edit([=](ElfMember& m) {
                     m.facts.interfaces.jemalloc_page = page;
                   })))
      .run("allocator-page-size");
}

TEST(AllocatorPageSize, NamesTheKernelsAndTheSetting) {
  const auto findings = run(Arch::aarch64, 4096);
  ASSERT_EQ(findings.size(), 1U);
  check_words(findings[0]);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings[0].message,
            "its jemalloc was compiled for pages of 4 KiB: aarch64 kernels with larger pages end it with "
            "\"<jemalloc>: Unsupported system page size\"");
  EXPECT_THAT(evidence(findings[0], "kernels with larger pages"), testing::HasSubstr("16 KiB: Asahi Linux"));
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("JEMALLOC_SYS_WITH_LG_PAGE=16"));
  EXPECT_THAT(evidence(run(Arch::aarch64, 16384).at(0), "kernels with larger pages"), testing::StartsWith("64 KiB"));
}

TEST(AllocatorPageSize, IsAnErrorWhereAllKernelsHaveLargerPages) {
  EXPECT_EQ(run(Arch::ppc64le, 4096).at(0).severity, Severity::Error);
}

TEST(AllocatorPageSize, IsSilentForTheLargestPageAndWhereNothingIsKnown) {
  EXPECT_TRUE(run(Arch::aarch64, 65536).empty());
  EXPECT_TRUE(run(Arch::ppc64le, 65536).empty());
  EXPECT_TRUE(run(Arch::aarch64, 0).empty());
}

}  // namespace
}  // namespace wheelcheck::test::allocator_page_size_test
