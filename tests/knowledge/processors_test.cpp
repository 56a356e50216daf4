// The table of processors.
#include "wheelcheck/processors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace wheelcheck {
namespace {

KnownProcessor processor(const std::string& name) {
  return find_processors(std::vector<std::string>{name}).value().at(0);
}
bool has(const KnownProcessor& one, const std::string& feature) {
  return std::ranges::find(one.features, feature) != one.features.end();
}

TEST(Processors, HaveWhatThoseBeforeThemHave) {
  EXPECT_EQ(processor("x86-64").features.size(), 0U);
  EXPECT_TRUE(has(processor("core2duo"), "SSSE3"));
  EXPECT_FALSE(has(processor("core2duo"), "SSE4.1"));
  EXPECT_TRUE(has(processor("phenom"), "POPCNT"));
  EXPECT_FALSE(has(processor("phenom"), "SSSE3"));
  EXPECT_TRUE(has(processor("haswell"), "SSSE3"));
  EXPECT_TRUE(has(processor("haswell"), "AES"));
  EXPECT_FALSE(has(processor("x86-64-v3"), "AES"));
  EXPECT_FALSE(has(processor("haswell"), "AVX-512"));
  EXPECT_TRUE(has(processor("neoverse-v1"), "LSE"));
  EXPECT_FALSE(has(processor("cortex-a72"), "LSE"));
  EXPECT_THAT(processor("cortex-a72").options, testing::ElementsAre("AES, SHA1, SHA2"));
  EXPECT_EQ(processor("Cortex-A72").names, std::vector<std::string>{"cortex-a72"}) << "in any case";
  EXPECT_EQ(processor("apple-m1").arch, Arch::aarch64);
  EXPECT_TRUE(find_processors({}).value().empty());
}

TEST(Processors, AreSuggestedByASimilarName) {
  const auto error = [](const std::string& name) {
    return find_processors(std::vector<std::string>{"haswell", name}).error();
  };
  EXPECT_EQ(error("nehalm").code, ErrorCode::Usage);
  EXPECT_EQ(error("nehalm").message, "--cpu nehalm: no such processor; a similar one is nehalem");
  EXPECT_THAT(error("i486").message, testing::StartsWith("--cpu i486: no such processor; known are x86-64, qemu64"));
}

}  // namespace
}  // namespace wheelcheck
