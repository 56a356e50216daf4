#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"

namespace wheelcheck::test::pybind11_ids_differ_test {
namespace {

using namespace test;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view old_id = "v4_gcc_libstdcpp_cxxabi1011";
constexpr std::string_view new_id = "v11_system_libstdcpp_gxx_abi_1xxx_use_cxx11_abi_1";

WheelBuilder wheel_with(const std::string& name, std::string_view id, const std::string& required = "") {
  WheelBuilder wheel = wheel_of(name);
  wheel.elf(looked_up(ElfBuilder(module_file(name + "/_m")).exports("PyInit__m")).edit([id](ElfMember& member) {
    if (!id.empty()) member.facts.interfaces.pybind11_ids = {id};
  }));
  return wheel.edit([name, required](WheelFacts& facts) {
    if (required.empty()) return;
    if (!facts.metadata) facts.metadata = Metadata{.name = name, .version = "1.0"};
    facts.metadata->requires_dist = {required};
  });
}
std::vector<Finding> found(const WheelBuilder& first, const WheelBuilder& second) {
  return played(Together({first, second}), "pybind11-ids-differ");
}

TEST(Pybind11IdsDiffer, FiresWhereOneRequiresTheOther) {
  const auto findings = found(wheel_with("vision", old_id, "tensor>=1"), wheel_with("tensor", new_id));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_EQ(findings[0].message, "vision requires tensor, and their pybind11 modules do not share C++ types");
}

TEST(Pybind11IdsDiffer, IsSilentOnEqualIdsAndStrangers) {
  EXPECT_THAT(found(wheel_with("vision", new_id, "tensor"), wheel_with("tensor", new_id)), IsEmpty());
  EXPECT_THAT(found(wheel_with("vision", old_id), wheel_with("tensor", new_id)), IsEmpty());
  EXPECT_THAT(found(wheel_with("vision", "", "tensor"), wheel_with("tensor", new_id)), IsEmpty());
}

}  // namespace
}  // namespace wheelcheck::test::pybind11_ids_differ_test
