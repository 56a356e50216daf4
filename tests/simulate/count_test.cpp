// Sums over a corpus: the few causes that explain most, and rows that tell of one wheel twice.
#include "tests/simulate/support.h"

namespace wheelcheck::simulate_levels {
namespace {

using testing::ElementsAre;

// A wheel that loses 2.17 by these nodes, each with one symbol of that name in lower case.
SimulatedWheel loser(const std::vector<std::string>& nodes) {
  std::vector<test::Scored> before, after;
  for (const std::string& node : nodes) {
    before.emplace_back(needs(first, node, {"f_" + node}), r17);
    after.emplace_back(needs(first, node, {"f_" + node}), r28);
  }
  return compare(facts(), side(before), side(after), {});
}

std::vector<std::string> ranking(const std::vector<CountedCause>& causes) {
  std::vector<std::string> out;
  for (const CountedCause& cause : causes)
    out.push_back(std::get<VersionRequirement>(cause.required.what).version + " " + std::to_string(cause.wheels) + " " +
                  std::to_string(cause.explained));
  return out;
}

TEST(Count, WhatExplainsMostComesFirst) {
  Simulation simulation;
  // B alone explains two wheels, A and C only with others.
  simulation.wheels = {loser({"A", "C"}), loser({"A", "C"}), loser({"A", "D"}), loser({"B"}), loser({"B"})};
  count(simulation);
  EXPECT_EQ(simulation.lose, 5U);
  EXPECT_EQ(simulation.lose_claim, 5U);
  EXPECT_THAT(ranking(simulation.losses), ElementsAre("B 2 2", "A 3 2", "C 2 4", "D 1 5"));
  EXPECT_TRUE(simulation.gains.empty());
  EXPECT_EQ(simulation.losses[1].files, 3U);
  EXPECT_EQ(simulation.losses[1].symbols.at(0).name, "f_A");
  EXPECT_EQ(simulation.losses[1].symbols.at(0).wheels, 3U);
}

TEST(Count, LevelsComeOldestFirstAndLinuxLast) {
  Simulation simulation;
  simulation.wheels = {loser({"A"}), compare(facts(), side({{{first, LibraryRequirement{"libq.so"}}, r_linux}}),
                                             side({{{first, LibraryRequirement{"libq.so"}}, r5}}), {})};
  count(simulation);
  std::vector<std::string> rows;
  for (const CountedLevel& level : simulation.levels)
    rows.push_back(level.policy_levels + ": " + level.tag + " " + std::to_string(level.before) + " " +
                   std::to_string(level.after));
  EXPECT_THAT(rows,
              ElementsAre("manylinux x86_64: manylinux_2_5_x86_64 0 1", "manylinux x86_64: manylinux_2_17_x86_64 1 0",
                          "manylinux x86_64: manylinux_2_28_x86_64 0 1", "manylinux x86_64: linux_x86_64 1 0"));
  EXPECT_EQ(simulation.gain, 1U);
  EXPECT_EQ(simulation.lose, 1U);
}

TEST(Count, AWheelThatCannotBeReadCountsForNothingElse) {
  Simulation simulation;
  simulation.wheels.emplace_back().unreadable = Error{ErrorCode::NotAWheel, "is none"};
  count(simulation);
  EXPECT_EQ(simulation.unreadable, 1U);
  EXPECT_EQ(simulation.same, 0U);
}

TEST(Repetitions, OfKeptFactsCountOnce) {
  const auto row = [](std::string path, bool readable = true) {
    SimulatedWheel out;
    out.path = std::move(path);
    if (!readable) out.unreadable = Error{ErrorCode::NotAWheel, "is none"};
    return out;
  };
  const std::string a(64, 'a'), b(64, 'b');
  std::vector<std::string> paths;
  for (const SimulatedWheel& wheel : without_repetitions(
           {row("x/" + a + "-1.jsonl.gz", false), row("x/" + a + "-2.jsonl.gz"), row("y/" + a + "-3.jsonl.gz"),
            row("x/" + b + "-1.jsonl.gz"), row("x/" + b + "-2.jsonl.gz", false), row("a.whl"), row("a.whl"),
            row(a + ".whl"), row(a + "-1.whl")}))
    paths.push_back(wheel.path);
  EXPECT_THAT(paths, ElementsAre("x/" + a + "-2.jsonl.gz", "x/" + b + "-1.jsonl.gz", "a.whl", "a.whl", a + ".whl",
                                 a + "-1.whl"));
}

}  // namespace
}  // namespace wheelcheck::simulate_levels
