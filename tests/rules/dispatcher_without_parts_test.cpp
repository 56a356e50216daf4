#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/scene.h"

namespace wheelcheck::test::dispatcher_without_parts_test {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

WheelBuilder wheel(const std::string& part) {
  WheelBuilder out("ct-1.0-cp311-cp311-manylinux_2_17_x86_64.whl");
  out.elf(ElfBuilder("ct.libs/libcudnn-74a4c495.so.9")
              .import("dlopen")
              .names_library("libcudnn_ops.so.9")
              .names_library("libcuda.so.1"));
  if (!part.empty()) out.elf(ElfBuilder("ct.libs/" + part));
  return out;
}

TEST(DispatcherWithoutParts, NamesThePartThatIsNotThere) {
  for (const std::string part : {"", "libcudnn_ops-1a2b3c4d.so.9"}) {
    const auto findings = Scene(wheel(part)).run("dispatcher-without-parts");
    ASSERT_THAT(findings, SizeIs(1)) << part;
    EXPECT_EQ(findings[0].message, "opens libcudnn_ops.so.9, which the wheel does not contain");
    EXPECT_EQ(findings[0].severity, Severity::Warning);
  }
}

// The 10-bit encoder of x265 can be linked in, and the library works without it.
TEST(DispatcherWithoutParts, IsANoteForOptionalParts) {
  WheelBuilder with("ct-1.0-cp311-cp311-manylinux_2_17_x86_64.whl");
  with.elf(ElfBuilder("ct.libs/libx265-74a4c495.so.199").import("dlopen").names_library("libx265_main10.so"));
  const auto findings = Scene(with).run("dispatcher-without-parts");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Note);
}

TEST(DispatcherWithoutParts, IsSilentWhereThePartsAreThere) {
  EXPECT_THAT(Scene(wheel("libcudnn_ops.so.9")).run("dispatcher-without-parts"), IsEmpty());
}

}  // namespace
}  // namespace wheelcheck::test::dispatcher_without_parts_test
