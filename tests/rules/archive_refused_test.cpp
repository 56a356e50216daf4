#include "tests/rules/scene.h"
#include "wheelcheck/report.h"

namespace wheelcheck::test::archive_refused_test {
namespace {

bool refused(ErrorCode code, const std::string& path) { return Unreadable{path, {code, "..."}}.refused(); }

TEST(ArchiveRefused, IsWhatWasOpenedAndIsNoSoundWheel) {
  EXPECT_TRUE(refused(ErrorCode::Rejected, "foo-1.0-py3-none-any.whl"));
  EXPECT_TRUE(refused(ErrorCode::OverLimit, "unpacked"));
  EXPECT_TRUE(refused(ErrorCode::NotAWheel, "foo-1.0-py3-none-any.whl"));
}

TEST(ArchiveRefused, IsNotWhatCouldNotBeOpened) {
  EXPECT_FALSE(refused(ErrorCode::NotFound, "foo-1.0-py3-none-any.whl"));
  EXPECT_FALSE(refused(ErrorCode::Io, "foo-1.0-py3-none-any.whl"));
  EXPECT_FALSE(refused(ErrorCode::NotAWheel, "foo-1.0.tar.gz"));
}

TEST(ArchiveRefused, IsSilentOnAWheelThatWasRead) {
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so))).run("archive-refused").empty());
}

}  // namespace
}  // namespace wheelcheck::test::archive_refused_test
