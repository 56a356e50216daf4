#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"

namespace wheelcheck::test::unread_loading_test {
namespace {

using namespace test;
using ::testing::IsEmpty;
using ::testing::SizeIs;

ElfBuilder calling(const std::string& path, LoaderCall call) {
  return ElfBuilder(path).facts([call](ElfFacts& facts, StringPool&) { facts.loader_calls.push_back(call); });
}

TEST(UnreadLoading, ListsTheFilesAndTheNamesInTheirData) {
  const auto findings = played(
      Together({wheel_of("host").elf(calling(module_file("host/_h"), {.flags = 2}).names_library("libplugin.so.1"))}),
      "unread-loading");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_EQ(findings[0].evidence.at(0).value, "its data names libplugin.so.1");
}

TEST(UnreadLoading, IsSilentWhereEachCallWasRead) {
  EXPECT_THAT(
      played(Together({wheel_of("host").elf(calling(module_file("host/_h"), {.name = "libplugin.so.1", .flags = 2}))}),
             "unread-loading"),
      IsEmpty());
}

}  // namespace
}  // namespace wheelcheck::test::unread_loading_test
