// Tests the contents of data/stable_abi.json, and that its reader and its schema agree.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "knowledge/tables.h"
#include "tests/report/schema.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::knowledge {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream in(WHEELCHECK_SOURCE_DIR "/data/" + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool schema_takes(const nlohmann::json& document) {
  return test::SchemaCheck(text_of("schema/stable_abi.schema.json")).errors(document).empty();
}

TEST(StableAbi, HoldsToItsSchema) { EXPECT_TRUE(schema_takes(nlohmann::json::parse(text_of("stable_abi.json")))); }

TEST(StableAbi, IsSortedAndKnowsWhenNamesCame) {
  const Result<Knowledge> knowledge = load_knowledge({});
  ASSERT_TRUE(knowledge);
  const auto& all = knowledge->stable_abi;
  EXPECT_GT(all.size(), 900U);
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, &StableSymbol::name));
  const auto find = [&](const char* name) {
    return std::ranges::lower_bound(all, std::string_view(name), {}, &StableSymbol::name);
  };
  EXPECT_EQ(find("PyObject_GetBuffer")->name, "PyObject_GetBuffer");
  EXPECT_EQ(find("PyObject_GetBuffer")->minor, 11);
  EXPECT_EQ(find("PyList_New")->minor, 2);
  EXPECT_EQ(find("PyModule_FromDefAndSpec2")->minor, 7);
  EXPECT_TRUE(find("_Py_Dealloc")->abi_only);
  EXPECT_NE(find("PyUnicode_AsUTF8")->name, "PyUnicode_AsUTF8") << "it is not in the stable ABI";
}

TEST(StableAbi, ReaderAndSchemaRefuseTheSame) {
  for (const auto& [text, good] : std::initializer_list<std::pair<const char*, bool>>{
           {R"({"stable_abi": {"PyFoo": "3.7", "_Py_Bar": "3.12 abi_only"}})", true},
           {R"({"$schema": "s", "$comment": "c", "stable_abi": {}})", true},
           {R"({"stable_abi": []})", false},
           {R"({"stable_abi": {"Foo": "3.7"}})", false},
           {R"({"stable_abi": {"PyFoo": "2.7"}})", false},
           {R"({"stable_abi": {"PyFoo": "3.7 only"}})", false},
           {R"({"stable_abi": {"PyFoo": "3.70000"}})", false},
           {R"({"stable_abi": {"PyFoo": "3."}})", false},
           {R"({"stable_abi": {"PyFoo": 3}})", false},
           {R"({"stable_abi": {}, "more": 1})", false},
       }) {
    EXPECT_EQ(read_tables(text, "x.json").has_value(), good) << text;
    EXPECT_EQ(schema_takes(nlohmann::json::parse(text)), good) << text;
  }
}

TEST(StableAbi, ALaterFileReplacesWhatItNames) {
  const auto read = [](std::string text) { return read_tables(text, "mine.json").value(); };
  const Knowledge all =
      merged(read(R"({"stable_abi": {"PyA": "3.2", "PyB": "3.3"}})"), read(R"({"stable_abi": {"PyB": "3.9"}})"));
  ASSERT_EQ(all.stable_abi.size(), 2U);
  EXPECT_EQ(all.stable_abi[0].name, "PyA");
  EXPECT_EQ(all.stable_abi[0].minor, 2);
  EXPECT_EQ(all.stable_abi[1].name, "PyB");
  EXPECT_EQ(all.stable_abi[1].minor, 9);
}

}  // namespace
}  // namespace wheelcheck::knowledge
