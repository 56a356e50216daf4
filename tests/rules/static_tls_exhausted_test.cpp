#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"

namespace wheelcheck {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

WheelBuilder with_tls(const std::string& name, std::uint64_t bytes) {
  return wheel_of(name).elf(ElfBuilder(module_file(name + "/_m")).edit([=](ElfMember& member) {
    member.facts.dynamic->static_tls_relocations = 1;
    member.facts.segments.tls_size = bytes;
    member.facts.segments.tls_align = 16;
  }));
}

TEST(StaticTlsExhausted, SizesAreAddedAlongThePlan) {
  const auto findings = played(Together({with_tls("one", 1000), with_tls("two", 1000)}), "static-tls-exhausted");
  ASSERT_THAT(findings, SizeIs(2));  // the second one fails
  EXPECT_THAT(findings[0].message, HasSubstr("requires 1000 bytes of static TLS, but only"));
}

TEST(StaticTlsExhausted, OneFileMayBeTooLargeAlone) {
  EXPECT_THAT(played(Together({with_tls("one", 1800)}), "static-tls-exhausted"), SizeIs(1));
}

TEST(StaticTlsExhausted, IsSilentWhereTheyFit) {
  EXPECT_THAT(played(Together({with_tls("one", 800), with_tls("two", 700)}), "static-tls-exhausted"), IsEmpty());
}

}  // namespace
}  // namespace wheelcheck
