// Tests systems with facts written in C++: what a system provides, what it lacks, and whether pip accepts the file
// name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/facts.h"
#include "wheelcheck/rule.h"
#include "wheelcheck/system_compatibility.h"

namespace wheelcheck {
namespace {

using test::ElfBuilder;
using test::WheelBuilder;
using testing::ElementsAre;
using testing::IsEmpty;
using Family = PlatformTag::Family;

constexpr const char* module_path = "foo/x.cpython-311-x86_64-linux-gnu.so";

KnownSystem glibc_system(const std::string& version, unsigned minor, const std::string& glibcxx) {
  return {.id = "ours-" + version,
          .distribution = "Ours",
          .version = version,
          .codename = "name" + version,
          .libc = Libc::Glibc,
          .libc_version = {{2, minor}},
          .nodes = {{"GLIBC", "2." + std::to_string(minor)}, {"GLIBCXX", glibcxx}, {"CXXABI", "1.3.13"}},
          .named_nodes = {"CXXABI_FLOAT128"},
          .machines = {{Arch::x86_64, {}}, {Arch::aarch64, {{"GLIBC", "2.99"}}}},
          .released = "2020-01-01",
          .support_ends = "2025-01-01",
          .basis = "made"};
}
KnownSystem musl_system() {
  KnownSystem system = glibc_system("9", 0, "3.4.30");
  system.id = "moss-9";
  system.distribution = "Moss";
  system.libc = Libc::Musl;
  system.libc_version = {{1, 2, 4}};
  system.nodes = {{"GLIBCXX", "3.4.30"}};
  return system;
}
const std::vector<KnownSystem> systems = {glibc_system("10", 36, "3.4.30"), glibc_system("9", 31, "3.4.28"),
                                          musl_system()};

using What = decltype(Requirement::what);

// A wheel of that name with one module that has these requirements; `unpromised` are those that the newest level does
// not meet.
WheelReport report_of(const std::string& file, std::vector<What> required, std::vector<std::uint32_t> unpromised = {},
                      Libc libc = Libc::Glibc, Arch arch = Arch::x86_64) {
  WheelReport report;
  report.facts = WheelBuilder(file).elf(ElfBuilder(module_path).libc(libc).arch(arch)).build();
  Assessment assessment{.family = libc == Libc::Musl ? Family::Musllinux : Family::Manylinux, .arch = arch, .files = 1};
  assessment.level_names = {"linux", "newest"};
  assessment.levels.resize(2);
  for (What& what : required) assessment.requirements.push_back({ElfIndex{0}, std::move(what)});
  for (const std::uint32_t i : unpromised) assessment.levels[1].unmet_requirements.push_back(RequirementIndex{i});
  report.assessments.push_back(std::move(assessment));
  return report;
}

constexpr const char* manylinux = "foo-1-cp311-cp311-manylinux_2_31_x86_64.whl";

// By distribution and version: Moss 9, Ours 9, Ours 10.
std::vector<Runs> runs_of(const MachineCompatibility& machine) {
  std::vector<Runs> out;
  for (const SystemCompatibility& one : machine.systems) out.push_back(one.runs);
  return out;
}
std::vector<bool> installs_of(const MachineCompatibility& machine) {
  std::vector<bool> out;
  for (const SystemCompatibility& one : machine.systems) out.push_back(!one.tags.empty());
  return out;
}
MachineCompatibility reach_on_x86(const WheelReport& report) {
  return system_compatibility_of(report, systems).machines.at(0);
}
std::vector<std::string> lacks_of(const MachineCompatibility& machine, std::size_t system) {
  std::vector<std::string> out;
  for (const std::uint32_t system_requirement : machine.systems.at(system).lacks)
    out.push_back(machine.required.at(system_requirement).name);
  return out;
}

TEST(SystemCompatibility, ComparesNodesByTheirNumbers) {
  const MachineCompatibility machine =
      reach_on_x86(report_of(manylinux, {VersionRequirement{"libc.so.6", "GLIBC_2.4", {}},
                                         VersionRequirement{"libc.so.6", "GLIBC_2.34", {"pthread_create"}},
                                         VersionRequirement{"libc.so.6", "GLIBC_2.32", {}},
                                         VersionRequirement{"libstdc++.so.6", "GLIBCXX_3.4.29", {}}}));
  EXPECT_THAT(runs_of(machine), ElementsAre(Runs::No, Runs::No, Runs::Yes));
  EXPECT_THAT(lacks_of(machine, 1), ElementsAre("GLIBC_2.34", "GLIBC_2.32", "GLIBCXX_3.4.29"));
  EXPECT_EQ(machine.required[machine.systems[1].lacks[0]].symbol, "pthread_create");
  EXPECT_THAT(installs_of(machine), ElementsAre(false, true, true));
}

TEST(SystemCompatibility, SaysOnceThatAWheelIsForAnotherCLibrary) {
  const MachineCompatibility machine =
      reach_on_x86(report_of(manylinux, {VersionRequirement{"libc.so.6", "GLIBC_2.4", {}}}));
  EXPECT_THAT(lacks_of(machine, 0), ElementsAre("glibc"));
  const MachineCompatibility musl =
      reach_on_x86(report_of("foo-1-cp311-cp311-musllinux_1_2_x86_64.whl", {}, {}, Libc::Musl));
  EXPECT_THAT(runs_of(musl), ElementsAre(Runs::Yes, Runs::No, Runs::No));
  EXPECT_THAT(installs_of(musl), ElementsAre(true, false, false));
}

WheelReport musl_report(const std::vector<std::string_view>& imports, bool relr = false) {
  WheelReport report = report_of("foo-1-cp311-cp311-musllinux_1_2_x86_64.whl", {}, {}, Libc::Musl);
  DynamicFacts dynamic;
  for (const std::string_view name : imports) dynamic.imports.push_back({.name = name, .bound = Bound::AtLoad});
  dynamic.flags.relr = relr;
  report.facts.elfs[0].facts.dynamic = dynamic;
  return report;
}

// regopy 1.4.0
TEST(SystemCompatibility, AFunctionThatOnlyGlibcHasRunsOnNoMusl) {
  const std::vector<KnownSystem> systems(1, musl_system());
  const auto of = [&](const WheelReport& report) { return system_compatibility_of(report, systems).machines.at(0); };
  WheelReport report = musl_report({"malloc", "__cxa_thread_atexit_impl"});
  const MachineCompatibility found = of(report);
  EXPECT_THAT(runs_of(found), ElementsAre(Runs::No));
  EXPECT_EQ(found.required.at(0).name, "glibc");
  EXPECT_EQ(found.required.at(0).symbol, "__cxa_thread_atexit_impl");
  report.facts.elfs[0].facts.dynamic->exports.push_back({.name = "__cxa_thread_atexit_impl"});
  EXPECT_THAT(runs_of(of(report)), ElementsAre(Runs::Yes));
}

TEST(SystemCompatibility, KnowsTheReleaseOfMuslThatAddedAName) {
  std::vector<KnownSystem> releases(3, musl_system());
  releases[0].libc_version = {{1, 2, 2}};
  releases[1].libc_version = {{1, 2, 3}};
  releases[2].libc_version = {{1, 2, 5}};
  const auto of = [&](const WheelReport& report) { return system_compatibility_of(report, releases).machines.at(0); };
  const MachineCompatibility added = of(musl_report({"qsort_r", "malloc"}));
  EXPECT_THAT(runs_of(added), ElementsAre(Runs::No, Runs::Yes, Runs::Yes));
  EXPECT_EQ(added.required.at(0).name, "musl 1.2.3");
  EXPECT_EQ(added.required.at(0).symbol, "qsort_r");
  EXPECT_THAT(runs_of(of(musl_report({"qsort_r"}, true))), ElementsAre(Runs::No, Runs::No, Runs::Yes)) << "DT_RELR";
  EXPECT_THAT(runs_of(of(musl_report({"malloc"}))), ElementsAre(Runs::Yes, Runs::Yes, Runs::Yes));
  WheelReport own = musl_report({"qsort_r"});
  own.facts.elfs[0].facts.dynamic->exports.push_back({.name = "qsort_r"});
  EXPECT_THAT(runs_of(of(own)), ElementsAre(Runs::Yes, Runs::Yes, Runs::Yes)) << "the wheel defines it";
}

TEST(SystemCompatibility, PassesOverFilesForTheOtherCLibraryWhereOneIsForThis) {
  WheelReport report = report_of(manylinux, {VersionRequirement{"libc.so.6", "GLIBC_2.34", {}}});
  report.facts = WheelBuilder(manylinux)
                     .elf(ElfBuilder("foo/a.so").libc(Libc::Glibc))
                     .elf(ElfBuilder("foo/b.so").libc(Libc::Musl))
                     .build();
  EXPECT_THAT(runs_of(reach_on_x86(report)), ElementsAre(Runs::Yes, Runs::No, Runs::Yes));
}

TEST(SystemCompatibility, KnowsNodesWithoutANumberByName) {
  const auto runs = [](const char* node) {
    return runs_of(reach_on_x86(report_of(manylinux, {VersionRequirement{"libstdc++.so.6", node, {}}}))).back();
  };
  EXPECT_EQ(runs("CXXABI_FLOAT128"), Runs::Yes);
  EXPECT_EQ(runs("CXXABI_TM_1"), Runs::No);
  EXPECT_EQ(runs("GLIBC_ABI_DT_RELR"), Runs::No);
  EXPECT_EQ(runs("GLIBC_2.x"), Runs::No);
  EXPECT_EQ(runs("GLIBC_"), Runs::No);
  EXPECT_EQ(runs("GLIBC"), Runs::No);
  EXPECT_EQ(runs("GLIBC_PRIVATE"), Runs::Depends);
  EXPECT_EQ(runs("ZLIB_1.2.9"), Runs::Depends) << "the system does not say of that family";
  EXPECT_EQ(runs("GLIBC_2.99999999999999999999999"), Runs::No);
}

TEST(SystemCompatibility, TakesTheNodesOfTheMachineBeforeThoseOfTheSystem) {
  const WheelReport report =
      report_of("foo-1-cp311-cp311-manylinux_2_31_aarch64.whl", {VersionRequirement{"libc.so.6", "GLIBC_2.98", {}}}, {},
                Libc::Glibc, Arch::aarch64);
  EXPECT_EQ(runs_of(reach_on_x86(report)).back(), Runs::Yes);
}

TEST(SystemCompatibility, LeavesOpenWhatNoLevelPromises) {
  const MachineCompatibility machine =
      reach_on_x86(report_of(manylinux,
                             {LibraryRequirement{"libc.so.6"}, LibraryRequirement{"libfoo.so.1"},
                              VersionRequirement{"libfoo.so.1", "FOO_1", {}}},
                             {1, 2}));
  ASSERT_EQ(runs_of(machine).back(), Runs::Depends);
  ASSERT_EQ(machine.systems.back().open.size(), 1u) << "where the library is, so is its node";
  EXPECT_EQ(machine.required[machine.systems.back().open[0]].name, "libfoo.so.1");
}

TEST(SystemCompatibility, TakesTheVersionOfADeniedSymbolForItsAnswer) {
  WheelReport report = report_of(
      manylinux, {SymbolRequirement{"libz.so.1", "crc32_z"}, VersionRequirement{"libz.so.1", "GLIBC_2.2.5", {}}});
  EXPECT_EQ(runs_of(reach_on_x86(report)).back(), Runs::Depends);
  auto& dynamic = *report.facts.elfs[0].facts.dynamic;
  Import import;
  import.name = "crc32_z";
  import.need = NeedIndex{0};
  dynamic.imports.push_back(import);
  EXPECT_EQ(runs_of(reach_on_x86(report)).back(), Runs::Yes);
}

TEST(SystemCompatibility, ListsTheLibrariesThatMustBeInstalled) {
  const MachineCompatibility machine = reach_on_x86(report_of(
      manylinux,
      {LibraryRequirement{"libc.so.6"}, LibraryRequirement{"libatomic.so.1"}, LibraryRequirement{"libfoo.so.1"}}, {2}));
  ASSERT_EQ(machine.to_install.size(), 1U) << "no level allows libfoo, so that is open";
  EXPECT_EQ(machine.required[machine.to_install[0]].name, "libatomic.so.1");
}

TEST(SystemCompatibility, AsksTheCpuOfTheSystemForInstructions) {
  std::vector<KnownSystem> modern = systems;
  modern[0].x86_64_level = 3;
  const WheelReport report = report_of(manylinux, {IsaRequirement{3}});
  EXPECT_THAT(runs_of(system_compatibility_of(report, modern).machines.at(0)),
              ElementsAre(Runs::No, Runs::Depends, Runs::Yes));
}

TEST(SystemCompatibility, FindsAMissingDefinitionEverywhere) {
  const WheelReport report = report_of(manylinux, {MissingVersionRequirement{"libbar.so", "BAR_2"}});
  EXPECT_THAT(runs_of(reach_on_x86(report)), ElementsAre(Runs::No, Runs::No, Runs::No));
}

TEST(SystemCompatibility, CountsTheFilesThatAsk) {
  WheelReport report = report_of(manylinux, {VersionRequirement{"libc.so.6", "GLIBC_2.34", {}}});
  report.facts = WheelBuilder(manylinux).elf(ElfBuilder("foo/a.so")).elf(ElfBuilder("foo/b.so")).build();
  report.assessments[0].requirements.push_back({ElfIndex{1}, VersionRequirement{"libc.so.6", "GLIBC_2.34", {"x"}}});
  const MachineCompatibility machine = reach_on_x86(report);
  const SystemRequirement& system_requirement =
      machine.required[machine.systems.back().lacks.empty() ? machine.required.size() - 1 : 0];
  EXPECT_EQ(system_requirement.name, "GLIBC_2.34");
  EXPECT_EQ(system_requirement.files, 2u);
  EXPECT_EQ(system_requirement.member, "foo/a.so");
}

// An error that no system mends is a reason on each, and one that depends on the machine is none.
TEST(SystemCompatibility, LacksWhatCheckReports) {
  const Rule stops{.code = "WC506", .name = "needed-unresolvable", .severity = Severity::Error, .stops_import = true};
  const Rule other{.code = "WC702", .name = "record-mismatch", .severity = Severity::Error};
  WheelReport report = report_of(manylinux, {VersionRequirement{"libc.so.6", "GLIBC_2.2.5", {}}});
  const auto found = [](const Rule& rule, Severity severity) {
    return Finding{
        .rule = &rule, .severity = severity, .place = AtElf{ElfIndex{0}}, .message = "", .evidence = {}, .fix = ""};
  };
  const auto broken = [&] {
    const MachineCompatibility machine = reach_on_x86(report);
    return std::ranges::all_of(machine.systems, [](const auto& one) { return one.runs == Runs::No; });
  };
  report.findings = {found(other, Severity::Error), found(stops, Severity::Warning)};
  EXPECT_FALSE(broken());
  report.findings = {found(stops, Severity::Error)};
  EXPECT_TRUE(broken());
  const MachineCompatibility machine = reach_on_x86(report);
  EXPECT_TRUE(std::ranges::any_of(machine.required, [](const SystemRequirement& one) {
    return one.kind == SystemRequirement::Kind::Finding && one.name == "WC506 needed-unresolvable" &&
           one.member == module_path && one.files == 1;
  })) << machine.required.size();
}

// Moss 9 has musl 1.2.4, Ours 9 glibc 2.31, Ours 10 glibc 2.36.
TEST(SystemCompatibility, LacksWhatCheckReportsOnSomeSystemsThereOnly) {
  const Rule stops{.code = "WC306", .name = "underlinked", .severity = Severity::Error, .stops_import = true};
  const auto runs = [&](const SystemCondition& on) {
    WheelReport report = report_of(manylinux, {});
    report.findings.push_back(
        {.rule = &stops, .place = AtElf{ElfIndex{0}}, .message = "", .evidence = {}, .fix = "", .on = on});
    return runs_of(reach_on_x86(report));
  };
  EXPECT_THAT(runs({.before = "2.34"}), ElementsAre(Runs::No, Runs::No, Runs::Yes));
  EXPECT_THAT(runs({.before = "2.31"}), ElementsAre(Runs::No, Runs::Yes, Runs::Yes));
  EXPECT_THAT(runs({.from = "2.36"}), ElementsAre(Runs::No, Runs::Yes, Runs::No));
  EXPECT_THAT(runs({.symbol = "_ZSt1fv", .library = "libstdc++.so.6"}),
              ElementsAre(Runs::No, Runs::Depends, Runs::Depends));
}

TEST(SystemCompatibility, LacksALibraryThatNoPackageHas) {
  std::vector<KnownSystem> two = {glibc_system("9", 31, "3.4.28"), glibc_system("10", 36, "3.4.30")};
  two[0].absent_libraries = {"libssl.so.3"};
  const WheelReport report =
      report_of(manylinux, {LibraryRequirement{"libssl.so.3"}, LibraryRequirement{"libfoo.so.1"}}, {0, 1});
  const MachineCompatibility machine = system_compatibility_of(report, two).machines.at(0);
  EXPECT_THAT(runs_of(machine), ElementsAre(Runs::No, Runs::Depends));
  EXPECT_THAT(lacks_of(machine, 0), ElementsAre("libssl.so.3"));
}

TEST(SystemCompatibility, OfAWheelWithoutCodeIsEverySystemOnce) {
  WheelReport report;
  report.facts = WheelBuilder("foo-1-py3-none-any.whl").build();
  report.verdict.pure = true;
  const WheelCompatibility reach = system_compatibility_of(report, systems);
  ASSERT_EQ(reach.machines.size(), 1u);
  EXPECT_EQ(reach.machines[0].arch, Arch::Other);
  EXPECT_THAT(runs_of(reach.machines[0]), ElementsAre(Runs::Yes, Runs::Yes, Runs::Yes));
  EXPECT_THAT(installs_of(reach.machines[0]), ElementsAre(true, true, true));
}

TEST(SystemCompatibility, LeavesOutSystemsForOtherMachines) {
  const WheelReport report = report_of("foo-1-cp311-cp311-manylinux_2_31_s390x.whl", {}, {}, Libc::Glibc, Arch::s390x);
  EXPECT_THAT(reach_on_x86(report).systems, IsEmpty());
}

struct Tag {
  const char* text;
  Arch arch;
  bool glibc, musl;  // accepted on glibc 2.36, on musl 1.2.4
};
void PrintTo(const Tag& tag, std::ostream* out) { *out << tag.text; }
class PipTakes : public testing::TestWithParam<Tag> {};

TEST_P(PipTakes, WhatPackagingTagsDoes) {
  const PlatformTag tag = parse_platform_tag(GetParam().text);
  EXPECT_EQ(pip_takes(tag, systems[0], GetParam().arch), GetParam().glibc);
  EXPECT_EQ(pip_takes(tag, systems[2], GetParam().arch), GetParam().musl);
}

INSTANTIATE_TEST_SUITE_P(
    All, PipTakes,
    testing::Values(
        Tag{"any", Arch::x86_64, true, true}, Tag{"linux_x86_64", Arch::x86_64, true, true},
        Tag{"linux_x86_64", Arch::aarch64, false, false}, Tag{"linux_x86_64_v3", Arch::x86_64, false, false},
        Tag{"manylinux_2_36_x86_64", Arch::x86_64, true, false},
        Tag{"manylinux_2_37_x86_64", Arch::x86_64, false, false},
        Tag{"manylinux_2_5_x86_64", Arch::x86_64, true, false}, Tag{"manylinux_2_4_x86_64", Arch::x86_64, false, false},
        Tag{"manylinux_3_0_x86_64", Arch::x86_64, false, false},
        Tag{"manylinux_1_9_x86_64", Arch::x86_64, false, false},
        Tag{"manylinux_2_017_x86_64", Arch::x86_64, false, false}, Tag{"manylinux1_x86_64", Arch::x86_64, true, false},
        Tag{"manylinux2014_aarch64", Arch::aarch64, true, false},
        Tag{"manylinux2010_aarch64", Arch::aarch64, false, false},
        Tag{"manylinux_2_16_aarch64", Arch::aarch64, false, false},
        Tag{"manylinux_2_31_armv6l", Arch::armv6l, false, false},
        Tag{"musllinux_1_2_x86_64", Arch::x86_64, false, true}, Tag{"musllinux_1_0_x86_64", Arch::x86_64, false, true},
        Tag{"musllinux_1_3_x86_64", Arch::x86_64, false, false},
        Tag{"musllinux_2_0_x86_64", Arch::x86_64, false, false}, Tag{"android_21_x86_64", Arch::x86_64, false, false},
        Tag{"win_amd64", Arch::x86_64, false, false}));

TEST(ChooseSystems, TakesIdsFamiliesCodenamesAndPatterns) {
  const auto chosen = [](std::vector<std::string> words) {
    std::vector<std::string> ids;
    const auto found = choose_systems(systems, words);
    for (const KnownSystem& system : *found) ids.push_back(system.id);
    return ids;
  };
  EXPECT_THAT(chosen({}), ElementsAre("ours-10", "ours-9", "moss-9"));
  EXPECT_THAT(chosen({"ours"}), ElementsAre("ours-10", "ours-9"));
  EXPECT_THAT(chosen({"ours-9", "moss"}), ElementsAre("ours-9", "moss-9"));
  EXPECT_THAT(chosen({"*-9"}), ElementsAre("ours-9", "moss-9"));
  EXPECT_THAT(chosen({"name10"}), ElementsAre("ours-10"));
}

TEST(ChooseSystems, SaysWhatIsKnownWhereAWordNamesNone) {
  const std::vector<std::string> words = {"ours", "theirs\n"};
  const auto chosen = choose_systems(systems, words);
  ASSERT_FALSE(chosen);
  EXPECT_EQ(chosen.error().code, ErrorCode::Usage);
  EXPECT_EQ(chosen.error().message,
            "no system is named theirs\\x0a; known are moss, ours, each with a version, as in debian-12");
}

}  // namespace
}  // namespace wheelcheck
