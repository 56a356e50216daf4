// Tests the comparison of symbols, findings, metadata and sizes of two releases.
#include "tests/diff/support.h"

namespace wheelcheck::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

ElfBuilder module() { return ElfBuilder(module_so); }

std::vector<std::string> groups(const SymbolChange& change) {
  std::vector<std::string> out;
  for (const SymbolGroup& one : change.groups)
    out.push_back(std::string(name_of(one.kind)) + " " + one.name + " +" + std::to_string(one.gained) + " -" +
                  std::to_string(one.lost));
  return out;
}

TEST(Symbols, AreCountedByOwnerMostChangesFirst) {
  const Diff diff = difference(
      release("1.0").elf(module().exports("PyInit__x").exports("_ZN3foo1aEv").exports("_ZN3foo1bEv").exports("gone")),
      release("1.1").elf(
          module().exports("PyInit__x").exports("_ZN3foo1cEv").exports("_ZN3foo1bEv").exports("inflate")));
  EXPECT_EQ(diff.exports.count.old, 4U);
  EXPECT_EQ(diff.exports.count.now, 4U);
  EXPECT_EQ(diff.exports.gained, 2U);
  EXPECT_EQ(diff.exports.lost, 2U);
  EXPECT_THAT(groups(diff.exports), ElementsAre("namespace foo +1 -1", "library zlib +1 -0", "c  +0 -1"));
  EXPECT_THAT(diff.exports.groups[2].lost_names, ElementsAre("gone"));
  EXPECT_THAT(diff.exports.files, IsEmpty());  // the same number as before
}

TEST(Symbols, ThatMovedToAnotherFileAreThere) {
  const Diff diff = difference(release("1.0").elf(module().exports("shared")).elf(ElfBuilder("pkg/liba.so")),
                               release("1.1").elf(module()).elf(ElfBuilder("pkg/liba.so").exports("shared")));
  EXPECT_EQ(diff.exports.gained + diff.exports.lost, 0U);
  ASSERT_EQ(diff.exports.files.size(), 2U);
}

TEST(Symbols, ImportsAreThoseThatNoFileOfTheWheelDefines) {
  const Diff diff = difference(
      release("1.0").elf(module()).elf(ElfBuilder("pkg/liba.so").exports("of_a")),
      release("1.1")
          .elf(module().import("of_a").import("PyList_New").import("memfd_create", "libc.so.6", "GLIBC_2.27"))
          .elf(ElfBuilder("pkg/liba.so").exports("of_a")));
  EXPECT_THAT(groups(diff.imports), testing::UnorderedElementsAre("python  +1 -0", "platform libc.so.6 +1 -0"));
}

TEST(Symbols, OfDeviceCodeAreNobodys) {
  const Diff diff = difference(
      release("1.0").elf(module()),
      release("1.1").elf(module()).elf(ElfBuilder("pkg/kernel.so").use(MachineUse::Device).exports("kernel")));
  EXPECT_EQ(diff.exports.gained, 0U);
}

WheelReport with_findings(const WheelBuilder& builder, std::vector<Finding> findings) {
  WheelReport out = with_facts(builder.build());
  out.findings = std::move(findings);
  return out;
}
Finding finding(const Rule& rule, Severity severity, Place place, std::string subject = "s") {
  return {.rule = &rule,
          .severity = severity,
          .place = std::move(place),
          .message = "m",
          .evidence = {{"library", std::move(subject)}}};
}
std::vector<std::string> changes(const Diff& diff) {
  std::vector<std::string> out;
  for (const FindingChange& change : diff.findings.changes)
    out.push_back(std::string(name_of(change.course)) + " " + std::string(name_of(change.severity)) + " " +
                  std::string(change.rule->code) + " " + change.path);
  return out;
}

TEST(Findings, AreNewFixedOrUnchanged) {
  const WheelBuilder old = release("1.0").elf(module()), now = release("1.1").elf(module());
  const AtElf x{ElfIndex{0}};
  const Diff diff = difference(with_findings(old, {finding(not_allowed, Severity::Error, x, "libtiff.so.6"),
                                                   finding(empty_runpath, Severity::Warning, x)}),
                               with_findings(now, {finding(not_allowed, Severity::Error, x, "libexpat.so.1"),
                                                   finding(empty_runpath, Severity::Warning, x)}));
  EXPECT_THAT(changes(diff), ElementsAre("new error WC103 " + module_so, "fixed error WC103 " + module_so));
  EXPECT_THAT(diff.findings.unchanged, ElementsAre(0U, 1U, 0U));
  EXPECT_TRUE(diff.findings.failed);
}

TEST(Findings, FollowTheirFile) {
  const WheelBuilder old = release("1.0").elf(ElfBuilder("pkg/core/_x.cpython-311-x86_64-linux-gnu.so"));
  const WheelBuilder now = release("1.1").elf(ElfBuilder("pkg/_core/_x.cpython-312-x86_64-linux-gnu.so"));
  const AtElf x{ElfIndex{0}};
  const Diff diff = difference(with_findings(old, {finding(too_new, Severity::Error, x)}),
                               with_findings(now, {finding(too_new, Severity::Error, x)}));
  EXPECT_THAT(changes(diff), IsEmpty());
  EXPECT_FALSE(diff.findings.failed);
}

TEST(Findings, ThatGotWorseCountAsNew) {
  const WheelBuilder builder = release("1.0").elf(module());
  const Finding mild = finding(too_new, Severity::Note, WholeWheel{}),
                bad = finding(too_new, Severity::Error, WholeWheel{});
  const Diff worse = difference(with_findings(builder, {mild}), with_findings(builder, {bad}));
  EXPECT_THAT(changes(worse), ElementsAre("worse error WC102 "));
  EXPECT_EQ(worse.findings.changes[0].before, Severity::Note);
  EXPECT_TRUE(worse.findings.failed);
  const Diff milder = difference(with_findings(builder, {bad}), with_findings(builder, {mild}));
  EXPECT_THAT(changes(milder), ElementsAre("milder note WC102 "));
  EXPECT_FALSE(milder.findings.failed);
}

TEST(Findings, FailFromTheSeverityThatTheNewReleaseFailsAt) {
  const WheelReport old = with_findings(release("1.0"), {});
  WheelReport now = with_findings(release("1.1"), {finding(empty_runpath, Severity::Warning, WholeWheel{})});
  EXPECT_FALSE(difference(old, now).findings.failed);
  now.fail_on = Severity::Warning;
  EXPECT_TRUE(difference(old, now).findings.failed);
  now.fail_on = std::nullopt;
  EXPECT_FALSE(difference(old, now).findings.failed);
}

TEST(Findings, TheSameTwiceAreTwo) {
  const WheelBuilder builder = release("1.0").elf(module());
  const Finding one = finding(too_new, Severity::Error, WholeWheel{});
  EXPECT_THAT(changes(difference(with_findings(builder, {one}), with_findings(builder, {one, one}))),
              ElementsAre("new error WC102 "));
}

TEST(Findings, OfAFileThatIsGoneAreFixed) {
  const Diff diff =
      difference(with_findings(release("1.0").elf(module()), {finding(too_new, Severity::Error, AtElf{ElfIndex{0}})}),
                 with_findings(release("1.1"), {}));
  EXPECT_THAT(changes(diff), ElementsAre("fixed error WC102 " + module_so));
}

WheelBuilder requiring(const char* number, std::string python, std::vector<std::string> dependencies) {
  return release(number).edit([=](WheelFacts& wheel) {
    wheel.metadata->requires_python = python;
    wheel.metadata->requires_dist = dependencies;
  });
}

TEST(MetadataOfReleases, DependenciesArePairedByProjectAndExtra) {
  const Diff diff =
      difference(requiring("1.0", ">=3.8", {"numpy>=1.20", "six", "torch>=1; extra == 'gpu'", "unchanged"}),
                 requiring("1.1", ">=3.10", {"NumPy>=2", "torch>=2; extra == 'gpu'", "absl-py", "unchanged"}));
  EXPECT_EQ(diff.metadata.requires_python.old, ">=3.8");
  EXPECT_EQ(diff.metadata.requires_python.now, ">=3.10");
  std::vector<std::string> lines;
  for (const Both<std::string>& line : diff.metadata.dependencies) lines.push_back(line.old + " -> " + line.now);
  EXPECT_THAT(lines, ElementsAre(" -> absl-py", "numpy>=1.20 -> NumPy>=2", "six -> ",
                                 "torch>=1; extra == 'gpu' -> torch>=2; extra == 'gpu'"));
}

TEST(MetadataOfReleases, AnotherSpellingIsNoChange) {
  const Diff diff = difference(
      requiring("1.0", "",
                {"absl-py (>=1.0.0)", "gast (!=0.5.0,>=0.2.1)", "x ; extra == 'a'", "w>=1; os_name == 'nt'"}),
      requiring("1.1", "", {"absl_py>=1.0.0", "gast >=0.2.1, !=0.5.0", "x; extra == \"a\"", "w>=2; os_name == 'nt'"}));
  EXPECT_THAT(diff.metadata.dependencies, IsEmpty());
}

WheelBuilder checking_numpy(const char* number, std::string_view message) {
  return release(number).elf(module()).edit([=](WheelFacts& wheel) {
    wheel.metadata->requires_dist = {"numpy>=1.20"};
    wheel.elfs.front().role = ExtensionModule{"pkg.x", 3, false};
    wheel.elfs.front().facts.interfaces = {.numpy_messages = {"module compiled against ABI version 0x%x", message},
                                           .numpy_modules = {"numpy._core._multiarray_umath"}};
  });
}

TEST(MetadataOfReleases, NameTheNumpyThatModulesRequire) {
  constexpr std::string_view low = "module was compiled against NumPy C-API version 0x%x (NumPy 1.20) but";
  constexpr std::string_view high = "module was compiled against NumPy C-API version 0x%x (NumPy 2.1) but";
  const Diff diff = difference(checking_numpy("1.0", low), checking_numpy("1.1", high));
  ASSERT_EQ(diff.metadata.import_floors.size(), 1U);
  EXPECT_EQ(diff.metadata.import_floors[0].minimum.old, "1.20");
  EXPECT_EQ(diff.metadata.import_floors[0].minimum.now, "2.1");
  EXPECT_EQ(diff.metadata.import_floors[0].requirement, "numpy>=1.20");
  EXPECT_THAT(difference(checking_numpy("1.0", low), checking_numpy("1.1", low)).metadata.import_floors, IsEmpty());
}

TEST(SizesOfReleases, LargeMembersByNameTheOthersByFolder) {
  const Diff diff = difference(release("1.0").member("pkg/a.bin", 1'000'000).member("pkg/include/one.h", 100),
                               release("1.1")
                                   .member("pkg/a.bin", 3'000'000)
                                   .member("pkg/include/one.h", 120)
                                   .member("pkg/include/deep/two.h", 50));
  ASSERT_EQ(diff.sizes.members.size(), 1U);
  EXPECT_EQ(diff.sizes.members[0].path.now, "pkg/a.bin");
  EXPECT_EQ(diff.sizes.members[0].bytes.now - diff.sizes.members[0].bytes.old, 2'000'000U);
  ASSERT_EQ(diff.sizes.folders.size(), 1U);
  EXPECT_EQ(diff.sizes.folders[0].folder, "pkg/include");
  EXPECT_EQ(diff.sizes.folders[0].files.now, 2U);
  EXPECT_EQ(diff.sizes.folders[0].bytes.now, 170U);
}

// The sizes of the sections and of what is in none add up to the files.
TEST(SizesOfReleases, SectionsAndGpuCodeOfAllFiles) {
  const auto wheel = [](const char* number, std::uint64_t text, std::uint64_t unpacked) {
    const auto file = [=](const std::string& path) {
      return ElfBuilder(path).edit([=](ElfMember& m) {
        m.facts.sections.sizes = {{".rodata", 10}, {".text", text}};
        m.facts.device.images = {{DeviceImage::Kind::Cubin, "sm_90", 1, 7, unpacked}};
      });
    };
    return release(number).elf(file(module_so)).elf(file("pkg/libx.so")).edit([](WheelFacts& facts) {
      for (const ElfMember& elf : facts.elfs) facts.members[elf.member.value].size = 1000;
    });
  };
  const SizeChanges sizes = difference(wheel("1.0", 100, 50), wheel("1.1", 300, 70)).sizes;
  const auto told = [](const std::vector<SizePart>& parts) {
    std::string out;
    for (const SizePart& part : parts)
      out += part.name + ' ' + std::to_string(part.bytes.old) + ' ' + std::to_string(part.bytes.now) + ' ' +
             std::to_string(part.unpacked.old) + ' ' + std::to_string(part.unpacked.now) + '\n';
    return out;
  };
  EXPECT_EQ(told(sizes.sections), " 1780 1380 0 0\n.text 200 600 0 0\n.rodata 20 20 0 0\n");
  EXPECT_EQ(told(sizes.gpu_code), "sm_90 14 14 100 140\n");
}

TEST(SizesOfReleases, OtherBytesOfTheSameSizeAreCounted) {
  const auto wheel = [](const char* number, const char* hash) {
    return release(number).member("pkg/a.py", 10).edit([=](WheelFacts& facts) {
      for (MemberFacts& member : facts.members)
        if (member.path.text() == "pkg/a.py") member.sha256 = hash;
    });
  };
  EXPECT_EQ(difference(wheel("1.0", "11"), wheel("1.1", "22")).sizes.rewritten, 1U);
  EXPECT_EQ(difference(wheel("1.0", "11"), wheel("1.1", "11")).sizes.rewritten, 0U);
  EXPECT_EQ(difference(wheel("1.0", "11"), wheel("1.1", "")).sizes.rewritten, 0U);  // not hashed
}

}  // namespace
}  // namespace wheelcheck::test
