// Tests that policies/schema/policy.schema.json and the loader have the same keys and patterns.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "policy/load.h"
#include "wheelcheck/platform.h"

namespace wheelcheck::policy {
namespace {

nlohmann::json schema() {
  std::ifstream in(WHEELCHECK_SOURCE_DIR "/policies/schema/policy.schema.json");
  return nlohmann::json::parse(in);
}

// A document with everything that the schema allows; `extra` adds a key at a place.
nlohmann::json full() {
  return nlohmann::json::parse(R"({
    "$schema": "s", "$comment": "c", "name": "ours_1", "aliases": ["mine"], "basis": "b", "allows_libpython": false,
    "libc": {"family": "glibc", "version": "2.17"}, "libraries": ["liba.so"], "denied_symbols": {"liba.so": ["f"]},
    "architectures": {"x86_64": {"versions": {"GLIBC": ["2.5"]}, "libraries": ["libb.so"],
                                 "denied_symbols": {"libb.so": ["g"]}}}})");
}

std::set<std::string> keys(const nlohmann::json& object) {
  std::set<std::string> result;
  for (const auto& [key, value] : object.items()) result.insert(key);
  return result;
}

TEST(PolicySchema, HasTheKeysThatTheLoaderTakes) {
  const nlohmann::json text = schema(), document = full();
  ASSERT_TRUE(levels_of_text("p", document.dump())) << levels_of_text("p", document.dump()).error().message;
  EXPECT_EQ(keys(text["properties"]), keys(document));
  EXPECT_EQ(keys(text["properties"]["libc"]["properties"]), keys(document["libc"]));
  const auto& architectures = text["properties"]["architectures"]["patternProperties"];
  ASSERT_EQ(architectures.size(), 1U);
  EXPECT_EQ(keys(architectures.begin().value()["properties"]), keys(document["architectures"]["x86_64"]));
}

TEST(PolicySchema, AndTheLoaderRefuseOtherKeysEverywhere) {
  for (const char* pointer : {"", "/libc", "/architectures/x86_64"}) {
    nlohmann::json document = full();
    document[nlohmann::json::json_pointer(std::string(pointer) + "/surprise")] = "x";
    const auto levels = levels_of_text("p", document.dump());
    ASSERT_FALSE(levels) << pointer;
    EXPECT_NE(levels.error().message.find(std::string(pointer) + "/surprise: is not a key"), std::string::npos)
        << levels.error().message;
  }
  const nlohmann::json text = schema();
  EXPECT_EQ(text["additionalProperties"], false);
  EXPECT_EQ(text["properties"]["libc"]["additionalProperties"], false);
  EXPECT_EQ(text["properties"]["architectures"]["additionalProperties"], false);
}

TEST(PolicySchema, RequiresWhatTheLoaderRequires) {
  const nlohmann::json text = schema(), whole = full();
  for (const auto& [key, value] : whole.items()) {
    nlohmann::json document = whole;
    document.erase(key);
    if (key == "libraries") document.erase("denied_symbols");
    const auto& required = text["required"];
    const bool is_required = std::find(required.begin(), required.end(), key) != required.end();
    EXPECT_EQ(levels_of_text("p", document.dump()).has_value(), !is_required) << key;
  }
}

}  // namespace
}  // namespace wheelcheck::policy
