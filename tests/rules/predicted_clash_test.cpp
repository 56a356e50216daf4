#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"
#include "tests/rules/set_scene.h"

namespace wheelcheck::test::predicted_clash_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

TEST(PredictedClash, SaysWhoseNamesWhoAnswersOnWhatGroundsAndWhoPublishedIt) {
  SetScene scene;
  Relation& relation = scene.relation(RelationKind::Capture);
  relation.tally = {.symbols = 12, .kind_differs = 1, .size_differs = 3};
  relation.library = LibraryInside{"llvm", "LLVM", "24.0.0git"};
  relation.provider_library = LibraryInside{"llvm", "LLVM", "23.0.0git"};
  relation.published = scene.source();
  const auto findings = scene.run("predicted-clash");
  ASSERT_THAT(findings, SizeIs(1));
  const Finding& finding = findings[0];
  EXPECT_EQ(finding.severity, Severity::Error);
  EXPECT_EQ(finding.message, "12 LLVM names of beta/_b.so are bound to alpha/_a.so of alpha");
  EXPECT_EQ(evidence(finding, "built against"), "LLVM 24.0.0git");
  EXPECT_EQ(evidence(finding, "answered by"), "LLVM 23.0.0git");
  EXPECT_THAT(evidence(finding, "effect"),
              testing::StartsWith("beta calls alpha's LLVM 23.0.0git instead of its own LLVM 24.0.0git: "));
  EXPECT_EQ(evidence(finding, "grounds"),
            "1 name a function in one and data in the other, 3 data objects of another size");
  EXPECT_EQ(evidence(finding, "made global by"), "alpha/__init__.py:7, certain: sys.setdlopenflags(258)");
  EXPECT_EQ(evidence(finding, "import order"), "alpha, then beta");
  EXPECT_EQ(evidence(finding, "not with"), "beta, then alpha");
  EXPECT_THAT(finding.fix, HasSubstr("import in the order beta, then alpha"));
  EXPECT_THAT(finding.fix, HasSubstr("without RTLD_GLOBAL"));
  EXPECT_EQ(finding.load_plans, std::vector<std::uint32_t>{0});
}

// PyQt5 before a wheel that makes its own libxcb global, and QApplication after both (tests/conflicts/grade_test.cpp).
TEST(PredictedClash, SaysInWhichOrderAPluginThatIsOpenedLaterWorks) {
  const std::string plugin = "gui/plugins/platforms/libqxcb.so", other = module_file("media/_m");
  const auto system = [](const std::string& soname) { return ElfBuilder(soname).soname(soname); };
  const ElfMember xcb = system("libxcb.so.1").exports("xcb_connect").exports("xcb_flush").build({0});
  const ElfMember x11 =
      system("libX11.so.6").needed("libxcb.so.1").import("xcb_connect").exports("XOpenDisplay").build({0});
  const auto findings =
      played(Together({wheel_of("gui")
                           .elf(ElfBuilder(module_file("gui/_g")).needed("libX11.so.6").import("XOpenDisplay"))
                           .elf(ElfBuilder(plugin).needed("libX11.so.6").needed("libxcb.so.1").import("xcb_flush")),
                       wheel_of("media").elf(ElfBuilder(other).exports("xcb_connect").exports("xcb_flush"))})
                 .platform(xcb)
                 .platform(x11)
                 .global(other)
                 .opened(plugin, process::OpenBy::Dlopen)
                 .last(plugin),
             "predicted-clash");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_THAT(evidence(findings[0], "grounds"), HasSubstr("passes it objects of the other copy"));
  EXPECT_THAT(findings[0].fix, HasSubstr("import in the order media, then gui"));
}

TEST(PredictedClash, BothOrdersHaveNoSafeOne) {
  SetScene scene;
  Relation& relation = scene.relation(RelationKind::Capture);
  relation.load_plans = {0, 1};
  relation.tally.size_differs = 1;
  const auto findings = scene.run("predicted-clash");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].fix, Not(HasSubstr("import in the order")));
  EXPECT_EQ(evidence(findings[0], "not with"), "");
}

TEST(PredictedClash, IsSilentOnWhatTheAbiLetsBeShared) {
  SetScene scene;
  scene.relation(RelationKind::Capture, Severity::Note, Reason::TypeInformation);
  EXPECT_THAT(scene.run("predicted-clash"), IsEmpty());
}

TEST(PredictedClash, OtherRelationsBelongToOtherRules) {
  SetScene scene;
  scene.relation(RelationKind::Borrow);
  scene.relation(RelationKind::Displaced);
  scene.relation(RelationKind::SharedUnique);
  EXPECT_THAT(scene.run("predicted-clash"), IsEmpty());
}

TEST(PredictedClash, SeverityIsTheRelations) {
  SetScene scene;
  scene.relation(RelationKind::Capture, Severity::Warning, Reason::UnknownVersion).distribution = std::nullopt;
  const auto findings = scene.run("predicted-clash");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_THAT(findings[0].fix, Not(HasSubstr("Bsymbolic")));  // the standard library is not relinked by its users
}

}  // namespace
}  // namespace wheelcheck::test::predicted_clash_test
