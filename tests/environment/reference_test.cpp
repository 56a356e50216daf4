// Tests that the built-in interpreters and platform are complete and equal to their originals.
#include "environment/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "base/text.h"
#include "facts/cache_format.h"
#include "tests/environment/folder.h"
#include "tests/support/elf_recipe.h"
#include "wheelcheck/environment.h"
#include "wheelcheck/installation.h"

namespace wheelcheck {
namespace {

using process::BindingResult;
using test::Folder;
using Texts = std::vector<std::string>;

struct WithRuntime {
  process::World world;
  Runtime around;
};
WithRuntime with_runtime(const std::string& python, PythonReleases releases = {}) {
  WithRuntime out;
  auto around =
      add_runtime(out.world, {.python = python, .sysroot = "", .promised = {}, .limits = {}, .pythons = releases});
  EXPECT_TRUE(around) << around.error().message;
  if (around) out.around = std::move(*around);
  return out;
}

// Opens every module of the standard library, each in its own step.
process::Plan all_modules(const WithRuntime& with_runtime) {
  process::Plan plan{.main = with_runtime.around.main, .steps = {}, .environment = {.bind_now = true}};
  for (std::size_t i = 0; i < with_runtime.world.files.size(); ++i)
    if (with_runtime.around.origins[i].kind == Origin::Kind::Stdlib)
      plan.steps.push_back({{{.name = with_runtime.world.files[i].path, .by = process::OpenBy::Import}}});
  return plan;
}

// The interpreter worked on its own system, so it must work here without assumptions.
TEST(Reference, EveryModuleLoadsAndEveryReferenceIsKnown) {
  for (const std::string& name : environment::reference_pythons()) {
    SCOPED_TRACE(name);
    const WithRuntime all = with_runtime(name);
    const process::Plan plan = all_modules(all);
    EXPECT_GT(plan.steps.size(), 25U);
    const process::Outcome outcome = process::predict(all.world, std::span(&plan, 1)).front();
    EXPECT_FALSE(outcome.refused) << *outcome.refused;
    for (const process::Failure& failure : outcome.failures) ADD_FAILURE() << failure.error;
    EXPECT_GT(outcome.bound.size(), 8'000U);
    for (const process::BoundReference& bound : outcome.bound) {
      const ElfFacts& from = *all.world.files[bound.from.value].facts;
      EXPECT_TRUE(bound.way != BindingResult::Missing && bound.way != BindingResult::Platform)
          << all.world.files[bound.from.value].path << ' ' << process::symbol_request(from, bound.reference).name;
    }
    for (const process::Loaded& each : outcome.loaded)
      EXPECT_FALSE(all.world.files[each.file.value].assumed) << all.world.files[each.file.value].path;
  }
}

std::set<std::string> modules_of(const Runtime& around) {
  std::set<std::string> out;
  for (const Origin& origin : around.origins)
    if (origin.kind == Origin::Kind::Stdlib) out.insert(origin.module);
  return out;
}

TEST(Reference, HasTheModulesThatBringLibraries) {
  for (const std::string& name : environment::reference_pythons())
    for (const char* const module : {"_bz2", "_ctypes", "_hashlib", "_lzma", "_sqlite3", "_ssl", "_uuid"})
      EXPECT_TRUE(modules_of(with_runtime(name).around).contains(module)) << name << ' ' << module;
  EXPECT_TRUE(modules_of(with_runtime("shared").around).contains("zlib"));
}

TEST(Reference, OneOfEachShape) {
  EXPECT_EQ(environment::reference_pythons(), (Texts{"shared", "static"}));
  const WithRuntime shared = with_runtime("shared"), by_default = with_runtime("");
  EXPECT_EQ(shared.around.description, "CPython 3.11.7 (shared libpython) and Debian 12, glibc 2.36");
  EXPECT_EQ(shared.around.description, by_default.around.description);
  const auto needed = [](const WithRuntime& of) {
    const auto& names = of.world.files[of.around.main.value].facts->dynamic->needed;
    return Texts(names.begin(), names.end());
  };
  EXPECT_EQ(needed(shared), (Texts{"libpython3.11.so.1.0", "libc.so.6"}));
  const WithRuntime whole = with_runtime("static");
  EXPECT_EQ(whole.around.description, "CPython 3.11.2 (static libpython) and Debian 12, glibc 2.36");
  EXPECT_EQ(needed(whole), (Texts{"libm.so.6", "libz.so.1", "libexpat.so.1", "libc.so.6"}));
  const auto& exports = whole.world.files[whole.around.main.value].facts->dynamic->exports;
  EXPECT_NE(std::ranges::find(exports, "PyList_New", &Export::name), exports.end());
}

// If its release is not one of the requested ones, it has the C API of the nearest one.
TEST(Reference, StandsForTheNearestReleaseThatIsWanted) {
  const auto stands = [](const std::string& python, PythonReleases releases) {
    const WithRuntime all = with_runtime(python, releases);
    Texts out{all.around.description.substr(0, all.around.description.find(" and "))};
    for (const process::File& file : all.world.files)
      if (!file.further.empty()) out.push_back(file.path.substr(file.path.rfind('/') + 1));
    return out;
  };
  const std::string own = "CPython 3.11.7 (shared libpython";
  EXPECT_EQ(stands("", {}), (Texts{own + ")"}));
  EXPECT_EQ(stands("", {9, PythonReleases::any}), (Texts{own + ")"}));
  EXPECT_EQ(stands("", {11, 11}), (Texts{own + ")"}));
  EXPECT_EQ(stands("", {12, PythonReleases::any}), (Texts{own + ", standing for 3.12)", "libpython3.11.so.1.0"}));
  EXPECT_EQ(stands("", {14, 13}), (Texts{own + ", standing for 3.14)", "libpython3.11.so.1.0"}));
  EXPECT_EQ(stands("shared", {8, 9}), (Texts{own + ", standing for 3.9)", "libpython3.11.so.1.0"}));
  EXPECT_EQ(stands("static", {13, 13}), (Texts{"CPython 3.11.2 (static libpython, standing for 3.13)", "python3.11"}));
}

std::string reference_text(const std::string& name) {
  std::ifstream in(WHEELCHECK_SOURCE_DIR "/data/reference/" + name + ".jsonl");
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Reference, FilesAreAsTheCacheWritesThem) {
  for (const char* const name : {"platform", "python-shared", "python-static"}) {
    std::string again;
    facts::CacheReader reader;
    const std::string text = reference_text(name);
    for (const std::string_view line : split(text, '\n'))
      if (!line.empty()) EXPECT_TRUE(reader.take(line)) << name;
    const facts::CacheHeader header = reader.header().value();
    const auto wheel = reader.finish();
    ASSERT_TRUE(wheel) << name;
    facts::write_lines(header, *wheel, [&](std::string_view line) { again.append(line) += '\n'; });
    EXPECT_EQ(again, text) << name;
  }
}

TEST(Reference, LinksAreMembersOfTheSameName) {
  const auto platform = environment::parse_reference(reference_text("platform"));
  ASSERT_TRUE(platform);
  EXPECT_EQ(platform->about, "Debian 12");
  const auto loader = std::ranges::find(platform->files, "/lib64/ld-linux-x86-64.so.2", &process::File::path);
  ASSERT_NE(loader, platform->files.end());
  EXPECT_EQ(loader->aliases,
            (Texts{"/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2",
                   "/usr/lib64/ld-linux-x86-64.so.2"}));
}

TEST(Reference, BrokenTextIsRefused) {
  const std::string text = reference_text("python-static");
  EXPECT_FALSE(environment::parse_reference(text.substr(0, text.size() / 2)));
  EXPECT_FALSE(environment::parse_reference("{}"));
}

// The result for an extension module in a directory: each failure, or else the bindings of its references.
Texts played(const Folder& folder, const test::ElfRecipe& module, const std::string& sysroot = "") {
  folder.write("env/p/x.so", test::make_elf(module));
  const EnvironmentInput input{
      .directory = (folder.path() / "env").string(),
      .plan = folder.write("plan.json", R"({"env": {"LD_BIND_NOW": "1"}, "steps": [{"opens": [{"path": "p/x.so"}]}]})"),
      .python = {},
      .sysroot = sysroot,
      .limits = {}};
  const auto environment = read_environment(input, {});
  if (!environment) return {environment.error().message};
  const auto outcome = process::predict(environment->world, std::span(&environment->plan, 1)).front();
  Texts out;
  for (const process::BoundReference& bound : outcome.bound)
    if (environment->names[bound.from.value] == "p/x.so")
      out.push_back(
          std::string(
              process::symbol_request(*environment->world.files[bound.from.value].facts, bound.reference).name) +
          (bound.way == BindingResult::Platform ? " ~> " : " -> ") +
          (bound.to ? environment->names[bound.to->value] : "nobody"));
  for (const process::Failure& failure : outcome.failures) out.push_back(failure.error);
  if (outcome.refused) out.push_back(*outcome.refused);
  return out;
}

TEST(Reference, NewerVersionOfThePlatformIsTakenToBeThere) {
  Folder folder;
  test::ElfRecipe module{.needed = {"libc.so.6"}};
  module.needs = {{.library = "libc.so.6", .version = "GLIBC_2.38", .symbols = {{.name = "__isoc23_strtol"}}},
                  {.library = "libc.so.6", .version = "GLIBC_2.2.5", .symbols = {{.name = "malloc"}}}};
  EXPECT_EQ(played(folder, module), (Texts{"__isoc23_strtol ~> libc.so.6", "malloc -> libc.so.6"}));
  // For the module, a root that the user gives is complete. The interpreter is not a file of it, and works.
  test::ElfRecipe libc{.soname = "libc.so.6"};
  libc.defines = {{.version = "GLIBC_2.2.5", .symbols = {{.name = "malloc"}, {.name = "free"}}}};
  folder.write("root/lib/libc.so.6", test::make_elf(libc));
  EXPECT_TRUE(played(folder, module, (folder.path() / "root").string())
                  .back()
                  .starts_with("/lib/libc.so.6: version `GLIBC_2.38' not found (required by "));
}

TEST(Reference, AVersionThatIsThereMustHaveTheName) {
  Folder folder;
  test::ElfRecipe module{.needed = {"libc.so.6"}};
  module.needs = {{.library = "libc.so.6", .version = "GLIBC_2.34", .symbols = {{.name = "no_such_function"}}}};
  EXPECT_TRUE(played(folder, module).back().ends_with("undefined symbol: no_such_function, version GLIBC_2.34"));
}

TEST(Reference, OtherMachinesAreAssumed) {
  Folder folder;
  test::ElfRecipe module{.machine = 183};  // EM_AARCH64
  module.needed = {"libc.so.6"};
  module.imports = {{.name = "PyList_New"}};
  EXPECT_EQ(played(folder, module), (Texts{"PyList_New ~> <libpython>"}));
  const EnvironmentInput input{.directory = (folder.path() / "env").string(),
                               .plan = folder.write("plan.json", R"({"steps": []})"),
                               .python = "static",
                               .sysroot = {},
                               .limits = {}};
  const auto environment = read_environment(input, {});
  ASSERT_FALSE(environment);
  EXPECT_EQ(environment.error().message, "the interpreter static is known for x86_64 alone, and no file is for that");
}

// If the world has a file with the path of a platform library, that library is not added.
TEST(Reference, AFileOfTheWorldGoesFirst) {
  process::World world;
  const ElfFacts own;
  world.files.push_back({.path = "/lib/x86_64-linux-gnu/libz.so.1", .facts = &own});
  ElfFacts other;
  other.machine = 62;
  other.bits = 64;
  world.files.push_back({.path = "/x.so", .facts = &other});
  const auto around = add_runtime(world, {.python = "", .sysroot = "", .promised = {}, .limits = {}});
  ASSERT_TRUE(around);
  EXPECT_EQ(std::ranges::count(world.files, "/lib/x86_64-linux-gnu/libz.so.1", &process::File::path), 1);
  EXPECT_EQ(world.files.size(), around->origins.size() + 2);
  // The same for the program itself, with any name.
  process::World other_world;
  other_world.files.push_back({.path = "/opt/x", .facts = &other, .aliases = {"/usr/bin/python3.11"}});
  const auto inside = add_runtime(other_world, {.python = "static", .sysroot = "", .promised = {}, .limits = {}});
  ASSERT_TRUE(inside);
  EXPECT_EQ(inside->main.value, 0U);
}

}  // namespace
}  // namespace wheelcheck
