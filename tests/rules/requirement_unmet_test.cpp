#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"

namespace wheelcheck::test::requirement_unmet_test {
namespace {

using namespace test;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A module that takes addresses from others.
ElfBuilder taking(const std::string& path) { return ElfBuilder(path).import("PyCapsule_Import"); }

// "one" requires something of "two", whose version is 1.0.
std::vector<Finding> found(const std::string& line, bool with_code = true) {
  const auto of = [](const std::string& name) { return wheel_of(name).elf(taking(module_file(name))); };
  const auto user = of("one").edit([&](WheelFacts& wheel) { wheel.metadata->requires_dist = {line}; });
  return played(Together({user, with_code ? of("two") : wheel_of("two")}), "requirement-unmet");
}

TEST(RequirementUnmet, NamesBothReleases) {
  const auto findings = found("two==2.*");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_EQ(findings[0].message,
            "one 1.0 requires two==2.*, and two 1.0 is here: what it needs of the other release may be missing");
  EXPECT_EQ(findings[0].fix, "pip install 'two==2.*', or a version of one that accepts two 1.0");
  const auto lower = found("Two[extra] (>=1.5)");
  ASSERT_THAT(lower, SizeIs(1));
  EXPECT_EQ(lower[0].severity, Severity::Warning);
}

// leidenalg 0.8.10 requires igraph <0.10.0 and crashes with 0.10.8; between Python code, an upper limit is caution.
TEST(RequirementUnmet, IsAnErrorForAnUpperBoundBetweenMachineCode) {
  EXPECT_EQ(found("two>=0.5,<1").at(0).severity, Severity::Error);
  EXPECT_EQ(found("two!=1.0").at(0).severity, Severity::Warning);
  EXPECT_EQ(found("two<1", false).at(0).severity, Severity::Warning);
}

// numba 0.60.0 requires llvmlite >=0.43.0dev0,<0.44, and its import refuses 0.41.1.
TEST(RequirementUnmet, IsAnErrorForARangeBetweenMachineCode) {
  EXPECT_EQ(found("two>=1.5,<2").at(0).severity, Severity::Error);
  EXPECT_EQ(found("two>=1.5,!=2.0").at(0).severity, Severity::Warning);
  // rapidfuzz 2.0.15 requires jarowinkler >=1.0.3,<1.1.0 and works with 1.0.2.
  EXPECT_EQ(found("two>=1.0.1,<2").at(0).severity, Severity::Warning);
}

// pydantic 2.12.5 has no machine code, and its import refuses every pydantic-core but 2.41.5.
TEST(RequirementUnmet, IsAnErrorWherePythonCodeNamesOneReleaseOfMachineCode) {
  const auto severity = [](const std::string& line) {
    const auto user = wheel_of("one").edit([&](WheelFacts& wheel) { wheel.metadata->requires_dist = {line}; });
    const auto core = wheel_of("two").elf(ElfBuilder(module_file("two")));
    return played(Together({user, core}), "requirement-unmet").at(0).severity;
  };
  EXPECT_EQ(severity("two==2.0"), Severity::Error);
  EXPECT_EQ(severity("two==2.*"), Severity::Warning);
  EXPECT_EQ(severity("two>=1.5,<2"), Severity::Warning);
}

// psycopg 3.2.1 and psycopg-binary 3.1.18: AttributeError. Their releases of one series work together.
TEST(RequirementUnmet, ComparesThePartThatAnExtraRequiresInTheOwnRelease) {
  const auto findings = [](const std::string& version, const std::string& line) {
    const auto user = wheel_of("one", version).edit([&](WheelFacts& wheel) { wheel.metadata->requires_dist = {line}; });
    return played(Together({user, wheel_of("two", "3.1.18").elf(ElfBuilder(module_file("two")))}), "requirement-unmet");
  };
  const std::string line = "two==3.2.1; (implementation_name != 'pypy') and extra == 'binary'";
  EXPECT_EQ(findings("3.2.1", line).at(0).severity, Severity::Error);
  EXPECT_EQ(findings("3.1.19", "two==3.1.19; extra == 'binary'").at(0).severity, Severity::Warning);
  EXPECT_THAT(findings("3.2.2", line), IsEmpty());
  EXPECT_THAT(findings("3.2.1", "two>=3.2.1; extra == 'binary'"), IsEmpty());
}

std::vector<Finding> with_check(const std::string& line, const std::string& condition, const std::string& text,
                                bool with_code) {
  WheelBuilder user = wheel_of("one");
  if (with_code) user.elf(ElfBuilder(module_file("one")));
  user.edit([&](WheelFacts& wheel) {
    wheel.metadata->requires_dist = {line};
    wheel.python.push_back({.member = MemberIndex{0}, .refusals = {{3, condition, condition + ' ' + text}}});
  });
  return played(Together({user, wheel_of("two").elf(ElfBuilder(module_file("two")))}), "requirement-unmet");
}

// numba 0.57.1 ("Numba needs NumPy 1.24 or less") and jax 0.4.30, which has no machine code.
TEST(RequirementUnmet, IsAnErrorWherePythonCodeRefusesTheRelease) {
  const std::string raise = R"(raise ImportError("One needs Two 0.9 or less: another version is here"))";
  for (const bool with_code : {true, false}) {
    const auto findings = with_check("two<1", "if two_version > (0, 9):", raise, with_code);
    ASSERT_THAT(findings, SizeIs(1));
    EXPECT_EQ(findings[0].severity, Severity::Error);
    EXPECT_EQ(findings[0].message, "one 1.0 requires two<1, and two 1.0 is here: Python code of one refuses it");
    EXPECT_EQ(findings[0].evidence.back().value, "if two_version > (0, 9): " + raise);
    EXPECT_EQ(with_check("two>=2", "if two_version < (2, 0):", raise, with_code).at(0).severity, Severity::Error);
    EXPECT_EQ(with_check("two>=2", "if version not in found:", raise, with_code).at(0).severity, Severity::Error);
    const std::string listed = "pkgs = 'python two'.split()";
    EXPECT_EQ(with_check("two>=2", "require_version_core(deps[pkg])", listed, with_code).at(0).severity,
              Severity::Error);
    // Another limit, and another project.
    EXPECT_EQ(with_check("two>=2", "if two_version > (3, 0):", raise, with_code).at(0).severity, Severity::Warning);
    for (const char* const other : {"raise ImportError('Two-Three')", "raise ImportError('twofold')"})
      EXPECT_EQ(with_check("two>=2", "if version < 2:", other, with_code).at(0).severity, Severity::Warning) << other;
  }
}

// What the modules use of the other wheel is compared by other rules: tensorflow-cpu 2.12.0 with numpy 1.24.4, onnx
// 1.13.1 with protobuf 4.25.3, spacy 3.0.9 with thinc 8.2.5. A grafted copy is no interface: leidenalg with igraph.
TEST(RequirementUnmet, IsAWarningWhereTheInterfaceFits) {
  const auto severity = [](const std::string& provider, const std::string& soname, const std::string& needed,
                           const std::string& imported, bool grafted = false) {
    ElfBuilder library = ElfBuilder("two/" + soname).soname(soname);
    if (grafted)
      library.role(BundledLibrary{});
    else
      library.role(PlainLibrary{});
    const auto user = wheel_of("one")
                          .elf(taking(module_file("one")).needed(needed).edit([&](ElfMember& file) {
                            file.facts.interfaces.imported_types = {{.name = imported, .size = 80}};
                          }))
                          .edit([&](WheelFacts& wheel) { wheel.metadata->requires_dist = {provider + "<1"}; });
    const auto other = wheel_of(provider)
                           .elf(ElfBuilder(module_file("two")).edit([&](ElfMember& file) {
                             file.facts.interfaces.defined_types = {{"two.Box", 80}};
                           }))
                           .elf(library);
    return played(Together({user, other}), "requirement-unmet").at(0).severity;
  };
  EXPECT_EQ(severity("two", "libtwo.so.1", "libc.so.6", "int.Box"), Severity::Error);
  EXPECT_EQ(severity("two", "libtwo.so.1", "libtwo.so.1", "int.Box", true), Severity::Error);
  EXPECT_EQ(severity("two", "libtwo.so", "libtwo.so", "int.Box"), Severity::Error);
  EXPECT_EQ(severity("two", "libtwo.so.1", "libtwo.so.1", "int.Box"), Severity::Warning);
  EXPECT_EQ(severity("two", "libtwo.so.1", "libc.so.6", "two.Box"), Severity::Warning);
  EXPECT_EQ(severity("numpy", "libtwo.so.1", "libc.so.6", "int.Box"), Severity::Warning);
  EXPECT_EQ(severity("protobuf", "libtwo.so.1", "libc.so.6", "int.Box"), Severity::Warning);
}

// tables 3.8.0 with blosc2 2.7.1, whose library it bundles, and econml 0.14.1 with scikit-learn 1.3.2 work.
TEST(RequirementUnmet, IsAWarningWhereOnlyPythonObjectsAreShared) {
  const auto severity = [](const std::function<void(ElfMember&)>& change, const std::string& import,
                           const std::string& needed) {
    const auto user = wheel_of("one")
                          .elf(ElfBuilder(module_file("one")).import(import).needed(needed).edit(change))
                          .edit([&](WheelFacts& wheel) { wheel.metadata->requires_dist = {"two<1"}; });
    const auto other = wheel_of("two")
                           .elf(ElfBuilder(module_file("two")))
                           .elf(ElfBuilder("two/libtwo.so").soname("libtwo.so").role(PlainLibrary{}));
    return played(Together({user, other}), "requirement-unmet").at(0).severity;
  };
  const auto nothing = [](ElfMember&) {};
  const auto numpy = [](ElfMember& file) { file.facts.interfaces.numpy_messages = {"numpy.core.multiarray failed"}; };
  const auto functions_of = [](std::string_view module) {
    return [module](ElfMember& file) {
      file.facts.interfaces.cython_messages = {"%.200s does not export expected C function %.200s"};
      file.facts.interfaces.cython_modules = {module};
    };
  };
  EXPECT_EQ(severity(nothing, "PyList_New", "libtwo-1234.so.1"), Severity::Warning);
  EXPECT_EQ(severity(numpy, "PyCapsule_GetPointer", "libc.so.6"), Severity::Warning);
  EXPECT_EQ(severity(functions_of("one.two"), "PyCapsule_GetPointer", "libc.so.6"), Severity::Warning);
  const auto types = [](ElfMember& file) { file.facts.interfaces.imported_types = {{.name = "one.Tree", .size = 80}}; };
  EXPECT_EQ(severity(types, "PyCapsule_GetPointer", "libc.so.6"), Severity::Warning);
  // leidenalg takes the address of a graph; openvino-tokenizers needs libopenvino of another release.
  EXPECT_EQ(severity(nothing, "PyCapsule_GetPointer", "libc.so.6"), Severity::Error);
  EXPECT_EQ(severity(nothing, "PyLong_AsVoidPtr", "libc.so.6"), Severity::Error);
  EXPECT_EQ(severity(nothing, "PyList_New", "libtwo.so"), Severity::Error);
  EXPECT_EQ(severity(functions_of("two"), "PyList_New", "libc.so.6"), Severity::Error);
  EXPECT_EQ(severity([](ElfMember& file) { file.facts.interfaces.pybind11_ids = {"v11"}; }, "PyList_New", "libc.so.6"),
            Severity::Error);
}

// itk-io, itk-numerics and itk 5.3.0 with itk-core 5.4.0.
TEST(RequirementUnmet, DistributionsThatRequireTheSameReleaseAreOneFinding) {
  const auto user = [](const std::string& name, const std::string& line) {
    return wheel_of(name).elf(taking(module_file(name))).edit([&](WheelFacts& wheel) {
      wheel.metadata->requires_dist = {line};
    });
  };
  const auto findings = played(Together({wheel_of("two").elf(ElfBuilder(module_file("two"))), user("a", "two==2.0"),
                                         user("b", "two==2.0"), user("c", "two==3.0")}),
                               "requirement-unmet");
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(findings[0].message,
            "a 1.0, b 1.0 require two==2.0, and two 1.0 is here: what they need of the other release may be missing");
  EXPECT_EQ(findings[0].fix, "pip install two==2.0, or versions of a, b that accept two 1.0");
}

// dwave-preprocessing 0.4.0 with dimod 0.12.3: WC548 says which type, with the same command.
TEST(RequirementUnmet, IsSilentWhereATypeHasAnotherSize) {
  const auto with_types = [](const std::string& name, const InterfaceFacts& types) {
    return wheel_of(name).elf(
        ElfBuilder(module_file(name)).edit([=](ElfMember& member) { member.facts.interfaces = types; }));
  };
  const auto findings = [&](std::uint64_t size) {
    const InterfaceFacts imported = {.imported_types = {{.name = "two.Box", .size = 96}}};
    const auto user =
        with_types("one", imported).edit([](WheelFacts& wheel) { wheel.metadata->requires_dist = {"two==2.0"}; });
    return played(Together({user, with_types("two", {.defined_types = {{"two.Box", size}}})}), "requirement-unmet");
  };
  EXPECT_THAT(findings(88), IsEmpty());
  EXPECT_THAT(findings(96), SizeIs(1));
}

// WC230 has the name of what is missing, and the same command.
TEST(RequirementUnmet, IsSilentWhereAnImportFailsForIt) {
  const auto findings = [](const std::string& needed) {
    const auto user = wheel_of("one")
                          .elf(ElfBuilder(module_file("one")).runpath("$ORIGIN/two").needed(needed))
                          .edit([](WheelFacts& wheel) { wheel.metadata->requires_dist = {"two==2.*"}; });
    const auto two = wheel_of("two").elf(ElfBuilder("two/libtwo.so.1").soname("libtwo.so.1").role(PlainLibrary{}));
    return played(Together({user, two}), "requirement-unmet");
  };
  EXPECT_THAT(findings("libtwo.so.2"), IsEmpty());
  EXPECT_THAT(findings("libtwo.so.1"), SizeIs(1));
}

TEST(RequirementUnmet, IsSilentWhereItIsMetOrNotKnown) {
  for (const char* const line : {"two", "two==1.0", "two>=0.5,<2", "three==2", "two==2; python_version < '3'",
                                 "two==2; extra == 'all'", "two @ https://example.org/two.whl", "two==x"})
    EXPECT_THAT(found(line), IsEmpty()) << line;
}

}  // namespace
}  // namespace wheelcheck::test::requirement_unmet_test
