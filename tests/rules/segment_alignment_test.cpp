#include "tests/rules/scene.h"

namespace wheelcheck::test::segment_alignment_test {
namespace {

std::vector<Finding> run(Arch arch, std::uint64_t align, std::uint64_t agree = 0,
                         const std::string& name = "foo-1.0-cp311-cp311-linux_x86_64.whl",
                         const std::string& needs = "GLIBC_2.17") {
  const ElfBuilder elf = ElfBuilder("foo/x.so").arch(arch).need("libc.so.6", needs).edit([=](ElfMember& m) {
    m.facts.segments.smallest_load_align = align;
    m.facts.segments.misaligned_load = agree != 0;
    m.facts.segments.largest_page = agree;
  });
  return Scene(WheelBuilder(name).elf(elf)).run("segment-alignment");
}

TEST(SegmentAlignment, WantsTheLargestPageOfTheMachine) {
  const auto findings = run(Arch::aarch64, 4096);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "has segments aligned to 4096 bytes, but aarch64 kernels have pages of 64 KiB");
  EXPECT_THAT(findings[0].fix, testing::StartsWith("link with -Wl,-z,max-page-size=65536; "));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_EQ(run(Arch::ppc64le, 4096).size(), 1U);
}

TEST(SegmentAlignment, IsSilentAtThatVeryPage) {
  EXPECT_TRUE(run(Arch::aarch64, 65536).empty());
  EXPECT_TRUE(run(Arch::ppc64le, 65536).empty());
  for (const Arch arch : {Arch::x86_64, Arch::i686, Arch::armv7l, Arch::s390x, Arch::riscv64})
    EXPECT_TRUE(run(arch, 4096).empty()) << name_of(arch);
}

TEST(SegmentAlignment, GradesLoongarchByTheUsualPage) {
  EXPECT_EQ(run(Arch::loongarch64, 4096).at(0).severity, Severity::Error);
  EXPECT_EQ(run(Arch::loongarch64, 16384).at(0).severity, Severity::Warning);
  EXPECT_TRUE(run(Arch::loongarch64, 65536).empty());
}

TEST(SegmentAlignment, WantsSixteenKibOnAndroid) {
  const std::string android = "foo-1.0-cp313-cp313-android_24_arm64_v8a.whl";
  EXPECT_EQ(run(Arch::aarch64, 4096, 0, android).at(0).severity, Severity::Warning);
  EXPECT_TRUE(run(Arch::aarch64, 16384, 0, android).empty());
  // boostaio 0.0.2 is py3-none-any, and its library is for Android.
  const ElfBuilder bionic = ElfBuilder("foo/x.so").arch(Arch::aarch64).edit([](ElfMember& m) {
    m.libc = Libc::Bionic;
    m.facts.segments.smallest_load_align = 16384;
  });
  EXPECT_TRUE(Scene(WheelBuilder("foo-1.0-py3-none-any.whl").elf(bionic)).run("segment-alignment").empty());
}

TEST(SegmentAlignment, FiresOnAnyMachineWhereOffsetAndAddressDiffer) {
  const auto findings = run(Arch::x86_64, 4096, 2048);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "has a segment whose file offset does not match its address");
  EXPECT_EQ(findings[0].severity, Severity::Error);
}

// The libopenblas of liepy 0.1.4: p_align is 0x8000, offset and address agree within 4 KiB. ld.so 2.31 refuses it, 2.36
// and musl 1.2.3 load it.
TEST(SegmentAlignment, NewerGlibcAndMuslCompareWithThePage) {
  const auto old = run(Arch::x86_64, 4096, 4096);
  ASSERT_EQ(old.size(), 1U);
  EXPECT_THAT(old[0].message, testing::EndsWith("so that glibc before 2.35 does not load it"));
  EXPECT_EQ(old[0].severity, Severity::Error);
  EXPECT_EQ(evidence(old[0], "offset and address agree within"), "4096 bytes");
  EXPECT_EQ(run(Arch::x86_64, 4096, 4096, "foo-1.0-cp311-cp311-manylinux_2_34_x86_64.whl").size(), 1U);
  EXPECT_TRUE(run(Arch::x86_64, 4096, 4096, "foo-1.0-cp311-cp311-manylinux_2_35_x86_64.whl").empty());
  EXPECT_TRUE(run(Arch::x86_64, 4096, 4096, "foo-1.0-cp311-cp311-musllinux_1_2_x86_64.whl").empty());
  EXPECT_TRUE(run(Arch::x86_64, 4096, 4096, "foo-1.0-cp311-cp311-linux_x86_64.whl", "GLIBC_2.38").empty());
  EXPECT_EQ(run(Arch::x86_64, 4096, 2048, "foo-1.0-cp311-cp311-manylinux_2_35_x86_64.whl").size(), 1U);
  EXPECT_EQ(run(Arch::aarch64, 65536, 4096, "foo-1.0-cp311-cp311-manylinux_2_35_aarch64.whl").at(0).message,
            "has segments aligned to 4096 bytes, but aarch64 kernels have pages of 64 KiB");
}

TEST(SegmentAlignment, FiresBelowEveryPage) { EXPECT_EQ(run(Arch::x86_64, 16).at(0).severity, Severity::Error); }

TEST(SegmentAlignment, IsSilentWhereNothingIsMapped) { EXPECT_TRUE(run(Arch::aarch64, 0).empty()); }

}  // namespace
}  // namespace wheelcheck::test::segment_alignment_test
