#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"

namespace wheelcheck::test::split_stack_test {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A wheel with an upper library, whose name both wheels have, and a lower one.
WheelBuilder stack(const std::string& name, const std::string& core) {
  const auto library = [&](const std::string& file) {
    return ElfBuilder(name + "/" + file).soname(file).role(PlainLibrary{}).runpath("$ORIGIN");
  };
  return wheel_of(name)
      .elf(ElfBuilder(module_file(name + "/_m"))
               .needed("libhl.so")
               .needed(core)
               .runpath("$ORIGIN")
               .import("hl")
               .import("open"))
      .elf(library("libhl.so").needed(core).exports("hl").import("get"))
      .elf(library(core).exports("open").exports("get"));
}

TEST(SplitStack, IsAnErrorWhereTheLibrariesBehindDiffer) {
  const auto findings = played(Together({stack("one", "libcore-a.so"), stack("two", "libcore-b.so")}), "split-stack");
  ASSERT_THAT(findings, SizeIs(2));  // one for each order
  for (const Finding& finding : findings) EXPECT_EQ(finding.severity, Severity::Error);
  EXPECT_THAT(findings[0].message, HasSubstr("libhl.so of"));
}

// libxcb-shm, libxcb-shape and libxcb-xfixes of opencv-contrib-python before av: one cause.
TEST(SplitStack, LibrariesThatAreReplacedTogetherAreOneFinding) {
  const auto with_second = [](const std::string& name, const std::string& core) {
    return stack(name, core)
        .elf(ElfBuilder(module_file(name + "/_n")).needed("libhl2.so").runpath("$ORIGIN").import("hl2"))
        .elf(ElfBuilder(name + "/libhl2.so")
                 .soname("libhl2.so")
                 .role(PlainLibrary{})
                 .runpath("$ORIGIN")
                 .needed(core)
                 .exports("hl2")
                 .import("get"));
  };
  const auto findings =
      played(Together({with_second("one", "libcore-a.so"), with_second("two", "libcore-b.so")}), "split-stack");
  ASSERT_THAT(findings, SizeIs(2));  // one for each order
  EXPECT_THAT(findings[0].message, HasSubstr(" (as is 1 more), with other libraries"));
}

TEST(SplitStack, IsSilentWhereBothHaveOneStack) {
  EXPECT_THAT(played(Together({stack("one", "libcore-a.so"), stack("two", "libcore-a.so")}), "split-stack"), IsEmpty());
}

}  // namespace
}  // namespace wheelcheck::test::split_stack_test
