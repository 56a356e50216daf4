// Tests the analysis in the JSON report.
#include <gtest/gtest.h>

#include "report/shared/registry.h"
#include "tests/report/analysed.h"
#include "tests/report/schema.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::test::json_analysis_test {
namespace {

nlohmann::json wheel_json(WheelReport wheel) {
  const nlohmann::json document = nlohmann::json::parse(find_renderer("json")->render(report_of(std::move(wheel)), {}));
  EXPECT_EQ(SchemaCheck(report::find_schema("json")).errors(document), "");
  return document["wheels"][0];
}

nlohmann::json file_json(WheelReport wheel, const std::string& path) {
  const nlohmann::json all = wheel_json(std::move(wheel));
  for (const nlohmann::json& file : all["elf_files"])
    if (file["member"] == path) return file;
  return nullptr;
}

TEST(JsonAnalysis, CountsExportsByScopeAndLibrary) {
  const nlohmann::json exports = file_json(leaking_wheel(), leaking_so)["exports"];
  EXPECT_EQ(exports["all"], 70);
  EXPECT_EQ(exports["scopes"][0], nlohmann::json({{"scope", "llvm"}, {"exports", 40}, {"rtti", 4}, {"own", false}}));
  EXPECT_EQ(exports["scopes"][1]["own"], true);
  EXPECT_EQ(exports["libraries"][1]["name"], "zlib");
  EXPECT_EQ(exports["libraries"][0]["examples"][0], "_ZN4llvm19raw_svector_ostream10write_implEPKcm");
  EXPECT_EQ(file_json(leaking_wheel(), zlib_so)["exports"]["libraries"][0]["itself"], true);
}

TEST(JsonAnalysis, TellsLibrariesWithVersionAndEvidence) {
  const nlohmann::json libraries = file_json(leaking_wheel(), leaking_so)["libraries"];
  EXPECT_EQ(libraries[0]["version"], "22.1.0");
  EXPECT_EQ(libraries[0]["confidence"], "medium");
  EXPECT_EQ(libraries[0]["evidence"][0], nlohmann::json({{"what", "string"}, {"text", "22.1.0"}}));
  EXPECT_EQ(libraries[1]["version"], nullptr);
}

TEST(JsonAnalysis, TellsTheAbiTheCompilersAndTheDeviceCode) {
  const nlohmann::json file = file_json(leaking_wheel(), leaking_so);
  EXPECT_EQ(file["cxx_abi"]["runtime"], "libstdc++-hybrid");
  EXPECT_EQ(file["cxx_abi"]["string_abi"], nlohmann::json({{"defined", "both"}, {"imported", "none"}}));
  EXPECT_EQ(file["cxx_abi"]["symbols"]["defined_new"], 5);
  EXPECT_EQ(file["cxx_abi"]["compilers"][1]["version"], "18.1.8");
  EXPECT_EQ(file["device_code"]["images"][1]["target"], "sm_90a");
  EXPECT_EQ(file["sections"]["debug_bytes"], 123456);
  EXPECT_EQ(file["texts"]["libraries"][0], "libcuda.so.1");
  EXPECT_EQ(file["texts"]["versions"], 1);
  EXPECT_EQ(file["gil_slot"], true);
  EXPECT_EQ(file["dynamic"]["static_tls_relocations"], 2);
  EXPECT_EQ(file["dynamic"]["exports"], 4);  // a number, as before the analysis existed
}

TEST(JsonAnalysis, TellsWhatThePythonCodeLoads) {
  const nlohmann::json wheel = wheel_json(leaking_wheel());
  EXPECT_EQ(wheel["own_scopes"], nlohmann::json({"mixer"}));
  EXPECT_EQ(wheel["gpu"][0]["use"], "dlopen");
  EXPECT_EQ(wheel["gpu"][0]["member"], leaking_so);
  EXPECT_EQ(wheel["gpu"][0]["line"], nullptr);
  EXPECT_EQ(wheel["python"][0]["member"], "mixer/__init__.py");
  const nlohmann::json call = wheel["python"][0]["calls"][0];
  EXPECT_EQ(call["call"], "ctypes.CDLL");
  EXPECT_EQ(call["flags"], 0x102);
  EXPECT_EQ(call["reach"], "certain");
}

TEST(JsonAnalysis, CutsLongListsAndSaysByHowMuch) {
  WheelReport wheel = leaking_wheel();
  ExportSummary& exports = wheel.analysis.elfs[elf_at(wheel.facts, leaking_so).value].exports;
  exports.scopes.clear();
  for (int i = 0; i < 120; ++i) exports.scopes.push_back({"scope" + std::to_string(i), 1, 0, false});
  const nlohmann::json shown = file_json(std::move(wheel), leaking_so)["exports"];
  EXPECT_EQ(shown["scopes"].size(), 50u);
  EXPECT_EQ(shown["more_scopes"], 70);
}

TEST(JsonAnalysis, EveryRuntimeAndUseHasItsWord) {
  for (int i = 0; i <= static_cast<int>(CxxRuntime::Undecided); ++i) {
    WheelReport wheel = leaking_wheel();
    wheel.analysis.elfs[0].cxx.runtime = static_cast<CxxRuntime>(i);
    wheel.analysis.gpu[0].use = static_cast<GpuUse>(i % 6);
    wheel_json(std::move(wheel));
  }
}

TEST(JsonAnalysis, ANewKeyNeedsAPlaceInTheSchema) {
  const SchemaCheck schema(report::find_schema("json"));
  const nlohmann::json good = nlohmann::json::parse(find_renderer("json")->render(report_of(leaking_wheel()), {}));
  const std::string file = good["wheels"][0]["elf_files"][0]["member"] == leaking_so ? "/elf_files/0" : "/elf_files/1";
  for (const std::string& below :
       {file + "/exports", file + "/exports/scopes/0", file + "/exports/libraries/0", file + "/libraries/0",
        file + "/libraries/0/evidence/0", file + "/cxx_abi", file + "/cxx_abi/symbols", file + "/cxx_abi/compilers/0",
        file + "/cxx_abi/string_abi", file + "/device_code", file + "/device_code/images/0", file + "/sections",
        file + "/texts", std::string("/gpu/0"), std::string("/python/0"), std::string("/python/0/calls/0")}) {
    nlohmann::json bad = good;
    bad[nlohmann::json::json_pointer("/wheels/0" + below)]["surprise"] = 1;
    EXPECT_NE(schema.errors(bad), "") << below;
  }
}

}  // namespace
}  // namespace wheelcheck::test::json_analysis_test
