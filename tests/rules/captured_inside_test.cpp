#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"

namespace wheelcheck::test::captured_inside_test {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Two modules of one wheel that contain two releases of a library.
Together together(std::uint64_t size, Binding binding = Binding::Global) {
  const auto lua = [&](const std::string& path, std::uint64_t bytes) {
    return looked_up(ElfBuilder(module_file(path)).exports("lua_table", SymbolKind::Object, binding, bytes));
  };
  return Together({wheel_of("luas").elf(lua("luas/lua53", 212)).elf(lua("luas/lua54", size))});
}

TEST(CapturedInside, NamesTheModulesWhereDataHasAnotherSize) {
  const auto findings = played(together(216).global(module_file("luas/lua53")), "captured-inside");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_THAT(findings[0].message,
              HasSubstr("1 name of luas/lua54.cpython-311-x86_64-linux-gnu.so is bound to luas/lua53"));
  EXPECT_THAT(findings[0].fix, HasSubstr("pip install --upgrade luas, if a later release has no such names; in luas:"));
}

TEST(CapturedInside, IsSilentOnModulesThatAreLocalAlikeOrInline) {
  EXPECT_THAT(played(together(216), "captured-inside"), IsEmpty());
  EXPECT_THAT(played(together(212).global(module_file("luas/lua53")), "captured-inside"), IsEmpty());
  EXPECT_THAT(played(together(216, Binding::Weak).global(module_file("luas/lua53")), "captured-inside"), IsEmpty());
}

}  // namespace
}  // namespace wheelcheck::test::captured_inside_test
