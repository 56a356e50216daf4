// Tests facts that are written as JSON and read back: random ones, those of real libraries, and malicious documents.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "elf/read.h"
#include "facts/process_facts.h"
#include "tests/facts/random_facts.h"
#include "tests/facts/shown.h"
#include "tests/report/schema.h"

namespace wheelcheck::facts {
namespace {

using process::File;

template <class List, class Field>
void expect_same(const List& got, const List& wanted, const Field& field, const char* what) {
  ASSERT_EQ(got.size(), wanted.size()) << what;
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(field(got[i]), field(wanted[i])) << what << ' ' << i;
}

// Compares everything that src/ldso uses, field by field.
void expect_same_tables(const DynamicFacts& got, const DynamicFacts& wanted) {
  expect_same(
      got.needs, wanted.needs,
      [](const VersionNeed& each) { return std::tuple(each.library, each.version, each.index, each.weak); }, "need");
  expect_same(
      got.provides, wanted.provides,
      [](const VersionDefinition& each) { return std::tuple(each.version, each.index, each.weak); },
      "provided version");
  expect_same(
      got.imports, wanted.imports,
      [](const Import& each) {
        return std::tuple(each.name, each.need, each.kind, each.bound, each.visibility, each.weak, each.canonical);
      },
      "import");
  expect_same(
      got.exports, wanted.exports,
      [](const Export& each) {
        return std::tuple(each.name, each.version, each.size, each.kind, each.binding, each.visibility, each.bound,
                          each.default_version, each.copied_version);
      },
      "export");
  expect_same(
      got.references, wanted.references,
      [](const Reference& each) { return std::tuple(each.symbol, each.own, each.kind, each.at_first_call); },
      "reference");
}

void expect_same_facts(const ElfFacts& got, const ElfFacts& wanted) {
  EXPECT_EQ(std::tuple(got.kind, got.machine, got.arch, got.bits, got.little_endian, got.os_abi, got.debug_only,
                       got.interpreter, got.build_id),
            std::tuple(wanted.kind, wanted.machine, wanted.arch, wanted.bits, wanted.little_endian, wanted.os_abi,
                       wanted.debug_only, wanted.interpreter, wanted.build_id));
  ASSERT_EQ(got.dynamic.has_value(), wanted.dynamic.has_value());
  if (!got.dynamic) return;
  const DynamicFacts &a = *got.dynamic, &b = *wanted.dynamic;
  EXPECT_EQ(std::tuple(a.soname, a.needed, a.filters, a.auxiliaries, a.search.rpath, a.search.runpath, a.symbol_count,
                       a.static_tls_relocations),
            std::tuple(b.soname, b.needed, b.filters, b.auxiliaries, b.search.rpath, b.search.runpath, b.symbol_count,
                       b.static_tls_relocations));
  const auto flags = [](const LoaderFlags& of) {
    return std::tuple(of.symbolic, of.bind_now, of.text_relocations, of.static_tls, of.global, of.nodelete, of.noopen,
                      of.pie, of.relr, of.read_only);
  };
  EXPECT_EQ(flags(a.flags), flags(b.flags));
  expect_same_tables(a, b);
}

const test::SchemaCheck& schema() {
  static const test::SchemaCheck check = [] {
    std::ifstream in(WHEELCHECK_SOURCE_DIR "/data/schema/elf-facts.schema.json");
    return test::SchemaCheck(std::string{std::istreambuf_iterator<char>(in), {}});
  }();
  return check;
}

void expect_round_trip(const std::vector<File>& files, bool and_schema) {
  const std::string text = write("these \"files\"", files);
  const auto again = read(text, "test");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->about, "these \"files\"");
  ASSERT_EQ(again->files.size(), files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    EXPECT_EQ(again->files[i].path, files[i].path);
    EXPECT_EQ(again->files[i].aliases, files[i].aliases);
    expect_same_facts(*again->files[i].facts, *files[i].facts);
  }
  EXPECT_EQ(write(again->about, again->files), text);
  if (and_schema) {
    EXPECT_EQ(schema().errors(nlohmann::json::parse(text)), "") << text.substr(0, 2000);
  }
}

TEST(Stored, RandomFactsComeBackAsTheyWere) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    test::RandomFacts random(seed);
    const ElfFacts first = random.facts(), second = random.facts();
    expect_round_trip({{.path = "/a/" + random.text(), .facts = &first, .aliases = {"/alias \xff", "/\xc3\xa9"}},
                       {.path = "/b", .facts = &second}},
                      seed <= 40);
    if (HasFailure()) return;
  }
}

// Real libraries of this machine, as far as they exist.
TEST(Stored, RealLibrariesComeBackAsTheyWere) {
  std::size_t seen = 0;
  for (const char* const directory : {"/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/lib64"}) {
    for (const char* const name : {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libcrypto.so.3", "libz.so.1"}) {
      const std::string path = std::string(directory) + '/' + name;
      if (!std::filesystem::is_regular_file(path)) continue;
      std::ifstream in(path, std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(in), {}};
      const ElfFacts facts = elf::read_elf(std::as_bytes(std::span(bytes)), Limits{});
      expect_round_trip({{.path = path, .facts = &facts}}, false);
      ++seen;
    }
  }
  if (seen == 0) GTEST_SKIP() << "no library in the usual places";
}

TEST(Stored, FileWithoutFactsIsLeftOut) {
  const std::vector<File> files{{.path = "/notes.txt"}, {.path = "libc.so.6", .assumed = process::Assumed{}}};
  EXPECT_EQ(write("", files), "{\"about\": \"\", \"files\": [\n]}\n");
}

TEST(Stored, ASymbolStandsOnALineOfItsOwn) {
  ElfFacts facts;
  facts.bits = 64;
  facts.machine = 62;
  DynamicFacts& dynamic = facts.dynamic.emplace();
  dynamic.needs = {{.library = "libc.so.6", .version = "GLIBC_2.34", .index = 3}};
  dynamic.imports = {{.name = "malloc", .need = NeedIndex{0}, .kind = SymbolKind::Function}};
  dynamic.exports = {{.name = "table", .size = 64, .kind = SymbolKind::Object, .binding = Binding::Weak}};
  dynamic.references = {{0, true}, {0, false, LookUp::Plt, true}};
  EXPECT_EQ(write("one", std::vector<File>{{.path = "/x.so", .facts = &facts}}), R"({"about": "one", "files": [
 {"path": "/x.so",
  "kind": "other", "machine": 62, "bits": 64,
  "dynamic": {"symbol_count": 0,
  "needs": [
   ["libc.so.6","GLIBC_2.34",3]],
  "imports": [
   ["malloc",0]],
  "exports": [
   ["table",64,null,"object weak"]],
  "references": [
   ["data",-1],
   ["plt lazy",0]]}}
]}
)");
}

// A document with one file and the given dynamic part.
std::string document(const std::string& dynamic) {
  return R"({"about": "", "files": [{"path": "/x.so", "kind": "library", "machine": 62, "bits": 64, "dynamic": )" +
         dynamic + "}]}";
}
std::string complaint(const std::string& text) {
  const auto stored = read(text, "f.json");
  return stored ? "" : stored.error().message;
}

TEST(Stored, WhatPointsBeyondItsTableIsRefused) {
  const auto said = [](const std::string& dynamic) { return complaint(document(dynamic)); };
  EXPECT_EQ(said(R"({"symbol_count": 0, "imports": [["f", 0]]})"),
            "f.json: /files/0/dynamic/imports/0/1 names a version need, and there is none");
  EXPECT_EQ(said(R"({"symbol_count": 0, "needs": [["l", "V", 2]], "imports": [["f"], ["g", 1]]})"),
            "f.json: /files/0/dynamic/imports/1/1 is 1, more than 0");
  EXPECT_EQ(said(R"({"symbol_count": 0, "exports": [["f", 0, 0]]})"),
            "f.json: /files/0/dynamic/exports/0/2 names a version, and none is defined");
  EXPECT_EQ(said(R"({"symbol_count": 0, "imports": [["f"]], "references": [["data", 1]]})"),
            "f.json: /files/0/dynamic/references/0/1 is 1, more than 0");
  EXPECT_EQ(said(R"({"symbol_count": 0, "exports": [["f", 1]], "references": [["data", -2]]})"),
            "f.json: /files/0/dynamic/references/0/1 is -2, less than -1");
  EXPECT_EQ(said(R"({"symbol_count": 0, "exports": [["f", 1]], "references": [["data", -9223372036854775808]]})"),
            "f.json: /files/0/dynamic/references/0/1 is -9223372036854775808, less than -1");
  EXPECT_EQ(said(R"({"symbol_count": 0, "references": [["data", 0]]})"),
            "f.json: /files/0/dynamic/references/0/1 points into a table that is empty");
}

TEST(Stored, WhatIsNotKnownOrOfAnotherTypeIsRefused) {
  EXPECT_TRUE(complaint("").starts_with("f.json: is not valid JSON at 1:1: "));
  EXPECT_EQ(complaint("[]"), "f.json: is not an object");
  EXPECT_EQ(complaint("{}"), "f.json: has no \"about\"");
  EXPECT_EQ(complaint(R"({"about": "", "files": [], "more": 1})"),
            "f.json: has the key \"more\", which is not known here");
  EXPECT_EQ(complaint(R"({"about": "", "about": "", "files": []})"),
            "f.json: has the key \"about\" twice in one object; keep one of them");
  EXPECT_EQ(complaint(R"({"about": "", "files": [{"path": "/x"}]})"), "f.json: /files/0 has no \"kind\"");
  const auto said = [](const std::string& dynamic) { return complaint(document(dynamic)); };
  EXPECT_EQ(said(R"({"symbol_count": -1})"), "f.json: /files/0/dynamic/symbol_count is not a whole number from 0");
  EXPECT_EQ(said(R"({"symbol_count": 4294967296})"),
            "f.json: /files/0/dynamic/symbol_count is 4294967296, more than 4294967295");
  EXPECT_EQ(said(R"({"symbol_count": 0, "flags": ["fast"]})"), "f.json: /files/0/dynamic/flags/0 is not a known flag");
  EXPECT_EQ(said(R"({"symbol_count": 0, "needed": "libc.so.6"})"), "f.json: /files/0/dynamic/needed is not an array");
  EXPECT_EQ(said(R"({"symbol_count": 0, "exports": [["f", 1, null, "object strange"]]})"),
            "f.json: /files/0/dynamic/exports/0/3 has an unknown word");
  EXPECT_EQ(said(R"({"symbol_count": 0, "exports": [["f", 1, null, "hidden"]]})"),
            "f.json: /files/0/dynamic/exports/0/3 has a word that exports do not have");
  EXPECT_EQ(said(R"({"symbol_count": 0, "exports": [["f"]]})"), "f.json: /files/0/dynamic/exports/0 has 1 items");
  EXPECT_EQ(said("{\"symbol_count\": 0, \"soname\": \"\u20ac\"}"),
            "f.json: /files/0/dynamic/soname has a character that stands for no byte");
}

TEST(Stored, TwoFilesOfOnePathAreRefused) {
  const std::string file = R"({"path": "/x", "kind": "library", "machine": 62, "bits": 64})";
  EXPECT_EQ(complaint("{\"about\": \"\", \"files\": [" + file + "," + file + "]}"),
            "f.json: /files/1/path is the path of two files");
}

TEST(Stored, DepthCostsNothing) {
  EXPECT_EQ(complaint(std::string(1'000'000, '[')), "f.json: is nested deeper than 8 levels");
  EXPECT_EQ(complaint("{\"about\": " + std::string(1'000'000, '[')), "f.json: is nested deeper than 8 levels");
}

// Every truncation and every changed byte of a document is read or rejected, without other effects.
TEST(Stored, BrokenDocumentsAreReadOrRefused) {
  test::RandomFacts random(7);
  const ElfFacts facts = random.facts();
  const std::string text = write("about", std::vector<File>{{.path = "/x", .facts = &facts}});
  std::size_t refused = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {  // the last is a line feed
    EXPECT_NE(complaint(text.substr(0, i)), "");
    std::string changed = text;
    changed[i] = "0[]{}\",-x"[random.below(9)];
    refused += complaint(changed).empty() ? 0 : 1;
  }
  EXPECT_GT(refused, text.size() / 2);
}

}  // namespace
}  // namespace wheelcheck::facts
