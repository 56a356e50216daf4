#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"

namespace wheelcheck::test::two_cxx_runtimes_test {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* id = "_ZNSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE2idE";

// A module with a static libstdc++ that is visible, or a hidden one of which only templates are visible.
ElfBuilder static_copy(bool hidden) {
  ElfBuilder out(module_file("vision/_v"));
  out.exports(id, SymbolKind::Object, Binding::Unique);
  if (!hidden) out.exports("_ZNSt6locale7classicEv");
  return looked_up(out);
}
std::vector<Finding> found(bool hidden) {
  const ElfMember system = looked_up(ElfBuilder("libstdc++.so.6")
                                         .soname("libstdc++.so.6")
                                         .exports(id, SymbolKind::Object, Binding::Unique)
                                         .exports("_ZNSt6locale7classicEv"))
                               .build({0});
  return played(Together({wheel_of("vision").elf(static_copy(hidden)),
                          wheel_of("tensor").elf(ElfBuilder(module_file("tensor/_t")).needed("libstdc++.so.6"))})
                    .platform(system),
                "two-cxx-runtimes");
}

TEST(TwoCxxRuntimes, IsAnErrorInBothOrders) {
  const auto findings = found(false);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_THAT(findings[0].load_plans, SizeIs(2));
  EXPECT_THAT(findings[0].fix, HasSubstr("-Wl,--exclude-libs,ALL"));
}

TEST(TwoCxxRuntimes, IsSilentOnAHiddenCopy) { EXPECT_THAT(found(true), IsEmpty()); }

}  // namespace
}  // namespace wheelcheck::test::two_cxx_runtimes_test
