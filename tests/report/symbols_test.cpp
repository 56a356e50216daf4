// Tests the output of `wheelcheck symbols`: counts and lists.
#include "report/answers/symbols.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/shared/registry.h"
#include "tests/report/analysed.h"
#include "tests/report/answers.h"
#include "tests/report/schema.h"

namespace wheelcheck::test::symbols_test {
namespace {

using report::symbol_counts_answer;
using report::symbol_list_answer;
using report::SymbolQuestion;
using report::SymbolSearch;
using report::SymbolSide;
using testing::HasSubstr;
using testing::Not;
using By = SymbolQuestion::By;

// The attribution of the symbols in the sample, by a few prefixes.
Attribution attribution(std::string_view symbol) {
  Attribution out;
  if (symbol.starts_with("_Z")) out.form = Attribution::Form::Cxx;
  if (symbol.find("4llvm") != symbol.npos) out.scope = out.library = "llvm";
  if (symbol.starts_with("_ZTV")) out.rtti = true;
  if (symbol.find("5mixer") != symbol.npos) out.scope = "mixer";
  if (symbol.starts_with("_ZNSs")) out.scope = "std", out.standard = true;
  if (symbol == "inflate") out.library = "zlib";
  return out;
}

Knowledge known() {
  Knowledge out;
  out.libraries.resize(2);
  out.libraries[0].id = "llvm";
  out.libraries[0].name = "LLVM";
  out.libraries[1].id = "zlib";
  out.libraries[1].name = "zlib";
  return out;
}

std::string counted(By by, bool json, SymbolSide side = SymbolSide::Exports) {
  const WheelReport wheel = leaking_wheel();
  const Knowledge knowledge = known();
  const auto answer =
      symbol_counts_answer(wheel.facts, wheel.analysis, knowledge, {.by = by, .side = side, .attribute = attribution});
  return json ? as_json(answer) : as_text(answer);
}
nlohmann::json counted_json(By by, SymbolSide side = SymbolSide::Exports) {
  const nlohmann::json document = nlohmann::json::parse(counted(by, true, side));
  EXPECT_EQ(SchemaCheck(report::find_schema("symbols")).errors(document), "");
  return document;
}

SymbolSearch search_for(std::string part) {
  return {.attribute = attribution,
          .matches = [part](std::string_view text) { return text.find(part) != text.npos; },
          .demangle = {}};
}
std::string listed(const SymbolSearch& search, std::string_view format = "text") {
  const WheelReport wheel = leaking_wheel();
  const Knowledge knowledge = known();
  return render_answer(format, symbol_list_answer(wheel.facts, wheel.analysis, knowledge, search), {});
}

TEST(Symbols, ByFileIsTheDocumentThatWasPromised) {
  const nlohmann::json expected = {
      {"files",
       {{{"file", zlib_so}, {"exports", 1}, {"imports", 0}, {"namespaces", nlohmann::json::object()}},
        {{"file", leaking_so},
         {"exports", 4},
         {"imports", 2},
         {"namespaces", {{"llvm", 40}, {"mixer", 12}, {"std", 3}, {"::", 3}}}}}}};
  EXPECT_EQ(counted_json(By::File), expected);
}

TEST(Symbols, ByFileHasEveryNamespaceHoweverManyThereAre) {
  WheelReport wheel = leaking_wheel();
  std::vector<ScopeCount>& scopes = wheel.analysis.elfs[elf_at(wheel.facts, leaking_so).value].exports.scopes;
  for (int i = 0; i < 5000; ++i) scopes.push_back({"scope" + std::to_string(i), 1, 0, false});
  const auto document = nlohmann::json::parse(
      as_json(symbol_counts_answer(wheel.facts, wheel.analysis, known(), {.by = By::File, .attribute = attribution})));
  EXPECT_EQ(document["files"][1]["namespaces"].size(), 5004u);
}

TEST(Symbols, ImportsAreCountedWhenAsked) {
  const nlohmann::json files = counted_json(By::File, SymbolSide::Imports)["files"];
  EXPECT_EQ(files[1]["namespaces"], nlohmann::json({{"std", 1}}));
  EXPECT_EQ(counted_json(By::Namespace, SymbolSide::Imports)["c"], 1);
}

TEST(Symbols, ByNamespaceSaysWhereAndWhoseMostFirst) {
  const nlohmann::json document = counted_json(By::Namespace);
  EXPECT_EQ(document["namespaces"][0]["namespace"], "llvm");
  EXPECT_EQ(document["namespaces"][0]["exports"], 40);
  EXPECT_EQ(document["namespaces"][0]["rtti"], 4);
  EXPECT_EQ(document["namespaces"][0]["files"][0]["file"], leaking_so);
  EXPECT_EQ(document["namespaces"][1]["own"], true);
  EXPECT_EQ(document["c"], 13);
  const std::string text = counted(By::Namespace, false);
  EXPECT_THAT(text, HasSubstr("5 exports in 2 files\n  40  llvm  mixer/_mixer"));
  EXPECT_THAT(text, HasSubstr("  13  (C names)\n  12  mixer (own)"));
}

TEST(Symbols, ByLibraryNamesTheVersionThatEachFileTells) {
  const nlohmann::json libraries = counted_json(By::Library)["libraries"];
  EXPECT_EQ(libraries[0]["name"], "LLVM");
  EXPECT_EQ(libraries[0]["versions"], nlohmann::json({"22.1.0"}));
  EXPECT_EQ(libraries[1]["library"], "zlib");
  EXPECT_EQ(libraries[1]["exports"], 12);
  EXPECT_EQ(libraries[1]["files"][0]["version"], nullptr);
  EXPECT_EQ(libraries[1]["files"][1]["version"], "1.3.1");
  EXPECT_THAT(counted(By::Library, false), HasSubstr("LLVM: 40 of its symbols\n  40  mixer/_mixer"));
}

TEST(Symbols, ALibraryWithoutExportsIsListedToo) {
  WheelReport wheel = leaking_wheel();
  ElfAnalysis& module = wheel.analysis.elfs[elf_at(wheel.facts, leaking_so).value];
  module.exports.libraries.clear();
  const std::string text = as_text(
      symbol_counts_answer(wheel.facts, wheel.analysis, known(), {.by = By::Library, .attribute = attribution}));
  EXPECT_THAT(text, HasSubstr("LLVM: 0 of its symbols\n  0  " + leaking_so + "  version 22.1.0, confidence medium"));
}

TEST(Symbols, AMatchIsListedWithFileKindVersionAndLibrary) {
  EXPECT_EQ(listed(search_for("raw_svector")),
            leaking_so +
                ": export global function _ZN4llvm19raw_svector_ostream10write_implEPKcm  [LLVM 22.1.0]\n"
                "1 symbol matches\n");
  EXPECT_THAT(listed(search_for("3mix")), HasSubstr("_ZN5mixer3mixESs@@MIXER_1\n"));
  EXPECT_THAT(listed(search_for("dlopen")), HasSubstr("import global function dlopen@GLIBC_2.34\n"));
  EXPECT_THAT(listed(search_for("empty_rep")), HasSubstr("import weak function"));
  EXPECT_EQ(listed(search_for("no such name")),
            "no symbol matches; --match takes a regular expression, such as '^ffi_call'\n");
}

TEST(Symbols, OneSideCanBeLeftOut) {
  SymbolSearch search = search_for("");
  search.imports = false;
  EXPECT_THAT(listed(search), Not(HasSubstr("import")));
  search = search_for("");
  search.exports = false;
  EXPECT_THAT(listed(search), Not(HasSubstr("export")));
}

TEST(Symbols, TheDemangledNameIsShownAndMatched) {
  SymbolSearch search = search_for("llvm::Module");
  EXPECT_EQ(listed(search), "no symbol matches; --match takes a regular expression, such as '^ffi_call'\n");
  search.demangle = [](std::string_view name) {
    return name == "_ZTVN4llvm6ModuleE" ? "vtable for llvm::Module" : std::string(name);
  };
  EXPECT_THAT(listed(search), HasSubstr("export weak object _ZTVN4llvm6ModuleE  vtable for llvm::Module  [LLVM"));
}

TEST(Symbols, AListIsSortedByWhatIsAsked) {
  SymbolSearch search = search_for("");
  search.by = By::Library;
  const std::string text = listed(search);
  EXPECT_LT(text.find("dlopen"), text.find("_ZN4llvm"));  // without a library, llvm, zlib
  EXPECT_LT(text.find("_ZTVN4llvm"), text.find("inflate"));
}

TEST(Symbols, AListIsWrittenAsTheSchemaSays) {
  for (const char* part : {"", "llvm", "nothing"}) {
    SymbolSearch search = search_for(part);
    const nlohmann::json document = nlohmann::json::parse(listed(search, "json"));
    EXPECT_EQ(SchemaCheck(report::find_schema("symbols")).errors(document), "") << part;
  }
  SymbolSearch search = search_for("raw_svector");
  const nlohmann::json symbol = nlohmann::json::parse(listed(search, "json"))["symbols"][0];
  EXPECT_EQ(symbol["library"], "llvm");
  EXPECT_EQ(symbol["library_version"], "22.1.0");
  EXPECT_EQ(symbol["namespace"], "llvm");
  EXPECT_EQ(symbol["demangled"], nullptr);
}

TEST(Symbols, TheSchemaKnowsNoOtherKey) {
  const SchemaCheck schema(report::find_schema("symbols"));
  const std::pair<By, const char*> documents[] = {
      {By::File, "files"}, {By::Namespace, "namespaces"}, {By::Library, "libraries"}};
  for (const auto& [by, key] : documents) {
    nlohmann::json document = counted_json(by);
    document[key][0]["surprise"] = 1;
    EXPECT_NE(schema.errors(document), "") << key;
  }
}

TEST(Symbols, NothingOutOfTheWheelMovesTheTerminal) {
  const WheelFacts wheel =
      WheelBuilder("evil-1-py3-none-linux_x86_64.whl").elf(ElfBuilder("evil/x.so").exports("bad\x1b[2J\xff")).build();
  const std::string text = as_text(symbol_list_answer(wheel, {}, known(), search_for("bad")));
  EXPECT_EQ(text, "evil/x.so: export global function bad\\x1b[2J\\xff\n1 symbol matches\n");
}

}  // namespace
}  // namespace wheelcheck::test::symbols_test
