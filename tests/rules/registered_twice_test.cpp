#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"

namespace wheelcheck::test::registered_twice_test {
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

// paddlepaddle-gpu 2.6.2: libpaddle.so requires libphi.so, so that no import loads one alone, and it works.
TEST(RegisteredTwice, IsSilentForFilesThatAreAlwaysLoadedTogether) {
  const ElfMember library = protobuf();
  const char* const table = "descriptor_table_a_2eproto";
  const auto of = [&](const std::string& other, const std::string& needed) {
    const auto file = [&](const std::string& path) {
      return ElfBuilder(path).runpath("$ORIGIN").needed("libprotobuf.so").import(add).exports(table);
    };
    return played(
        Together({wheel_of("one").elf(file(module_file("one/_m")).needed(needed)).elf(file(other))}).platform(library),
        "registered-twice");
  };
  EXPECT_THAT(of("one/libphi.so", "libphi.so"), IsEmpty());
  const auto both = of(module_file("one/_n"), "libprotobuf.so");
  ASSERT_THAT(both, SizeIs(1));
  EXPECT_THAT(both[0].fix, HasSubstr("in one: link protobuf statically"));
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
}  // namespace wheelcheck::test::registered_twice_test
