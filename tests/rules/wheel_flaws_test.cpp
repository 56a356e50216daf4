// Tests the rules that report the flaws of the wheel reader: each reports its own areas and no others.
#include "tests/rules/scene.h"

namespace wheelcheck::test {
namespace {

Scene with(WheelFlaw flaw) {
  return Scene(WheelBuilder(wheel_2_17).edit([=](WheelFacts& wheel) { wheel.flaws.push_back(flaw); }));
}

TEST(WheelFlaws, EveryAreaHasExactlyOneRule) {
  const std::vector<std::string> rules = {"record-mismatch", "zip-unsafe-path", "metadata-mismatch", "variant-invalid",
                                          "sbom-invalid"};
  for (const WheelArea area : {WheelArea::Name, WheelArea::DistInfo, WheelArea::Wheel, WheelArea::Metadata,
                               WheelArea::Record, WheelArea::Member, WheelArea::Variant, WheelArea::Sbom}) {
    std::size_t count = 0;
    for (const std::string& rule : rules)
      count += with({.area = area, .member = {}, .subject = "x", .reason = "is odd"}).run(rule).size();
    EXPECT_EQ(count, 1U) << static_cast<int>(area);
  }
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
}  // namespace wheelcheck::test
