// Tests the output of `wheelcheck tree`, with loads written in C++.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/answers/answers.h"
#include "report/shared/registry.h"
#include "tests/report/answers.h"
#include "tests/report/sample.h"
#include "tests/report/schema.h"

namespace wheelcheck::test::tree_test {
namespace {

using report::Tree;
using report::tree_answer;
using testing::HasSubstr;

// x and y open a, which loads b; c needs b too, and would not find it. d does not exist.
class TreeOfWheel : public testing::Test {
 protected:
  TreeOfWheel() {
    WheelBuilder builder("foo-1.0-cp311-cp311-manylinux_2_17_x86_64.whl");
    builder.elf(ElfBuilder("foo/x.cpython-311-x86_64-linux-gnu.so").runpath("$ORIGIN/../foo.libs").runpath("/opt/lib"))
        .elf(ElfBuilder("foo/y.cpython-311-x86_64-linux-gnu.so").runpath("$ORIGIN/../foo.libs"))
        .elf(ElfBuilder("foo.libs/liba.so").soname("liba.so.1"))
        .elf(ElfBuilder("foo.libs/libb.so").soname("libb.so"))
        .elf(ElfBuilder("foo.libs/libc1.so").soname("libc1.so"));
    report_ = with_facts(builder.build());
    Assessment assessment = scored({"linux_x86_64", "manylinux_2_41_x86_64", "manylinux_2_17_x86_64"},
                                   {{{at("foo.libs/libc1.so").elf, LibraryRequirement{"libd.so"}}, 0},
                                    {{at("foo.libs/libb.so").elf, LibraryRequirement{"libz.so.1"}}, 2}},
                                   5);
    Claim claimed = claim(assessment, "manylinux_2_17_x86_64");
    claimed.unmet_requirements = {RequirementIndex{0}};
    judge(report_, std::move(assessment), {std::move(claimed)});
    for (const char* const root : {"foo/x.cpython-311-x86_64-linux-gnu.so", "foo/y.cpython-311-x86_64-linux-gnu.so"})
      loads_.push_back(load_of(at(root)));
  }

  ElfRef at(std::string_view path) const { return {WheelIndex{0}, elf_at(report_.facts, path)}; }

  Load load_of(ElfRef root) const {
    const ElfRef a = at("foo.libs/liba.so"), b = at("foo.libs/libb.so"), c = at("foo.libs/libc1.so");
    const auto found = [&](std::string_view name, ElfRef provider, ElfRef by, std::string element) {
      return NeededFound{.name = name,
                         .found = Found::InWheel,
                         .how = How::Runpath,
                         .provider = provider,
                         .by = by,
                         .element = std::move(element),
                         .root = root};
    };
    Load load{.root = root.elf, .needs = {}};
    load.needs.push_back({root, found("liba.so", a, root, "$ORIGIN/../foo.libs")});
    load.needs.push_back({root, found("libc1.so", c, root, "$ORIGIN/../foo.libs")});
    load.needs.push_back({root, {.name = "libc.so.6", .found = Found::InProcess, .how = How::AlreadyLoaded}});
    load.needs.push_back({a, found("libb.so", b, a, "$ORIGIN")});
    NeededFound lucky = found("libb.so", b, c, "");
    lucky.how = How::AlreadyLoaded;
    load.needs.push_back({c, lucky, a, false});
    load.needs.push_back({c, {.name = "libd.so"}});
    load.needs.push_back({b, {.name = "libz.so.1"}});
    return load;
  }

  std::string text(bool json = false) const {
    const std::vector<Tree> trees = {{report_, loads_}};
    const report::Answer answer = tree_answer(trees, {});
    return json ? as_json(answer) : as_text(answer, report::Paint(false, 200));
  }

  WheelReport report_;
  std::vector<Load> loads_;
};

TEST_F(TreeOfWheel, SaysWhatIsLoadedHowAndWhatIsWrong) {
  EXPECT_EQ(text(),
            R"(foo-1.0-cp311-cp311-manylinux_2_17_x86_64.whl: 2 trees; 3 problems

foo/x.cpython-311-x86_64-linux-gnu.so
foo/y.cpython-311-x86_64-linux-gnu.so
├── liba.so => foo.libs/ [soname liba.so.1] (RUNPATH $ORIGIN/../foo.libs)
│   └── libb.so => foo.libs/ (RUNPATH $ORIGIN)
│       └── libz.so.1 => from the platform
├── libc1.so => foo.libs/ (RUNPATH $ORIGIN/../foo.libs)
│   ├── libb.so => foo.libs/ (only because liba.so loads it before; no search path leads there)
│   └── libd.so => NOT FOUND: not in the wheel, allowed by no manylinux level
└── libc.so.6 => from the platform

problem  RUNPATH /opt/lib in foo/x.cpython-311-x86_64-linux-gnu.so: an absolute path leads to no file of the wheel, but to files of the user's machine
problem  libb.so, needed by foo.libs/libc1.so: found only because foo.libs/libb.so is loaded before; no search path of this file leads there
problem  libd.so, needed by foo.libs/libc1.so: not found: not in the wheel, allowed by no manylinux level

fix: bundle what is missing: `wheelcheck repair foo-1.0-cp311-cp311-manylinux_2_17_x86_64.whl`; or declare the provider: --wheel OTHER.whl, or --external 'libd.so'

NOT FOUND: 3 problems in 2 trees, 1 of which makes an import fail
)");
}

TEST_F(TreeOfWheel, IsAGraph) {
  const std::vector<Tree> trees = {{report_, loads_}};
  const std::string graph = render_answer("dot", tree_answer(trees, {}), {});
  EXPECT_TRUE(graph.starts_with("digraph wheel {\n"));
  EXPECT_TRUE(graph.ends_with("}\n"));
  EXPECT_THAT(graph, HasSubstr("\n  \"foo/x.cpython-311-x86_64-linux-gnu.so\" [style=bold];\n"));
  EXPECT_THAT(graph, HasSubstr("\n  \"foo.libs/liba.so\" -> \"foo.libs/libb.so\";\n"));
  EXPECT_THAT(graph, HasSubstr("\n  \"foo.libs/libc1.so\" -> \"foo.libs/libb.so\" [color=orange];\n"));
  EXPECT_THAT(graph, HasSubstr("\n  \"libd.so\" [color=red, fontcolor=red];\n"));
  EXPECT_THAT(graph, HasSubstr("\n  \"libz.so.1\" [style=dashed, "));
}

TEST_F(TreeOfWheel, NamesWhoseSearchPathFoundALibrary) {
  loads_.resize(1);
  loads_[0].needs[3].found.how = How::Rpath;
  loads_[0].needs[3].found.by = at("foo/x.cpython-311-x86_64-linux-gnu.so");
  loads_[0].needs[3].found.element = "$ORIGIN/../lib";
  EXPECT_THAT(text(), HasSubstr("libb.so => foo.libs/ (RPATH $ORIGIN/../lib of the root)"));
  loads_[0].needs[3].found.by = at("foo.libs/libc1.so");
  EXPECT_THAT(text(), HasSubstr("libb.so => foo.libs/ (RPATH $ORIGIN/../lib of foo.libs/libc1.so)"));
}

TEST_F(TreeOfWheel, CutsWhatAnEarlierTreeShows) {
  loads_[1].needs.erase(loads_[1].needs.begin() + 2);
  const std::string out = text();
  EXPECT_THAT(out, HasSubstr("\nfoo/y.cpython-311-x86_64-linux-gnu.so\n"
                             "├── liba.so => foo.libs/ [soname liba.so.1] (RUNPATH $ORIGIN/../foo.libs) (*)\n"
                             "└── libc1.so => foo.libs/ (RUNPATH $ORIGIN/../foo.libs) (*)\n"
                             "\n(*) its libraries are shown above\n"));
}

TEST_F(TreeOfWheel, SaysWhereAFileOfThatNameLiesUnreached) {
  for (Load& load : loads_) load.needs[5].found.unreached = at("foo.libs/liba.so");
  EXPECT_THAT(text(), HasSubstr("libd.so => NOT FOUND: foo.libs/liba.so has that name, but no search path leads "
                                "there: found only if something loads it before"));
  EXPECT_THAT(text(), testing::Not(HasSubstr("not in")));
  // Repair does not bundle what the wheel contains; check says what to do.
  EXPECT_THAT(text(), HasSubstr("\nfix: `wheelcheck foo-1.0-cp311-cp311-manylinux_2_17_x86_64.whl` shows the fix of"));
}

TEST_F(TreeOfWheel, FitsTheTerminal) {
  const std::vector<Tree> trees = {{report_, loads_}};
  const std::string out = as_text(tree_answer(trees, {}));
  EXPECT_THAT(out, HasSubstr("│   ├── libb.so => foo.libs/ (only because liba.so loads it before; no search\n"
                             "│   │     path leads there)\n"
                             "│   └── libd.so => NOT FOUND"));
}

TEST_F(TreeOfWheel, EndsInAChainOfAnyLength) {
  WheelBuilder builder("foo-1.0-cp311-cp311-linux_x86_64.whl");
  constexpr std::uint32_t length = 3000;
  for (std::uint32_t i = 0; i < length; ++i) builder.elf(ElfBuilder(fmt::format("foo/lib{:04}.so", i)));
  report_ = with_facts(builder.build());
  Load load{.root = ElfIndex{0}, .needs = {}};
  for (std::uint32_t i = 0; i + 1 < length; ++i)
    load.needs.push_back(
        {{WheelIndex{0}, ElfIndex{i}},
         {.name = "next", .found = Found::InWheel, .provider = ElfRef{WheelIndex{0}, ElfIndex{i + 1}}}});
  loads_ = {std::move(load)};
  EXPECT_THAT(text(), HasSubstr("... libraries below are not shown"));
  EXPECT_EQ(nlohmann::json::parse(text(true))["wheels"][0]["trees"][0]["files"].size(), length);
}

TEST_F(TreeOfWheel, WritesJsonThatTheSchemaKnows) {
  const SchemaCheck schema(report::find_schema("tree"));
  const nlohmann::json document = nlohmann::json::parse(text(true));
  EXPECT_EQ(schema.errors(document), "");
  const auto& wheel = document["wheels"][0];
  EXPECT_EQ(wheel["trees"][0]["root"], "foo/x.cpython-311-x86_64-linux-gnu.so");
  EXPECT_EQ(wheel["trees"][0]["module"], "foo.x");
  const auto& files = wheel["trees"][0]["files"];
  ASSERT_EQ(files.size(), 4U);
  EXPECT_EQ(files[0]["needed"][0]["search_path_element"], "$ORIGIN/../foo.libs");
  EXPECT_EQ(files[2]["member"], "foo.libs/libc1.so");
  EXPECT_EQ(files[2]["needed"][0]["standing"], "loaded-by-another");
  EXPECT_EQ(files[2]["needed"][0]["loaded_before_for"]["member"], "foo.libs/liba.so");
  EXPECT_EQ(files[2]["needed"][1]["standing"], "missing");
  EXPECT_EQ(files[3]["needed"][0]["standing"], "platform");
  ASSERT_EQ(wheel["problems"].size(), 3U);
  EXPECT_EQ(wheel["problems"][0]["kind"], "absolute-path");
  EXPECT_EQ(wheel["problems"][1]["kind"], "loaded-by-another");
  EXPECT_EQ(wheel["problems"][2]["kind"], "not-found");
}

TEST(TreeOfNothing, NeedsNothing) {
  const WheelReport wheel =
      with_facts(WheelBuilder("foo-1.0-cp311-cp311-linux_x86_64.whl").elf(ElfBuilder("a.so")).build());
  const std::vector<Tree> trees = {{wheel, {{.root = ElfIndex{0}, .needs = {}}}}};
  EXPECT_EQ(as_text(tree_answer(trees, {})),
            "foo-1.0-cp311-cp311-linux_x86_64.whl: 1 tree; nothing is wrong\n\na.so\nrequires nothing\n"
            "\nFOUND: no library is missing in 1 tree\n");
}

}  // namespace
}  // namespace wheelcheck::test::tree_test
