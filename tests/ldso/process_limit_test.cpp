// Tests malicious worlds in which the loader, or its model, would never end. Each run ends with a message.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/support/facts.h"
#include "wheelcheck/process.h"

namespace wheelcheck {
namespace {

using test::ElfBuilder;
using testing::StartsWith;

std::string library(unsigned number) { return "lib" + std::to_string(number) + ".so"; }

class Crowd {
 public:
  // The program and `count` libraries in the root directory.
  Crowd(unsigned count, const std::function<void(unsigned, ElfBuilder&)>& shape) {
    files_.push_back(ElfBuilder("main").build(MemberIndex{0}));
    for (unsigned i = 0; i < count; ++i) {
      ElfBuilder builder(library(i));
      builder.soname(library(i));
      shape(i, builder);
      files_.push_back(builder.build(MemberIndex{0}));
    }
    world.files.push_back({.path = "/main", .facts = &files_[0].facts});
    for (unsigned i = 0; i < count; ++i)
      world.files.push_back({.path = '/' + library(i), .facts = &files_[i + 1].facts});
    world.platform.directories = {"/"};
    plan.environment.bind_now = true;
  }
  void open(unsigned number, process::OpenFlags flags = {}) {
    plan.steps.push_back({{{.name = '/' + library(number), .flags = flags}}});
  }
  process::Outcome play(std::uint64_t steps = process::steps_of_a_process) const {
    return process::predict(world, std::span(&plan, 1), steps).front();
  }

  process::World world;
  process::Plan plan;

 private:
  std::vector<ElfMember> files_;
};

// A tenth of what these worlds would take. A limit that works for few steps works for many.
constexpr std::uint64_t few = 2'000'000;

void expect_given_up(const process::Outcome& outcome) {
  ASSERT_FALSE(outcome.failures.empty());
  EXPECT_TRUE(outcome.failures.back().given_up);
  EXPECT_FALSE(outcome.failures.back().fatal) << "the process goes on; only the model does not";
  EXPECT_EQ(outcome.failures.back().error, "wheelcheck gives up here: more than 2000000 steps for one process");
}

void filter(ElfBuilder& builder, const std::string& name) {
  builder.facts([name](ElfFacts& facts, StringPool& pool) { facts.dynamic->filters.push_back(pool.add(name)); });
}
void auxiliary(ElfBuilder& builder, const std::string& name) {
  builder.facts([name](ElfFacts& facts, StringPool& pool) { facts.dynamic->auxiliaries.push_back(pool.add(name)); });
}

TEST(ProcessLimit, FilesThatFilterEachOtherEndTheProcess) {
  for (const unsigned count : {2U, 3U, 2000U}) {
    Crowd crowd(count, [&](unsigned i, ElfBuilder& builder) { filter(builder, library((i + 1) % count)); });
    crowd.open(0);
    crowd.open(1);
    const process::Outcome outcome = crowd.play();
    ASSERT_EQ(outcome.failures.size(), 1U) << "nothing follows";
    EXPECT_TRUE(outcome.failures[0].fatal);
    EXPECT_THAT(outcome.failures[0].error, StartsWith("Segmentation fault"));
  }
}

TEST(ProcessLimit, FilterOfItselfAndChainsOfFiltersLoad) {
  Crowd itself(1, [](unsigned, ElfBuilder& builder) { filter(builder, library(0)), auxiliary(builder, library(0)); });
  itself.open(0);
  EXPECT_TRUE(itself.play().failures.empty());
  constexpr unsigned count = 1000;
  Crowd chain(count, [](unsigned i, ElfBuilder& builder) {
    if (i + 1 < count) auxiliary(builder, library(i + 1));
    builder.needed(library(0));
  });
  chain.open(0);
  const process::Outcome outcome = chain.play();
  EXPECT_TRUE(outcome.failures.empty());
  EXPECT_EQ(outcome.loaded.size(), count + 1);
}

TEST(ProcessLimit, CycleOfFiltersAtTheStartRefusesTheProgram) {
  Crowd crowd(2, [](unsigned i, ElfBuilder& builder) { auxiliary(builder, library(1 - i)); });
  crowd.plan.environment.preload = {"/" + library(0)};
  EXPECT_THAT(crowd.play().refused.value_or(""), StartsWith("Segmentation fault"));
}

TEST(ProcessLimit, SearchlistsOfManyFilesAreSquare) {
  constexpr unsigned count = 1000;
  Crowd crowd(count, [](unsigned i, ElfBuilder& builder) { builder.needed(library((i + 1) % count)); });
  for (unsigned i = 0; i < count; ++i) crowd.open(i, {.global = i % 2 == 0});
  expect_given_up(crowd.play(few));
  EXPECT_TRUE(crowd.play().failures.empty()) << "a thousand are still played";
}

TEST(ProcessLimit, SearchPathsMultiplyWithNames) {
  constexpr unsigned count = 200;
  Crowd crowd(count, [](unsigned i, ElfBuilder& builder) {
    for (unsigned k = 0; k < count; ++k) builder.rpath("/d" + std::to_string(i) + "/" + std::to_string(k));
    if (i + 1 < count) builder.needed(library(i + 1));
  });
  crowd.open(0);
  expect_given_up(crowd.play(few));
}

TEST(ProcessLimit, NamesThatAllDefineAndAllWant) {
  constexpr unsigned count = 30, symbols = 60;
  Crowd crowd(count, [](unsigned i, ElfBuilder& builder) {
    if (i + 1 < count) builder.needed(library(i + 1));
    for (unsigned k = 0; k < symbols; ++k) builder.exports("f").import("f");
  });
  crowd.open(0);
  expect_given_up(crowd.play(few));
}

TEST(ProcessLimit, OpensThatFailAgainAndAgain) {
  constexpr unsigned count = 100;
  Crowd crowd(count, [](unsigned i, ElfBuilder& builder) {
    builder.exports("f" + std::to_string(i)).import("f0").import(i == 0 ? "nowhere" : "f0");
    if (i + 1 < count) builder.needed(library(i + 1));
  });
  for (unsigned i = 0; i < 1000; ++i) crowd.open(0);
  const process::Outcome outcome = crowd.play(few);
  expect_given_up(outcome);
  EXPECT_EQ(outcome.failures.front().error, "/lib0.so: undefined symbol: nowhere");
}

TEST(ProcessLimit, OldOrderOfRelocationIsCubic) {
  constexpr unsigned count = 400;
  Crowd crowd(count, [](unsigned i, ElfBuilder& builder) {
    for (unsigned k = 1; k <= 20; ++k) builder.needed(library((i * 7 + k * 13) % count));
    builder.exports("f").import("f");
  });
  crowd.world.platform.glibc = {2, 34};
  crowd.open(0);
  expect_given_up(crowd.play(few));
}

TEST(ProcessLimit, ManyFilesOfOneName) {
  constexpr unsigned count = 1500;
  Crowd crowd(count, [](unsigned i, ElfBuilder& builder) {
    builder.soname("libsame.so");
    for (unsigned k = 0; k < 3; ++k) builder.needed(i % 2 == 0 ? "libsame.so" : library(i));
  });
  for (unsigned i = 0; i < count; ++i) crowd.open(i);
  expect_given_up(crowd.play(few));
}

TEST(ProcessLimit, VersionsAreCheckedOneByOne) {
  constexpr unsigned versions = 3000;
  Crowd crowd(2, [](unsigned i, ElfBuilder& builder) {
    if (i == 0) builder.needed(library(1));
    builder.facts([i](ElfFacts& facts, StringPool& pool) {
      for (unsigned k = 0; k < versions; ++k) {
        const std::string_view version = pool.add("V" + std::to_string(k));
        if (i == 0)
          facts.dynamic->needs.push_back({.library = pool.add(library(1)), .version = version});
        else
          facts.dynamic->provides.push_back({.version = version});
      }
    });
  });
  crowd.open(0);
  expect_given_up(crowd.play(few));
  EXPECT_TRUE(crowd.play().failures.empty());
}

TEST(ProcessLimit, ConstructorsThatOpenConstructors) {
  Crowd deep(3000, [](unsigned, ElfBuilder&) {});
  for (unsigned i = 0; i < 3000; ++i) {
    process::Open outer{.name = '/' + library(i)};
    if (!deep.plan.steps.empty()) outer.constructors = std::move(deep.plan.steps.front().opens);
    deep.plan.steps = {{{std::move(outer)}}};
  }
  const process::Outcome outcome = deep.play();
  ASSERT_FALSE(outcome.failures.empty());
  EXPECT_TRUE(outcome.failures.back().given_up);
}

}  // namespace
}  // namespace wheelcheck
