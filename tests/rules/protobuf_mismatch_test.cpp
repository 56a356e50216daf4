#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/generated_code.h"
#include "tests/rules/played.h"

namespace wheelcheck::test::protobuf_mismatch_test {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<Finding> found(const Generated& code, const std::string& protobuf) {
  WheelBuilder user = wheel_of("tink");
  add_generated(user, "tink", code);
  const auto set = [=](WheelFacts& wheel) { wheel.name.version = wheel.metadata->version = protobuf; };
  return played(Together({user, wheel_of("protobuf").edit(set)}), "protobuf-mismatch");
}

TEST(ProtobufMismatch, IsAnErrorWhereTheImportRunsTheCode) {
  const auto findings = found({.since = "6.30.2"}, "5.29.5");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_THAT(findings[0].message, HasSubstr("protobuf 5.29.5 refuses tink/x_pb2.py of tink"));
  EXPECT_THAT(findings[0].fix, HasSubstr("pip install 'protobuf>=6.30.2'"));
  EXPECT_THAT(found({.since = "6.30.2", .imported = false}, "5.29.5").at(0).severity, Severity::Warning);
}

TEST(ProtobufMismatch, IsFoundForOldCode) {
  const auto findings = found({.before = "4"}, "4.25.8");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].fix, HasSubstr("pip install 'protobuf<4'"));
  EXPECT_THAT(found({.before = "4"}, "3.20.3"), IsEmpty());
}

TEST(ProtobufMismatch, IsSilentOnReleasesThatAcceptTheCode) {
  EXPECT_THAT(found({.since = "6.30.2"}, "6.30.2"), IsEmpty());
  EXPECT_THAT(found({.since = "6.30.2"}, "7.34.0"), IsEmpty());
  EXPECT_THAT(found({}, "3.1"), IsEmpty());
}

}  // namespace
}  // namespace wheelcheck::test::protobuf_mismatch_test
