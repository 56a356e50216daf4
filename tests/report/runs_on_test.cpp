// Tests the output of `wheelcheck runs-on` as text and JSON.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/answers/answers.h"
#include "report/shared/registry.h"
#include "tests/report/answers.h"
#include "tests/report/sample.h"
#include "tests/report/schema.h"

namespace wheelcheck::test::runs_on_test {
namespace {

using report::Compatibility;
using report::runs_on_answer;
using report::RunsOnOptions;
using testing::HasSubstr;
using testing::Not;

KnownSystem system(const std::string& distribution, const std::string& version) {
  return {.id = distribution + '-' + version,
          .distribution = distribution,
          .version = version,
          .codename = {},
          .libc = Libc::Glibc,
          .libc_version = {{2, 31}},
          .nodes = {},
          .named_nodes = {},
          .machines = {{Arch::x86_64, {}}},
          .released = {},
          .support_ends = version == "1" ? "" : "2030-01-31",
          .basis = "made"};
}
const std::vector<KnownSystem> systems = {system("Ours", "1"), system("Ours", "2"), system("Ours", "3"),
                                          system("Ours", "4"), system("Ours", "5"), system("Theirs", "1\n")};

SystemRequirement node(const std::string& name, const std::string& symbol, std::size_t files = 1) {
  return {.kind = SystemRequirement::Kind::Version,
          .name = name,
          .library = "libc.so.6",
          .member = {},
          .symbol = symbol,
          .files = files};
}
SystemCompatibility on(std::uint32_t index, Runs runs, bool installs, std::vector<std::uint32_t> lacks,
                       std::vector<std::uint32_t> open = {}) {
  return {index, runs, installs ? std::vector<std::string>{"manylinux_2_17_x86_64"} : std::vector<std::string>{},
          std::move(lacks), std::move(open)};
}

// Six systems: the first three and the fifth lack one requirement, the fourth lacks none, and the last may have a
// library.
MachineCompatibility machine() {
  MachineCompatibility result{.arch = Arch::x86_64, .required = {}, .systems = {}};
  result.required = {
      node("GLIBC_2.36", "arc4random"),
      node("GLIBC_2.34", "pthread_create", 3),
      {.kind = SystemRequirement::Kind::Library, .name = "libfoo.so.1", .library = {}, .member = {}, .symbol = {}}};
  result.systems = {on(0, Runs::No, true, {0, 1}), on(1, Runs::No, true, {0, 1}), on(2, Runs::No, true, {0, 1}),
                    on(3, Runs::Yes, false, {}),   on(4, Runs::No, true, {0}),    on(5, Runs::Depends, true, {}, {2})};
  return result;
}

std::string text(const WheelReport& wheel, MachineCompatibility one, RunsOnOptions options) {
  const Compatibility reach{wheel, {{std::move(one)}}};
  options.systems = systems;
  return as_text(runs_on_answer({&reach, 1}, options));
}

TEST(RunsOn, GathersVersionsThatLackTheSame) {
  const WheelReport wheel = broken_wheel();
  const std::string shown = text(wheel, machine(), {});
  EXPECT_THAT(shown, HasSubstr("\n  x86_64: pip installs it on 5 of 6 systems, breaks on 4, needs more on 1\n"));
  // The newest node represents the older ones of its family; a gap ends a range.
  EXPECT_THAT(shown, HasSubstr("pip installs it, and it breaks\n  Ours 1 to 3, 5  GLIBC_2.36\n"));
  EXPECT_THAT(shown, HasSubstr("it would run, but pip does not install it\n  Ours 4\n"));
  EXPECT_THAT(shown, HasSubstr("  Theirs 1\\x0a  libfoo.so.1\n"));
  EXPECT_THAT(shown, Not(HasSubstr("GLIBC_2.34")));
  EXPECT_THAT(shown, HasSubstr("\nrequired by\n  GLIBC_2.36   "));
  EXPECT_THAT(shown, HasSubstr("(arc4random)\n"));
}

TEST(RunsOn, TheLastLineAgreesWithTheExitCode) {
  const WheelReport wheel = broken_wheel();
  const std::string counts = "breaks on 4 of 5 systems on which pip installs it, needs more on 1 ";
  EXPECT_TRUE(text(wheel, machine(), {}).ends_with("\nBREAKS: " + counts + "(exit 1 with --fail-on-broken)\n"));
  EXPECT_TRUE(text(wheel, machine(), {.systems = {}, .today = {}, .fail_on_broken = true})
                  .ends_with("\nFAILED: " + counts + "(--fail-on-broken)\n"));
  MachineCompatibility good = machine();
  for (SystemCompatibility& one : good.systems) one.runs = Runs::Yes;
  EXPECT_TRUE(text(wheel, good, {}).ends_with("\nPASSED: breaks on none of 5 systems on which pip installs it\n"));
}

TEST(RunsOn, PutsWhatHurtsFirst) {
  const WheelReport wheel = broken_wheel();
  const std::string shown = text(wheel, machine(), {});
  EXPECT_LT(shown.find("it breaks\n"), shown.find("this is there too\n"));
  EXPECT_LT(shown.find("this is there too\n"), shown.find("it would run"));
}

TEST(RunsOn, SaysWhatWasLeftOut) {
  const WheelReport wheel = broken_wheel();
  EXPECT_THAT(text(wheel, machine(), {.systems = {}, .today = "2026-11-22", .ended = 2}),
              HasSubstr("\nleft out: 2 systems that were end of life by 2026-11-22\n"));
  EXPECT_THAT(text(wheel, machine(), {}), Not(HasSubstr("left out")));
}

TEST(RunsOn, SaysThatNoTagNamesTheMachine) {
  const WheelReport wheel = broken_wheel();
  const Compatibility reach{wheel, {}};
  EXPECT_THAT(as_text(runs_on_answer({&reach, 1}, {})), HasSubstr(": no platform tag names the machine of its code"));
}

TEST(RunsOn, SaysThatNoSystemIsMadeForTheMachine) {
  const WheelReport wheel = broken_wheel();
  EXPECT_THAT(text(wheel, {.arch = Arch::armv6l, .required = {}, .systems = {}}, {}),
              HasSubstr("\n  none of the systems is made for armv6l\n"));
}

TEST(RunsOn, NamesEveryKindOfAsk) {
  const WheelReport wheel = broken_wheel();
  MachineCompatibility one = machine();
  using Kind = SystemRequirement::Kind;
  one.required = {{Kind::CLibrary, "musl", "", {}, ""},
                  {Kind::Machine, "aarch64", "", {}, ""},
                  {Kind::MissingVersion, "BAR_2", "libbar.so", {}, ""},
                  {Kind::Isa, "x86-64-v3", "", {}, ""},
                  {Kind::Symbol, "inflate_fast", "libz.so.1", {}, ""},
                  {Kind::Interpreter, "PyFPE_jbuf", "", {}, ""}};
  one.systems = {on(0, Runs::No, true, {0, 1, 2, 3, 4, 5})};
  EXPECT_THAT(text(wheel, one, {}),
              HasSubstr("  Ours 1  linked for musl, code for aarch64, BAR_2 of libbar.so, a CPU of\n"
                        "          x86-64-v3, inflate_fast of libz.so.1, a CPython with PyFPE_jbuf\n"));
}

// One of each kind, and the first of them in two files.
ProcessorCompatibility lacking() {
  using When = LackingFeature::When;
  const auto one = [](When when, std::uint32_t file) {
    return LackingFeature{.when = when,
                          .file = ElfIndex{file},
                          .feature = "AVX",
                          .instruction = when == When::Call ? "" : "vaddps",
                          .function = when == When::Maybe ? "sum" : "",
                          .entry = when == When::Call ? "" : "PyInit_x",
                          .address = 64};
  };
  return {.runs = Runs::No,
          .files = 1,
          .lacking = {one(When::Import, 0), one(When::Import, 0), one(When::Refused, 0), one(When::Maybe, 0),
                      one(When::Call, 0)},
          .unread = {ElfIndex{0}},
          .not_judged = {Arch::i686}};
}
const std::vector<KnownProcessor> core2{{.names = {"core2"}, .arch = Arch::x86_64, .features = {}, .options = {}}};

std::string on_core2(ProcessorCompatibility one, bool only = true) {
  const WheelReport wheel = broken_wheel();
  const Compatibility reach{wheel, {{machine()}}, {std::move(one)}};
  RunsOnOptions options{.systems = systems};
  options.processors = core2;
  options.processors_only = only;
  return as_text(runs_on_answer({&reach, 1}, options));
}

TEST(RunsOn, SaysWhatAProcessorLacks) {
  const std::string shown = on_core2(lacking());
  EXPECT_THAT(shown, HasSubstr("\n  core2: the import fails\n    executes vaddps (AVX) at 0x40 of "));
  EXPECT_THAT(shown, HasSubstr("can reach vaddps (AVX) at 0x40 of "));
  EXPECT_THAT(shown, HasSubstr("from PyInit_x and 1 more file\n"));
  EXPECT_THAT(shown, HasSubstr("    glibc 2.33 and newer does not load "));
  EXPECT_THAT(shown, HasSubstr("was not read to its end\n"));
  EXPECT_THAT(shown, HasSubstr("FAILED: the import fails on core2"));
  EXPECT_THAT(shown, Not(HasSubstr("pip installs it on")));
  EXPECT_THAT(on_core2(lacking(), false), HasSubstr("pip installs it on 5 of 6 systems"));
  EXPECT_THAT(on_core2(lacking(), false), HasSubstr("; the import fails on a processor"));
  EXPECT_THAT(on_core2({.runs = Runs::Yes, .files = 1, .lacking = {}, .unread = {}, .not_judged = {}}),
              HasSubstr("  core2: nothing found: no direct call of the import leads to what it lacks\n"));
  EXPECT_THAT(on_core2({.runs = Runs::Yes, .files = 0, .lacking = {}, .unread = {}, .not_judged = {}}),
              HasSubstr("  core2: works: the wheel has no machine code\n"));
  const std::string other = on_core2(
      {.runs = Runs::Depends, .files = 0, .lacking = {}, .unread = {}, .not_judged = {Arch::ppc64le, Arch::s390x}});
  EXPECT_THAT(other, HasSubstr("  core2: not known: no code for x86_64, but for ppc64le, s390x;"));
}

TEST(RunsOn, FitsItsSchema) {
  const WheelReport wheel = broken_wheel();
  const Compatibility reaches[] = {{wheel, {{machine()}}, {lacking()}}, {wheel, {}}};
  const std::string shown =
      as_json(runs_on_answer(reaches, {.systems = systems, .today = "2026-11-22", .ended = 1, .processors = core2}));
  const nlohmann::json document = nlohmann::json::parse(shown);
  EXPECT_EQ(SchemaCheck(report::find_schema("runs-on")).errors(document), "");
  EXPECT_EQ(document["wheels"][0]["machines"][0]["systems"][0]["lacks"], nlohmann::json({0, 1}));
  EXPECT_EQ(document["wheels"][0]["machines"][0]["systems"][0]["support_ends"], nullptr);
  EXPECT_EQ(document["wheels"][1]["machines"], nlohmann::json::array());
  const nlohmann::json& processor = document["wheels"][0]["processors"][0];
  EXPECT_EQ(processor["runs"], "no");
  EXPECT_EQ(processor["lacks"][0]["when"], "import");
  EXPECT_EQ(processor["lacks"][2]["when"], "refused");
  EXPECT_EQ(processor["not_judged"], nlohmann::json({"i686"}));
}

}  // namespace
}  // namespace wheelcheck::test::runs_on_test
