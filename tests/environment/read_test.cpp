// Environments on disk: small files that a recipe makes, a plan, and what becomes of its paths.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "environment/plan.h"
#include "tests/environment/folder.h"
#include "tests/support/elf_recipe.h"
#include "wheelcheck/environment.h"

namespace wheelcheck {
namespace {

namespace fs = std::filesystem;
using environment::parse_plan;
using test::Folder;

std::string module_of(const std::string& needed, const std::string& import) {
  test::ElfRecipe recipe{.runpath = "$ORIGIN/../libs", .needed = {needed}};
  recipe.imports = {{.name = import}};
  return test::make_elf(recipe);
}
std::string library(const std::string& soname, const std::string& name) {
  test::ElfRecipe recipe{.soname = soname};
  recipe.exports = {{.name = name}};
  return test::make_elf(recipe);
}

Result<Environment> read(const Folder& folder, const std::string& plan, const std::string& sysroot = "") {
  EnvironmentInput input{.directory = (folder.path() / "env").string(),
                         .plan = folder.write("plan.json", plan),
                         .sysroot = sysroot,
                         .limits = {},
                         .jobs = 2};
  return read_environment(input, {"libX11.so.6"});
}

// "from symbol -> to" of the files of the environment; those around it have names without a slash.
std::vector<std::string> bindings(const Environment& environment) {
  const auto outcome = process::predict(environment.world, std::span(&environment.plan, 1)).front();
  std::vector<std::string> out;
  for (const process::BoundReference& bound : outcome.bound) {
    const ElfFacts& from = *environment.world.files[bound.from.value].facts;
    if (environment.names[bound.from.value].find('/') == std::string::npos) continue;
    out.push_back(environment.names[bound.from.value] + ' ' +
                  std::string(process::symbol_request(from, bound.reference).name) + " -> " +
                  (bound.to ? environment.names[bound.to->value] : "nobody"));
  }
  for (const process::Failure& failure : outcome.failures) out.push_back(failure.error);
  return out;
}

using Texts = std::vector<std::string>;
constexpr const char* one_import = R"({"env": {"LD_BIND_NOW": "1"}, "steps": [{"opens": [{"path": "p/x.so"}]}]})";

TEST(Environment, FilesAreNamedByTheirPathBelowIt) {
  Folder folder;
  folder.write("env/p/x.so", module_of("libf.so", "f"));
  folder.write("env/libs/libf.so", library("libf.so", "f"));
  folder.write("env/p/notes.so", "no ELF file");
  const auto environment = read(folder, one_import);
  ASSERT_TRUE(environment);
  EXPECT_EQ(bindings(*environment), (Texts{"p/x.so f -> libs/libf.so"}));
}

TEST(Environment, LinkLeadsToTheFileItself) {
  Folder folder;
  folder.write("env/p/x.so", module_of("libf.so", "f"));
  folder.write("env/real/libf.so.1", library("libf.so.1", "f"));
  fs::create_directories(folder.path() / "env/libs");
  fs::create_symlink("../real/libf.so.1", folder.path() / "env/libs/libf.so");
  const auto environment = read(folder, one_import);
  ASSERT_TRUE(environment);
  ASSERT_EQ(bindings(*environment).size(), 1U);
  EXPECT_TRUE(bindings(*environment)[0].starts_with("p/x.so f -> ")) << bindings(*environment)[0];
  const auto inside = [](const std::string& name) { return name.find('/') != std::string::npos; };
  EXPECT_EQ(std::ranges::count_if(environment->names, inside), 2) << "module, library";
}

TEST(Environment, HardLinkLeadsToTheFileItself) {
  Folder folder;
  folder.write("env/p/x.so", module_of("libf.so", "f"));
  folder.write("env/a.so", library("libg.so", "f"));
  fs::create_directories(folder.path() / "env/libs");
  fs::create_hard_link(folder.path() / "env/a.so", folder.path() / "env/libs/libf.so");
  const auto environment = read(folder, one_import);
  ASSERT_TRUE(environment);
  EXPECT_EQ(bindings(*environment), (Texts{"p/x.so f -> a.so"}));
}

TEST(Environment, TextThatIsCalledLikeALibraryStopsTheSearch) {
  Folder folder;
  folder.write("env/p/x.so", module_of("libf.so", "f"));
  const std::string path = (folder.path() / "env/p/../libs/libf.so").string();
  folder.write("env/libs/libf.so", "libf.so.1");
  EXPECT_EQ(bindings(*read(folder, one_import)), (Texts{path + ": file too short"}));
  folder.write("env/libs/libf.so", std::string(64, '#'));
  EXPECT_EQ(bindings(*read(folder, one_import)), (Texts{path + ": invalid ELF header"}));
}

TEST(Environment, AssumedInterpreterIsOfTheMachineThatMostFilesAreOf) {
  Folder folder;
  folder.write("env/p/x.so", module_of("libf.so", "f"));
  folder.write("env/libs/libf.so", library("libf.so", "f"));
  std::string foreign = library("libf.so", "f");
  foreign[18] = '\x08';  // e_machine: MIPS
  folder.write("env/a.so", foreign);
  EXPECT_EQ(bindings(*read(folder, one_import)), (Texts{"p/x.so f -> libs/libf.so"}));
}

TEST(Environment, PlatformIsAssumedOrReadFromTheSysroot) {
  Folder folder;
  folder.write("env/p/x.so", module_of("libX11.so.6", "XOpenDisplay"));
  folder.write("root/usr/lib/libX11.so.6", library("libX11.so.6", "XOpenDisplay"));
  const auto assumed = read(folder, one_import);
  ASSERT_TRUE(assumed);
  EXPECT_EQ(bindings(*assumed), (Texts{"p/x.so XOpenDisplay -> libX11.so.6"}));
  folder.write("env/p/x.so", module_of("libX11.so.6", "nowhere"));
  const std::string path = (folder.path() / "env/p/x.so").string();
  EXPECT_EQ(bindings(*read(folder, one_import)),
            (Texts{"p/x.so nowhere -> nobody", path + ": undefined symbol: nowhere"}));
  folder.write("env/p/x.so", module_of("libX11.so.6", "XOpenDisplay"));
  const auto found = read(folder, one_import, (folder.path() / "root").string());
  ASSERT_TRUE(found);
  EXPECT_EQ(bindings(*found), (Texts{"p/x.so XOpenDisplay -> libX11.so.6"}));
}

TEST(Environment, InterpreterIsTheReferenceUnlessThePlanNamesOne) {
  Folder folder;
  folder.write("env/p/x.so", module_of("libm.so.6", "PyList_New"));
  const auto assumed = read(folder, one_import);
  ASSERT_TRUE(assumed);
  EXPECT_EQ(bindings(*assumed), (Texts{"p/x.so PyList_New -> <libpython>"}));
  test::ElfRecipe program{.needed = {"libpython3.11.so.1.0"}};
  folder.write("prefix/bin/python", test::make_elf(program));
  folder.write("prefix/lib/libpython3.11.so.1.0", library("libpython3.11.so.1.0", "PyList_New"));
  const auto named = read(folder, R"({"main": "../prefix/bin/python", "steps": [{"opens": [{"path": "p/x.so"}]}]})");
  ASSERT_TRUE(named);
  EXPECT_EQ(bindings(*named), (Texts{"p/x.so PyList_New -> <libpython>"}));
}

TEST(Environment, BareNameIsAFileOfTheTopOrElseSearchedFor) {
  Folder folder;
  folder.write("env/top.so", module_of("libf.so", "f"));
  folder.write("env/p/below.so", module_of("libf.so", "f"));
  const auto environment = read(
      folder, R"({"steps": [{"opens": [{"path": "top.so", "op": "ctypes"}, {"path": "below.so", "op": "ctypes"}]}]})");
  ASSERT_TRUE(environment);
  const auto& opens = environment->plan.steps.at(0).opens;
  EXPECT_EQ(opens[0].name, (folder.path() / "env/top.so").string());
  EXPECT_EQ(opens[1].name, "below.so");
}

TEST(Environment, NameIsSearchedWhereItsCallerSaysAndConstructorsOpenBeforeTheirFileIsGlobal) {
  Folder folder;
  folder.write("env/p/x.so", module_of("libg.so", "g"));
  folder.write("env/libs/libg.so", library("libg.so", "g"));
  folder.write("env/libs/libf.so", library("libf.so", "f"));
  const auto found = read(folder, R"({"steps": [{"opens": [
      {"path": "p/x.so", "flags": ["NOW", "GLOBAL"], "op": "dlopen", "constructors": [
          {"path": "libf.so", "flags": ["NOW", "GLOBAL"], "op": "dlopen", "caller": "p/x.so"}]},
      {"path": "libf.so", "flags": ["NOW", "NOLOAD"], "op": "dlopen"},
      {"path": "libnone.so", "flags": ["NOW"], "op": "dlopen", "caller": "p/x.so"}]}]})");
  ASSERT_TRUE(found);
  const auto outcome = process::predict(found->world, std::span(&found->plan, 1)).front();
  Texts published;
  for (const process::Published& entry : outcome.published) published.push_back(found->names[entry.file.value]);
  EXPECT_EQ(published, (Texts{"libs/libf.so", "p/x.so", "libs/libg.so"}));
  ASSERT_EQ(outcome.failures.size(), 1U);
  EXPECT_EQ(outcome.failures[0].open, 2U);
  // Without its caller the same name leads nowhere.
  const auto lost = read(folder, R"({"steps": [{"opens": [{"path": "libf.so", "op": "dlopen"}]}]})");
  ASSERT_TRUE(lost);
  EXPECT_EQ(process::predict(lost->world, std::span(&lost->plan, 1)).front().failures.size(), 1U);
}

TEST(Environment, WhatCannotBeReadIsAnError) {
  Folder folder;
  folder.write("env/p/x.so", module_of("libf.so", "f"));
  EXPECT_EQ(read(folder, "{").error().code, ErrorCode::Usage);
  EXPECT_EQ(read(folder, R"({"main": "nowhere", "steps": []})").error().code, ErrorCode::NotFound);
  EXPECT_EQ(read(folder, R"({"steps": [{"opens": [{"path": "p/x.so", "caller": "p/none.so"}]}]})").error().message,
            "the plan's caller p/none.so is not an ELF file");
  EnvironmentInput input{
      .directory = "/no/such/directory", .plan = folder.write("plan.json", one_import), .limits = {}};
  EXPECT_EQ(read_environment(input, {}).error().code, ErrorCode::NotFound);
  input.plan = "/no/such/plan";
  EXPECT_EQ(read_environment(input, {}).error().code, ErrorCode::NotFound);
}

TEST(Plan, MessageNamesThePlace) {
  const auto message = [](const char* text) { return parse_plan(text, "plan.json").error().message; };
  EXPECT_EQ(message("[]"), "plan plan.json: steps is not a list");
  EXPECT_EQ(message(R"({"steps": [{}]})"), "plan plan.json: steps[0] has no list `opens`");
  EXPECT_EQ(message(R"({"steps": [{"opens": [{"path": "a", "op": "load"}]}]})"),
            "plan plan.json: steps[0].opens[0].op is none of import, dlopen, ctypes");
  EXPECT_EQ(message(R"({"steps": [{"opens": [{"path": "a", "caller": 1}]}]})"),
            "plan plan.json: steps[0].opens[0].caller is not a text");
  EXPECT_EQ(message(R"({"steps": [{"opens": [{"path": "a", "constructors": {}}]}]})"),
            "plan plan.json: steps[0].opens[0].constructors is not a list");
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep = R"([{"path": "a", "constructors": )" + (deep.empty() ? "[]" : deep) + "}]";
  EXPECT_TRUE(
      message((R"({"steps": [{"opens": )" + deep + "}]}").c_str()).ends_with("is nested deeper than 206 levels"));
  EXPECT_EQ(message(R"({"steps": [], "glibc": "new"})"), "plan plan.json: glibc is not a version such as 2.36");
  EXPECT_EQ(message(R"({"steps": [], "env": {"LD_BIND_NOW": 1}})"), "plan plan.json: env.LD_BIND_NOW is not a text");
}

TEST(Plan, FlagsAndOperationsAreRead) {
  const auto plan = parse_plan(
      R"({"steps": [{"opens": [{"path": "a", "flags": ["LAZY", "GLOBAL"], "op": "dlopen"},
                               {"path": "b", "flags": ["LAZY", "NOW", "DEEPBIND"], "op": "ctypes"}]}], "glibc": "2.17"})",
      "plan.json");
  ASSERT_TRUE(plan);
  const auto& opens = plan->steps.at(0);
  EXPECT_TRUE(opens[0].flags.lazy && opens[0].flags.global && !opens[0].flags.deepbind);
  EXPECT_EQ(opens[0].by, process::OpenBy::Dlopen);
  EXPECT_TRUE(opens[1].flags.lazy && opens[1].flags.deepbind);
  EXPECT_EQ(plan->glibc, (process::Glibc{2, 17}));
}

}  // namespace
}  // namespace wheelcheck
