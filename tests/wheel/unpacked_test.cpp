// Tests that an unpacked wheel has the same facts as the wheel, except those of the archive.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/support/elf_recipe.h"
#include "tests/wheel/folder_tree.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {
namespace {

using test::flaws_of, test::paths_of, test::Tree;
using testing::ElementsAre;
using testing::IsEmpty;

Tree good_wheel() {
  Tree files;
  files["foo/__init__.py"] = "import ctypes\nctypes.CDLL('libfoo.so', mode=258)\n";
  files["foo/_x.cpython-311-x86_64-linux-gnu.so"] =
      test::make_elf({.runpath = "$ORIGIN/../foo.libs", .needed = {"libfoo.so"}, .exports = {{.name = "PyInit__x"}}});
  files["foo.libs/libfoo.so"] = test::make_elf({.soname = "libfoo.so", .exports = {{.name = "foo"}}});
  files["foo-1.0.data/scripts/tool"] = "#!python\n";
  files["foo/data.bin"] = "\177ELF";
  files["foo-1.0.dist-info/METADATA"] = "Metadata-Version: 2.1\nName: Foo\nVersion: 1.0\nRequires-Python: >=3.8\n";
  files["foo-1.0.dist-info/WHEEL"] =
      "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp311-cp311-manylinux_2_17_x86_64\n"
      "Tag: cp311-cp311-manylinux2014_x86_64\n";
  files["foo-1.0.dist-info/RECORD"] = "foo/__init__.py,,\n";
  return files;
}

std::string described(const ElfMember& elf) {
  std::string out = elf.installed + ' ' + std::string(name_of(elf.role));
  if (elf.facts.dynamic)
    for (const Export& symbol : elf.facts.dynamic->exports) out += ' ' + std::string(symbol.name);
  return out;
}

TEST(UnpackedWheel, SaysWhatTheWheelSays) {
  const test::TemporaryDirectory directory;
  const Tree files = good_wheel();
  std::vector<test::ZipMember> members;
  for (const auto& [path, bytes] : files) {
    members.emplace_back().name = path;
    members.back().data = bytes;
  }
  const std::string archive = test::write_file(
      directory.path("foo-1.0-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl"), test::make_zip(members));
  test::write_tree(directory.path("unpacked"), files);
  std::filesystem::create_directories(directory.path("unpacked/foo/__pycache__"));
  test::write_file(directory.path("unpacked/foo/__pycache__/x.pyc"), "");

  const auto wheel = read(archive, {}, 1), unpacked = read_unpacked(directory.path("unpacked"), {}, 2);
  ASSERT_TRUE(wheel) << wheel.error().message;
  ASSERT_TRUE(unpacked) << unpacked.error().message;
  EXPECT_EQ(unpacked->file, "foo 1.0");
  EXPECT_EQ(unpacked->path, directory.path("unpacked"));
  EXPECT_EQ(unpacked->name.distribution, wheel->name.distribution);
  EXPECT_EQ(unpacked->name.version, wheel->name.version);
  EXPECT_EQ(unpacked->name.python, wheel->name.python);
  EXPECT_EQ(unpacked->name.abi, wheel->name.abi);
  ASSERT_EQ(unpacked->name.platforms.size(), wheel->name.platforms.size());
  for (std::size_t i = 0; i < wheel->name.platforms.size(); ++i)
    EXPECT_EQ(unpacked->name.platforms[i].text, wheel->name.platforms[i].text);
  EXPECT_EQ(unpacked->dist_info, wheel->dist_info);
  EXPECT_EQ(paths_of(*unpacked), paths_of(*wheel));
  for (std::size_t i = 0; i < wheel->members.size(); ++i) EXPECT_EQ(unpacked->members[i].size, wheel->members[i].size);
  ASSERT_EQ(unpacked->elfs.size(), wheel->elfs.size());
  for (std::size_t i = 0; i < wheel->elfs.size(); ++i)
    EXPECT_EQ(described(unpacked->elfs[i]), described(wheel->elfs[i]));
  ASSERT_EQ(unpacked->python.size(), 1U);
  EXPECT_EQ(unpacked->python.front().calls.front().text, wheel->python.front().calls.front().text);
  EXPECT_EQ(unpacked->record->size(), wheel->record->size());
  EXPECT_THAT(flaws_of(*unpacked), IsEmpty()) << "RECORD is not held against a directory";
  EXPECT_EQ(unpacked->size, 0U);
  EXPECT_EQ(unpacked->members.front().sha256, "");
}

TEST(UnpackedWheel, FollowsLinksToItsOwnFilesAlone) {
  const test::TemporaryDirectory directory;
  Tree files = good_wheel();
  test::write_tree(directory.path("unpacked"), files);
  test::write_file(directory.path("outside.so"), test::make_elf({}));
  const auto link = [&](const std::string& target, const std::string& name) {
    std::filesystem::create_symlink(target, directory.path("unpacked/foo.libs/" + name));
  };
  link("libfoo.so", "libfoo.so.1");
  link("../../outside.so", "out.so");
  link(directory.path("outside.so"), "absolute.so");
  link("../foo", "up");
  link("itself.so", "itself.so");
  const auto facts = read_unpacked(directory.path("unpacked"), {}, 1);
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(facts->elfs.size(), 4U) << "two, a broken one, and the link to one of them";
  EXPECT_THAT(flaws_of(*facts),
              ElementsAre("foo.libs/absolute.so: a symbolic link that leaves the directory, which is not followed",
                          "foo.libs/itself.so: a symbolic link that leads nowhere",
                          "foo.libs/out.so: a symbolic link that leaves the directory, which is not followed",
                          "foo.libs/up: a symbolic link to a directory, which is not followed"));
}

TEST(UnpackedWheel, IsRefusedWhereItIsNone) {
  const test::TemporaryDirectory directory;
  const auto message = [&] {
    const auto facts = read_unpacked(directory.path(), {}, 1);
    return facts ? "" : facts.error().message;
  };
  EXPECT_EQ(message(), "is a directory without a .dist-info, so no unpacked wheel");
  test::write_tree(directory.path(), {{"foo-1.0.dist-info/METADATA", ""}});
  EXPECT_EQ(message(), "has no Tag in foo-1.0.dist-info/WHEEL, so its claims are unknown");
  test::write_tree(directory.path(), {{"bar-1.0.dist-info/METADATA", ""}});
  EXPECT_EQ(message(),
            "is a directory with 2 .dist-info, 'bar-1.0.dist-info' and 'foo-1.0.dist-info'; an unpacked wheel has one");
}

TEST(UnpackedWheel, HoldsToTheLimits) {
  const test::TemporaryDirectory directory;
  test::write_tree(directory.path(), good_wheel());
  Limits few;
  few.members = 3;
  EXPECT_EQ(read_unpacked(directory.path(), few, 1).error().code, ErrorCode::OverLimit);
  Limits small;
  small.member_bytes = 256;
  EXPECT_EQ(read_unpacked(directory.path(), small, 1).error().code, ErrorCode::OverLimit);
}

}  // namespace
}  // namespace wheelcheck
