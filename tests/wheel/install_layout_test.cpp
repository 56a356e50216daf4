// Tests the installed paths of members, and which directory is the .dist-info of the wheel.
#include "wheel/install_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "wheel/filename.h"

namespace wheelcheck::wheel {
namespace {

WheelName name_of(std::string_view tags) { return *parse_filename("Foo-1.0-" + std::string(tags) + ".whl"); }
std::string site(std::string_view tags) { return InstallLayout(name_of(tags)).site_packages(); }
Installed place(std::string_view path) {
  return InstallLayout(name_of("cp311-cp311-linux_x86_64")).place(*MemberPath::parse(path));
}
bool knows(std::string_view path) { return InstallLayout::knows(*MemberPath::parse(path)); }
std::vector<MemberFacts> members(const std::vector<std::string>& paths) {
  std::vector<MemberFacts> out;
  for (const std::string& path : paths) out.push_back({.path = *MemberPath::parse(path), .sha256 = {}});
  return out;
}

TEST(SitePackages, IsThatOfThePythonTag) {
  EXPECT_EQ(site("cp311-cp311-linux_x86_64"), "lib/python3.11/site-packages");
  EXPECT_EQ(site("cp39-abi3-linux_x86_64"), "lib/python3.9/site-packages");
  EXPECT_EQ(site("cp27-cp27mu-linux_x86_64"), "lib/python2.7/site-packages");
  EXPECT_EQ(site("py3-none-any"), "lib/python3/site-packages");
  EXPECT_EQ(site("py310-none-any"), "lib/python3.10/site-packages");
  EXPECT_EQ(site("pp310-pypy310_pp73-linux_x86_64"), "lib/pypy3.10/site-packages");
}

TEST(SitePackages, OfAFreeThreadedBuildHasItsOwnTree) {
  EXPECT_EQ(site("cp313-cp313t-linux_x86_64"), "lib/python3.13t/site-packages");
}

TEST(SitePackages, OfSeveralTagsIsThatOfTheMostSpecificOne) {
  EXPECT_EQ(site("py2.py3-none-any"), "lib/python3/site-packages");
  EXPECT_EQ(site("py3.py2-none-any"), "lib/python3/site-packages");
  EXPECT_EQ(site("py3.cp310.cp311-none-any"), "lib/python3.10/site-packages");
}

TEST(SitePackages, OfAnUnknownInterpreterIsThatOfPython3) {
  EXPECT_EQ(site("graalpy311-graalpy242_311_native-linux_x86_64"), "lib/python3/site-packages");
  EXPECT_EQ(site("cpx-none-any"), "lib/python3/site-packages");
}

TEST(InstallLayout, FindsMembersThatInstallersRefuseOrReplace) {
  const InstallLayout layout(name_of("py3-none-any"));
  const auto problem = [&](std::string_view path) {
    return layout.problem(*MemberPath::parse(path), "foo-1.0.dist-info");
  };
  EXPECT_THAT(problem("foo-1.0.dist-info/INSTALLER"), testing::HasSubstr("installers replace"));
  EXPECT_THAT(problem("foo-1.0.dist-info/direct_url.json"), testing::HasSubstr("installers replace"));
  EXPECT_THAT(problem("foo-1.0.data/scripts/a/b"), testing::HasSubstr("directory below scripts"));
  EXPECT_THAT(problem("foo-1.0.data/purelib/bar-2.dist-info/METADATA"), testing::HasSubstr("bar-2.dist-info"));
  EXPECT_THAT(problem("foo-1.0.data/data/lib/python3.11/site-packages/bar-2.dist-info/METADATA"),
              testing::HasSubstr("bar-2.dist-info"));
  for (const char* const path :
       {"foo-1.0.dist-info/RECORD", "foo-1.0.dist-info/licenses/INSTALLER", "foo/INSTALLER", "foo-1.0.data/scripts/a",
        "foo-1.0.data/data/share/a/b", "foo-1.0.data/purelib/foo/a.py"})
    EXPECT_EQ(problem(path), "") << path;
}

TEST(SitePackages, AreOnePlaceForEveryVersion) {
  EXPECT_EQ(shared_site_packages("lib/python3.11/site-packages/a/b.py"), "site-packages/a/b.py");
  EXPECT_EQ(shared_site_packages("lib64/python3/site-packages/a"), "site-packages/a");
  EXPECT_EQ(shared_site_packages("lib/python3.11/a.py"), "lib/python3.11/a.py");
  EXPECT_EQ(shared_site_packages("lib/site-packages/a.py"), "lib/site-packages/a.py");
}

TEST(InstallLayout, KnowsWhichDataDirectoriesOnlyPipMoves) {
  const auto is_other = [](std::string_view path) {
    return InstallLayout::is_in_other_data(*MemberPath::parse(path), "foo-1.0.dist-info");
  };
  EXPECT_TRUE(is_other("Foo-1.0.data/platlib/foo/x.so"));
  EXPECT_TRUE(is_other("bar-2.0.data/scripts/x"));
  EXPECT_TRUE(is_other("foo-1.0.0.data/scripts/x"));
  EXPECT_FALSE(is_other("foo-1.0.data/platlib/foo/x.so"));
  EXPECT_FALSE(is_other("foo/bar.data/x.so"));
  EXPECT_FALSE(is_other("foo.data"));
}

TEST(InstallLayout, PutsTheRootAndTheTwoLibrariesIntoSitePackages) {
  EXPECT_EQ(place("foo/x.so").path, "lib/python3.11/site-packages/foo/x.so");
  EXPECT_FALSE(place("foo/x.so").in_purelib);
  EXPECT_EQ(place("Foo-1.0.data/platlib/foo/x.so").path, "lib/python3.11/site-packages/foo/x.so");
  EXPECT_FALSE(place("Foo-1.0.data/platlib/foo/x.so").in_purelib);
  EXPECT_EQ(place("Foo-1.0.data/purelib/foo/x.so").path, "lib/python3.11/site-packages/foo/x.so");
  EXPECT_TRUE(place("Foo-1.0.data/purelib/foo/x.so").in_purelib);
}

TEST(InstallLayout, SpreadsTheOtherSchemesOverThePrefix) {
  EXPECT_EQ(place("Foo-1.0.data/scripts/tool").path, "bin/tool");
  EXPECT_EQ(place("Foo-1.0.data/data/share/foo/x").path, "share/foo/x");
  EXPECT_EQ(place("Foo-1.0.data/headers/foo.h").path, "include/python3.11/Foo/foo.h");
}

TEST(InstallLayout, TakesOnlyTheFirstDirectoryForAScheme) {
  EXPECT_EQ(place("foo/x.data/scripts/tool").path, "lib/python3.11/site-packages/foo/x.data/scripts/tool");
  EXPECT_EQ(place("purelib/x.so").path, "lib/python3.11/site-packages/purelib/x.so");
  EXPECT_FALSE(place("foo/purelib/x.so").in_purelib);
  EXPECT_EQ(place("x.data").path, "lib/python3.11/site-packages/x.data");
  EXPECT_TRUE(knows("x.data"));
}

TEST(InstallLayout, KnowsNoOtherScheme) {
  EXPECT_FALSE(knows("Foo-1.0.data/etc/x"));
  EXPECT_FALSE(knows("Foo-1.0.data/stray"));
  EXPECT_FALSE(knows("Foo-1.0.data/scripts"));
  EXPECT_TRUE(knows("Foo-1.0.data/scripts/x"));
}

TEST(DistInfo, IsTheOneDirectoryAtTheRoot) {
  EXPECT_EQ(find_dist_info(members({"foo/a.py", "foo-1.0.dist-info/METADATA", "foo-1.0.dist-info/RECORD"})),
            "foo-1.0.dist-info");
  const auto none = find_dist_info(members({"foo/x.dist-info/METADATA", "y.dist-info"}));
  ASSERT_TRUE(none);
  EXPECT_EQ(*none, std::nullopt);
}

TEST(DistInfo, InTwoDirectoriesIsRejected) {
  const auto two = find_dist_info(members({"foo-1.0.dist-info/RECORD", "bar-1.0.dist-info/x"}));
  ASSERT_FALSE(two);
  EXPECT_EQ(two.error().code, ErrorCode::Rejected);
  EXPECT_NE(two.error().message.find("'bar-1.0.dist-info' and 'foo-1.0.dist-info'"), std::string::npos);
}

TEST(DistInfo, NamesTheWheelInAnySpelling) {
  const WheelName name = *parse_filename("Foo_Bar-1.0.0-py3-none-any.whl");
  EXPECT_TRUE(names_wheel("foo.bar-1.0.dist-info", name));
  EXPECT_TRUE(names_wheel("Foo-Bar-v1.0.dist-info", name));
  EXPECT_FALSE(names_wheel("foo_bar-1.1.dist-info", name));
  EXPECT_FALSE(names_wheel("foobar-1.0.dist-info", name));
  EXPECT_FALSE(names_wheel("foo_bar.dist-info", name));
  EXPECT_FALSE(names_wheel("foo_bar-1.0", name));
  EXPECT_TRUE(names_wheel("foo_bar-1.0-1.dist-info", *parse_filename("foo_bar-1.0.post1-py3-none-any.whl")));
}

}  // namespace
}  // namespace wheelcheck::wheel
