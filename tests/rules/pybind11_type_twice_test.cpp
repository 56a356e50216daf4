#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"

namespace wheelcheck::test::pybind11_type_twice_test {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view gcc_id = "v4_gcc_libstdcpp_cxxabi1011";
constexpr std::string_view clang_id = "v4_clang_libstdcpp_cxxabi1002";
constexpr std::string_view type = "10gpt_params", unnamed = "N12_GLOBAL__N_11TE";

WheelBuilder wheel_with(const std::string& name, std::string_view id, std::string_view registered) {
  WheelBuilder wheel = wheel_of(name);
  wheel.elf(looked_up(ElfBuilder(module_file(name + "/_m")).exports("PyInit__m")).edit([=](ElfMember& member) {
    member.facts.interfaces.pybind11_ids = {id};
    if (!registered.empty()) member.facts.interfaces.pybind11_types = {registered};
  }));
  return wheel;
}
std::vector<Finding> found(std::string_view id, std::string_view first, std::string_view second) {
  return played(Together({wheel_with("one", gcc_id, first), wheel_with("two", id, second)}), "pybind11-type-twice");
}

TEST(Pybind11TypeTwice, IsAnErrorInBothOrders) {
  const auto findings = found(gcc_id, type, type);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_THAT(findings[0].load_plans, SizeIs(2));
  EXPECT_THAT(findings[0].message, HasSubstr("the C++ type gpt_params with pybind11"));
  EXPECT_THAT(findings[0].fix, HasSubstr("use one, two in different processes; in one or two: add py::module_local()"));
}

// scipy 1.15.0, whose optimize is a subpackage, and highspy 1.9.0.
TEST(Pybind11TypeTwice, IsAWarningWhereNeitherImportIsCertain) {
  const auto severity = [](const std::vector<std::string>& uncertain) {
    std::vector<WheelBuilder> wheels;
    for (const std::string name : {"one", "two"})
      wheels.push_back(wheel_with(name, gcc_id, type)
                           .elf(looked_up(ElfBuilder(module_file(name + "/_other")).exports("PyInit__other"))));
    Together together(wheels);
    for (const std::string& name : uncertain) together.maybe(module_file(name + "/_m"));
    return played(together, "pybind11-type-twice").at(0).severity;
  };
  EXPECT_EQ(severity({}), Severity::Error);
  EXPECT_EQ(severity({"one"}), Severity::Error);
  EXPECT_EQ(severity({"one", "two"}), Severity::Warning);
}

TEST(Pybind11TypeTwice, IsSilentOnOtherInternalsOneRegistrationAndUnnamedNamespaces) {
  EXPECT_THAT(found(clang_id, type, type), IsEmpty());
  EXPECT_THAT(found(gcc_id, type, ""), IsEmpty());
  EXPECT_THAT(found(gcc_id, unnamed, unnamed), IsEmpty());
}

}  // namespace
}  // namespace wheelcheck::test::pybind11_type_twice_test
