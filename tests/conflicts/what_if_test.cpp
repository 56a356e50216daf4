// Tests hypothetical fixes (--what-if).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conflicts/find.h"
#include "tests/support/facts.h"

namespace wheelcheck {
namespace {

using test::ElfBuilder;
using test::WheelBuilder;
using ::testing::HasSubstr;

// A file that defines two names, references both itself, and needs a library.
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
  // The facts of the wheel are not changed.
  EXPECT_EQ(in_.distributions[0].facts.elfs[0].facts.dynamic->exports[0].name, "ab");
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

TEST_F(WhatIf, FlagsOfWhatAWheelOpensAreChanged) {
  LoadPlan plan;
  plan.plan.steps.push_back({{{.name = "/site/foo.so", .flags = {.global = true}}, {.name = "/site/other.so"}}});
  plan.opens.push_back(
      {{.distribution = DistributionIndex{0}, .module = "foo", .flags = FlagSource{.text = "set"}}, {}});
  std::vector<LoadPlan> plans{plan};
  const auto change = [&](const std::string& text) {
    return conflicts::apply_what_if(plans, in_, std::vector<std::string>{text});
  };
  ASSERT_TRUE(change("dlopen-flags foo-bar LOCAL,NOW"));
  EXPECT_FALSE(plans[0].plan.steps[0].opens[0].flags.global);
  EXPECT_FALSE(plans[0].opens[0][0].flags);
  ASSERT_TRUE(change("dlopen-flags foo* RTLD_GLOBAL,LAZY"));
  EXPECT_TRUE(plans[0].plan.steps[0].opens[0].flags.global);
  EXPECT_TRUE(plans[0].plan.steps[0].opens[0].flags.lazy);
  EXPECT_FALSE(plans[0].plan.steps[0].opens[1].flags.global);
  EXPECT_FALSE(change("dlopen-flags foo-bar LOUD"));
  EXPECT_FALSE(change("dlopen-flags nobody LOCAL"));
  EXPECT_FALSE(change("dlopen-flags foo-bar"));
}

TEST_F(WhatIf, AWheelTakesThePlaceOfTheOneWithItsName) {
  const auto wheel = [](const std::string& name) {
    return WheelBuilder(name + "-cp311-cp311-manylinux_2_17_x86_64.whl").build();
  };
  EXPECT_EQ(conflicts::replacing_wheels(std::vector<std::string>{"hide a::b c", "replace dist/x.whl"}),
            std::vector<std::string>{"dist/x.whl"});
  std::vector<WheelFacts> wheels;
  for (const std::string name : {"one-1.0", "two-1.0", "One-2.0"}) wheels.push_back(wheel(name));
  ASSERT_TRUE(conflicts::replace_wheels(wheels, 1));
  ASSERT_EQ(wheels.size(), 2U);
  EXPECT_EQ(wheels[0].name.version, "2.0");
  wheels.push_back(wheel("three-1.0"));
  EXPECT_FALSE(conflicts::replace_wheels(wheels, 1));
}

}  // namespace
}  // namespace wheelcheck
