// Tests reading of a configuration file, and the place in the message of every mistake.
#include "config/read.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/config/support.h"

namespace wheelcheck::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Config, SaysWhatStandsInEveryKey) {
  const Config config = read_good(every_key);
  const ConfigKeys& keys = config.keys;
  EXPECT_THAT(*keys.require_tags, ElementsAre("manylinux_2_28"));
  EXPECT_THAT(*keys.select, ElementsAre("WC"));
  EXPECT_THAT(*keys.ignore, ElementsAre("WC604", "executable-stack"));
  ASSERT_EQ(keys.severities.size(), 1U);
  EXPECT_EQ(keys.severities[0].severity, Severity::Error);
  EXPECT_EQ(keys.fail_on->least, Severity::Warning);
  EXPECT_TRUE(*keys.pedantic);
  EXPECT_THAT(*keys.own_namespaces, ElementsAre("tensorflow", "tsl"));
  EXPECT_THAT(*keys.own_sonames, ElementsAre("libtensorflow_*.so.2"));
  EXPECT_EQ(*keys.max_size, 600'000'000U);
  EXPECT_EQ(*keys.max_exports, 5000U);
  EXPECT_EQ(*keys.leak_threshold, 10U);
  EXPECT_EQ(keys.export_budgets.at(0).path, "**/libtensorflow_cc.so.2");
  EXPECT_EQ(*keys.string_abi, StringAbi::New);
  EXPECT_THAT(*keys.required_sm, ElementsAre(80U, 90U));
  EXPECT_EQ(keys.external.at(0).library, "libcudart.so.13");
  EXPECT_EQ(keys.external.at(0).distribution, "nvidia-cuda-runtime");
  EXPECT_EQ(keys.external.at(0).when, "extra:cuda");
  const IgnoreRule& ignore = keys.ignores.at(0);
  EXPECT_EQ(ignore.rule + " " + ignore.path + " " + ignore.reason, "WC201 **/libtriton.so tracked in #123");
  EXPECT_EQ(*ignore.until, (Date{2027, 1, 31}));
  EXPECT_EQ(config.overrides.at(0).wheel, "*-musllinux_*");
  EXPECT_THAT(*config.overrides.at(0).keys.ignore, ElementsAre("WC103"));
}

// toml++ would recurse for each part.
TEST(Config, RefusesKeysOfManyParts) {
  std::string key = "a";
  for (int i = 0; i < 40'000; ++i) key += ".a";
  for (const std::string& text : {key + " = 1", "[" + key + "]", "x = {" + key + " = 1}"}) {
    const auto config = read("wheelcheck.toml", text);
    ASSERT_FALSE(config.has_value());
    EXPECT_THAT(config.error().message, HasSubstr("nested more than 200 levels deep"));
  }
}

TEST(Config, RefusesDeepNestingInAnyForm) {
  std::string key = "a";
  for (int i = 0; i < 150; ++i) key += ".a";
  std::string lists = "x = ";
  for (int i = 0; i < 100; ++i) lists += "[\n{" + key + " = ";
  const std::string keys = key + "." + key + " = 1";
  for (const std::string& text : {lists, "\"\\\"\"." + keys, "x = '''\n\"'''\n" + keys, "# \"\n" + keys}) {
    const auto config = read("wheelcheck.toml", text);
    ASSERT_FALSE(config.has_value());
    EXPECT_THAT(config.error().message, HasSubstr("nested more than 200 levels deep"));
  }
}

TEST(Config, IsSilentAboutBracketsInTextAndLongLists) {
  std::string list = "own-sonames = [\n";
  for (int i = 0; i < 500; ++i) list += "  \"lib" + std::string(300, '{') + ".so.1\",  # [[[.\n";
  EXPECT_TRUE(read("wheelcheck.toml", list + "]\n").has_value());
}

TEST(Config, IsSilentAboutDotsInText) {
  EXPECT_TRUE(read("wheelcheck.toml", "own-sonames = [\"" + std::string(1'000, '.') + "\"]").has_value());
}

TEST(Config, IsTheFileOrTheSectionOfPyproject) {
  EXPECT_TRUE(read("wheelcheck.toml", "pedantic = true").has_value());
  const auto section = read("pyproject.toml", "[project]\nname = \"x\"\n[tool.wheelcheck]\npedantic = true\n");
  ASSERT_TRUE(section.has_value());
  EXPECT_TRUE(*section->keys.pedantic);
  const auto none = read("sub/pyproject.toml", "[tool.other]\nx = 1\n");
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().message, "sub/pyproject.toml: has no [tool.wheelcheck]");
}

TEST(Config, TellsItsFileByNameAndBytesAlone) {
  const ConfigFile here = read("pyproject.toml", "[tool.wheelcheck]")->file;
  const ConfigFile there = read("../../pyproject.toml", "[tool.wheelcheck]")->file;
  EXPECT_EQ(here.name, "pyproject.toml");
  EXPECT_EQ(there.name, here.name);
  EXPECT_EQ(there.sha256, here.sha256);
  EXPECT_EQ(here.sha256.size(), 64U);
  EXPECT_NE(read("pyproject.toml", "[tool.wheelcheck] # other bytes")->file.sha256, here.sha256);
}

TEST(Config, TakesPathsFromWhereTheFileIs) {
  const auto config = read("../ci/wheelcheck.toml", "policies = ['p.json', '/etc/q.json']\nknowledge = ['k/l.json']\n");
  ASSERT_TRUE(config.has_value()) << config.error().message;
  EXPECT_THAT(config->policies, ElementsAre("../ci/p.json", "/etc/q.json"));
  EXPECT_THAT(config->knowledge, ElementsAre("../ci/k/l.json"));
  EXPECT_EQ(config->file.name, "wheelcheck.toml");
}

TEST(Config, SaysWhereAnIgnoreRuleStandsByNameAndLine) {
  const auto config = read("../pyproject.toml", "[tool.wheelcheck]\n\n[[tool.wheelcheck.ignore-rule]]\nrule = 'WC6'\n");
  ASSERT_TRUE(config.has_value()) << config.error().message;
  EXPECT_EQ(config->keys.ignores.at(0).where, "pyproject.toml:3");
}

TEST(Config, ForgetsWhatTheCommandLineOverrulesAndStillChecksIt) {
  const std::string text = "ignore = ['WC601']\nselect = ['WC5']\n[[overrides]]\nwheel = '*'\nignore = ['WC604']\n";
  const auto config = read_config({"w.toml", text}, known(), {"ignore"});
  ASSERT_TRUE(config.has_value()) << config.error().message;
  EXPECT_FALSE(config->keys.ignore.has_value());
  EXPECT_FALSE(config->overrides.at(0).keys.ignore.has_value());
  EXPECT_THAT(*config->keys.select, ElementsAre("WC5"));
  EXPECT_FALSE(read_config({"w.toml", "ignore = 7"}, known(), {"ignore"}).has_value());
}

TEST(Config, TellsAllMistakesAtOnceInTheOrderOfTheFile) {
  const std::string message =
      mistakes("selct = ['WC1']\nfail-on = 'eror'\nmax-size = true\n[[ignore-rule]]\npath = '['\n");
  EXPECT_EQ(message,
            "w.toml:1:1: unknown key `selct`; did you mean `select`?\n"
            "w.toml:2:11: must be error, warning, note or never, not `eror`\n"
            "w.toml:3:12: must be a number of bytes, or a text with a unit: \"600MB\", \"600 MiB\", not true or false\n"
            "w.toml:4:1: needs a key `rule`\n"
            "w.toml:5:8: the pattern `[` has a '[' without its ']'");
}

struct Mistake {
  const char* text;
  const char* told;
};
void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.text; }
class ConfigMistake : public testing::TestWithParam<Mistake> {};
TEST_P(ConfigMistake, IsToldWithItsPlaceAndWhatIsAllowed) { EXPECT_EQ(mistakes(GetParam().text), GetParam().told); }
INSTANTIATE_TEST_SUITE_P(
    All, ConfigMistake,
    testing::Values(
        Mistake{"schema-version = 2", "w.toml:1:18: version 2 is not known to this wheelcheck; 1 is"},
        Mistake{"schema-version = '1'", "w.toml:1:18: must be 1, not a text"},
        Mistake{"select = 'WC1'", "w.toml:1:10: must be a list, not a text"},
        Mistake{"select = [1]",
                "w.toml:1:11: must be the name, the code or the start of the code of a rule, not a whole number"},
        Mistake{"select = ['executable-stak']",
                "w.toml:1:11: no rule is named `executable-stak`; did you mean `executable-stack`?"},
        Mistake{"ignore = ['nothing-like-it']",
                "w.toml:1:11: no rule is named `nothing-like-it`; `wheelcheck rules` lists them"},
        Mistake{"require-tag = 'manylinux_2'",
                "w.toml:1:15: must be a tag: manylinux_2_28, musllinux_1_2 or android_24, with or without _x86_64, not "
                "`manylinux_2`"},
        Mistake{"severity = { WC604 = 'grave' }", "w.toml:1:22: must be error, warning or note, not `grave`"},
        Mistake{"severity = { WC999 = 'error' }",
                "w.toml:1:14: no rule is named `WC999`; `wheelcheck rules` lists them"},
        Mistake{"pedantic = 1", "w.toml:1:12: must be true or false, not a whole number"},
        Mistake{"own-namespaces = ['']", "w.toml:1:19: must be a text, not empty"},
        Mistake{"own-sonames = ['/usr/lib/x']",
                "w.toml:1:16: the pattern `/usr/lib/x` starts with '/', but paths in a wheel do not"},
        Mistake{
            "max-size = '600 megs'",
            "w.toml:1:12: must be a number of bytes, or a text with a unit: \"600MB\", \"600 MiB\", not `600 megs`"},
        Mistake{"max-exports = -1", "w.toml:1:15: must be a whole number from 0 to 4294967295, not -1"},
        Mistake{"leak-threshold = 1.5", "w.toml:1:18: must be a whole number from 0 to 4294967295, not a fraction"},
        Mistake{"export-budget = { '[' = 1 }", "w.toml:1:19: the pattern `[` has a '[' without its ']'"},
        Mistake{"require-cxx11-abi = 'both'", "w.toml:1:21: must be new or old, not `both`"},
        Mistake{"require-sm = ['90a']", "w.toml:1:15: must be a compute capability: \"90\" or 90, not `90a`"},
        Mistake{"policies = [1]", "w.toml:1:13: must be a path, not a whole number"},
        Mistake{"external = [{ dist = 'x' }]", "w.toml:1:13: needs a key `library`"},
        Mistake{"external = [{ library = 'l', when = 'ever' }]",
                "w.toml:1:37: must be \"optional\", or \"extra:\" and the name of an extra, not `ever`"},
        Mistake{"ignore-rule = [{ rule = 'WC1', until = '2027-01-31' }]",
                "w.toml:1:40: must be a date without quotes, as 2027-01-31, not a text"},
        Mistake{"ignore-rule = [{ rule = 'WC1', until = 2027-01-31T10:00:00 }]",
                "w.toml:1:40: must be a date without quotes, as 2027-01-31, not a time"},
        Mistake{"ignore-rule = [{ rule = 'WC1', reasn = 'x' }]",
                "w.toml:1:32: unknown key `reasn`; did you mean `reason`?"},
        Mistake{"ignore-rule = [{ rule = 'WC1', zzzzzzzz = 1 }]",
                "w.toml:1:32: unknown key `zzzzzzzz`; there are rule, path, reason or until"},
        Mistake{"overrides = [{ ignore = [] }]", "w.toml:1:14: needs a key `wheel`"},
        Mistake{"overrides = [{ wheel = '*', policies = [] }]",
                "w.toml:1:29: `policies` applies to the whole run and cannot be in an override"},
        Mistake{"overrides = [{ wheel = '*', slect = [] }]",
                "w.toml:1:29: unknown key `slect`; did you mean `select`?"},
        Mistake{"overrides = { wheel = '*' }", "w.toml:1:13: must be a list of tables, not a table"},
        Mistake{"a = 1\na = 2",
                "w.toml:2:5: is not TOML: Error while parsing key-value pair: cannot redefine existing integer 'a'"}));

TEST(Config, ShowsNothingOfAHostileNameAsItIs) {
  EXPECT_THAT(mistakes("\"\\u001b[31m\" = 1"), HasSubstr("unknown key `\\x1b[31m`"));
  EXPECT_THAT(mistakes("own-sonames = [\"\\u202e[\"]"), HasSubstr("`\\u{202e}[`"));
}

TEST(Config, CutsAFloodOfMistakes) {
  std::string text = "select = [";
  for (int i = 0; i < 500; ++i) text += "'nonsense',";
  const std::string message = mistakes(text + "]");
  EXPECT_THAT(message, HasSubstr("\nw.toml: 400 more"));
}

TEST(Config, ReadsSizesInUnits) {
  const auto size = [](const std::string& text) { return *read_good("max-size = " + text).keys.max_size; };
  EXPECT_EQ(size("7"), 7U);
  EXPECT_EQ(size("'7'"), 7U);
  EXPECT_EQ(size("'2kB'"), 2'000U);
  EXPECT_EQ(size("'3 MiB'"), 3U << 20);
  EXPECT_EQ(size("'4GB'"), 4'000'000'000U);
  EXPECT_NE(mistakes("max-size = '99999999999999999999'"), "");
  EXPECT_NE(mistakes("max-size = '99999999999999999GiB'"), "");
  EXPECT_NE(mistakes("max-size = '-1MB'"), "");
}

TEST(Config, KnowsThatAPyprojectWithoutTomlMustBeTold) {
  EXPECT_TRUE(has_section("[tool.wheelcheck]"));
  EXPECT_TRUE(has_section("= broken\n[tool.wheelcheck]"));
  EXPECT_FALSE(has_section("= broken"));  // for another program
  EXPECT_FALSE(has_section("[tool.wheelchecker]"));
  EXPECT_FALSE(has_section(""));
}

TEST(Config, FindsItsSectionHoweverItIsWritten) {
  for (const char* const text :
       {"[ tool . wheelcheck ]", "[tool.'wheelcheck']", "['tool'.\"wheelcheck\"]", "[tool]\nwheelcheck = {jobs = 1}",
        "[ \"tool\" ]\nwheelcheck.jobs = 1", "tool.wheelcheck.jobs = 1", "tool = {x = 1, wheelcheck = {jobs = 1}}",
        "[\"t\\u006fol\".wheelcheck]", "[[tool.wheelcheck.overrides]]\nwheel = '*'",
        "[tool.ruff]\n[tool.x]\n[tool\t.wheelcheck.ignore-rule]"})
    EXPECT_TRUE(has_section(text)) << text;
  for (const char* const text :
       {"[project]\nname = 'wheelcheck'\n[project.scripts]\nwheelcheck = 'a:b'\n[tool.ruff]", "[tools.wheelcheck]",
        "[tool]", "tool", "tool. ", "wheelcheck = 1", "# [tool.wheelcheck]"})
    EXPECT_FALSE(has_section(text)) << text;
}

}  // namespace
}  // namespace wheelcheck::config
