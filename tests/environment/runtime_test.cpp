// Tests the runtime that add_runtime adds to the files of a process, with generated interpreters and roots.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/environment/folder.h"
#include "tests/support/elf_recipe.h"
#include "wheelcheck/installation.h"

namespace wheelcheck {
namespace {

using test::Folder;
using Texts = std::vector<std::string>;

std::string interpreter(std::vector<std::string> needed) {
  test::ElfRecipe recipe{.interp = "/lib64/ld-linux-x86-64.so.2"};
  recipe.needed = std::move(needed);
  return test::make_elf(recipe);
}
std::string library(const std::string& soname, const std::string& name, std::vector<std::string> needed = {}) {
  test::ElfRecipe recipe{.soname = soname};
  recipe.needed = std::move(needed);
  recipe.exports = {{.name = name}};
  return test::make_elf(recipe);
}

// "path: origin"; the name of an assumed file is in brackets.
Texts told(const process::World& world, const Runtime& around, const Folder& folder) {
  Texts out;
  const std::size_t first = world.files.size() - around.origins.size();
  for (std::size_t i = 0; i < around.origins.size(); ++i) {
    const process::File& file = world.files[first + i];
    const Origin& origin = around.origins[i];
    std::string path = file.assumed ? "<" + file.path + ">" : file.path;
    if (path.starts_with(folder.path().string())) path = path.substr(folder.path().string().size());
    out.push_back(path + ": " +
                  (origin.kind == Origin::Kind::Interpreter ? "interpreter"
                   : origin.kind == Origin::Kind::Stdlib    ? "module " + origin.module
                                                            : "platform"));
  }
  return out;
}

RuntimeInput from(const std::string& python, const std::string& sysroot) {
  return {.python = python, .sysroot = sysroot, .promised = {}, .limits = {}};
}

TEST(AddRuntime, ReadsTheInterpreterWithWhatLiesBesideIt) {
  Folder folder;
  const std::string python = folder.write("opt/bin/python3.11", interpreter({"libpython3.11.so.1.0", "libc.so.6"}));
  folder.write("opt/lib/libpython3.11.so.1.0", library("libpython3.11.so.1.0", "Py_Initialize"));
  folder.write("opt/lib/python3.11/lib-dynload/_ssl.cpython-311-x86_64-linux-gnu.so", library("", "PyInit__ssl"));
  folder.write("opt/lib/python3.11/lib-dynload/README.txt", "no library");
  folder.write("root/usr/lib/libc.so.6", library("libc.so.6", "malloc"));
  process::World world;
  const auto around = add_runtime(world, from(python, (folder.path() / "root").string()));
  ASSERT_TRUE(around);
  EXPECT_EQ(told(world, *around, folder),
            (Texts{"/opt/bin/python3.11: interpreter", "/opt/lib/libpython3.11.so.1.0: interpreter",
                   "/opt/lib/python3.11/lib-dynload/_ssl.cpython-311-x86_64-linux-gnu.so: module _ssl",
                   "/usr/lib/libc.so.6: platform", "<libc.so.6>: platform", "<libm.so.6>: platform",
                   "<libpython3.11.so.1.0>: interpreter"}));
  EXPECT_EQ(around->main.value, 0U);
  EXPECT_EQ(around->description,
            "CPython 3.11 of " + python + " and libraries of " + (folder.path() / "root").string() + ", glibc 2.36");
}

TEST(AddRuntime, ALinkToTheInterpreterIsFollowed) {
  Folder folder;
  folder.write("opt/bin/python3.12", interpreter({}));
  folder.write("opt/lib/python3.12/lib-dynload/zlib.so", library("", "PyInit_zlib"));
  std::filesystem::create_directories(folder.path() / "venv/bin");
  std::filesystem::create_symlink(folder.path() / "opt/bin/python3.12", folder.path() / "venv/bin/python");
  process::World world;
  const auto around = add_runtime(world, from((folder.path() / "venv/bin/python").string(), folder.path().string()));
  ASSERT_TRUE(around);
  EXPECT_EQ(world.files[around->main.value].path, "/opt/bin/python3.12");
  EXPECT_EQ(told(world, *around, folder).at(1), "/opt/lib/python3.12/lib-dynload/zlib.so: module zlib");
}

TEST(AddRuntime, LibraryOfASearchPathOfTheInterpreterIsRead) {
  Folder folder;
  test::ElfRecipe recipe{.runpath = "$ORIGIN/../private", .needed = {"libffi.so.7"}};
  const std::string python = folder.write("opt/bin/python3.11", test::make_elf(recipe));
  folder.write("opt/private/libffi.so.7", library("libffi.so.7", "ffi_call"));
  process::World world;
  const auto around = add_runtime(world, from(python, folder.path().string()));
  ASSERT_TRUE(around);
  EXPECT_EQ(told(world, *around, folder).at(1), "/opt/private/libffi.so.7: platform");
}

// The directory of a library that the interpreter finds through its own search path is not a default directory.
TEST(AddRuntime, LibBesideIsSearchedByDefaultOnlyWhereNothingElseLeadsToLibpython) {
  Folder folder;
  const auto first_directory = [&](const std::string& runpath) {
    test::ElfRecipe recipe{.needed = {"libpython3.11.so.1.0"}};
    if (!runpath.empty()) recipe.runpath = runpath;
    process::World world;
    const auto around = add_runtime(
        world, from(folder.write("opt/bin/python3.11", test::make_elf(recipe)), (folder.path() / "root").string()));
    EXPECT_TRUE(around);
    return world.platform.directories.front();
  };
  EXPECT_EQ(first_directory(""), (folder.path() / "opt/lib").string());
  EXPECT_EQ(first_directory("$ORIGIN/../lib"), "/usr/local/lib");
}

TEST(AddRuntime, MuslIsItsOwnLibrary) {
  for (const char* const python : {"", "shared"}) {
    process::World world;
    RuntimeInput input = from(python, "");
    input.libc = Libc::Musl;
    const auto around = add_runtime(world, input);
    ASSERT_TRUE(around);
    EXPECT_EQ(around->description, "an assumed CPython and musl");
    EXPECT_EQ(world.platform.loader, process::Loader::Musl);
    const auto libc = std::ranges::find(world.files, "/lib/ld-musl-any.so.1", &process::File::path);
    ASSERT_NE(libc, world.files.end());
    const auto has = [&](std::string_view name) {
      const auto& exports = libc->facts->dynamic->exports;
      return std::ranges::find(exports, name, &Export::name) != exports.end();
    };
    EXPECT_TRUE(has("fopen")) << "in every release";
    EXPECT_TRUE(has("qsort_r")) << "since 1.2.3";
    EXPECT_FALSE(has("__libc_start_main_impl"));
  }
}

TEST(AddRuntime, InterpreterForAnotherCLibraryIsAnError) {
  Folder folder;
  process::World world;
  RuntimeInput input = from(folder.write("opt/bin/python3.11", interpreter({"libc.so.6"})), folder.path().string());
  input.libc = Libc::Musl;
  const auto around = add_runtime(world, input);
  ASSERT_FALSE(around);
  EXPECT_NE(around.error().message.find("is for glibc, and the wheels are for musl"), std::string::npos);
}

TEST(AddRuntime, InterpreterThatIsNoProgramIsAnError) {
  Folder folder;
  process::World world;
  const auto script = add_runtime(world, from(folder.write("bin/python3", "#!/bin/sh\n"), ""));
  ASSERT_FALSE(script);
  EXPECT_EQ(script.error().code, ErrorCode::NotFound);
  EXPECT_NE(script.error().message.find("is not an ELF file"), std::string::npos);
}

}  // namespace
}  // namespace wheelcheck
