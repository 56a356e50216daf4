#include "tests/rules/scene.h"

namespace wheelcheck::test::signature_file_test {
namespace {

Scene with(const std::string& member) { return Scene(WheelBuilder(wheel_2_17).member(member)); }

TEST(SignatureFile, FiresForBothKinds) {
  for (const std::string name : {"RECORD.jws", "RECORD.p7s"}) {
    const Scene scene = with("foo-1.0.dist-info/" + name);
    const auto findings = scene.run("signature-file");
    ASSERT_EQ(findings.size(), 1U) << name;
    EXPECT_EQ(scene.path(findings[0]), "foo-1.0.dist-info/" + name);
    EXPECT_THAT(findings[0].fix, testing::HasSubstr(name));
  }
}

TEST(SignatureFile, IsSilentWithoutThem) {
  EXPECT_TRUE(with("foo/__init__.py").run("signature-file").empty());
  EXPECT_TRUE(with("foo/RECORD.jws").run("signature-file").empty());
  EXPECT_TRUE(with("foo-1.0.dist-info/sub/RECORD.jws").run("signature-file").empty());
}

}  // namespace
}  // namespace wheelcheck::test::signature_file_test
