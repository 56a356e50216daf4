// Tests data/systems.json: the reader is strict, the table matches its schema, and its rows agree with each other and
// with the policies that name them.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "knowledge/tables.h"
#include "tests/report/schema.h"

namespace wheelcheck::knowledge {
namespace {

using nlohmann::json;

std::string text_of(const std::string& file) {
  std::ifstream in(WHEELCHECK_SOURCE_DIR "/" + file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

const json& schema() {
  static const json document = json::parse(text_of("data/schema/systems.schema.json"));
  return document;
}

json good() {
  return json::parse(R"({"systems": [{
    "id": "ours-1", "distribution": "Ours", "version": "1", "codename": "own",
    "libc": {"family": "glibc", "version": "2.36"}, "nodes": {"GLIBC": "2.36", "GLIBCXX": "3.4.30"},
    "named_nodes": ["CXXABI_FLOAT128"], "absent_libraries": ["libssl.so.3"], "architectures": {"x86_64": {}, "aarch64": {"GLIBC": "2.37"}},
    "x86_64_level": 2, "released": "2024-01-31", "support_ends": "2029-01-31", "basis": "we say so"}]})");
}

const NewestNode* node(const std::vector<NewestNode>& nodes, std::string_view family) {
  for (const NewestNode& one : nodes)
    if (one.family == family) return &one;
  return nullptr;
}

bool is_newer(std::string_view a, std::string_view b) { return natural_order(a, b) > 0; }

TEST(Systems, AreReadAsTheyStand) {
  const auto read = read_systems(good().dump(), "ours.json");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->size(), 1u);
  const KnownSystem& system = read->front();
  EXPECT_EQ(system.id, "ours-1");
  EXPECT_EQ(system.codename, "own");
  EXPECT_EQ(system.libc, Libc::Glibc);
  EXPECT_EQ(system.libc_version, (Version{{2, 36}}));
  EXPECT_EQ(node(system.nodes, "GLIBCXX")->number, "3.4.30");
  EXPECT_EQ(system.named_nodes, std::vector<std::string>{"CXXABI_FLOAT128"});
  EXPECT_EQ(system.absent_libraries, std::vector<std::string>{"libssl.so.3"});
  ASSERT_EQ(system.machines.size(), 2u);
  EXPECT_EQ(system.machines[1].arch, Arch::aarch64);
  EXPECT_EQ(system.machines[1].nodes[0].number, "2.37");
  EXPECT_EQ(system.x86_64_level, 2u);
  EXPECT_EQ(system.support_ends, "2029-01-31");
}

struct Mistake {
  const char* name;
  const char* pointer;  // relative to the row; a null value removes the key
  json value;
  const char* told;  // place and part of the message
};
void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }
class SystemsMistake : public testing::TestWithParam<Mistake> {};

TEST_P(SystemsMistake, IsRefusedByTheReaderAndByTheSchema) {
  json document = good();
  json& row = document["systems"][0];
  if (GetParam().value.is_null())
    row.erase(GetParam().pointer + 1);
  else
    row[json::json_pointer(GetParam().pointer)] = GetParam().value;
  const auto read = read_systems(document.dump(), "ours.json");
  ASSERT_FALSE(read);
  const auto read_with_the_others = read_tables(document.dump(), "ours.json");
  ASSERT_FALSE(read_with_the_others);
  EXPECT_EQ(read_with_the_others.error().message, read.error().message);
  EXPECT_NE(read.error().message.find(GetParam().told), std::string::npos) << read.error().message;
  EXPECT_NE(test::SchemaCheck(schema().dump()).errors(document), "");
}

INSTANTIATE_TEST_SUITE_P(
    All, SystemsMistake,
    testing::Values(Mistake{"no id", "/id", nullptr, "/systems/0: has no \"id\""},
                    Mistake{"id in capitals", "/id", "Debian-12", "/systems/0/id: is \"Debian-12\""},
                    Mistake{"empty distribution", "/distribution", "", "/systems/0/distribution"},
                    Mistake{"unknown key", "/glibc", "2.36", "/systems/0/glibc: is not a key"},
                    Mistake{"unknown libc", "/libc/family", "bionic", "/systems/0/libc/family: is \"bionic\""},
                    Mistake{"libc no number", "/libc/version", "two", "/systems/0/libc/version"},
                    Mistake{"node no number", "/nodes/GLIBC", "2.36a", "/systems/0/nodes/GLIBC"},
                    Mistake{"family with underscore", "/nodes/CXXABI_TM", "1", "/systems/0/nodes/CXXABI_TM"},
                    Mistake{"named node with blank", "/named_nodes/0", "CXXABI TM_1", "/systems/0/named_nodes/0"},
                    Mistake{"empty soname", "/absent_libraries/0", "", "/systems/0/absent_libraries/0"},
                    Mistake{"unknown architecture", "/architectures/vax", json::object(), "/architectures/vax"},
                    Mistake{"no architecture", "/architectures", json::object(), "names no architecture"},
                    Mistake{"level 5", "/x86_64_level", 5, "/x86_64_level: must be a whole number from 1 to 4"},
                    Mistake{"level as text", "/x86_64_level", "2", "/x86_64_level: must be a whole number"},
                    Mistake{"month alone", "/support_ends", "2029-01", "/systems/0/support_ends"},
                    Mistake{"no basis", "/basis", nullptr, "has no \"basis\""}));

TEST(Systems, FitTheirSchema) {
  EXPECT_EQ(test::SchemaCheck(schema().dump()).errors(json::parse(text_of("data/systems.json"))), "");
  EXPECT_EQ(test::SchemaCheck(schema().dump()).errors(good()), "");
}

TEST(Systems, OfAUserTakeThePlaceOfThoseOfTheSameId) {
  json document = good();
  document["systems"][0]["id"] = "debian-12";
  const std::vector<KnownSystem> all = merged(builtin_systems(), read_systems(document.dump(), "ours.json").value());
  EXPECT_EQ(all.size(), builtin_systems().size());
  EXPECT_EQ(std::ranges::count(all, "we say so", &KnownSystem::basis), 1);
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, &KnownSystem::id));
}

std::map<std::string, std::vector<KnownSystem>> by_distribution() {
  std::map<std::string, std::vector<KnownSystem>> result;
  for (const KnownSystem& system : builtin_systems()) result[system.distribution].push_back(system);
  for (auto& [name, systems] : result)
    std::ranges::sort(systems, NaturalLess{}, [](const KnownSystem& one) -> std::string_view { return one.version; });
  return result;
}

TEST(SystemsTable, KnowsWhichReleasesHaveOpenSsl) {
  const auto lacks = [](std::string_view id, std::string_view soname) {
    const std::vector<KnownSystem> all = builtin_systems();
    const auto at = std::ranges::find(all, id, &KnownSystem::id);
    return at != all.end() && std::ranges::find(at->absent_libraries, soname) != at->absent_libraries.end();
  };
  for (const char* id : {"debian-11", "ubuntu-20.04", "rhel-8", "oracle-8", "fedora-35", "amazon-2", "alpine-3.14"})
    EXPECT_TRUE(lacks(id, "libssl.so.3") && lacks(id, "libcrypto.so.3")) << id;
  for (const char* id : {"debian-12", "ubuntu-22.04", "rhel-9", "fedora-36", "amazon-2023", "alpine-3.15", "sles-15.4"})
    EXPECT_FALSE(lacks(id, "libssl.so.3")) << id;
  EXPECT_TRUE(lacks("debian-12", "libssl.so.1.1"));
  EXPECT_FALSE(lacks("debian-11", "libssl.so.1.1"));
  EXPECT_FALSE(lacks("rhel-7", "libssl.so.10"));
  EXPECT_TRUE(lacks("ubuntu-24.04", "libssl.so.10"));
}

// A release has everything that its predecessor has, so a wheel that runs on one also runs on the next.
TEST(SystemsTable, NeverGoesBackFromAReleaseToTheNext) {
  for (const auto& [distribution, systems] : by_distribution()) {
    for (std::size_t i = 1; i < systems.size(); ++i) {
      const KnownSystem &older = systems[i - 1], &newer = systems[i];
      EXPECT_LE(older.libc_version, newer.libc_version) << newer.id;
      EXPECT_LT(older.released, newer.released) << newer.id;
      EXPECT_LE(older.x86_64_level, newer.x86_64_level) << newer.id;
      for (const NewestNode& had : older.nodes) {
        const NewestNode* const has = node(newer.nodes, had.family);
        if (has == nullptr) continue;
        EXPECT_FALSE(is_newer(had.number, has->number)) << newer.id << ' ' << had.family;
      }
    }
  }
}

TEST(SystemsTable, SaysOfEachSystemWhatAnAnswerNeeds) {
  for (const KnownSystem& system : builtin_systems()) {
    for (const char* const family : {"GLIBCXX", "CXXABI", "GCC", "ZLIB"})
      EXPECT_NE(node(system.nodes, family), nullptr) << system.id << ' ' << family;
    EXPECT_EQ(node(system.nodes, "GLIBC") != nullptr, system.libc == Libc::Glibc) << system.id;
    EXPECT_LT(system.released, system.support_ends) << system.id;
    for (const SystemMachine& machine : system.machines) EXPECT_NE(machine.arch, Arch::Other) << system.id;
  }
}

// glibc names a node after its version; a release without new symbols has no node.
TEST(SystemsTable, HasNoNodeAboveItsCLibrary) {
  for (const KnownSystem& system : builtin_systems()) {
    const NewestNode* const glibc = node(system.nodes, "GLIBC");
    if (glibc == nullptr) continue;
    EXPECT_FALSE(is_newer(glibc->number, to_string(system.libc_version))) << system.id;
  }
}

// The newest version of a family that a level allows on x86-64.
std::string newest_promised(const json& level, const char* family) {
  std::string newest;
  const json& versions = level["architectures"]["x86_64"]["versions"];
  if (!versions.contains(family)) return newest;
  for (const std::string node : versions[family]) {
    Version number;
    if (parse_version(node, number) && (newest.empty() || natural_order(newest, node) < 0)) newest = node;
  }
  return newest;
}

// A policy lists the systems that its level was derived from. Each of them has everything that the level allows, and
// its C library is that of the level.
TEST(SystemsTable, AgreesWithThePoliciesThatNameItsSystems) {
  const std::multimap<std::string, std::string> named = {{"manylinux_2_12", "centos-6"},
                                                         {"manylinux_2_17", "centos-7"},
                                                         {"manylinux_2_24", "debian-9"},
                                                         {"manylinux_2_26", "amazon-2"},
                                                         {"manylinux_2_26", "opensuse-leap-15.0"},
                                                         {"manylinux_2_27", "ubuntu-18.04"},
                                                         {"manylinux_2_28", "rhel-8"},
                                                         {"manylinux_2_28", "debian-10"},
                                                         {"manylinux_2_31", "debian-11"},
                                                         {"manylinux_2_31", "ubuntu-20.04"},
                                                         {"manylinux_2_34", "rhel-9"},
                                                         {"manylinux_2_34", "amazon-2023"},
                                                         {"manylinux_2_35", "ubuntu-22.04"},
                                                         {"manylinux_2_36", "debian-12"},
                                                         {"manylinux_2_37", "fedora-38"},
                                                         {"manylinux_2_38", "fedora-39"},
                                                         {"manylinux_2_39", "ubuntu-24.04"},
                                                         {"manylinux_2_39", "rhel-10"},
                                                         {"manylinux_2_40", "fedora-41"},
                                                         {"manylinux_2_41", "debian-13"},
                                                         {"manylinux_2_41", "fedora-42"}};
  std::map<std::string, KnownSystem> systems;
  for (const KnownSystem& system : builtin_systems()) systems.emplace(system.id, system);
  for (const auto& [name, id] : named) {
    const json level = json::parse(text_of("policies/" + name + ".json"));
    ASSERT_TRUE(systems.contains(id)) << id;
    const KnownSystem& system = systems.at(id);
    EXPECT_EQ(to_string(system.libc_version), level["libc"]["version"].get<std::string>()) << id;
    for (const char* const family : {"GLIBC", "GLIBCXX", "CXXABI", "GCC", "ZLIB"}) {
      const std::string promised = newest_promised(level, family);
      if (promised.empty()) continue;
      ASSERT_NE(node(system.nodes, family), nullptr) << id;
      EXPECT_FALSE(is_newer(promised, node(system.nodes, family)->number)) << name << ' ' << id << ' ' << family;
    }
  }
}

TEST(SystemsTable, HasTheMuslOfTheMusllinuxLevels) {
  std::map<std::string, Version> musl;
  for (const KnownSystem& system : builtin_systems()) musl[system.id] = system.libc_version;
  EXPECT_EQ(musl.at("alpine-3.12").parts[1], 1u);  // policies/musllinux_1_1.json
  EXPECT_EQ(musl.at("alpine-3.13").parts[1], 2u);  // policies/musllinux_1_2.json
}

}  // namespace
}  // namespace wheelcheck::knowledge
