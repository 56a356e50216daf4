// Tests data/gpu.json and data/distributions.json: the readers are strict, and the built-in tables match their schemas.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "base/text.h"
#include "knowledge/tables.h"
#include "tests/report/schema.h"

namespace wheelcheck::knowledge {
namespace {

std::string text_of(const std::string& file) {
  std::ifstream in(WHEELCHECK_SOURCE_DIR "/data/" + file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Knowledge with_file(Knowledge knowledge, std::string_view text) {
  auto more = read_tables(text, "mine.json");
  EXPECT_TRUE(more) << more.error().message;
  return more ? merged(std::move(knowledge), std::move(*more)) : knowledge;
}

const KnownGpuLibrary* find(const Knowledge& knowledge, std::string_view stem) {
  const auto at = std::ranges::find(knowledge.gpu, stem, &KnownGpuLibrary::stem);
  return at == knowledge.gpu.end() ? nullptr : &*at;
}

std::string complaint(std::string_view text) {
  const auto read = read_tables(text, "mine.json");
  EXPECT_FALSE(read) << text;
  if (read) return "";
  EXPECT_EQ(read.error().code, ErrorCode::BadPolicy);
  return read.error().message;
}

std::string with(const std::string& more) {
  return R"({"gpu": [{"stem": "liba", "vendor": "cuda", "component": "A")" + more + "}]}";
}

TEST(GpuTable, FitsItsSchema) {
  EXPECT_EQ(test::SchemaCheck(text_of("schema/gpu.schema.json")).errors(nlohmann::json::parse(text_of("gpu.json"))),
            "");
  EXPECT_EQ(test::SchemaCheck(text_of("schema/distributions.schema.json"))
                .errors(nlohmann::json::parse(text_of("distributions.json"))),
            "");
}

TEST(GpuTable, HoldsTheLibrariesThatWheelsUseMost) {
  const Knowledge knowledge = builtin_knowledge();
  for (const char* const stem :
       {"libcuda", "libnvidia-ml", "libnvcuvid", "libnvidia-encode", "libnvidia-ptxjitcompiler", "libnvoptix"}) {
    ASSERT_NE(find(knowledge, stem), nullptr) << stem;
    EXPECT_TRUE(find(knowledge, stem)->driver) << stem;
    EXPECT_FALSE(find(knowledge, stem)->redistributable) << stem;
    EXPECT_TRUE(find(knowledge, stem)->providers.empty()) << stem;
  }
  for (const char* const stem : {"libcudart", "libnvrtc", "libcublas", "libcublasLt", "libnvJitLink", "libcupti"}) {
    ASSERT_NE(find(knowledge, stem), nullptr) << stem;
    EXPECT_TRUE(find(knowledge, stem)->major_in_soname) << stem;
    EXPECT_FALSE(find(knowledge, stem)->driver) << stem;
  }
  for (const char* const stem :
       {"libcudnn", "libcudnn_ops", "libnccl", "libnvinfer", "libcutensor", "libamdhip64", "librocblas", "libMIOpen",
        "librccl", "libhsa-runtime64", "libroctracer64", "libze_loader", "libsycl", "libOpenCL"}) {
    ASSERT_NE(find(knowledge, stem), nullptr) << stem;
    EXPECT_FALSE(find(knowledge, stem)->major_in_soname && find(knowledge, stem)->vendor == "cuda") << stem;
  }
}

TEST(GpuTable, NamesProvidersByTheToolkitsMajor) {
  const Knowledge knowledge = builtin_knowledge();
  std::map<std::string_view, std::string_view> by_major;
  for (const GpuProvider& provider : find(knowledge, "libcudart")->providers)
    by_major[provider.major] = provider.distribution;
  EXPECT_EQ(by_major, (std::map<std::string_view, std::string_view>{{"11", "nvidia-cuda-runtime-cu11"},
                                                                    {"12", "nvidia-cuda-runtime-cu12"},
                                                                    {"13", "nvidia-cuda-runtime"}}));
}

TEST(GpuTable, IsSortedAndEveryNameOnUserMachinesIsOneOfItsLibrary) {
  const Knowledge knowledge = builtin_knowledge();
  EXPECT_TRUE(std::ranges::is_sorted(knowledge.gpu, {}, &KnownGpuLibrary::stem));
  EXPECT_TRUE(std::ranges::is_sorted(knowledge.distributions, {}, &KnownDistribution::name));
  for (const KnownGpuLibrary& library : knowledge.gpu) {
    EXPECT_TRUE(library.on_user_machines.empty() ||
                library.on_user_machines.starts_with(std::string(library.stem) + ".so"))
        << library.stem;
    EXPECT_EQ(library.on_user_machines.find("{major}") != std::string::npos,
              library.major_in_soname && !library.on_user_machines.empty())
        << library.stem;
  }
}

TEST(GpuTable, AnEntryOfTheSameStemTakesThePlaceOfTheOldOne) {
  const std::size_t before = builtin_knowledge().gpu.size();
  const Knowledge knowledge = with_file(builtin_knowledge(), R"({"$comment": "ours", "gpu": [
      {"stem": "libcuda", "vendor": "cuda", "component": "ours"},
      {"stem": "libfoo_gpu", "vendor": "rocm", "component": "Foo", "majors": {"1": "6"},
       "providers": [{"distribution": "foo"}]}]})");
  EXPECT_EQ(knowledge.gpu.size(), before + 1);
  EXPECT_TRUE(std::ranges::is_sorted(knowledge.gpu, {}, &KnownGpuLibrary::stem));
  EXPECT_EQ(find(knowledge, "libcuda")->component, "ours");
  EXPECT_FALSE(find(knowledge, "libcuda")->driver);
  ASSERT_EQ(find(knowledge, "libfoo_gpu")->majors.size(), 1U);
  EXPECT_EQ(find(knowledge, "libfoo_gpu")->majors[0].toolkit, "6");
  EXPECT_EQ(find(knowledge, "libfoo_gpu")->providers[0].major, "");
}

TEST(GpuTable, OtherTablesMayStandInTheSameFile) {
  const Knowledge knowledge = with_file({}, R"({"gpu": [{"stem": "a", "vendor": "cuda", "component": "A"}],
      "distributions": [{"name": "a", "sonames": []}], "libraries": [], "stable_abi": {"PyA": "3.2"}})");
  EXPECT_EQ(knowledge.gpu.size() + knowledge.distributions.size() + knowledge.stable_abi.size(), 3U);
}

TEST(GpuTable, SaysWhereAFileIsWrong) {
  using testing::HasSubstr;
  EXPECT_THAT(complaint("{"), HasSubstr("mine.json"));
  EXPECT_THAT(complaint(R"({"gpu": 1})"), HasSubstr("mine.json: /gpu: is a number; write an array"));
  EXPECT_THAT(complaint(R"({"gpu": [1]})"), HasSubstr("/gpu/0: is a number; write an object"));
  EXPECT_THAT(complaint(R"({"gpu": [], "x": 1})"), HasSubstr("/x: is not a key"));
  EXPECT_THAT(complaint(R"({"gpu": [{}]})"), HasSubstr("/gpu/0: has no \"stem\""));
  EXPECT_THAT(complaint(with(", \"drivr\": true")), HasSubstr("/gpu/0/drivr: is not a key"));
  EXPECT_THAT(complaint(with(", \"a/b~c\": true")), HasSubstr("/gpu/0/a~1b~0c: is not a key"));
  EXPECT_THAT(complaint(with(", \"driver\": 1")), HasSubstr("/gpu/0/driver: is a number; write true or false"));
  EXPECT_THAT(complaint(with(", \"driver\": true")),
              HasSubstr("/gpu/0: is part of a driver: \"redistributable\" must be false"));
  EXPECT_THAT(complaint(with(", \"on_user_machines\": \"\"")),
              HasSubstr("/gpu/0/on_user_machines: is \"\"; it must be printable"));
  EXPECT_THAT(complaint(R"({"gpu": [{"stem": "a", "vendor": "cuda", "component": "\u00e9"}]})"),
              HasSubstr("; it must be printable ASCII"));
  EXPECT_THAT(complaint(with(", \"component\": \"B\"")), HasSubstr("has the key \"component\" twice"));
  EXPECT_THAT(complaint(with(", \"majors\": {\"x\": \"12\"}")),
              HasSubstr("/gpu/0/majors/x: has a key that is not a number"));
  EXPECT_THAT(complaint(with(", \"majors\": {\"1\": 12}")), HasSubstr("/gpu/0/majors/1: is a number; write a string"));
  EXPECT_THAT(complaint(with(", \"major_in_soname\": true, \"majors\": {\"1\": \"2\"}")),
              HasSubstr("/gpu/0: has both"));
  EXPECT_THAT(complaint(with(", \"providers\": [{\"major\": \"12\"}]")), HasSubstr("/gpu/0/providers/0: has no"));
  EXPECT_THAT(complaint(with(", \"providers\": [{\"distribution\": \"d\", \"since\": \"1\"}]")),
              HasSubstr("/gpu/0/providers/0/since: is not a key"));
  EXPECT_THAT(complaint(R"({"gpu": [{"stem": "a", "vendor": "nvidia", "component": "A"}]})"),
              HasSubstr("/gpu/0/vendor: is \"nvidia\"; it must be cuda"));
  EXPECT_THAT(complaint(R"({"gpu": [{"stem": "a", "vendor": "cuda", "component": "A"},
                                    {"stem": "a", "vendor": "cuda", "component": "A"}]})"),
              HasSubstr("/gpu/1/stem: is \"a\", as that of an earlier one"));
}

TEST(DistributionTable, SaysWhereAFileIsWrong) {
  using testing::HasSubstr;
  EXPECT_THAT(complaint(R"({"distributions": [{"name": "a"}]})"), HasSubstr("/distributions/0: has no \"sonames\""));
  EXPECT_THAT(complaint(R"({"distributions": [{"name": "a", "sonames": [1]}]})"),
              HasSubstr("/distributions/0/sonames/0: is a number; write a string"));
  EXPECT_THAT(complaint(R"({"distributions": [{"name": "a", "sonames": ["x", "x"]}]})"),
              HasSubstr("/distributions/0/sonames/1: repeats \"x\""));
}

TEST(DistributionTable, KnowsWhoHoldsALibrary) {
  const Knowledge knowledge = builtin_knowledge();
  const auto holders = [&](std::string_view soname) {
    std::set<std::string> result;
    for (const KnownDistribution& one : knowledge.distributions)
      for (const std::string_view pattern : one.sonames)
        if (glob_match(pattern, soname)) result.emplace(one.name);
    return result;
  };
  EXPECT_EQ(holders("libtorch_cpu.so"), std::set<std::string>{"torch"});
  EXPECT_EQ(holders("libarrow.so.2600"), std::set<std::string>{"pyarrow"});
  EXPECT_EQ(holders("libmkl_rt.so.2"), std::set<std::string>{"mkl"});
  EXPECT_EQ(holders("libQt6Core.so.6"), (std::set<std::string>{"pyqt6-qt6", "pyside6-essentials"}));
  EXPECT_TRUE(holders("libz.so.1").empty());
}

}  // namespace
}  // namespace wheelcheck::knowledge
