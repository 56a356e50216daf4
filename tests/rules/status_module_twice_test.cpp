#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"

namespace wheelcheck::test::status_module_twice_test {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view gcc_id = "v4_gcc_libstdcpp_cxxabi1013";
constexpr std::string_view clang_id = "v4_clang_libstdcpp_cxxabi1002";

WheelBuilder wheel_with(const std::string& name, std::string_view id, bool makes) {
  WheelBuilder wheel = wheel_of(name);
  wheel.elf(looked_up(ElfBuilder(module_file(name + "/_m")).exports("PyInit__m")).edit([=](ElfMember& member) {
    member.facts.interfaces.pybind11_ids = {id};
    member.facts.interfaces.pybind11_status = makes;
  }));
  return wheel;
}
std::vector<Finding> found(std::string_view id, bool makes) {
  return played(Together({wheel_with("tensor", clang_id, true), wheel_with("lite", id, makes)}), "status-module-twice");
}

TEST(StatusModuleTwice, IsAnErrorInBothOrders) {
  const auto findings = found(gcc_id, true);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_THAT(findings[0].load_plans, SizeIs(2));
  EXPECT_THAT(findings[0].message, HasSubstr("StatusCode"));
}

TEST(StatusModuleTwice, IsSilentOnSharedTypesAndOneModule) {
  EXPECT_THAT(found(clang_id, true), IsEmpty());
  EXPECT_THAT(found(gcc_id, false), IsEmpty());
}

}  // namespace
}  // namespace wheelcheck::test::status_module_twice_test
