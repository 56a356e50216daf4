#include "model/import_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wheelcheck {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view abi = "module compiled against ABI version 0x%x but this version of numpy is 0x%x";
constexpr std::string_view feature =
    "module was compiled against NumPy C-API version 0x%x (NumPy 2.1) but the running NumPy has C-API version 0x%x.";

TextFacts texts(std::vector<std::string_view> list) { return {.interfaces = std::move(list)}; }

TEST(ImportChecks, ReadNumpysFeatureVersion) {
  const auto check = numpy_check(texts({abi, feature, "numpy._core._multiarray_umath"}));
  ASSERT_TRUE(check);
  EXPECT_EQ(check->minimum, "2.1");
  EXPECT_FALSE(check->refuses_2);
  EXPECT_EQ(check->message, feature);
}

TEST(ImportChecks, KnowHeadersOfNumpy1) {
  constexpr std::string_view old = "module compiled against API version 0x%x but this version of numpy is 0x%x";
  const auto check = numpy_check(texts({abi, old, "numpy.core._multiarray_umath"}));
  ASSERT_TRUE(check);
  EXPECT_EQ(check->minimum, "");
  EXPECT_TRUE(check->refuses_2);
  TextFacts cut = texts({abi, old});
  cut.cut = true;
  EXPECT_FALSE(numpy_check(cut)->refuses_2);
}

TEST(ImportChecks, KnowTheNumpyOfAFeatureVersion) {
  constexpr std::string_view old = "module compiled against API version 0x%x but this version of numpy is 0x%x";
  const auto minimum = [&](std::string_view number) { return numpy_check(texts({number, abi, old}))->minimum; };
  EXPECT_EQ(minimum("NPY_FEATURE_VERSION=13"), "1.16");
  EXPECT_EQ(minimum("NPY_FEATURE_VERSION=14"), "1.20");
  EXPECT_EQ(minimum("NPY_FEATURE_VERSION=7"), "");
  EXPECT_EQ(minimum("NPY_FEATURE_VERSION=63"), "");
  EXPECT_EQ(numpy_check(texts({"NPY_FEATURE_VERSION=13", abi, feature}))->minimum, "2.1");
}

TEST(ImportChecks, NeedBothMessagesOfNumpy) {
  EXPECT_FALSE(numpy_check(texts({"numpy._core._multiarray_umath"})));
  EXPECT_FALSE(numpy_check(texts({abi})));
  EXPECT_EQ(numpy_check(texts({abi, "module was compiled against NumPy C-API version 0x%x (NumPy x) but"}))->minimum,
            "");
}

TEST(ImportChecks, ReadIdsOfSharedState) {
  const TextFacts facts = texts({"__nb_internals_v14_x__", "__pybind11_internals_v4_gcc_libstdcpp_cxxabi1011__",
                                 "v15_system_libstdcpp_gxx_abi_1xxx"});
  EXPECT_THAT(pybind11_ids(facts), ElementsAre("v4_gcc_libstdcpp_cxxabi1011"));
  EXPECT_THAT(nanobind_ids(facts), ElementsAre("v14_x", "v15_system_libstdcpp_gxx_abi_1xxx"));
  EXPECT_THAT(pybind11_ids(texts({abi})), IsEmpty());
  EXPECT_THAT(pybind11_ids(texts({"__pybind11_internals_v12_x__", "__pybind11_internals_v12_x___call_once_storage__"})),
              ElementsAre("v12_x"));
  EXPECT_THAT(nanobind_ids(texts({abi})), IsEmpty());
}

TEST(ImportChecks, KnowCythonsSignatures) {
  EXPECT_EQ(cython_check(texts({"C %.8s %.200s.%.200s has wrong signature (expected %.500s, got %.500s)"})).front(),
            'C');
  EXPECT_EQ(cython_check(texts({abi})), "");
  EXPECT_THAT(cython_functions(texts({"capi export f: int (int)", abi})), ElementsAre("export f: int (int)"));
}

}  // namespace
}  // namespace wheelcheck
