#include "tests/rules/scene.h"

namespace wheelcheck::test::build_path_leak_test {
namespace {

ElfBuilder with(std::string path, std::vector<std::string> texts) {
  return ElfBuilder(std::move(path)).facts([=](ElfFacts& facts, StringPool& pool) {
    for (const std::string& text : texts) facts.texts.build_paths.push_back(pool.add(text));
  });
}
std::vector<Finding> run(std::vector<std::string> texts) {
  return Scene(WheelBuilder(wheel_2_17).elf(with(module_so, std::move(texts)))).run("build-path-leak");
}

TEST(BuildPathLeak, FiresForTheHomeOfAPersonAndNamesThatFirst) {
  const auto findings = run({"/__w/foo/foo/a.c", "/home/jane/foo/b"});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "contains 2 paths of the build machine, such as /home/jane/foo/b, in the home of a user");
  EXPECT_EQ(findings[0].severity, Severity::Note);
}

TEST(BuildPathLeak, DoesNotCallABuildServiceAPerson) {
  EXPECT_EQ(run({"/home/runner/foo/b.c"}).at(0).message,
            "contains 1 path of the build machine, such as /home/runner/foo/b.c");
}

TEST(BuildPathLeak, IsSilentForPathsThatAreMeantForTheUser) {
  EXPECT_TRUE(run({}).empty());
  EXPECT_TRUE(run({"/tmp/perf-%d.map", "/tmp/foo.lock", "/mnt/huge", "/home/%s/x.c", "/tmp/fooXXXXXX.c"}).empty());
}

TEST(BuildPathLeak, TakesSourceFilesBelowAnyOfTheDirectories) {
  EXPECT_EQ(run({"/root/.cargo/registry/src/x/lib.rs"}).size(), 1U);
  EXPECT_EQ(run({"/tmp/build/foo.cc"}).size(), 1U);
}

TEST(BuildPathLeak, EndsAPathOfRustAtItsFile) {
  EXPECT_EQ(run({"/root/.cargo/registry/src/x/lib.rscalled `Option::unwrap()` on a `None` value"}).at(0).message,
            "contains 1 path of the build machine, such as /root/.cargo/registry/src/x/lib.rs");
}

TEST(BuildPathLeak, TellsOfManyFilesOnce) {
  const auto findings =
      Scene(WheelBuilder(wheel_2_17).elf(with("foo/a.so", {"/io/a.c", "/io/b.c"})).elf(with("foo/b.so", {"/io/b.c"})))
          .run("build-path-leak");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "2 files contain 2 paths of the build machine, such as /io/a.c");
  EXPECT_EQ(evidence(findings[0], "files"), "foo/a.so, foo/b.so");
}

}  // namespace
}  // namespace wheelcheck::test::build_path_leak_test
