#include "wheel/entry_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace wheelcheck::wheel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> reasons(std::string_view text) {
  std::vector<std::string> result;
  for (const WheelFlaw& flaw : read_entry_points(text, MemberIndex{0}, "foo-1.0.dist-info/entry_points.txt").flaws)
    result.push_back(flaw.reason);
  return result;
}
std::vector<std::string> script(const std::string& line) { return reasons("[console_scripts]\n" + line + "\n"); }

TEST(EntryPoints, OfTheSpecificationHaveNoFlaw) {
  EXPECT_THAT(reasons(""), IsEmpty());
  EXPECT_THAT(reasons("# comment\n[console_scripts]\r\nfoo = foo.cli:main\r\nfoo-2.1=foo:App.run [extra]\n\n"
                      "[foo.plugins]\na/b = anything at all\n[gui_scripts]\nfoo = foo.gui:main\n"),
              IsEmpty());
}

TEST(EntryPoints, AScriptMustStayInItsDirectory) {
  EXPECT_THAT(script("../../evil = foo:main"), ElementsAre(HasSubstr("'../../evil' is a path")));
  EXPECT_THAT(script("sub/x = foo:main"), ElementsAre(HasSubstr("is a path")));
  EXPECT_THAT(script("..\\x = foo:main"), ElementsAre(HasSubstr("is a path")));
  EXPECT_THAT(script(".. = foo:main"), ElementsAre(HasSubstr("is a path")));
}

TEST(EntryPoints, AScriptCallsAnObjectOfAModule) {
  for (const char* const value :
       {"foo", "foo:", ":main", "foo:main()", "foo;import os:main", "foo:main [x", "foo..a:b"})
    EXPECT_THAT(script(std::string("x = ") + value), ElementsAre(HasSubstr("not MODULE:OBJECT"))) << value;
  EXPECT_THAT(script("just text"), ElementsAre(HasSubstr("is not NAME = MODULE:OBJECT")));
}

TEST(EntryPoints, ThatPipAndUvReadDifferently) {
  EXPECT_THAT(script("x = foo : main"), ElementsAre(HasSubstr("not MODULE:OBJECT")));
  EXPECT_THAT(script("a b = foo:main"), ElementsAre(HasSubstr("contains a blank")));
  for (const char* const name : {"python", "python3", "python3.11", "pythonw"})
    EXPECT_THAT(script(std::string(name) + " = foo:main"), ElementsAre(HasSubstr("name of the interpreter"))) << name;
  EXPECT_THAT(script("python-foo = foo:main\npythonista = foo:main"), IsEmpty());
  EXPECT_THAT(reasons("\xEF\xBB\xBF[foo]\na = b\n"), ElementsAre(HasSubstr("byte order mark")));
  EXPECT_THAT(reasons("a = b\n"), ElementsAre(HasSubstr("is not in a section")));
  EXPECT_THAT(reasons("[console_scripts\n"), ElementsAre(HasSubstr("is not in a section")));
  EXPECT_THAT(reasons("[a]\nb = c\n[a]\nd = e\n"), ElementsAre(HasSubstr("has [a] twice")));
  EXPECT_THAT(reasons("[DEFAULT]\na = b:c\n"), ElementsAre(HasSubstr("has [DEFAULT]")));
  EXPECT_THAT(reasons("[a]\nb = \xff\n"), ElementsAre(HasSubstr("is not UTF-8")));
}

TEST(EntryPoints, AScriptIsNoMemberToo) {
  const std::vector<MemberFacts> members = {{.path = *MemberPath::parse("foo-1.0.data/scripts/x")}};
  const auto flaws = read_entry_points("[console_scripts]\nx = foo:main\ny = foo:main\n", MemberIndex{0},
                                       "foo-1.0.dist-info/entry_points.txt", members)
                         .flaws;
  ASSERT_EQ(flaws.size(), 1U);
  EXPECT_THAT(flaws[0].reason, HasSubstr("is also a member"));
}

std::vector<std::string> reasons_with(const std::string& value, const std::vector<std::string>& paths) {
  std::vector<MemberFacts> members;
  for (const std::string& path : paths) members.push_back({.path = *MemberPath::parse(path)});
  std::vector<std::string> result;
  const auto found = read_entry_points("[console_scripts]\nx = " + value + ":main\n", MemberIndex{0},
                                       "Foo-1.0.dist-info/entry_points.txt", members);
  for (const WheelFlaw& flaw : found.flaws) result.push_back(flaw.reason);
  return result;
}

// humpday 0.24.1: humpday.__main__:main, without humpday/__main__.py.
TEST(EntryPoints, AScriptImportsAModuleOfTheWheel) {
  const auto missing = ElementsAre(HasSubstr("imports foo.cli, which the wheel does not contain"));
  EXPECT_THAT(reasons_with("foo.cli", {"foo/__init__.py"}), missing);
  EXPECT_THAT(reasons_with("foo.cli", {"Foo-1.0.data/purelib/foo/__init__.py", "foo/clip.py"}), missing);
  EXPECT_THAT(reasons_with("bar.sub.cli", {"bar/__init__.py", "bar/sub/__init__.py"}), testing::SizeIs(1));
  for (const std::string there : {"foo/cli.py", "foo/cli.cpython-311-x86_64-linux-gnu.so", "foo/cli/__init__.py",
                                  "Foo-1.0.data/platlib/foo/cli.py"})
    EXPECT_THAT(reasons_with("foo.cli", {"foo/__init__.py", there}), IsEmpty()) << there;
  EXPECT_THAT(reasons_with("foo.cli", {"foo/__init__.py", "foo/python/cli.py"}), IsEmpty()) << "mitsuba 3.9.1";
  EXPECT_THAT(reasons_with("foo.cli", {"foo/__init__.py", "foo/python/my_cli.py", "bar/cli.py"}), missing);
}

TEST(EntryPoints, AnotherDistributionMayContainTheModule) {
  EXPECT_THAT(reasons_with("foo.cli", {}), IsEmpty());
  EXPECT_THAT(reasons_with("foo.cli", {"foo/util.py"}), IsEmpty()) << "a namespace package";
  EXPECT_THAT(reasons_with("azure.cli", {"azure/__init__.py"}), IsEmpty()) << "a package with another name";
  EXPECT_THAT(reasons_with("foo", {"foo/__init__.py"}), IsEmpty());
}

// python-evtx 0.8.1: scripts.evtx_info:main, without the directory `scripts` of the project.
TEST(EntryPoints, NoOtherDistributionContainsADirectoryOfTheProject) {
  EXPECT_THAT(reasons_with("scripts.info", {"foo/__init__.py"}), ElementsAre(HasSubstr("imports scripts.info")));
  EXPECT_THAT(reasons_with("main", {"foo/__init__.py"}), testing::SizeIs(1));
  EXPECT_THAT(reasons_with("scripts.info", {"scripts/info.py"}), IsEmpty());
  EXPECT_THAT(reasons_with("main", {"main.py"}), IsEmpty());
}

TEST(EntryPoints, KeepsTheScripts) {
  const auto found = read_entry_points(
      "[console_scripts]\nx = foo.cli:main [extra]\nbad = foo\n[gui_scripts]\ny=foo:run\n[other]\nz = foo:z\n",
      MemberIndex{0}, "foo-1.0.dist-info/entry_points.txt");
  ASSERT_EQ(found.scripts.size(), 2U);
  EXPECT_EQ(found.scripts[0].name, "x");
  EXPECT_EQ(found.scripts[0].object, "foo.cli:main");
  EXPECT_EQ(found.scripts[1].object, "foo:run");
}

TEST(EntryPoints, AScriptIsThereOnce) {
  EXPECT_THAT(script("x = foo:a\nx = foo:b"), ElementsAre("the script 'x' occurs twice"));
}

TEST(EntryPoints, LinesThatReadersSplitDifferently) {
  for (const char* const end : {"\r", "\v", "\x1c", "\xc2\x85", "\xe2\x80\xa8"})
    EXPECT_THAT(reasons(std::string("[foo.plugins]\na = b:c") + end + "[console_scripts]"),
                ElementsAre(HasSubstr("only some readers")))
        << end;
}

}  // namespace
}  // namespace wheelcheck::wheel
