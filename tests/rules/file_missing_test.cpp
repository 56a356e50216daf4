#include "tests/rules/scene.h"

namespace wheelcheck::test {
namespace {

struct Opened {
  std::string file, name;  // `name` in line 3 of the file
  std::uint32_t attempt = no_python_index;
  Reach reach = Reach::Certain;
};

// The second unit of the file is a function, which opens the file if `in_function`; the module calls it if `called`.
std::vector<Finding> findings(const Opened& opened, const std::string& other = "foo/present.txt",
                              bool in_function = false, bool called = false) {
  WheelBuilder builder("foo-1.0-py3-none-any.whl");
  builder.member("foo/__init__.py").member("foo/sub/__init__.py").member(other);
  if (!opened.file.ends_with("/__init__.py")) builder.member(opened.file);
  WheelFacts wheel = builder.build();
  PythonFile python;
  for (std::uint32_t i = 0; i < wheel.members.size(); ++i)
    if (wheel.members[i].path.text() == opened.file) python.member = MemberIndex{i};
  if (called) python.events.push_back({.action = PythonAction::Call, .target = 1});
  const auto before = static_cast<std::uint32_t>(python.events.size());
  python.events.push_back(
      {.action = PythonAction::Open, .reach = opened.reach, .line = 3, .attempt = opened.attempt, .name = opened.name});
  python.units.push_back({.name = "", .first = 0, .count = in_function ? before : 1});
  if (in_function) python.units.push_back({.name = "load", .first = before, .count = 1});
  wheel.python.push_back(std::move(python));
  wheel.all_python = true;
  return Scene(std::move(wheel)).run("file-missing");
}

const std::string init = "foo/__init__.py";

TEST(FileMissing, IsAnErrorWhereTheImportOfThePackageFails) {
  const auto found = findings({init, "data/x.json"});
  ASSERT_EQ(found.size(), 1U);
  check_words(found[0]);
  EXPECT_EQ(found[0].severity, Severity::Error);
  EXPECT_EQ(found[0].message,
            "line 3 opens foo/data/x.json, which the wheel does not contain: `import foo` raises FileNotFoundError");
  EXPECT_THAT(found[0].fix, testing::HasSubstr("package-data"));
}

TEST(FileMissing, FollowsCallsOfFunctionsOfTheFile) {
  EXPECT_EQ(findings({init, "x.json"}, "foo/y.json", true, true).at(0).severity, Severity::Error);
  const auto found = findings({init, "x.json"}, "foo/y.json", true);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Warning);
  EXPECT_THAT(found[0].message, testing::HasSubstr("the function fails when it is called"));
}

TEST(FileMissing, IsAWarningInAModuleThatThePackageDoesNotImport) {
  const auto found = findings({"foo/tables.py", "x.json"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Warning);
  EXPECT_THAT(found[0].message, testing::HasSubstr("importing this file raises FileNotFoundError"));
}

TEST(FileMissing, NamesTheFileThatIsBesideThePackageInTheSourceTree) {
  const auto found = findings({init, "../VERSION"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].message, testing::HasSubstr("line 3 opens VERSION,"));
  EXPECT_THAT(found[0].fix, testing::HasSubstr("move it into the package"));
}

TEST(FileMissing, IsSilentWhereTheFileIsThereOrNotNeeded) {
  EXPECT_TRUE(findings({init, "data/x.json"}, "foo/data/x.json").empty());
  EXPECT_TRUE(findings({init, "data"}, "foo/data/x.json").empty()) << "a directory";
  EXPECT_TRUE(findings({"foo/sub/__init__.py", "../x.json"}, "foo/x.json").empty());
  EXPECT_TRUE(findings({init, "/foo/data/x.json"}, "foo/data/x.json").empty());
  EXPECT_TRUE(findings({init, "x.json", 0}).empty()) << "in a try";
  EXPECT_TRUE(findings({init, "x.json", no_python_index, Reach::Likely}).empty()) << "under a condition";
}

TEST(FileMissing, LeavesFilesOutsideAndOfOtherDistributions) {
  EXPECT_TRUE(findings({init, "../../VERSION"}).empty());
  EXPECT_TRUE(findings({init, "/other/x.json"}).empty());
  EXPECT_TRUE(findings({init, "/foo/part/x.json"}).empty()) << "foo/part may be of another distribution";
  EXPECT_EQ(findings({init, "/foo/data/x.json"}, "foo/data/y.json").size(), 1U);
}

TEST(FileMissing, LeavesFilesThatOtherCodeOfTheWheelCreates) {
  for (const char* const created : {"public.pem", "*/public.pem"}) {
    WheelFacts wheel = WheelBuilder("foo-1.0-py3-none-any.whl").member(init).member("foo/keys/make.py").build();
    const auto opens = [&](std::uint32_t member, std::string name, std::vector<std::string> names) {
      PythonFile python{.member = MemberIndex{member}, .calls = {}, .names = {}};
      python.units.push_back({.name = "", .first = 0, .count = 1});
      python.events.push_back({.action = PythonAction::Open, .name = std::move(name), .names = std::move(names)});
      wheel.python.push_back(std::move(python));
    };
    opens(0, "keys/public.pem", {});
    opens(1, created, {"w"});
    wheel.all_python = true;
    EXPECT_TRUE(Scene(std::move(wheel)).run("file-missing").empty()) << created;
  }
}

TEST(FileMissing, LeavesTestsAndTemplates) {
  EXPECT_TRUE(findings({"foo/tests/__init__.py", "x.json"}, "foo/tests/__init__.py").empty());
  EXPECT_TRUE(findings({"foo/templates/__init__.py", "x.json"}, "foo/templates/__init__.py").empty());
}

}  // namespace
}  // namespace wheelcheck::test
