// Tests the rules that report the flaws of the wheel reader: each reports its own areas and no others.
#include "model/enum_names.h"
#include "tests/rules/scene.h"

namespace wheelcheck::test::wheel_flaws_test {
namespace {

Scene with(WheelFlaw flaw) {
  return Scene(WheelBuilder(wheel_2_17).edit([=](WheelFacts& wheel) { wheel.flaws.push_back(flaw); }));
}

TEST(WheelFlaws, EveryAreaHasExactlyOneRule) {
  const std::vector<std::string> rules = {"record-mismatch",    "zip-unsafe-path",   "metadata-mismatch",
                                          "variant-invalid",    "sbom-invalid",      "index-archive",
                                          "index-metadata",     "index-classifier",  "index-dependency",
                                          "index-licence-file", "index-entry-points"};
  for (const auto& [area, name] : enum_names<WheelArea>) {
    std::size_t count = 0;
    for (const std::string& rule : rules) {
      Scene scene = with({.area = area, .member = {}, .subject = "x", .reason = "is odd"});
      scene.options.index = "pypi";
      count += scene.run(rule).size();
    }
    EXPECT_EQ(count, 1U) << name;
  }
}

TEST(WheelFlaws, IsSilentAboutUploadsWithoutAnIndex) {
  for (const std::string rule : {"index-archive", "index-metadata", "index-classifier", "index-dependency",
                                 "index-licence-file", "index-entry-points"})
    for (const auto& [area, name] : enum_names<WheelArea>)
      EXPECT_TRUE(with({.area = area, .member = {}, .subject = "x", .reason = "is odd"}).run(rule).empty()) << name;
}

TEST(WheelFlaws, StandAtTheMemberElseAtTheRowElseAtTheWheel) {
  const auto place = [](const Scene& scene) { return scene.path(scene.run("record-mismatch").at(0)); };
  EXPECT_EQ(place(with({.area = WheelArea::Record, .member = MemberIndex{0}, .subject = "row", .reason = "is odd"})),
            "foo-1.0.dist-info/METADATA");
  EXPECT_EQ(place(with({.area = WheelArea::Record, .member = {}, .subject = "gone.py", .reason = "is odd"})),
            "gone.py");
  EXPECT_EQ(place(with({.area = WheelArea::Record, .member = {}, .subject = wheel_2_17, .reason = "is odd"})), "");
}

}  // namespace
}  // namespace wheelcheck::test::wheel_flaws_test
