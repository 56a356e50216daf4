// Tests that data/libraries.json, its schema and its reader agree.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "base/pattern.h"
#include "knowledge/tables.h"
#include "tests/report/schema.h"
#include "wheelcheck/version.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::knowledge {
namespace {

std::string file_text(const std::string& path) {
  std::ifstream in(std::string(WHEELCHECK_SOURCE_DIR "/data/") + path);
  return {std::istreambuf_iterator<char>(in), {}};
}
nlohmann::json schema() { return nlohmann::json::parse(file_text("schema/libraries.schema.json")); }
nlohmann::json table() { return nlohmann::json::parse(file_text("libraries.json")); }

// A document with everything that the schema allows.
nlohmann::json full() {
  return nlohmann::json::parse(R"({"$schema": "s", "$comment": "c", "libraries": [{
    "$comment": "c", "id": "ours", "name": "Ours", "family": "tls", "namespaces": ["a::b"], "symbols": ["A_*"],
    "not_symbols": ["A_x"], "sonames": ["liba.so.{version}"], "texts": ["a {version}"], "version_nodes": ["A_{version}"],
    "owners": ["ours-too"], "compatible": "major", "checks_version": true, "bare_version": true, "in_interpreters": true,
    "ends": [{"below": "1.0", "date": "2020-01-31", "source": "they say so"}],
    "opens": [{"file": "liba.so*", "one_of": ["liba_part.so*"]}]}]})");
}

std::set<std::string> keys(const nlohmann::json& object) {
  std::set<std::string> result;
  for (const auto& [key, value] : object.items()) result.insert(key);
  return result;
}

// The error of the reader for a text, "" if it is accepted.
std::string objection(const std::string& text) {
  const auto read = read_tables(text, "mine.json");
  if (read) return "";
  EXPECT_EQ(read.error().code, ErrorCode::BadPolicy);
  return read.error().message;
}

TEST(Libraries, OfTheBuildFitTheSchema) {
  EXPECT_EQ(test::SchemaCheck(file_text("schema/libraries.schema.json")).errors(table()), "");
}

TEST(Libraries, OfTheBuildAreReadInFull) {
  const auto knowledge = load_knowledge({});
  ASSERT_TRUE(knowledge) << knowledge.error().message;
  EXPECT_EQ(knowledge->libraries.size(), table()["libraries"].size());
  EXPECT_GE(knowledge->libraries.size(), 60U);
  EXPECT_TRUE(std::ranges::is_sorted(knowledge->libraries, {}, &KnownLibrary::id));
  const auto openssl = std::ranges::find(knowledge->libraries, "openssl", &KnownLibrary::id);
  ASSERT_NE(openssl, knowledge->libraries.end());
  EXPECT_EQ(openssl->name, "OpenSSL");
  EXPECT_EQ(openssl->family, "tls");
  EXPECT_FALSE(openssl->symbols.empty());
  EXPECT_FALSE(openssl->ends.empty());
  EXPECT_TRUE(std::ranges::find(knowledge->libraries, "llvm", &KnownLibrary::id)->bare_version);
  EXPECT_EQ(std::ranges::find(knowledge->libraries, "llvm", &KnownLibrary::id)->compatible, Compatible::Major);
  EXPECT_TRUE(std::ranges::find(knowledge->libraries, "curl", &KnownLibrary::id)->checks_version);
  EXPECT_TRUE(std::ranges::find(knowledge->libraries, "zlib", &KnownLibrary::id)->in_interpreters);
}

TEST(LoadKnowledge, SaysWhatCannotBeRead) {
  const auto message = [](const std::string& path) {
    const std::vector files = {path};
    const auto read = load_knowledge(files);
    EXPECT_FALSE(read);
    if (read) return std::string();
    EXPECT_EQ(read.error().code, ErrorCode::BadPolicy);
    return read.error().message;
  };
  EXPECT_EQ(message("/no/such/file"), "/no/such/file: no such file");
  EXPECT_EQ(message("/"), "/: cannot be read: Is a directory");
  EXPECT_EQ(message("/dev/zero"), "/dev/zero: is too long: at most 16777216 bytes are read");
}

TEST(Libraries, OfTheBuildSayByWhatTheyAreKnown) {
  const auto knowledge = load_knowledge({});
  ASSERT_TRUE(knowledge);
  for (const KnownLibrary& library : knowledge->libraries) {
    EXPECT_FALSE(library.namespaces.empty() && library.symbols.empty() && library.sonames.empty() &&
                 library.texts.empty() && library.version_nodes.empty())
        << library.id;
    for (const auto* list : {&library.namespaces, &library.symbols, &library.sonames, &library.version_nodes})
      for (const std::string_view pattern : *list)
        EXPECT_TRUE(literal_prefix(pattern).size() >= 2 || pattern.starts_with("[sdcz]") || pattern.starts_with("*"))
            << library.id << " has a pattern that takes nearly everything: " << pattern;
    EXPECT_TRUE(std::ranges::is_sorted(library.ends, NaturalLess(), &EndOfLife::below)) << library.id;
  }
}

TEST(Libraries, ReaderTakesTheKeysOfTheSchemaAndNoOthers) {
  ASSERT_EQ(objection(full().dump()), "");
  const nlohmann::json text = schema(), library = text["$defs"]["library"];
  EXPECT_EQ(keys(library["properties"]), keys(full()["libraries"][0]));
  EXPECT_EQ(keys(library["properties"]["ends"]["items"]["properties"]), keys(full()["libraries"][0]["ends"][0]));
  EXPECT_EQ(keys(library["properties"]["opens"]["items"]["properties"]), keys(full()["libraries"][0]["opens"][0]));
  for (const char* pointer : {"", "/libraries/0", "/libraries/0/ends/0", "/libraries/0/opens/0"}) {
    nlohmann::json document = full();
    document[nlohmann::json::json_pointer(std::string(pointer) + "/surprise")] = "x";
    EXPECT_NE(objection(document.dump()).find("mine.json: " + std::string(pointer) + "/surprise: is not a key"),
              std::string::npos)
        << objection(document.dump());
    EXPECT_NE(test::SchemaCheck(text.dump()).errors(document), "") << pointer;
  }
}

TEST(Libraries, ReaderAndSchemaRefuseTheSameValues) {
  const test::SchemaCheck check(schema().dump());
  const std::pair<const char*, const char*> cases[] = {
      {"/libraries", R"({})"},
      {"/libraries/0", R"("x")"},
      {"/libraries/0/id", R"("Ours")"},
      {"/libraries/0/id", R"("")"},
      {"/libraries/0/id", "1"},
      {"/libraries/0/name", R"("")"},
      {"/libraries/0/family", R"("T L S")"},
      {"/libraries/0/symbols", R"("A_*")"},
      {"/libraries/0/symbols/0", R"("")"},
      {"/libraries/0/symbols/0", "\"a\\u0007\""},
      {"/libraries/0/symbols", R"(["A_*", "A_*"])"},
      {"/libraries/0/owners/0", R"("Ours_Too")"},
      {"/libraries/0/owners/0", R"("-ours")"},
      {"/libraries/0/bare_version", R"("yes")"},
      {"/libraries/0/in_interpreters", "0"},
      {"/libraries/0/compatible", R"("mostly")"},
      {"/libraries/0/checks_version", "1"},
      {"/libraries/0/ends/0/below", R"("x")"},
      {"/libraries/0/ends/0/date", R"("31 January 2020")"},
      {"/libraries/0/ends/0/source", R"("")"},
  };
  for (const auto& [pointer, value] : cases) {
    nlohmann::json document = full();
    document[nlohmann::json::json_pointer(pointer)] = nlohmann::json::parse(value);
    EXPECT_EQ(objection(document.dump()).find("mine.json: /libraries"), 0U) << pointer << value;
    EXPECT_NE(check.errors(document), "") << pointer << value;
  }
  EXPECT_NE(objection("{}").find("contains none of libraries, gpu"), std::string::npos);
  for (const char* pointer : {"/libraries/0/id", "/libraries/0/name", "/libraries/0/ends/0/below",
                              "/libraries/0/ends/0/date", "/libraries/0/ends/0/source"}) {
    const nlohmann::json document = full().patch(nlohmann::json::array({{{"op", "remove"}, {"path", pointer}}}));
    EXPECT_NE(objection(document.dump()).find("; add it"), std::string::npos) << pointer;
    EXPECT_NE(check.errors(document), "") << pointer;
  }
}

TEST(Libraries, ReaderRefusesWhatOtherReadersWouldReadDifferently) {
  EXPECT_NE(objection(R"({"libraries": [], "libraries": []})").find("\"libraries\" twice"), std::string::npos);
  EXPECT_NE(objection("{").find("is not valid JSON at 1:2"), std::string::npos);
  EXPECT_NE(objection(R"({"libraries": )" + std::string(40, '[') + std::string(40, ']') + "}").find("deeper"),
            std::string::npos);
}

TEST(Libraries, OfTheUserTakeThePlaceOfThoseOfTheSameId) {
  Knowledge all;
  const auto add = [&](const std::string& id, const std::string& name) {
    const std::string text = R"({"libraries": [{"id": ")" + id + R"(", "name": ")" + name + R"("}]})";
    all = merged(std::move(all), read_tables(text, "mine.json").value());
  };
  add("m", "first");
  add("z", "last");
  add("a", "before");
  add("m", "second");
  ASSERT_EQ(all.libraries.size(), 3U);
  EXPECT_EQ(all.libraries[0].name, "before");
  EXPECT_EQ(all.libraries[1].name, "second");
  EXPECT_EQ(all.libraries[2].name, "last");
}

}  // namespace
}  // namespace wheelcheck::knowledge
