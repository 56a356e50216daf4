#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"

namespace wheelcheck::test::static_tls_exhausted_test {
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
  EXPECT_THAT(findings[0].fix, HasSubstr("set GLIBC_TUNABLES=glibc.rtld.optional_static_tls="));
}

TEST(StaticTlsExhausted, OneFileMayBeTooLargeAlone) {
  EXPECT_THAT(played(Together({with_tls("one", 1800)}), "static-tls-exhausted"), SizeIs(1));
}

TEST(StaticTlsExhausted, IsSilentWhereTheyFit) {
  EXPECT_THAT(played(Together({with_tls("one", 800), with_tls("two", 700)}), "static-tls-exhausted"), IsEmpty());
}

// ray passes its libjemalloc.so to LD_PRELOAD. A library that a function opens with ctypes is another case.
TEST(StaticTlsExhausted, IsSilentOnALibraryThatIsOnlyNamed) {
  const auto findings = [](process::OpenBy by) {
    WheelBuilder ray = wheel_of("ray")
                           .elf(ElfBuilder(module_file("ray/_raylet")))
                           .elf(ElfBuilder("ray/libjemalloc.so")
                                    .soname("libjemalloc.so.2")
                                    .role(PlainLibrary{})
                                    .edit([](ElfMember& member) {
                                      member.facts.dynamic->static_tls_relocations = 1;
                                      member.facts.segments.tls_size = 4000;
                                    }));
    return played(Together({with_tls("one", 100), ray}).opened("ray/libjemalloc.so", by), "static-tls-exhausted");
  };
  EXPECT_THAT(findings(process::OpenBy::Dlopen), IsEmpty());
  ASSERT_THAT(findings(process::OpenBy::Ctypes), SizeIs(1));
  EXPECT_EQ(findings(process::OpenBy::Ctypes)[0].severity, Severity::Warning);
}

}  // namespace
}  // namespace wheelcheck::test::static_tls_exhausted_test
