#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"

namespace wheelcheck::test::next_definition_test {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

ElfBuilder calling(const std::string& path, LoaderCall call) {
  return ElfBuilder(path).facts([call](ElfFacts& facts, StringPool&) { facts.loader_calls.push_back(call); });
}

// `wrap` has a malloc of its own; `trace` looks the next one up.
Together together(bool global) {
  Together wheels({wheel_of("wrap").elf(ElfBuilder(module_file("wrap/_w")).exports("malloc")),
                   wheel_of("trace").elf(calling(module_file("trace/_t"),
                                                 {.function = LoaderCall::Function::DlsymNext, .name = "malloc"}))});
  if (global) wheels.global(module_file("wrap/_w"));
  return wheels;
}

TEST(NextDefinition, NamesTheDefinitionThatIsPassedOver) {
  const auto findings = played(together(true), "next-definition");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_THAT(findings[0].message, HasSubstr("looks up malloc with dlsym(RTLD_NEXT) and skips"));
  EXPECT_EQ(findings[0].fix,
            "no simulated order works: use trace, wrap in different processes; in wrap: open "
            "wrap/_w.cpython-311-x86_64-linux-gnu.so without RTLD_GLOBAL, or hide malloc in it");
}

TEST(NextDefinition, IsSilentWhereTheOtherIsNotGlobal) {
  EXPECT_THAT(played(together(false), "next-definition"), IsEmpty());
}

}  // namespace
}  // namespace wheelcheck::test::next_definition_test
