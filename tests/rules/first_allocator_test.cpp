#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"

namespace wheelcheck::test::first_allocator_test {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<Finding> found(bool own_runtime, const std::string& form = "_Znwm") {
  ElfBuilder library("fastmem/libfast.so");
  library.soname("libfast.so").role(PlainLibrary{}).exports(form);
  if (own_runtime) library.exports("__cxa_throw");
  const auto user = [](const std::string& path) {
    return ElfBuilder(module_file(path))
        .runpath("$ORIGIN")
        .import("_Znwm")
        .import("_ZdlPvm")
        .import("_ZdlPvSt11align_val_t");
  };
  const ElfMember system = looked_up(ElfBuilder("libstdc++.so.6")
                                         .soname("libstdc++.so.6")
                                         .exports("_Znwm")
                                         .exports("_ZdlPvm")
                                         .exports("_ZNSo")
                                         .exports("_ZdlPvSt11align_val_t"))
                               .build({0});
  return played(
      Together({wheel_of("nlp").elf(user("nlp/_n").needed("libstdc++.so.6").import("_ZNSo")),
                wheel_of("fastmem").elf(user("fastmem/_f").needed("libfast.so").needed("libstdc++.so.6")).elf(library)})
          .platform(system),
      "first-allocator");
}

TEST(FirstAllocator, IsAnErrorInTheOrderInWhichTheAllocatorComesFirst) {
  const auto findings = found(false);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_EQ(findings[0].load_plans, std::vector<std::uint32_t>{1});
  EXPECT_THAT(findings[0].fix, HasSubstr("import in the order nlp, then fastmem"));
}

TEST(FirstAllocator, IsSilentOnARuntimeWhoseOperatorsCallMalloc) { EXPECT_THAT(found(true), IsEmpty()); }

// As linked in by toolchains for older systems: it calls the base form, which is the system's.
TEST(FirstAllocator, IsSilentOnASizedDeleteAlone) { EXPECT_THAT(found(false, "_ZdlPvm"), IsEmpty()); }

// They call aligned_alloc and free, as those of the system do (hictkpy 0.0.5).
TEST(FirstAllocator, IsSilentOnTheFormsWithAnAlignmentAlone) {
  EXPECT_THAT(found(false, "_ZdlPvSt11align_val_t"), IsEmpty());
}

}  // namespace
}  // namespace wheelcheck::test::first_allocator_test
