#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"

namespace wheelcheck {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* add = "_ZN6google8protobuf8internal14AddDescriptorsEPKNS1_15DescriptorTableE";

WheelBuilder user(const std::string& name, const std::string& table, const std::string& library) {
  return wheel_of(name).elf(ElfBuilder(module_file(name + "/_m")).needed(library).import(add).exports(table));
}
ElfMember protobuf() {
  return ElfBuilder("lib/libprotobuf.so").soname("libprotobuf.so").role(PlainLibrary{}).exports(add).build({0});
}

TEST(RegisteredTwice, IsAnErrorWhereOneLibraryServesBoth) {
  const ElfMember library = protobuf();
  const auto findings = played(Together({user("one", "descriptor_table_onnx_2fonnx_2dml_2eproto", "libprotobuf.so"),
                                         user("two", "descriptor_table_onnx_2fonnx_2dml_2eproto", "libprotobuf.so")})
                                   .platform(library),
                               "registered-twice");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_THAT(findings[0].message, HasSubstr("onnx/onnx-ml.proto"));
}

TEST(RegisteredTwice, IsSilentForOtherFiles) {
  const ElfMember library = protobuf();
  EXPECT_THAT(played(Together({user("one", "descriptor_table_a_2eproto", "libprotobuf.so"),
                               user("two", "descriptor_table_b_2eproto", "libprotobuf.so")})
                         .platform(library),
                     "registered-twice"),
              IsEmpty());
}

}  // namespace
}  // namespace wheelcheck
