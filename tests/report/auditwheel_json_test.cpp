// Tests the replacement for `auditwheel show --json`: its three forms (auditwheel 6.8, show-schema.json, version 1).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/report/golden.h"
#include "tests/report/sample.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::test::auditwheel_json_test {
namespace {

using testing::ElementsAre;

std::string rendered(const Report& report) { return find_renderer("auditwheel-json")->render(report, {}); }
nlohmann::json json_of(const Report& report) { return nlohmann::json::parse(rendered(report)); }

std::vector<std::string> keys(const nlohmann::json& object) {
  std::vector<std::string> out;
  for (const auto& [key, value] : object.items()) out.push_back(key);
  return out;
}

TEST(AuditwheelJson, IsTheDocumentInTheGolden) {
  expect_golden("auditwheel.json", rendered(report_of(broken_wheel())));
}

TEST(AuditwheelJson, HasExactlyTheKeysOfAPlatformResult) {
  const auto all = ElementsAre("external_libs", "overall_tag", "policy_upgrades", "pure", "pyfpe", "sym_tag", "ucs2",
                               "unsupported_isa", "version", "versioned_symbols", "wheel");
  EXPECT_THAT(keys(json_of(report_of(broken_wheel()))), all);
  EXPECT_THAT(keys(json_of(report_of(external_wheel()))), all);
  EXPECT_THAT(keys(json_of(report_of(hostile_wheel()))), all);
}

TEST(AuditwheelJson, HasExactlyTheKeysOfAnError) {
  const auto all = ElementsAre("error", "version", "wheel");
  EXPECT_THAT(keys(json_of(report_of(pure_wheel()))), all);
  EXPECT_THAT(keys(json_of(report_of(unreadable_input()))), all);
  EXPECT_EQ(json_of(report_of(unreadable_input()))["wheel"], "notes.whl");
}

// auditwheel knows no other distributions.
TEST(AuditwheelJson, TakesLibrariesOfOtherDistributionsForMissing) {
  Report report = report_of(kept_wheel());
  EXPECT_EQ(json_of(report)["overall_tag"], "manylinux_2_17_x86_64");
  report.entries[0].wheel->resolution.sources.push_back(
      {.kind = LibrarySource::Kind::Distribution, .name = "base", .extras = {}, .libraries = {"liba.so.1"}});
  const nlohmann::json document = json_of(report);
  EXPECT_EQ(document["overall_tag"], "linux_x86_64");
  EXPECT_THAT(keys(document["external_libs"]), ElementsAre("liba.so.1"));
  EXPECT_THAT(document["policy_upgrades"]["manylinux_2_17_x86_64"]["libs_to_eliminate"], ElementsAre("liba.so.1"));
}

TEST(AuditwheelJson, SortsVersionsByTheirNumbers) {
  const nlohmann::json document = json_of(report_of(broken_wheel()));
  EXPECT_THAT(document["versioned_symbols"]["libc.so.6"], ElementsAre("GLIBC_2.14", "GLIBC_2.25", "GLIBC_2.28"));
}

TEST(AuditwheelJson, ListsWeakNeedsAsWellButNotTheLoadersOwn) {
  WheelReport wheel = with_facts(WheelBuilder("weak-1-py3-none-manylinux_2_17_x86_64.whl")
                                     .elf(ElfBuilder("weak/x.so")
                                              .needed("libc.so.6")
                                              .need("libc.so.6", "GLIBC_2.30", true)
                                              .need("ld-linux-x86-64.so.2", "GLIBC_2.3", true))
                                     .build());
  judge(wheel,
        scored(manylinux_rungs,
               {{{ElfIndex{0}, VersionRequirement{"libc.so.6", "GLIBC_2.4", {}}}, 7},
                {{ElfIndex{0}, VersionRequirement{"ld-linux-x86-64.so.2", "GLIBC_2.3", {}}}, 7}},
               1),
        {});
  const nlohmann::json versions = json_of(report_of(std::move(wheel)))["versioned_symbols"];
  EXPECT_THAT(keys(versions), ElementsAre("libc.so.6"));
  EXPECT_THAT(versions["libc.so.6"], ElementsAre("GLIBC_2.4", "GLIBC_2.30"));
}

TEST(AuditwheelJson, TellsTheDimensionsApart) {
  const nlohmann::json document = json_of(report_of(external_wheel()));
  EXPECT_EQ(document["overall_tag"], "linux_x86_64");
  EXPECT_EQ(document["sym_tag"], "manylinux_2_5_x86_64");
  EXPECT_EQ(document["pyfpe"], false);
  EXPECT_EQ(document["ucs2"], true);
  EXPECT_EQ(document["unsupported_isa"], true);
  EXPECT_THAT(keys(document["external_libs"]), ElementsAre("libmoon.so.1", "libtides.so.2"));
  EXPECT_TRUE(document["external_libs"]["libtides.so.2"].is_null());
  EXPECT_EQ(document["policy_upgrades"].size(), manylinux_rungs.size() - 1);
  EXPECT_THAT(document["policy_upgrades"]["manylinux_2_17_x86_64"]["blacklisted_symbols"]["libz.so.1"],
              ElementsAre("gzgetc_"));
  EXPECT_FALSE(document["policy_upgrades"]["manylinux_2_28_x86_64"].contains("blacklisted_symbols"));
}

TEST(AuditwheelJson, WritesOneDocumentAWheelInItsStyle) {
  const std::string text = rendered(report_of(pure_wheel(), pure_wheel()));
  EXPECT_EQ(text.substr(0, 21), "{\n    \"version\": 1,\n ");
  EXPECT_NE(text.find("}\n{\n"), std::string::npos);
}

}  // namespace
}  // namespace wheelcheck::test::auditwheel_json_test
