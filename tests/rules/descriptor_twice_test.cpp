#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/generated_code.h"
#include "tests/rules/played.h"

namespace wheelcheck::test::descriptor_twice_test {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<Finding> found(const Generated& first, const Generated& second, const std::string& protobuf = "") {
  WheelBuilder one = wheel_of("one"), two = wheel_of("two");
  add_generated(one, "one", first);
  add_generated(two, "two", second);
  if (protobuf.empty()) return played(Together({one, two}), "descriptor-twice");
  const auto set = [=](WheelFacts& wheel) { wheel.name.version = wheel.metadata->version = protobuf; };
  return played(Together({one, two, wheel_of("protobuf").edit(set)}), "descriptor-twice");
}

TEST(DescriptorTwice, IsAnErrorIfBothFilesAreImported) {
  const auto findings = found({.digest = "1"}, {.digest = "2"});
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_THAT(findings[0].message, HasSubstr("one/x_pb2.py of one and two/x_pb2.py of two both register common.proto"));
  EXPECT_EQ(findings[0].evidence[0].value, "one/x_pb2.py:20");
  EXPECT_THAT(findings[0].evidence[2].value, HasSubstr("duplicate file name common.proto"));
}

TEST(DescriptorTwice, IsAWarningIfAnImportIsUncertain) {
  const auto findings = found({.digest = "1", .imported = false}, {.digest = "2"});
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Warning);
}

TEST(DescriptorTwice, IsFoundForMessagesOfFilesWithOtherNames) {
  const auto findings = found({.file = "a.proto", .digest = "1", .message = "grpc.health.v1.Check"},
                              {.file = "b.proto", .digest = "2", .message = "grpc.health.v1.Check"});
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].evidence[2].value, HasSubstr("duplicate symbol grpc.health.v1.Check"));
}

TEST(DescriptorTwice, IsSilentOnEqualDescriptorsAndOtherNames) {
  EXPECT_THAT(found({.digest = "1"}, {.digest = "1"}), IsEmpty());
  EXPECT_THAT(found({.file = "a.proto", .digest = "1"}, {.file = "b.proto", .digest = "2"}), IsEmpty());
}

TEST(DescriptorTwice, DependsOnTheImplementationOfProtobuf) {
  EXPECT_THAT(found({.digest = "1"}, {.digest = "2"}, "3.20.3"), IsEmpty());
  EXPECT_THAT(found({.digest = "1"}, {.digest = "2"}, "4.25.8"), SizeIs(1));
}

}  // namespace
}  // namespace wheelcheck::test::descriptor_twice_test
