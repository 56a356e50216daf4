// Fixes that are played before anybody builds them.
#include "conflicts/what_if.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/facts.h"

namespace wheelcheck {
namespace {

using test::ElfBuilder;
using test::WheelBuilder;
using ::testing::HasSubstr;

// One file that defines two names, asks for both itself, and needs a library.
class WhatIf : public testing::Test {
 protected:
  WhatIf() {
    Distribution distribution{
        .facts = WheelBuilder("Foo_Bar-1.0-cp311-cp311-manylinux_2_17_x86_64.whl")
                     .elf(ElfBuilder("foo.libs/libfoo.so.1").needed("libz.so.1").exports("ab").exports("b"))
                     .build(),
        .resolution = {},
        .analysis = {}};
    in_.distributions.push_back(std::move(distribution));
    ElfFacts& facts = in_.distributions[0].facts.elfs[0].facts;
    facts.dynamic->references = {Reference(0, true), Reference(1, true)};
    in_.world.files.push_back({.path = "/site/foo.libs/libfoo.so.1", .facts = &facts});
    in_.origins.push_back({.kind = Origin::Kind::Distribution, .distribution = {0}, .elf = {0}});
  }
  Result<void> apply(const std::string& change) {
    return conflicts::apply_what_if(in_, std::vector<std::string>{change});
  }
  const DynamicFacts& dynamic() const { return *in_.world.files[0].facts->dynamic; }

  Installation in_;
};

TEST_F(WhatIf, HiddenNamesAreFoundByNobodyAndKeepTheirPlace) {
  ASSERT_TRUE(apply("hide foo-bar::libfoo.so.1 a*"));
  EXPECT_EQ(dynamic().exports.size(), 2U);
  EXPECT_EQ(dynamic().exports[0].name, "");
  EXPECT_EQ(dynamic().exports[1].name, "b");
  EXPECT_EQ(dynamic().references.size(), 1U);
  EXPECT_EQ(in_.distributions[0].facts.elfs[0].facts.dynamic->exports[0].name, "ab");  // the wheel stays what it is
}

TEST_F(WhatIf, NeedsAreRemoved) {
  ASSERT_TRUE(apply("no-needed foo*::foo.libs/libfoo.so.1 libz.so.*"));
  EXPECT_TRUE(dynamic().needed.empty());
}

TEST_F(WhatIf, WhatFitsNothingIsAnErrorOfUse) {
  for (const std::string change : {"hide x", "mend foo::libfoo.so.1 a", "hide foo::libfoo.so.1 zzz",
                                   "hide nobody::libfoo.so.1 a*", "no-needed libfoo.so.1 libz.so.1"}) {
    const auto result = apply(change);
    ASSERT_FALSE(result) << change;
    EXPECT_EQ(result.error().code, ErrorCode::Usage);
    EXPECT_THAT(result.error().message, HasSubstr("--what-if"));
  }
}

}  // namespace
}  // namespace wheelcheck
