#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"

namespace wheelcheck::test::handed_objects_test {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<Finding> found(const std::string& other, const std::string& requirement, bool in_module = true) {
  Knowledge knowledge;
  knowledge.libraries.push_back({.id = "libxml2", .name = "libxml2", .checks_version = true});
  const IdentifiedLibrary library{.library = "libxml2", .name = "libxml2"};
  const auto elem = in_module ? module_file("elem/_e") : "elem/libelem.so", sign = module_file("sign/_s");
  return played(Together({wheel_of("elem").elf(in_module ? ElfBuilder(elem).says("2.13.8")
                                                         : ElfBuilder(elem).role(PlainLibrary{}).says("2.13.8")),
                          wheel_of("sign")
                              .edit([=](WheelFacts& w) {
                                if (!requirement.empty()) w.metadata->requires_dist = {requirement};
                              })
                              .elf(ElfBuilder(sign).says(other))})
                    .library(elem, library)
                    .library(sign, library),
                "handed-objects", knowledge);
}

TEST(HandedObjects, NamesBothVersions) {
  const auto findings = found("2.14.4", "elem");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_THAT(findings[0].message,
              HasSubstr("sign contains libxml2 2.14.4, but elem, which it requires, contains 2.13.8"));
}

TEST(HandedObjects, IsSilentOnOneVersionAndOnWheelsThatDoNotRequireEachOther) {
  EXPECT_THAT(found("2.13.8", "elem"), IsEmpty());
  EXPECT_THAT(found("2.13.9", "elem"), IsEmpty());
  EXPECT_THAT(found("2.14.4", ""), IsEmpty());
  // bodo and pyarrow 18.1.0, whose libarrow.so contains libcurl.
  EXPECT_THAT(found("2.14.4", "elem", false), IsEmpty());
}

}  // namespace
}  // namespace wheelcheck::test::handed_objects_test
