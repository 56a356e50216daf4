// Tests the report of several wheels: the JSON document and its schema, the text, and the trace of a look-up.
#include "report/conflicts/conflicts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/shared/registry.h"
#include "tests/report/golden.h"
#include "tests/report/schema.h"
#include "tests/rules/set_scene.h"

namespace wheelcheck::test::conflicts_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ConflictReport sample() {
  SetScene scene;
  Relation& relation = scene.relation(RelationKind::Capture);
  relation.tally.size_differs = 1;
  relation.library = LibraryInside{"llvm", "LLVM", "24.0.0git"};
  relation.provider_library = LibraryInside{"llvm", "LLVM", {}};
  relation.published = scene.source();
  scene.failure("version `Z_2' not found\x1b[31m");
  scene.conflicts.runtimes.push_back(
      {.family = "openmp", .copies = {{SetScene::alpha, {"libgomp", "libgomp", {}}}}, .load_plans = {0, 1}});
  scene.conflicts.publications.push_back(
      {.distribution = {0}, .files = {SetScene::alpha}, .exports = 5, .flags = scene.source()});
  ConflictReport report{.version = "1.2.3", .conflicts = {}, .traced = {}, .findings = scene.run("predicted-clash")};
  report.conflicts = std::move(scene.conflicts);
  report.conflicts.outcomes.resize(2);
  report.conflicts.installation.description = "CPython 3.11.7";
  report.errors = 1;
  report.answer = ConflictAnswer::Conflict;
  return report;
}

TEST(ConflictsJson, FollowsItsSchema) {
  const auto json = nlohmann::json::parse(report::render_conflicts_json(sample()));
  const test::SchemaCheck schema(report::find_schema("conflicts"));
  EXPECT_EQ(schema.errors(json), "");
  EXPECT_EQ(json["orders"], nlohmann::json::parse(R"([["alpha", "beta"], ["beta", "alpha"]])"));
  EXPECT_EQ(json["relations"][0]["kind"], "capture");
  EXPECT_EQ(json["relations"][0]["made_global_by"]["line"], 7);
  EXPECT_EQ(json["findings"][0]["orders"], nlohmann::json::parse("[0]"));
  EXPECT_THAT(json["failed_imports"][0]["error"].get<std::string>(), Not(HasSubstr("\x1b")));
  auto bad = json;
  bad["relations"][0]["reason"] = "mood";
  EXPECT_NE(schema.errors(bad), "");
}

TEST(ConflictsPage, HasFindingsThenTheGraph) {
  const std::string page = report::render_conflicts_html(sample());
  test::expect_golden("conflicts.html", page);
  EXPECT_LT(page.find("<h2>Findings</h2>"), page.find("<svg class=\"graph\""));
  EXPECT_THAT(page, HasSubstr("1 symbol, capture</text>"));
}

TEST(ConflictsPage, NoNameEndsAnElement) {
  ConflictReport report = sample();
  const std::string evil = "</text><script>alert(1)</script>\"\x1b";
  for (std::string& name : report.conflicts.installation.names) name += evil;
  for (Distribution& one : report.conflicts.installation.distributions) one.facts.name.distribution += evil;
  report.conflicts.relations[0].shown = {evil};
  report.conflicts.not_known = {evil};
  report.conflicts.installation.description = evil;
  for (Finding& finding : report.findings) finding.message = finding.fix = evil;
  const std::string page = report::render_conflicts_html(report);
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("\x1b")));
}

TEST(ConflictsPage, WithoutAFindingSaysSo) {
  ConflictReport report = sample();
  report.findings.clear();
  report.conflicts.relations.clear();
  report.answer = ConflictAnswer::None;
  const std::string page = report::render_conflicts_html(report);
  EXPECT_THAT(page, HasSubstr("No conflict found in a process of CPython 3.11.7"));
  EXPECT_THAT(page, HasSubstr("No wheel uses a symbol of another."));
  EXPECT_THAT(page, Not(HasSubstr("<svg class=\"graph\"")));
}

TEST(ConflictsPage, DrawsAtMostFortyArrows) {
  ConflictReport report = sample();
  const Relation relation = report.conflicts.relations.front();
  std::vector<Distribution>& distributions = report.conflicts.installation.distributions;
  for (int i = 0; i < 60; ++i) {
    Relation& more = report.conflicts.relations.emplace_back(relation);
    more.distribution = DistributionIndex{static_cast<std::uint32_t>(distributions.size())};
    distributions.emplace_back().facts.name.distribution = "other" + std::to_string(i);
  }
  EXPECT_THAT(report::render_conflicts_html(report), HasSubstr("21 more arrows not drawn"));
}

TEST(ConflictsText, SaysEachOrderAndItsHarm) {
  const std::string text = report::render_conflicts(sample(), report::Paint(), true);
  EXPECT_THAT(text, HasSubstr("alpha 1.0, beta 1.0\n  in one process of CPython 3.11.7\n"));
  EXPECT_THAT(text, HasSubstr("imported as alpha, beta  1 error\n"));
  EXPECT_THAT(text, HasSubstr("imported as beta, alpha  no finding\n"));
  EXPECT_THAT(
      text, HasSubstr("error WC204 predicted-clash: 1 LLVM name of beta/_b.so is bound to alpha/_a.so\n    of alpha"));
  EXPECT_THAT(text, HasSubstr("\nCONFLICT: 1 error in 2 orders\n"));
}

TEST(ConflictsText, ShortFormHasEffectOrderGroundsAndFix) {
  const std::string text = report::render_conflicts(sample());
  EXPECT_THAT(text, HasSubstr("error WC204 predicted-clash: beta calls alpha's LLVM instead of its own LLVM\n"
                              "    24.0.0git: expect a crash or wrong results\n"
                              "  in the order alpha, then beta; grounds: 1 data object of another size; made\n"
                              "    global by: alpha/__init__.py:7, certain: sys.setdlopenflags(258)\n"));
  EXPECT_THAT(text, HasSubstr("\n  fix: import in the order beta, then alpha; in alpha:"));
}

TEST(ConflictsText, TenFindingsTakeFortyLines) {
  ConflictReport report = sample();
  report.conflicts.not_known = {"a", "b", "c", "d", "e", "f", "g", "h"};
  for (int i = 0; i < 5; ++i) report.conflicts.load_plans.push_back(report.conflicts.load_plans.front());
  Finding& first = report.findings.front();
  for (Evidence& each : first.evidence)
    for (int i = 0; i < 30; ++i) each.value += " word-with_parts";
  for (int i = 0; i < 30; ++i) first.fix += " word-with_parts";
  while (report.findings.size() < 10) report.findings.push_back(report.findings.front());
  std::string text = report::render_conflicts(report);
  EXPECT_LE(std::ranges::count(text, '\n'), 40) << text;
  EXPECT_THAT(text, HasSubstr(" word-with_parts...\n"));
  EXPECT_THAT(text, Not(HasSubstr("word-with_par...")));
  EXPECT_THAT(text, HasSubstr("  and in 6 orders more\n  not known: 8 things\n"));
  report.findings.resize(12, report.findings.front());
  text = report::render_conflicts(report);
  EXPECT_LE(std::ranges::count(text, '\n'), 40) << text;
  EXPECT_THAT(text, HasSubstr("\nand 2 findings more\n"));
}

// What the user of the environment types stays; what the authors change is in --details.
TEST(ConflictsText, ManyFindingsHaveTheFixOfTheUser) {
  ConflictReport report = sample();
  while (report.findings.size() < 10) report.findings.push_back(report.findings.front());
  const std::string text = report::render_conflicts(report);
  EXPECT_THAT(text, HasSubstr("\n  fix: import in the order beta, then alpha\n"));
}

TEST(ConflictsText, FewFindingsAreWhole) {
  ConflictReport report = sample();
  std::string& fix = report.findings.front().fix;
  for (int i = 0; i < 30; ++i) fix += " word";
  EXPECT_THAT(report::render_conflicts(report), Not(HasSubstr("word...")));
}

TEST(ConflictsText, AnswersOneOfThree) {
  ConflictReport report = sample();
  report.findings.clear();
  report.errors = 0;
  report.answer = ConflictAnswer::None;
  report.conflicts.files_opened = 2;
  report.conflicts.references_bound = 1;
  EXPECT_THAT(report::render_conflicts(report), HasSubstr("\nno conflict found: 2 files opened, 1 reference bound\n"));
  report.warnings = 1;
  EXPECT_THAT(report::render_conflicts(report),
              HasSubstr("\nno error found: 2 files opened, 1 reference bound; 1 warning\n"));
  report.warnings = 0;
  report.answer = ConflictAnswer::Incomplete;
  report.conflicts.not_known = {"libx.so.1: cannot open\x1b"};
  const std::string text = report::render_conflicts(report);
  EXPECT_THAT(text, HasSubstr("  not known: libx.so.1: cannot open\\x1b\n"));
  EXPECT_THAT(text, HasSubstr("\nincomplete: 1 thing not known\n"));
}

// beta/_b.so imports f; alpha/_a.so, which is global, and libown.so define it.
class Search {
 public:
  Search() {
    Installation& all = report.conflicts.installation;
    all.world.files = {{.path = "/a", .facts = &definer.facts},
                       {.path = "/b", .facts = &asker.facts},
                       {.path = "/own", .facts = &definer.facts},
                       {.path = "/python", .facts = &python.facts}};
    all.names.insert(all.names.end(), {"libown.so", "<main>"});
    all.main = {3};
    for (std::uint32_t load_plan = 0; load_plan < 2; ++load_plan) {
      process::Outcome& outcome = report.conflicts.outcomes[load_plan];
      outcome.bound = {{.from = SetScene::beta, .reference = 0, .to = process::ObjectIndex{load_plan == 0 ? 0U : 2U}}};
      outcome.searches = {{.bound = 0, .scope = {{.of = {3}, .files = {{3}, {0}}}, {.of = {1}, .files = {{1}, {2}}}}}};
    }
    report.conflicts.outcomes[0].published = {{SetScene::alpha, 0, 0}};
    report.conflicts.load_plans[0].opens[0][0].flags =
        FlagSource{.distribution = {0}, .line = 7, .text = "CDLL(x, RTLD_GLOBAL)"};
    report.traced = {"f"};
  }
  ConflictReport report = sample();

 private:
  ElfMember definer = test::ElfBuilder("x.so").exports("f").build({0}),
            asker = test::ElfBuilder("y.so").import("f").build({0}), python = test::ElfBuilder("python").build({0});
};

TEST(ConflictsSearch, ShowsScopesInOrderAndWhatChangesTheAnswer) {
  const std::string text = report::render_conflicts(Search().report);
  EXPECT_THAT(text, HasSubstr("beta/_b.so imports f  (alpha, beta)\n"
                              "  1. global scope, 2 files\n"
                              "        2  alpha/_a.so  <- taken\n"
                              "  2. scope of beta/_b.so, 2 files\n"
                              "        2  libown.so\n"
                              "  bound to alpha/_a.so, the first that defines it\n"
                              "  imported as beta, alpha: libown.so\n"
                              "  made global by CDLL(x, RTLD_GLOBAL); without it this scope would not contain it\n"));
}

TEST(ConflictsSearch, NameThatNobodyAsksForIsSaidToBe) {
  Search search;
  search.report.traced = {"g"};
  EXPECT_THAT(report::render_conflicts(search.report), HasSubstr("no file imports g\n"));
}

}  // namespace
}  // namespace wheelcheck::test::conflicts_test
