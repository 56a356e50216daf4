// What the start-up code of a wheel's files means for a processor.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/facts.h"
#include "wheelcheck/processors.h"

namespace wheelcheck {
namespace {

using test::ElfBuilder;
using test::WheelBuilder;
using When = LackingFeature::When;

constexpr const char* module_path = "foo/x.cpython-311-x86_64-linux-gnu.so";

// Of x86-64-v2, x86-64-v3, and AArch64 with AES as an option.
const KnownProcessor v2{.names = {"v2"},
                        .arch = Arch::x86_64,
                        .features = {"SSE3", "SSSE3", "SSE4.1", "SSE4.2", "POPCNT", "CMPXCHG16B"},
                        .options = {}};
const KnownProcessor v3{.names = {"v3"},
                        .arch = Arch::x86_64,
                        .features = {"SSE3", "SSSE3", "SSE4.1", "SSE4.2", "POPCNT", "CMPXCHG16B", "AVX", "AVX2", "BMI",
                                     "BMI2", "F16C", "FMA", "MOVBE"},
                        .options = {}};
const KnownProcessor arm{.names = {"arm"}, .arch = Arch::aarch64, .features = {"LSE"}, .options = {"AES, SHA1, SHA2"}};

StartupInstruction instruction(const std::string& feature, bool certain) {
  return {.x86_level = 3,
          .address = 64,
          .entry = "PyInit_x",
          .instruction = "vaddps",
          .feature = feature,
          .certain = certain};
}
ProcessorCompatibility on(const KnownProcessor& processor, const std::string& path,
                          const std::function<void(ElfMember&)>& edit) {
  WheelReport report;
  report.facts =
      std::move(WheelBuilder("foo-1.0-cp311-cp311-manylinux_2_17_x86_64.whl").elf(ElfBuilder(path).edit(edit))).build();
  return processor_compatibility_of(report, processor);
}
ProcessorCompatibility with(const KnownProcessor& processor, StartupInstruction one,
                            const std::string& path = module_path) {
  return on(processor, path, [=](ElfMember& m) { m.facts.startup = {one}; });
}

TEST(Processor, FailsWhereTheImportExecutesWhatItLacks) {
  const auto fails = with(v2, instruction("AVX", true));
  EXPECT_EQ(fails.runs, Runs::No);
  ASSERT_EQ(fails.lacking.size(), 1U);
  EXPECT_EQ(fails.lacking[0].when, When::Import);
  EXPECT_EQ(fails.lacking[0].instruction, "vaddps");
  EXPECT_EQ(fails.lacking[0].entry, "PyInit_x");
  EXPECT_EQ(with(v3, instruction("AVX", true)).runs, Runs::Yes);
  EXPECT_EQ(with(v2, instruction("AVX", false)).runs, Runs::Depends);
}

TEST(Processor, FailsWhereTheLoaderRefusesTheFile) {
  const auto at = [](const KnownProcessor& one) {
    return on(one, module_path, [](ElfMember& m) { m.facts.x86_isa_needed = 5; }).runs;
  };
  EXPECT_EQ(at(v2), Runs::No);
  EXPECT_EQ(at(v3), Runs::Yes);
}

TEST(Processor, MayFailLater) {
  const auto later = on(v2, module_path, [](ElfMember& m) { m.facts.vector_code = VectorCode{.count = 99}; });
  EXPECT_EQ(later.runs, Runs::Depends);
  EXPECT_EQ(later.lacking.at(0).when, When::Call);
  const auto unread = on(v2, module_path, [](ElfMember& m) { m.facts.startup_cut = true; });
  EXPECT_EQ(unread.runs, Runs::Depends);
  EXPECT_EQ(unread.unread.size(), 1U);
}

TEST(Processor, DoesNotLoadWhatPythonChooses) {
  EXPECT_EQ(with(v2, instruction("AVX", true), "foo/_core_avx2.so").runs, Runs::Yes);
  EXPECT_EQ(with(v2, instruction("AVX", true), "foo/libplugin.so").runs, Runs::Yes);
}

TEST(Processor, IsNotKnownForOtherMachines) {
  const auto other = on(arm, module_path, [](ElfMember&) {});
  EXPECT_EQ(other.runs, Runs::Depends);
  EXPECT_EQ(other.files, 0U);
  EXPECT_THAT(other.not_judged, testing::ElementsAre(Arch::x86_64));
  WheelReport pure;
  pure.facts = WheelBuilder("foo-1.0-py3-none-any.whl").build();
  EXPECT_EQ(processor_compatibility_of(pure, v2).runs, Runs::Yes);
}

TEST(Processor, MayHaveAnOptionOfItsCore) {
  const auto needs = [](const std::string& feature) {
    return on(arm, "foo/x.cpython-311-aarch64-linux-gnu.so",
              [=](ElfMember& m) {
                m.facts.arch = Arch::aarch64;
                m.facts.startup = {instruction(feature, true)};
              })
        .runs;
  };
  EXPECT_EQ(needs("AES, SHA1, SHA2"), Runs::Depends);
  EXPECT_EQ(needs("LSE"), Runs::Yes);
  EXPECT_EQ(needs("SVE"), Runs::No);
}

}  // namespace
}  // namespace wheelcheck
