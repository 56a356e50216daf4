// Tests the analysis in the text formats.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/analysed.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::test::analysis_text_test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string full(WheelReport wheel, bool facts_only = true) {
  return find_renderer("full")->render(report_of(std::move(wheel)), {.facts_only = facts_only});
}

TEST(AnalysisText, ThePageShowsWhatLeaksInOneBlock) {
  EXPECT_THAT(full(leaking_wheel()), HasSubstr("\nExports of other libraries\n  " + leaking_so +
                                               "\n    51 of 70 exports: 40 LLVM 22.1.0, 11 zlib\n"));
}

TEST(AnalysisText, WhereNothingLeaksNothingIsSaid) {
  EXPECT_THAT(full(kept_wheel()), Not(HasSubstr("Exports of other")));
  WheelReport wheel = leaking_wheel();
  for (ElfAnalysis& file : wheel.analysis.elfs)
    for (LibraryCount& library : file.exports.libraries) library.own = true;
  EXPECT_THAT(full(std::move(wheel)), Not(HasSubstr("Exports of other")));
}

TEST(AnalysisText, ALibraryThatIsItselfDoesNotLeak) {
  EXPECT_THAT(full(leaking_wheel()), Not(HasSubstr(zlib_so + "\n    1 of")));
}

TEST(AnalysisText, VtablesAloneAreNoLeak) {
  WheelReport wheel = leaking_wheel();
  for (ElfAnalysis& file : wheel.analysis.elfs)
    for (LibraryCount& library : file.exports.libraries) library.rtti = library.exports;
  EXPECT_THAT(full(std::move(wheel)), Not(HasSubstr("Exports of other")));
}

TEST(AnalysisText, OnlyTheFirstFilesAreShown) {
  WheelBuilder builder("many-1-cp311-cp311-linux_x86_64.whl");
  for (int i = 10; i < 20; ++i) builder.elf(ElfBuilder("many/libpart" + std::to_string(i) + ".so"));
  WheelReport wheel = with_facts(builder.build());
  wheel.analysis.elfs.resize(10);
  for (std::uint32_t i = 0; i < 10; ++i)
    wheel.analysis.elfs[i].exports = {
        .all = 100,
        .scopes = {},
        .libraries = {{.library = "zlib", .name = "zlib", .exports = 10 + i, .examples = {}}}};
  const std::string text = full(std::move(wheel));
  EXPECT_LT(text.find("19 of 100 exports: 19 zlib"), text.find("18 of 100 exports"));
  EXPECT_THAT(text, HasSubstr("15 of 100 exports"));
  EXPECT_THAT(text, Not(HasSubstr("14 of 100 exports")));
  EXPECT_THAT(text, HasSubstr("5 more files (wheelcheck symbols --by library)"));
}

TEST(AnalysisText, ShowGivesALineEachForWhatAFileHolds) {
  const std::string text = full(leaking_wheel(), true);
  EXPECT_THAT(text, HasSubstr("    exports  70 exports: 40 llvm, 12 mixer, 3 std, 3 ::, 12 C\n"));
  EXPECT_THAT(text, HasSubstr("    contains LLVM 22.1.0, zlib (perhaps)\n"));
  EXPECT_THAT(
      text,
      HasSubstr("    C++      libstdc++, newer parts linked in; old and new std::string in\n               exports\n"));
  EXPECT_THAT(text, HasSubstr("    built    GCC 10.2.1, clang 18.1.8\n"));
  EXPECT_THAT(text, HasSubstr("    GPU      cubin sm_80, cubin sm_90a, ptx compute_90; 9.7 kB of device code;\n"
                              "               named for dlopen: libcuda.so.1\n"));
  EXPECT_THAT(text, HasSubstr("    contains zlib 1.3.1 (is it)\n"));
  EXPECT_THAT(text, HasSubstr("\nPython code that loads libraries\n  mixer/__init__.py:7: ctypes.CDLL libcudart.so.*, "
                              "RTLD_GLOBAL (certain)\n"));
  EXPECT_THAT(full(leaking_wheel(), false), Not(HasSubstr("    contains LLVM")));
}

}  // namespace
}  // namespace wheelcheck::test::analysis_text_test
