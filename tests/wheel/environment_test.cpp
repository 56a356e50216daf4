// Tests installed distributions: the distribution of each file, their dependencies, and what a malicious RECORD cannot
// reach.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/support/elf_recipe.h"
#include "tests/wheel/folder_tree.h"
#include "wheel/read_environment.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {
namespace {

using test::flaws_of, test::paths_of, test::Tree;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string extension(const std::string& name) { return test::make_elf({.exports = {{.name = "PyInit_" + name}}}); }

class Environment : public testing::Test {
 protected:
  static constexpr const char* packages = "lib/python3.11/site-packages";

  // A distribution of version 1.0 with these files, as pip installs it.
  void install(const std::string& name, const Tree& files, const std::string& more_metadata = "",
               const std::string& more_rows = "") const {
    const std::string info = name + "-1.0.dist-info/";
    Tree tree = files;
    tree[info + "METADATA"] = "Metadata-Version: 2.1\nName: " + name + "\nVersion: 1.0\n" + more_metadata;
    tree[info + "WHEEL"] = "Wheel-Version: 1.0\nTag: cp311-cp311-manylinux_2_17_x86_64\n";
    std::string record;
    for (const auto& [path, bytes] : tree) record += path + ",," + std::to_string(bytes.size()) + "\n";
    tree[info + "RECORD"] = record + info + "RECORD,,\n" + more_rows;
    write(tree);
  }
  void write(const Tree& files) const { test::write_tree(top_.path(packages), files); }
  void remove(const std::string& path) const { std::filesystem::remove(top_.path(packages) + "/" + path); }

  std::vector<WheelFacts> read(const std::vector<std::string>& names = {}) const {
    auto facts = read_environment_distributions(top_.path(), names, {}, 1);
    if (facts) return std::move(*facts);
    ADD_FAILURE() << facts.error().message;
    return {};
  }
  std::vector<std::string> names_of(const std::vector<std::string>& names = {}) const {
    std::vector<std::string> out;
    for (const WheelFacts& facts : read(names)) out.push_back(facts.file);
    return out;
  }

  test::TemporaryDirectory top_;
};

TEST_F(Environment, GivesEachDistributionWhatItsWheelWouldSay) {
  install("foo", {{"foo/__init__.py", ""}, {"foo/_x.cpython-311-x86_64-linux-gnu.so", extension("_x")}});
  const auto all = read();
  ASSERT_EQ(all.size(), 1U);
  const WheelFacts& foo = all.front();
  EXPECT_EQ(foo.file, "foo 1.0");
  EXPECT_EQ(foo.path, top_.path());
  EXPECT_EQ(foo.dist_info, "foo-1.0.dist-info");
  EXPECT_EQ(foo.name.distribution, "foo");
  EXPECT_EQ(foo.name.version, "1.0");
  EXPECT_THAT(foo.name.python, ElementsAre("cp311"));
  ASSERT_EQ(foo.name.platforms.size(), 1U);
  EXPECT_EQ(foo.name.platforms.front().text, "manylinux_2_17_x86_64");
  EXPECT_EQ(foo.size, 0U);
  EXPECT_THAT(flaws_of(foo), IsEmpty());
  ASSERT_EQ(foo.elfs.size(), 1U);
  EXPECT_EQ(foo.elfs.front().installed, "lib/python3.11/site-packages/foo/_x.cpython-311-x86_64-linux-gnu.so");
  EXPECT_EQ(std::get<ExtensionModule>(foo.elfs.front().role).module, "foo._x");
}

TEST_F(Environment, IsFoundFromItsPrefixFromItsPackagesAndByALink) {
  install("foo", {{"foo.so", extension("foo")}});
  std::filesystem::create_symlink(top_.path("lib"), top_.path("lib64"));
  std::filesystem::create_symlink(top_.path(packages), top_.path("link"));
  for (const std::string& directory : {top_.path(), top_.path() + "/", top_.path(packages), top_.path("link")}) {
    const auto facts = read_environment_distributions(directory, {}, {}, 1);
    ASSERT_TRUE(facts) << facts.error().message;
    EXPECT_EQ(facts->size(), 1U);
  }
}

TEST_F(Environment, SharesOutTheFilesOfANamespacePackageByRecord) {
  install("one", {{"space/one/_x.so", extension("_x")}, {"space/__init__.py", ""}});
  install("two", {{"space/two/_y.so", extension("_y")}, {"space/__init__.py", ""}});
  const auto all = read();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_THAT(paths_of(all[0]), Contains("space/one/_x.so"));
  EXPECT_THAT(paths_of(all[0]), Contains("space/__init__.py"));
  EXPECT_THAT(paths_of(all[1]), testing::Not(Contains("space/one/_x.so")));
  EXPECT_THAT(paths_of(all[1]), Contains("space/two/_y.so"));
  EXPECT_THAT(flaws_of(all[1]), IsEmpty()) << "the same file in both";
}

TEST_F(Environment, GivesAFileOfTwoToTheOneThatWroteItLast) {
  install("early", {{"cv2/cv2.so", "x"}, {"early.so", extension("early")}});
  install("later", {{"cv2/cv2.so", extension("cv2")}});
  const auto all = read();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_THAT(paths_of(all[0]), testing::Not(Contains("cv2/cv2.so")));
  EXPECT_THAT(flaws_of(all[0]), ElementsAre("cv2/cv2.so: was overwritten by later 1.0"));
  EXPECT_THAT(paths_of(all[1]), Contains("cv2/cv2.so"));
}

// nccl of cu12 and of cu13 install libnccl.so.2 at one path. Of the selected distributions one has it.
TEST_F(Environment, FileOfASelectedDistributionIsNotThatOfAnother) {
  install("first", {{"nccl/libnccl.so", "x"}, {"first.so", extension("first")}});
  install("later", {{"nccl/libnccl.so", extension("nccl")}});
  const auto all = read({"first"});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_THAT(paths_of(all[0]), Contains("nccl/libnccl.so"));
  EXPECT_THAT(paths_of(read({"later", "first"})[1]), testing::Not(Contains("nccl/libnccl.so")));
}

TEST_F(Environment, ListsWhatIsNeededBeforeWhoNeedsIt) {
  install("top", {{"top.so", extension("top")}}, "Requires-Dist: Middle_Part>=1\nRequires-Dist: absent\n");
  install("middle.part", {{"middle.so", extension("middle")}}, "Requires-Dist: base[fast] ; python_version >= '3.8'\n");
  install("base", {{"base.so", extension("base")}},
          "Requires-Dist: quick ; extra == 'fast'\nRequires-Dist: slow ; extra == 'slow'\n");
  install("quick", {{"quick.so", extension("quick")}}, "Requires-Dist: top\n");
  install("slow", {{"slow.so", extension("slow")}});
  install("wind", {{"wind.so", extension("wind")}}, "Requires-Dist: slow ; sys_platform == 'win32'\n");
  EXPECT_THAT(names_of({"top"}), ElementsAre("quick 1.0", "base 1.0", "middle.part 1.0", "top 1.0"));
  EXPECT_THAT(names_of({"wind"}), ElementsAre("wind 1.0"));
  EXPECT_THAT(names_of({"wind", "base[slow]"}), ElementsAre("wind 1.0", "slow 1.0", "base 1.0"));
  EXPECT_EQ(names_of().size(), 6U);
}

TEST_F(Environment, LeavesOutWhatNeitherHoldsLibrariesNorChangesHowTheyAreLoaded) {
  install("plain", {{"plain.py", "import os\n"}});
  install("flags", {{"flags.py", "import sys\nsys.setdlopenflags(258)\n"}});
  install("native", {{"native.so", extension("native")}}, "Requires-Dist: plain\nRequires-Dist: flags\n");
  EXPECT_THAT(names_of(), ElementsAre("flags 1.0", "native 1.0"));
  EXPECT_THAT(names_of({"native"}), ElementsAre("flags 1.0", "native 1.0"));
  EXPECT_THAT(names_of({"plain"}), ElementsAre("plain 1.0")) << "asked for by name";
}

// pymongo and bson have a package bson; pydantic requires one release of pydantic-core, jax a range of jaxlib.
TEST_F(Environment, HasPythonCodeThatBreaksADistributionWithMachineCode) {
  const auto mongo = [&](const std::string& hash) {
    install("mongo", {{"mongo/_c.abi3.so", extension("_c")}, {"bson/__init__.py", "x = 1\n"}}, "",
            "bson/__init__.py,sha256=" + hash + ",6\n");
    return names_of();
  };
  install("bson", {{"bson/__init__.py", "x = 2\n"}}, "", "bson/__init__.py,sha256=two,6\n");
  install("apart", {{"apart/__init__.py", ""}}, "Requires-Dist: mongo>=2\nRequires-Dist: bson==2.0\n");
  EXPECT_THAT(mongo("two"), testing::UnorderedElementsAre("mongo 1.0", "apart 1.0"));
  install("apart", {{"apart/__init__.py", ""}}, "Requires-Dist: mongo>=1\nRequires-Dist: bson==2.0\n");
  EXPECT_THAT(mongo("two"), ElementsAre("mongo 1.0"));
  EXPECT_THAT(mongo("one"), testing::UnorderedElementsAre("bson 1.0", "mongo 1.0"));
  install("pure", {{"pure.py", ""}}, "Requires-Dist: mongo==1.0\n");
  EXPECT_THAT(mongo("two"), ElementsAre("mongo 1.0"));
  install("pure", {{"pure.py", ""}}, "Requires-Dist: mongo==2.0\n");
  EXPECT_THAT(mongo("two"), testing::UnorderedElementsAre("mongo 1.0", "pure 1.0"));
  // As an extra of psycopg requires psycopg-binary of its own number.
  write(
      {{"whole.py", ""},
       {"whole-2.0.dist-info/METADATA",
        "Metadata-Version: 2.1\nName: whole\nVersion: 2.0\nRequires-Dist: mongo==2.0; extra == 'c'\n"},
       {"whole-2.0.dist-info/RECORD", "whole.py,,0\nwhole-2.0.dist-info/METADATA,,\nwhole-2.0.dist-info/RECORD,,\n"}});
  EXPECT_THAT(mongo("two"), testing::UnorderedElementsAre("mongo 1.0", "pure 1.0", "whole 2.0"));
}

// streamlit 1.9.0 has no machine code, and protobuf 4.21.1 refuses its generated code.
TEST_F(Environment, HasPythonCodeThatTheInstalledProtobufRefuses) {
  const auto generated = [](const std::string& line) {
    return "# Generated by the protocol buffer compiler.  DO NOT EDIT!\n" + line +
           "\nDESCRIPTOR = _descriptor_pool.Default().AddSerializedFile(b'\\n\\x07\\x61.proto')\n";
  };
  install("protobuf", {{"google/_upb/_message.abi3.so", extension("_message")}});
  install("fits", {{"fits/a_pb2.py", generated("")}});
  install("newer", {{"newer/b_pb2.py", generated("from google.protobuf.internal import builder as _builder")}});
  EXPECT_THAT(names_of(), testing::UnorderedElementsAre("newer 1.0", "protobuf 1.0"));
}

TEST_F(Environment, NamesWhatIsInstalledAndNoPartOfTheRun) {
  install("plain", {{"plain.py", "import os\n"}});
  install("native", {{"native.so", extension("native")}}, "Requires-Dist: plain\n");
  std::set<std::string> left_out;
  wheel::EnvironmentOptions options;
  options.left_out = &left_out;
  ASSERT_TRUE(wheel::read_environment(top_.path(), {}, {}, 1, {}, options));
  EXPECT_THAT(left_out, ElementsAre("plain"));
}

// nvidia-cudnn-cu13 after another distribution with the same file was uninstalled.
TEST_F(Environment, HasTheDistributionWhoseOnlyLibraryIsGone) {
  install("cudnn", {{"nvidia/cudnn/__init__.py", ""}}, "", "nvidia/cudnn/lib/libcudnn.so.9,,700\n");
  install("data", {{"data/__init__.py", ""}}, "", "data/table.json,,700\n");
  const auto all = read();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_THAT(flaws_of(all.front()),
              ElementsAre("nvidia/cudnn/lib/libcudnn.so.9: is in RECORD but no file of the directory"));
  EXPECT_EQ(all.front().flaws.front().area, WheelArea::Absent);
}

// A file that was written again has another state, whatever its date says.
TEST_F(Environment, TheStateOfFilesShowsEachChange) {
  install("foo", {{"foo/__init__.py", "x = 1\n"}, {"foo/_x.so", extension("_x")}});
  const std::string path = top_.path(packages) + std::string("/foo/__init__.py");
  std::string state, sha256;
  std::int64_t changed = 0;
  const auto look = [&] {
    state.clear();
    sha256.clear();
    wheel::EnvironmentOptions options;
    options.digests = [&](const wheel::InstalledState& found, const auto& compute) {
      state += found.sha256;
      changed = std::max(changed, found.changed);
      EXPECT_TRUE(found.is_unchanged());
      return compute();
    };
    options.store = [&](const wheel::InstalledContent& content, const auto& read) {
      sha256 += content.sha256;
      EXPECT_TRUE(content.is_unchanged());
      return read();
    };
    ASSERT_TRUE(wheel::read_environment(top_.path(), {}, {}, 1, {}, options));
  };
  look();
  EXPECT_GT(changed, 0);
  const std::string first = state, content = sha256;
  look();
  EXPECT_EQ(state, first);
  const auto date = std::filesystem::last_write_time(path);
  write({{"foo/__init__.py", "x = 1\n"}});  // the same bytes
  std::filesystem::last_write_time(path, date);
  look();
  EXPECT_NE(state, first);
  EXPECT_EQ(sha256, content);
  write({{"foo/__init__.py", "x = 2\n"}});
  std::filesystem::last_write_time(path, date);
  look();
  EXPECT_NE(state, first);
  EXPECT_NE(sha256, content);
}

TEST_F(Environment, PutsFilesOfNobodyIntoAPartyOfTheirOwn) {
  install("foo", {{"foo/foo.so", extension("foo")}});
  write({{"foo/added.so", extension("added")}});
  const auto all = read();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1].file, not_installed);
  EXPECT_EQ(all[1].name.distribution, "");
  EXPECT_THAT(paths_of(all[1]), ElementsAre("foo/added.so"));
  EXPECT_EQ(names_of({"foo"}).size(), 1U);
}

TEST_F(Environment, TakesThePackagesOfADistributionWithoutRecordAndSaysSo) {
  install("foo",
          {{"foo/_x.so", extension("_x")}, {"_foo.so", extension("_foo")}, {"foo.libs/libz.so", extension("z")}});
  remove("foo-1.0.dist-info/RECORD");
  write({{"foo-1.0.dist-info/top_level.txt", "_foo\nfoo\n../../etc\n/etc\n"}, {"bar/x.so", extension("x")}});
  const auto all = read();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].elfs.size(), 3U);
  EXPECT_THAT(flaws_of(all[0]),
              ElementsAre("foo-1.0.dist-info/RECORD: is missing: what top_level.txt names is taken, _foo, foo"));
  EXPECT_THAT(paths_of(all[1]), ElementsAre("bar/x.so"));
}

TEST_F(Environment, KnowsWhatDistutilsLeaves) {
  write({{"foo-1.0-py3.11.egg-info/PKG-INFO", "Metadata-Version: 2.1\nName: foo\nVersion: 1.0\n"},
         {"foo-1.0-py3.11.egg-info/top_level.txt", "foo\n"},
         {"foo/_x.so", extension("_x")}});
  const auto all = read();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all.front().file, "foo 1.0");
  ASSERT_TRUE(all.front().metadata);
  EXPECT_EQ(all.front().metadata->version, "1.0");
  EXPECT_EQ(all.front().elfs.size(), 1U);
}

TEST_F(Environment, SaysThatAnEditableInstallLiesElsewhere) {
  install("foo", {{"__editable__foo.pth", "/somewhere"},
                  {"flags.py", "import sys\nsys.setdlopenflags(258)\n"},
                  {"foo-1.0.dist-info/direct_url.json", R"({"dir_info": {"editable": true}, "url": "file:///src"})"}});
  const auto all = read();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_THAT(flaws_of(all.front()), ElementsAre(HasSubstr("is an editable install")));
}

TEST_F(Environment, FindsWhatLiesBesideThePackages) {
  install("mkl", {{"mkl.py", ""}}, "", "../../libmkl.so.2,,\n../../../bin/tool,,\n../site-packages/deep.so,,\n");
  test::write_tree(top_.path(), {{"lib/libmkl.so.2", extension("a")}, {"bin/tool", extension("b")}});
  write({{"deep.so", extension("deep")}});
  const auto all = read();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_THAT(flaws_of(all.front()), IsEmpty());
  std::vector<std::string> installed;
  for (const ElfMember& elf : all.front().elfs) installed.push_back(elf.installed);
  EXPECT_THAT(installed, ElementsAre("lib/python3.11/site-packages/deep.so", "lib/libmkl.so.2", "bin/tool"));
}

TEST_F(Environment, OpensNothingThatAHostileRecordNames) {
  const test::TemporaryDirectory other;
  test::write_tree(other.path(), {{"secret.so", extension("secret")}});
  const std::string up = "../../../../../../../../../../../../..";
  install("evil", {{"evil.so", extension("evil")}}, "",
          other.path("secret.so") + ",,\n" + up + other.path("secret.so") + ",,\ngone.so,,\na\\b.so,,\n" +
              "evil-1.0.dist-info,,\nvictim-1.0.dist-info/METADATA,,\n");
  install("victim", {{"victim.so", extension("victim")}});
  std::filesystem::create_symlink(other.path("secret.so"), top_.path(packages) + std::string("/linked.so"));
  std::filesystem::create_symlink(other.path(), top_.path(packages) + std::string("/directory"));
  const auto all = read();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_THAT(flaws_of(all[0]),
              ElementsAre(other.path("secret.so") + ": is an absolute path in RECORD, which is not read",
                          up + other.path("secret.so") + ": leaves the environment by RECORD, and is not read",
                          "gone.so: is in RECORD but no file of the directory",
                          "a\\b.so: leaves the environment by RECORD, and is not read",
                          "evil-1.0.dist-info: is in RECORD but no file of the directory"));
  EXPECT_EQ(all[0].elfs.size(), 1U);
  EXPECT_EQ(all[1].metadata->name, "victim");
  EXPECT_EQ(all[1].elfs.size(), 1U);
}

TEST_F(Environment, IsRefusedInWordsWhereThereIsNone) {
  const auto message = [](const std::string& directory, const std::vector<std::string>& names = {}) {
    const auto facts = read_environment_distributions(directory, names, {}, 1);
    return facts ? "" : facts.error().message;
  };
  EXPECT_EQ(message(top_.path("absent")), top_.path("absent") + ": cannot be opened: no such directory");
  EXPECT_EQ(message(top_.path()),
            top_.path() + ": no environment: there is neither a .dist-info nor lib/python*/site-packages");
  install("foo", {{"foo.so", extension("foo")}});
  EXPECT_EQ(message(top_.path(), {"bar"}), top_.path() + ": bar is not installed there; what is: foo");
  std::filesystem::create_directories(top_.path("lib/python3.12/site-packages"));
  EXPECT_EQ(message(top_.path()), top_.path() +
                                      ": has several environments; name one: lib/python3.11/site-packages, "
                                      "lib/python3.12/site-packages");
}

}  // namespace
}  // namespace wheelcheck
