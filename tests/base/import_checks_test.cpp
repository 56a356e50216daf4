#include "model/import_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wheelcheck::test::import_checks_test {
namespace {

constexpr std::string_view abi = "module compiled against ABI version 0x%x but this version of numpy is 0x%x";
constexpr std::string_view feature =
    "module was compiled against NumPy C-API version 0x%x (NumPy 2.1) but the running NumPy has C-API version 0x%x.";

ElfFacts numpy(std::vector<std::string_view> messages, std::vector<std::string_view> modules = {},
               std::uint32_t feature_version = 0) {
  ElfFacts facts;
  facts.interfaces = {
      .numpy_messages = std::move(messages), .numpy_modules = std::move(modules), .numpy_feature = feature_version};
  return facts;
}

TEST(ImportChecks, ReadNumpysFeatureVersion) {
  const auto check = numpy_check(numpy({abi, feature}, {"numpy._core._multiarray_umath"}));
  ASSERT_TRUE(check);
  EXPECT_EQ(check->minimum, "2.1");
  EXPECT_FALSE(check->refuses_2);
  EXPECT_EQ(check->message, feature);
}

TEST(ImportChecks, KnowHeadersOfNumpy1) {
  constexpr std::string_view old = "module compiled against API version 0x%x but this version of numpy is 0x%x";
  const auto check = numpy_check(numpy({abi, old}, {"numpy.core._multiarray_umath"}));
  ASSERT_TRUE(check);
  EXPECT_EQ(check->minimum, "");
  EXPECT_TRUE(check->refuses_2);
  ElfFacts cut = numpy({abi, old});
  cut.texts.cut = true;
  EXPECT_FALSE(numpy_check(cut)->refuses_2);
}

TEST(ImportChecks, KnowTheNumpyOfAFeatureVersion) {
  constexpr std::string_view old = "module compiled against API version 0x%x but this version of numpy is 0x%x";
  const auto minimum = [&](std::uint32_t number) { return numpy_check(numpy({abi, old}, {}, number))->minimum; };
  EXPECT_EQ(minimum(13), "1.16");
  EXPECT_EQ(minimum(14), "1.20");
  EXPECT_EQ(minimum(7), "");
  EXPECT_EQ(minimum(63), "");
  EXPECT_EQ(numpy_check(numpy({abi, feature}, {}, 13))->minimum, "2.1");
}

TEST(ImportChecks, NeedBothMessagesOfNumpy) {
  EXPECT_FALSE(numpy_check(numpy({}, {"numpy._core._multiarray_umath"})));
  EXPECT_FALSE(numpy_check(numpy({abi})));
  EXPECT_EQ(numpy_check(numpy({abi, "module was compiled against NumPy C-API version 0x%x (NumPy x) but"}))->minimum,
            "");
}

TEST(ImportChecks, NameTheModulesThatCythonImports) {
  const InterfaceFacts facts{.cython_modules = {"pkg.z", "pkg.a"},
                             .imported_types = {{"pkg.a.T", 24}, {"other.T", 24}}};
  EXPECT_THAT(cython_modules(facts), testing::ElementsAre("other", "pkg.a", "pkg.z"));
}

}  // namespace
}  // namespace wheelcheck::test::import_checks_test
