#include "tests/rules/scene.h"

namespace wheelcheck::test::platform_without_code_test {
namespace {

// A wheel whose __init__.py imports `name` at module level.
WheelFacts importing(const std::string& name, std::uint32_t attempt = no_python_index) {
  WheelFacts wheel = WheelBuilder(wheel_2_17).member("foo/__init__.py").member("foo/present.py").build();
  PythonFile file;
  for (std::uint32_t i = 0; i < wheel.members.size(); ++i)
    if (wheel.members[i].path.text() == "foo/__init__.py") file.member = MemberIndex{i};
  file.units.push_back({.name = "", .first = 0, .count = 1});
  file.events.push_back({.action = PythonAction::Import, .line = 3, .attempt = attempt, .name = name});
  wheel.python.push_back(std::move(file));
  wheel.all_python = true;
  return wheel;
}

std::vector<Finding> findings(WheelFacts wheel) { return Scene(std::move(wheel)).run("platform-without-code"); }

TEST(PlatformWithoutCode, IsAnErrorWhereAnImportCannotBeMet) {
  for (const char* const name : {"._speedups", "foo._speedups"}) {
    const auto found = findings(importing(name));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].severity, Severity::Error);
    EXPECT_EQ(evidence(found[0], "file"), "foo/__init__.py:3");
  }
}

TEST(PlatformWithoutCode, IsAWarningElse) {
  for (const char* const name : {".present", "foo.present", "numpy", "numpy.core"})
    EXPECT_EQ(findings(importing(name)).at(0).severity, Severity::Warning) << name;
  EXPECT_EQ(findings(importing("._speedups", 0)).at(0).severity, Severity::Warning) << "in a try";
}

// nvidia-cuda-profiler-api 13.5.25
TEST(PlatformWithoutCode, IsANoteForHeadersAlone) {
  const auto with = [](const std::string& other) {
    return findings(WheelBuilder(wheel_2_17).member("foo/include/foo.h").member(other).build()).at(0).severity;
  };
  EXPECT_EQ(with("foo/__init__.py"), Severity::Note);
  EXPECT_EQ(with("foo/data.bin"), Severity::Warning);
}

TEST(PlatformWithoutCode, IsSilentForStaticLibraries) {
  EXPECT_TRUE(findings(WheelBuilder(wheel_2_17).member("foo/lib/libfoo.a").build()).empty());
}

// isaacsim-code-editor 6.2.0.0 requires isaacsim-kernel==6.2.0.0.
TEST(PlatformWithoutCode, IsANoteForAPartOfAProduct) {
  const auto with = [](const std::string& requirement) {
    WheelFacts wheel = WheelBuilder(wheel_2_17).member("foo/__init__.py").build();
    wheel.metadata->version = "1.0";
    wheel.metadata->requires_dist = {"numpy", requirement};
    return findings(std::move(wheel)).at(0);
  };
  EXPECT_EQ(with("foo-kernel==1.0").severity, Severity::Note);
  EXPECT_THAT(with("foo-kernel==1.0").message, testing::EndsWith("; it requires foo-kernel of the same release"));
  EXPECT_EQ(with("foo-kernel==1.1").severity, Severity::Warning);
  EXPECT_EQ(with("foo-kernel==1.0; extra == 'x'").severity, Severity::Warning);
}

// bigdl-chronos-spark321 2.1.0: bigdl.orca is of a requirement.
TEST(PlatformWithoutCode, KnowsTheNamespaceOfARequirement) {
  const auto severity = [](const std::string& requirement) {
    WheelFacts wheel = importing("foo._speedups");
    wheel.metadata->requires_dist = {requirement};
    return findings(std::move(wheel)).at(0).severity;
  };
  EXPECT_EQ(severity("foo-speedups-spark321>=1"), Severity::Warning);
  EXPECT_EQ(severity("foo"), Severity::Error);
}

// tensorflow-federated 0.87.0 unpacks a program from data/worker_binary.xz.
TEST(PlatformWithoutCode, DoesNotSpeakOfCompressedFiles) {
  const auto found = [](const std::string& name, std::uint64_t size) {
    return findings(WheelBuilder(wheel_2_17)
                        .member("foo/__init__.py")
                        .member(name)
                        .edit([&](WheelFacts& wheel) {
                          for (MemberFacts& member : wheel.members)
                            if (member.path.text() == name) member.size = size;
                        })
                        .build())
        .at(0);
  };
  EXPECT_EQ(found("foo/worker.xz", 100'000).severity, Severity::Note);
  EXPECT_THAT(found("foo/worker.xz", 100'000).message, testing::HasSubstr("foo/worker.xz is compressed and was not"));
  EXPECT_EQ(found("foo/worker.xz", 99'999).severity, Severity::Warning);
  EXPECT_EQ(found("foo/worker.txt", 100'000).severity, Severity::Warning);
}

// multiprocess 0.70.18 has other code for CPython.
TEST(PlatformWithoutCode, LeavesTheTagOfPyPy) {
  const auto fix = [](const std::string& tags) {
    return findings(WheelBuilder("foo-1.0-" + tags + ".whl").member("foo/__init__.py").build()).at(0).fix;
  };
  EXPECT_THAT(fix("pp311-pypy311_pp73-manylinux_2_17_x86_64"), testing::Not(testing::HasSubstr("--python-tag")));
  EXPECT_THAT(fix("cp311-cp311-manylinux_2_17_x86_64"), testing::HasSubstr("--python-tag py3"));
}

TEST(PlatformWithoutCode, IsSilentWithCodeAndWithoutAPlatform) {
  EXPECT_TRUE(findings(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so)).build()).empty());
  EXPECT_TRUE(findings(WheelBuilder("foo-1.0-py3-none-any.whl").member("foo/__init__.py").build()).empty());
  EXPECT_TRUE(findings(WheelBuilder("foo-1.0-py3-none-manylinux_2_17_x86_64.whl")
                           .member("foo-1.0.dist-info/METADATA")
                           .edit([](WheelFacts& wheel) { wheel.dist_info = "foo-1.0.dist-info"; })
                           .build())
                  .empty())
      << "WC721";
  EXPECT_TRUE(findings(WheelBuilder("foo-1.0-cp311-cp311-win_amd64.whl").member("foo/__init__.py").build()).empty());
}

}  // namespace
}  // namespace wheelcheck::test::platform_without_code_test
