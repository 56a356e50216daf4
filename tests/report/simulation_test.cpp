// Tests the formats of `wheelcheck policy simulate`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/answers/answers.h"
#include "report/shared/registry.h"
#include "tests/report/answers.h"
#include "tests/report/golden.h"
#include "tests/report/schema.h"

namespace wheelcheck::test::simulation_test {
namespace {

using testing::HasSubstr;
using testing::Not;

Requirement required(std::string node, std::vector<std::string> symbols) {
  return {ElfIndex{0}, VersionRequirement{"libc.so.6", std::move(node), std::move(symbols)}};
}

SimulatedWheel wheel(std::string file, Shift shift, std::string before, std::string after) {
  SimulatedWheel out;
  out.path = "dist/" + file;
  out.file = std::move(file);
  out.shift = shift;
  out.best_before = {before};
  out.best_after = {after};
  out.level_sets = {{"manylinux x86_64", std::move(before), std::move(after), shift}};
  return out;
}

// A wheel that loses its claim because of two nodes, one that gains because of a library and a denied symbol, one that
// does not change, one with malicious names, and an input that is not a wheel.
Simulation sample(bool hostile = false) {
  Simulation out;
  out.version = "0.1.0";
  out.added = {"manylinux_2_42"};
  out.changed = {"manylinux_2_17", "manylinux_2_24"};
  SimulatedWheel loses = wheel("measure-1.4-cp311-cp311-manylinux_2_17_x86_64.whl", Shift::Loses,
                               "manylinux_2_17_x86_64", "manylinux_2_24_x86_64");
  loses.claims = {{"manylinux_2_17_x86_64", TagResult::Compatible, TagResult::Incompatible, Shift::Loses}};
  loses.loses_claim = true;
  loses.causes = {{required("GLIBC_2.14", {}), true, {{"measure/_a.so", {"memcpy"}}, {"measure/_b.so", {"memcpy"}}}},
                  {required("GLIBC_2.17", {}), true, {{"measure/_a.so", {"clock_gettime", "secure_getenv"}}}}};
  SimulatedWheel gains =
      wheel("tide-0.3-cp311-cp311-linux_x86_64.whl", Shift::Gains, "linux_x86_64", "manylinux_2_42_x86_64");
  gains.claims = {{"linux_x86_64", TagResult::NoMinimum, TagResult::NoMinimum, Shift::Same}};
  gains.causes = {{{ElfIndex{0}, LibraryRequirement{"libtides.so.2"}}, false, {{"tide/_tide.so", {}}}},
                  {{ElfIndex{0}, SymbolRequirement{"libz.so.1", "gzgetc_"}}, false, {{"tide/_tide.so", {"gzgetc_"}}}}};
  SimulatedWheel none;
  none.path = "dist/notes.whl";
  none.unreadable = Error{ErrorCode::NotAWheel, "dist/notes.whl is not a ZIP archive: no end record"};
  out.wheels = {loses, gains, wheel("same-1-py3-none-linux_x86_64.whl", Shift::Same, "linux_x86_64", "linux_x86_64"),
                none};
  if (hostile) {
    out.wheels[0].file = "<b>|`@evil\x1b[2J\xff-1-py3-none-any.whl";
    out.wheels[0].causes[0].files[0].symbols = {"</td><script>|\n"};
    out.added = {"</script>\xe2\x80\xae"};
  }
  out.same = out.gain = out.lose = out.unreadable = out.lose_claim = 1;
  out.losses = {{required("GLIBC_2.14", {}), {{"memcpy", 1, 2}}, 1, 2, 0},
                {required("GLIBC_2.17", {}), {{"clock_gettime", 1, 1}, {"secure_getenv", 1, 1}}, 1, 1, 1}};
  out.gains = {{{ElfIndex{0}, LibraryRequirement{"libtides.so.2"}}, {}, 1, 1, 0},
               {{ElfIndex{0}, SymbolRequirement{"libz.so.1", "gzgetc_"}}, {{"gzgetc_", 1, 1}}, 1, 1, 1}};
  out.levels = {{"manylinux x86_64", "manylinux_2_17_x86_64", 1, 0},
                {"manylinux x86_64", "manylinux_2_24_x86_64", 0, 1},
                {"manylinux x86_64", "manylinux_2_42_x86_64", 0, 1},
                {"manylinux x86_64", "linux_x86_64", 2, 1}};
  return out;
}

TEST(Simulation, AsText) { expect_golden("simulation.txt", as_text(report::simulation_answer(sample(), false))); }

TEST(Simulation, OfNothingIsShort) {
  EXPECT_EQ(as_text(report::simulation_answer({}, false)),
            "0 wheels: 0 gain, 0 lose, 0 as before\nno level differs\n\n"
            "PASSED: every wheel stays compatible with the tags that it claims\n");
}

TEST(Simulation, WritesJsonThatTheSchemaKnows) {
  const SchemaCheck schema(report::find_schema("simulation"));
  for (const Simulation& simulation : {sample(), sample(true), Simulation{}})
    EXPECT_EQ(schema.errors(nlohmann::json::parse(as_json(report::simulation_answer(simulation, false)))), "");
  auto document = nlohmann::json::parse(as_json(report::simulation_answer(sample(), false)));
  document["wheels"][0]["shift"] = "better";
  EXPECT_NE(schema.errors(document), "");
}

TEST(Simulation, NoNameMovesTheCursor) {
  const std::string text = as_text(report::simulation_answer(sample(true), false));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\xff")));
  EXPECT_THAT(text, Not(HasSubstr("\xe2\x80\xae")));
}

}  // namespace
}  // namespace wheelcheck::test::simulation_test
