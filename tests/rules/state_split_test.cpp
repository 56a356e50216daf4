#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"

namespace wheelcheck::test::state_split_test {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::string call = "_ZSt11__once_call", device = "_ZNSt13random_device9_M_getvalEv",
                  old_device = "_ZNSt13random_device16_M_getval_pretr1Ev";

// `first` contains a part of libstdc++, which binds to it if `first` loads it. `second` uses libstdc++ itself, by
// `used` or the same name.
std::vector<Finding> found(const std::string& name, SymbolKind kind, bool runtime = false, std::string used = "") {
  if (used.empty()) used = name;
  ElfBuilder part("first/libpart.so");
  part.soname("libpart.so").role(PlainLibrary{}).exports(name, kind, Binding::Global, 8);
  if (runtime) part.exports("__cxa_throw");
  const ElfMember system =
      looked_up(ElfBuilder("libstdc++.so.6").soname("libstdc++.so.6").exports(name, kind, Binding::Global, 8))
          .exports(old_device)
          .exports("_ZNSt13random_device7_M_initERKSs")
          .build({0});
  ElfBuilder first(module_file("first/_f"));
  first.runpath("$ORIGIN").needed("libpart.so").needed("libstdc++.so.6");
  return played(
      Together({wheel_of("second").elf(ElfBuilder(module_file("second/_s")).needed("libstdc++.so.6").import(used)),
                wheel_of("first").elf(first).elf(part)})
          .platform(system),
      "state-split");
}

TEST(StateSplit, IsAnErrorInTheOrderInWhichTheCopyComesFirst) {
  for (const auto& [name, kind, used] :
       {std::tuple(call, SymbolKind::Tls, call), std::tuple(device, SymbolKind::Function, old_device)}) {
    const auto findings = found(name, kind, false, used);
    ASSERT_THAT(findings, SizeIs(1)) << name;
    EXPECT_EQ(findings[0].severity, Severity::Error);
    EXPECT_EQ(findings[0].load_plans, std::vector<std::uint32_t>{1});
    EXPECT_THAT(findings[0].message, HasSubstr("and second uses that of the system"));
    EXPECT_THAT(findings[0].fix, HasSubstr("import in the order second, then first"));
  }
}

// libstdc++ calls _M_getval only for those who call the older function: sentencepiece 0.1.92 with torch 1.5.1 works.
TEST(StateSplit, IsSilentIfNoCallOfTheUserLeadsToTheCopy) {
  EXPECT_THAT(found(device, SymbolKind::Function), IsEmpty());
}

// duckdb 0.5.1 calls the function with the old std::string, from which libstdc++ calls the one with the new.
TEST(StateSplit, IsAWarningForACallThatIsRarelyMade) {
  const std::string init = "_ZNSt13random_device7_M_initE";
  const auto findings = found(init + "RKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE", SymbolKind::Function,
                              false, init + "RKSs");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Warning);
}

TEST(StateSplit, IsSilentOnOtherFunctionsConstantsAndACompleteRuntime) {
  EXPECT_THAT(found("_ZNKSt5ctypeIcE8do_widenEc", SymbolKind::Function), IsEmpty());
  EXPECT_THAT(found("_ZNSt8__detail12__prime_listE", SymbolKind::Object), IsEmpty());
  EXPECT_THAT(found(call, SymbolKind::Tls, true), IsEmpty());
}

}  // namespace
}  // namespace wheelcheck::test::state_split_test
