#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"

namespace wheelcheck::test::numpy_mismatch_test {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view abi = "module compiled against ABI version 0x%x but this version of numpy is 0x%x";
const InterfaceFacts of_numpy_1 = {
    .numpy_messages = {abi, "module compiled against API version 0x%x but this version of numpy is 0x%x"},
    .numpy_modules = {"numpy.core._multiarray_umath"}};
const InterfaceFacts of_1_23 = {.numpy_messages = {abi,
                                                   "module was compiled against NumPy C-API version 0x%x (NumPy 1.23) "
                                                   "but the running NumPy has C-API version 0x%x."},
                                .numpy_modules = {"numpy._core._multiarray_umath"}};

Together with_numpy(const std::string& version, const InterfaceFacts& interfaces,
                    const std::optional<InterfaceFacts>& others = {}) {
  WheelBuilder user = wheel_of("user");
  const auto add = [&](const std::string& name, const InterfaceFacts& which) {
    user.elf(ElfBuilder(module_file(name)).edit([which](ElfMember& member) { member.facts.interfaces = which; }));
  };
  add("user/_m", interfaces);
  if (others) add("user/_other", *others);
  return Together({wheel_of("numpy", version).elf(ElfBuilder(module_file("numpy/_core"))), user});
}

TEST(NumpyMismatch, FiresOnNumpy2ForModulesOfNumpy1) {
  const auto findings = played(with_numpy("2.1.0", of_numpy_1), "numpy-mismatch");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_EQ(findings[0].message, "user 1.0 refuses numpy 2.1.0");
  EXPECT_THAT(findings[0].fix, HasSubstr("pip install 'numpy<2'"));
}

TEST(NumpyMismatch, WarnsOfAnOldPybind11WithNumpy2) {
  const InterfaceFacts old = {.numpy_modules = {"numpy.core.multiarray"},
                              .pybind11_ids = {"v4_gcc_libstdcpp_cxxabi1013"}};
  const auto findings = played(with_numpy("2.0.0", old), "numpy-mismatch");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_EQ(
      findings[0].message,
      "functions of user 1.0 with arrays may crash: it was compiled with a pybind11 before 2.12, which knows only "
      "NumPy 1, and numpy 2.0.0 is here");
  EXPECT_THAT(played(with_numpy("1.26.4", old), "numpy-mismatch"), IsEmpty());
}

// gtsam 4.2, pycolmap 0.6.1 and pyceres 2.3: a segmentation fault with NumPy 2, of pyceres in few functions.
TEST(NumpyMismatch, FiresOnMatricesOfAnOldPybind11WithNumpy2) {
  InterfaceFacts old = {.numpy_modules = {"numpy.core.multiarray"},
                        .pybind11_ids = {"v4_gcc_libstdcpp_cxxabi1013"},
                        .eigen_matrices = 39};
  const auto findings = played(with_numpy("2.0.0", old), "numpy-mismatch");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_THAT(findings[0].message, HasSubstr("functions of user 1.0 that take a matrix crash: it was compiled with"));
  EXPECT_THAT(findings[0].fix, HasSubstr("pip install 'numpy<2'"));
  EXPECT_THAT(played(with_numpy("1.26.4", old), "numpy-mismatch"), IsEmpty());
  old.eigen_matrices = 2;
  EXPECT_EQ(played(with_numpy("2.0.0", old), "numpy-mismatch")[0].severity, Severity::Warning);
  const InterfaceFacts later = {.pybind11_ids = {"v5_gcc_libstdcpp_cxxabi1016"}, .eigen_matrices = 2};
  EXPECT_THAT(played(with_numpy("2.0.0", later), "numpy-mismatch"), IsEmpty());
}

TEST(NumpyMismatch, FiresOnAnOlderNumpyThanTheHeaders) {
  const auto findings = played(with_numpy("1.22.4", of_1_23), "numpy-mismatch");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].fix, HasSubstr("pip install 'numpy>=1.23'"));
}

// cv2 imports its only module by a computed name. The modules of a package that certainly imports others are optional.
TEST(NumpyMismatch, IsAWarningWhereOnlyOtherImportsAreCertain) {
  const auto severity = [](Together together) {
    const auto findings = played(together.maybe(module_file("user/_m")), "numpy-mismatch");
    return findings.size() == 1 ? findings[0].severity : Severity::Note;
  };
  EXPECT_EQ(severity(with_numpy("2.1.0", of_numpy_1)), Severity::Error);
  EXPECT_EQ(severity(with_numpy("2.1.0", of_numpy_1, InterfaceFacts{})), Severity::Warning);
}

TEST(NumpyMismatch, IsAWarningForTheCheckOfALibrary) {
  WheelBuilder user = wheel_of("user").elf(ElfBuilder(module_file("user/_m")));
  user.elf(ElfBuilder("user/libarrow_python.so").role(PlainLibrary{}).edit([](ElfMember& member) {
    member.facts.interfaces = of_numpy_1;
  }));
  const auto findings = played(Together({wheel_of("numpy", "2.1.0").elf(ElfBuilder(module_file("numpy/_core"))), user}),
                               "numpy-mismatch");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Warning);
}

// pyarrow 14.0.2: pyarrow.lib calls arrow_init_numpy of libarrow_python.so when it is imported. torch handles the
// exception.
TEST(NumpyMismatch, IsAnErrorForTheCheckOfALibraryThatAModuleAsksForNumpy) {
  const auto severity = [](const std::string& function) {
    ElfBuilder library("user/libarrow_python.so");
    library.soname("libarrow_python.so").role(PlainLibrary{}).exports(function).edit([](ElfMember& member) {
      member.facts.interfaces = of_numpy_1;
    });
    WheelBuilder user = wheel_of("user").elf(library).elf(
        ElfBuilder(module_file("user/_lib")).needed("libarrow_python.so").runpath("$ORIGIN").import(function));
    return played(Together({wheel_of("numpy", "2.1.0").elf(ElfBuilder(module_file("numpy/_core"))), user}),
                  "numpy-mismatch")
        .at(0)
        .severity;
  };
  EXPECT_EQ(severity("arrow_init_numpy"), Severity::Error);
  EXPECT_EQ(severity("arrow_wrap_numpy"), Severity::Warning);
  EXPECT_EQ(severity("arrow_init"), Severity::Warning);
}

TEST(NumpyMismatch, IsSilentWhereOneModuleFitsAndWithoutNumpy) {
  EXPECT_THAT(played(with_numpy("1.26.4", of_numpy_1), "numpy-mismatch"), IsEmpty());
  EXPECT_THAT(played(with_numpy("2.1.0", of_1_23), "numpy-mismatch"), IsEmpty());
  EXPECT_THAT(played(with_numpy("1.22.4", of_1_23, of_numpy_1), "numpy-mismatch"), IsEmpty());
  EXPECT_THAT(played(Together({wheel_of("other").elf(ElfBuilder(module_file("other/_m")))}), "numpy-mismatch"),
              IsEmpty());
}

}  // namespace
}  // namespace wheelcheck::test::numpy_mismatch_test
