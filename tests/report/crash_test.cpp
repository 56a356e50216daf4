// Tests stack traces: the library of each frame, and the capture that leads to it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "report/conflicts/conflicts.h"
#include "tests/rules/set_scene.h"

namespace wheelcheck::test::crash_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view name = "_ZN4llvm19raw_svector_ostream10write_implEPKcm";

std::string demangled(std::string_view symbol) {
  return symbol == name ? "llvm::raw_svector_ostream::write_impl(char const*, unsigned long)" : std::string(symbol);
}

// beta's own LLVM is captured by alpha's.
ConflictReport captured() {
  SetScene scene;
  Relation& relation = scene.relation(RelationKind::Capture);
  relation.symbols = {{.name = name, .from = SetScene::beta}};
  ConflictReport report;
  report.conflicts = std::move(scene.conflicts);
  report.conflicts.installation.world.files = {{.path = "/site/alpha/libtensorflow_framework.so.2"},
                                               {.path = "/site/beta/_b.so"}};
  return report;
}

std::string explained(const std::string& trace) { return report::crash_text(captured(), trace, &demangled); }

TEST(CrashText, ExplainsTheFrameOfACapturedName) {
  const std::string text = explained(
      "Stack dump:\n"
      "#0 0x00007f81 _ZN4llvm19raw_svector_ostream10write_implEPKcm (libtensorflow_framework.so.2)\n"
      "#1 0x00007f82 compile (/site/beta/_b.so+0x123)\n");
  EXPECT_THAT(text, HasSubstr("#0   llvm::raw_svector_ostream::write_impl(char const*, unsigned long)\n"
                              "     libtensorflow_framework.so.2 of alpha\n"
                              "     capture: beta/_b.so of beta imports this name"));
  EXPECT_THAT(text, HasSubstr("#1   compile\n     _b.so of beta\n"));
  EXPECT_THAT(text, HasSubstr("1 frame is explained by a capture"));
}

TEST(CrashText, ReadsTracesOfGdbAndOfGlibc) {
  for (const std::string line :
       {"#0  0x00007f81 in llvm::raw_svector_ostream::write_impl (this=0x0) from /x/libtensorflow_framework.so.2",
        "/x/libtensorflow_framework.so.2(_ZN4llvm19raw_svector_ostream10write_implEPKcm+0x1f) [0x7f81]"})
    EXPECT_THAT(explained(line), HasSubstr("1 frame is explained")) << line;
}

TEST(CrashText, SaysWhatItCannotExplain) {
  const std::string text = explained("#0  0x00007f81 in abort () from /lib/libc.so.6\n#1 0x0 in ?? ()\n");
  EXPECT_THAT(text, HasSubstr("libc.so.6, of none of these distributions"));
  EXPECT_THAT(text, HasSubstr("no capture of these distributions explains a frame"));
  EXPECT_THAT(explained("nothing here"), HasSubstr("the input contains no frame of a stack trace"));
  EXPECT_THAT(explained("#0 0x1 \x1b[31m (libx.so)"), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace wheelcheck::test::crash_test
