// Tests policies of users: added ones, replacing ones, auditwheel's format, and every mistake.
#include "policy/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::policy {
namespace {

using Family = PlatformTag::Family;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* small = R"({
  "name": "mylinux_1",
  "libc": {"family": "glibc", "version": "2.17"},
  "libraries": ["libc.so.6", "libfoo.so.1"],
  "denied_symbols": {"libc.so.6": ["b", "a"]},
  "architectures": {
    "x86_64": {"versions": {"GLIBC": ["2.2.5", "2.17"]}},
    "aarch64": {"libraries": ["libbar.so.1"], "denied_symbols": {"libc.so.6": ["c"], "libbar.so.1": ["d"]}}
  }
})";

// A temporary directory.
class Directory {
 public:
  Directory() {
    const auto* const info = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() /
            ("wheelcheck-policy-" + std::to_string(::getpid()) + '-' + info->name());
    std::filesystem::create_directories(path_);
  }
  ~Directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  std::string write(const std::string& name, std::string_view text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::string error_of(std::string_view text) {
  const auto levels = levels_of_text("p.json", text);
  if (levels) return "no error";
  EXPECT_EQ(levels.error().code, ErrorCode::BadPolicy);
  return levels.error().message;
}

// `small` with one part replaced.
std::string with(std::string_view from, std::string_view to) {
  std::string text = small;
  const std::size_t at = text.find(from);
  if (at == text.npos) throw std::invalid_argument("not in the text: " + std::string(from));
  return text.replace(at, from.size(), to);
}

std::vector<std::string> level_names(const PolicySet& set, Family family, Arch arch) {
  std::vector<std::string> names;
  for (const PolicyLevels& policy_levels : set.level_sets()) {
    if (policy_levels.family != family || policy_levels.arch != arch) continue;
    for (const Policy& level : policy_levels.levels) names.push_back(level.name);
  }
  return names;
}

TEST(PolicyFile, GivesSharedListsAndThoseOfTheArchitecture) {
  const auto levels = levels_of_text("p.json", small);
  ASSERT_TRUE(levels) << levels.error().message;
  ASSERT_EQ(levels->size(), 1U);
  const Level& level = levels->front();
  EXPECT_EQ(level.family, Family::Manylinux);
  const Policy& x86_64 = level.policies.at(Arch::x86_64);
  EXPECT_THAT(x86_64.libraries, ElementsAre("libc.so.6", "libfoo.so.1"));
  EXPECT_THAT(x86_64.versions.at("GLIBC"), ElementsAre("2.17", "2.2.5"));
  EXPECT_EQ(x86_64.denied_symbols.size(), 1U);
  const Policy& aarch64 = level.policies.at(Arch::aarch64);
  EXPECT_THAT(aarch64.libraries, ElementsAre("libbar.so.1", "libc.so.6", "libfoo.so.1"));
  EXPECT_TRUE(aarch64.versions.empty());
  EXPECT_THAT(aarch64.denied_symbols.at("libc.so.6"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(aarch64.denied_symbols.at("libbar.so.1"), ElementsAre("d"));
}

TEST(PolicyFile, IsGoodAsTheReadmeShowsIt) {
  std::ifstream in(WHEELCHECK_SOURCE_DIR "/policies/README.md", std::ios::binary);
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  const std::size_t start = page.find("```json\n"), end = page.find("\n```", start);
  ASSERT_NE(start, page.npos);
  EXPECT_EQ(error_of(page.substr(start + 8, end - start - 8)), "no error");
}

TEST(PolicyFile, IsTakenWithAByteOrderMark) { EXPECT_EQ(error_of(std::string("\xEF\xBB\xBF") + small), "no error"); }

TEST(PolicyFile, SaysWhereItIsNoJson) {
  EXPECT_THAT(error_of("{\n  \"name\": ,\n}"),
              AllOf(StartsWith("policy p.json: is not valid JSON at 2:11: "), HasSubstr("','")));
  EXPECT_THAT(error_of(""), StartsWith("policy p.json: is not valid JSON at 1:1: "));
  EXPECT_THAT(error_of("{} {}"), StartsWith("policy p.json: is not valid JSON at 1:4: "));
  EXPECT_THAT(error_of("{\"name\": \"\xff\"}"), HasSubstr("is not valid JSON at 1:11"));
  EXPECT_THAT(error_of("7"), HasSubstr("is a number; write an object"));
}

TEST(PolicyFile, NamesTheValueByItsPointerAndWhatToWrite) {
  EXPECT_THAT(error_of(with("\"mylinux_1\"", "17")), HasSubstr("p.json: /name: is a number; write a string"));
  EXPECT_THAT(error_of(with("\"mylinux_1\"", "\"my linux\"")), HasSubstr("/name: is \"my linux\"; it must be"));
  EXPECT_THAT(error_of(with("\"mylinux_1\"", "\"linux\"")), HasSubstr("/name: is \"linux\"; it must not be"));
  EXPECT_THAT(error_of(with("\"glibc\"", "\"newlib\"")), HasSubstr("/libc/family: is \"newlib\"; write \"glibc\""));
  EXPECT_THAT(error_of(with("\"2.17\"}", "\"2.x\"}")), HasSubstr("/libc/version: is \"2.x\"; write numbers"));
  EXPECT_THAT(error_of(with("\"2.2.5\"", "2.2")),
              HasSubstr("/architectures/x86_64/versions/GLIBC/0: is a number; write a string"));
  EXPECT_THAT(error_of(with("\"GLIBC\"", "\"A_B\"")), HasSubstr("/architectures/x86_64/versions/A_B: has a key that"));
  EXPECT_THAT(error_of(with("\"libfoo.so.1\"", "\"/lib/a.so\"")), HasSubstr("/libraries/1: is \"/lib/a.so\"; it must"));
  EXPECT_THAT(error_of(with("\"aarch64\"", "\"arm64\"")),
              HasSubstr("/architectures/arm64: is not a known architecture"));
  EXPECT_THAT(error_of(with("\"b\"", "\"a\"")), HasSubstr("/denied_symbols/libc.so.6/1: repeats \"a\"; remove it"));
  EXPECT_THAT(error_of(with("\"libraries\"", "\"a~/b\"")), HasSubstr("/a~0~1b: is not a key that is known here"));
}

TEST(PolicyFile, MustHaveItsKeys) {
  EXPECT_THAT(error_of("{}"), AllOf(HasSubstr("has no \"name\"; add it"), HasSubstr("has no \"libc\""),
                                    HasSubstr("has no \"architectures\"")));
  EXPECT_THAT(error_of(R"({"name": "a", "libc": {"family": "glibc", "version": "1"}, "architectures": {}})"),
              HasSubstr("/architectures: names no architecture"));
}

TEST(PolicyFile, ShowsAllMistakesAtOnce) {
  const std::string message = error_of(R"({"name": 1, "libc": [], "libraries": "x", "architectures": {"vax": {}}})");
  EXPECT_THAT(message, AllOf(HasSubstr("4 problems\n  /name"), HasSubstr("\n  /libc: is an array"),
                             HasSubstr("\n  /libraries: is a string"), HasSubstr("\n  /architectures/vax")));
}

TEST(PolicyFile, ShowsTwentyMistakesAndCountsTheRest) {
  std::string list = "\"\"";
  for (int i = 0; i < 30; ++i) list += ", \"\"";
  EXPECT_THAT(error_of(with("\"libfoo.so.1\"", list)), AllOf(HasSubstr("31 problems"), HasSubstr("and 11 more")));
}

TEST(PolicyFile, RefusesAKeyThatComesTwice) {
  EXPECT_THAT(error_of(with("\"libraries\"", "\"name\": \"other\", \"libraries\"")),
              HasSubstr("has the key \"name\" twice in one object"));
  EXPECT_EQ(error_of(small), "no error");  // "GLIBC" or "libraries" in two objects is not a duplicate
}

TEST(PolicyFile, RefusesDeepNestingWithoutFollowingIt) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_THAT(error_of(deep), HasSubstr("is nested deeper than 16 levels"));
  EXPECT_THAT(error_of("{\"libc\":" + deep + "}"), HasSubstr("is nested deeper than 16 levels"));
}

TEST(PolicyFile, MustDenySymbolsOnlyOfItsLibraries) {
  EXPECT_THAT(error_of(with("\"libbar.so.1\"],", "\"libbaz.so.1\"],")),
              HasSubstr("/architectures/aarch64: denies symbols of libbar.so.1, which is not among its libraries"));
}

TEST(PolicyFile, MustAgreeWithTheLevelInItsName) {
  EXPECT_THAT(error_of(with("mylinux_1", "manylinux_2_18")),
              HasSubstr("/libc: says manylinux 2.17, but the name says manylinux 2.18; make them agree"));
  EXPECT_THAT(error_of(with("mylinux_1", "musllinux_2_17")), HasSubstr("but the name says musllinux 2.17"));
  EXPECT_EQ(error_of(with("mylinux_1", "manylinux_2_17")), "no error");
}

TEST(PolicyFile, EscapesWhatItShows) {
  EXPECT_THAT(error_of(with("\"mylinux_1\"", "\"\\u001b[31m\"")), AllOf(HasSubstr("\\x1b"), Not(HasSubstr("\x1b"))));
}

constexpr const char* auditwheel = R"([
  {"name": "linux", "aliases": [], "priority": 0, "symbol_versions": {}, "lib_whitelist": [], "blacklist": {}},
  {"name": "manylinux_2_17", "aliases": ["manylinux2014"], "priority": 80,
   "symbol_versions": {"x86_64": {"GLIBC": ["2.2.5", "2.17"]}}, "lib_whitelist": ["libc.so.6"],
   "blacklist": {"libc.so.6": ["x"]}},
  {"name": "ours", "aliases": [], "priority": 75, "symbol_versions": {"x86_64": {"GLIBC": ["2.2.5", "2.20"]}},
   "lib_whitelist": ["libc.so.6", "libours.so"], "blacklist": {}}
])";

TEST(AuditwheelFormat, LoadsUnchanged) {
  const auto levels = levels_of_text("p.json", auditwheel);
  ASSERT_TRUE(levels) << levels.error().message;
  ASSERT_EQ(levels->size(), 2U);
  EXPECT_EQ((*levels)[0].name, "manylinux_2_17");
  EXPECT_THAT((*levels)[0].aliases, ElementsAre("manylinux2014"));
  const Policy& policy = (*levels)[0].policies.at(Arch::x86_64);
  EXPECT_EQ(policy.name, "manylinux_2_17");
  EXPECT_THAT(policy.versions.at("GLIBC"), ElementsAre("2.17", "2.2.5"));
  EXPECT_THAT(policy.denied_symbols.at("libc.so.6"), ElementsAre("x"));
  EXPECT_EQ((*levels)[1].libc, (Version{{2, 20}})) << "told by its GLIBC nodes";
}

TEST(AuditwheelFormat, KnowsMuslsLibcByItsSonames) {
  const auto levels = levels_of_text("p.json", R"([{"name": "musllinux_1_2", "aliases": [], "priority": 90,
      "symbol_versions": {"i686": {}, "armv7l": {}}, "lib_whitelist": ["libc.so", "libz.so.1"], "blacklist": {}}])");
  ASSERT_TRUE(levels) << levels.error().message;
  EXPECT_EQ(levels->front().family, Family::Musllinux);
  EXPECT_THAT(levels->front().policies.at(Arch::i686).libraries,
              ElementsAre("libc.musl-i386.so.1", "libc.musl-x86.so.1", "libc.so", "libz.so.1"));
  EXPECT_THAT(levels->front().policies.at(Arch::armv7l).libraries,
              ElementsAre("libc.musl-armv7.so.1", "libc.so", "libz.so.1"));
}

TEST(AuditwheelFormat, LetsAndroidLinkLibpython) {
  const auto levels = levels_of_text("p.json", R"([{"name": "android_30", "aliases": [], "priority": 60,
      "symbol_versions": {"aarch64": {}}, "lib_whitelist": ["libc.so"], "blacklist": {}}])");
  ASSERT_TRUE(levels) << levels.error().message;
  EXPECT_TRUE(levels->front().policies.at(Arch::aarch64).allows_libpython);
  EXPECT_EQ(levels->front().libc, (Version{{30}}));
}

TEST(AuditwheelFormat, SaysWhatIsWrong) {
  EXPECT_THAT(error_of("[]"), HasSubstr("contains no policy but linux"));
  EXPECT_THAT(error_of("[7]"), HasSubstr("/0: is a number; write an object"));
  EXPECT_THAT(error_of(R"([{"name": "manylinux_2_17", "priority": "high", "symbol_versions": {"GLIBC": ["2.5"]},
                            "lib_whitelist": []}])"),
              AllOf(HasSubstr("/0/priority: is not a whole number"),
                    HasSubstr("/0/symbol_versions/GLIBC: is not a known architecture; nest the lists")));
  EXPECT_THAT(error_of(R"([{"name": "ours", "priority": 1, "symbol_versions": {"x86_64": {}}, "lib_whitelist": []}])"),
              HasSubstr("/0/name: names no level, and lists no GLIBC versions"));
}

TEST(LoadPolicies, AddsALevelWhereItsLibcPutsIt) {
  const Directory directory;
  const std::vector files = {directory.write("a.json", small)};
  const auto set = load_policies(files);
  ASSERT_TRUE(set) << set.error().message;
  const auto names = level_names(*set, Family::Manylinux, Arch::x86_64);
  const auto built_in = [](Arch arch) { return level_names(PolicySet(), Family::Manylinux, arch).size(); };
  ASSERT_EQ(names.size(), built_in(Arch::x86_64) + 1);
  const auto at = std::ranges::find(names, "mylinux_1");
  ASSERT_NE(at, names.end());
  EXPECT_EQ(*(at - 1), "manylinux_2_24");
  EXPECT_EQ(*(at + 1), "manylinux_2_17") << "of the same libc, the later asks less";
  EXPECT_EQ(level_names(*set, Family::Manylinux, Arch::i686).size(), built_in(Arch::i686));
}

TEST(LoadPolicies, ReplacesByNameAndByAlias) {
  const Directory directory;
  for (const char* name : {"manylinux_2_17", "manylinux2014"}) {
    const std::vector files = {directory.write("a.json", with("mylinux_1", name))};
    const auto set = load_policies(files);
    ASSERT_TRUE(set) << set.error().message;
    const auto names = level_names(*set, Family::Manylinux, Arch::x86_64);
    EXPECT_EQ(names.size(), level_names(PolicySet(), Family::Manylinux, Arch::x86_64).size());
    EXPECT_EQ(std::ranges::count(names, "manylinux_2_17"), 1) << name;
    // The file is the whole level; it has no other architectures.
    EXPECT_THAT(level_names(*set, Family::Manylinux, Arch::s390x), Not(testing::Contains("manylinux_2_17")));
  }
}

TEST(LoadPolicies, ReadsADirectoryByNameAndNothingElseInIt) {
  const Directory directory;
  directory.write("10.json", with("libfoo.so.1", "libten.so.1"));
  directory.write("9.json", small);
  directory.write("notes.txt", "not JSON");
  std::filesystem::create_directory(directory.path() + "/schema.json");
  const std::vector files = {directory.path()};
  const auto set = load_policies(files);
  ASSERT_TRUE(set) << set.error().message;
  const PolicyLevels policy_levels = set->policy_levels(Family::Manylinux, Arch::x86_64);
  const auto level = std::ranges::find(policy_levels.levels, "mylinux_1", &Policy::name);
  ASSERT_NE(level, policy_levels.levels.end());
  EXPECT_TRUE(level->libraries.contains("libten.so.1")) << "9.json comes first, 10.json replaces it";
}

TEST(LoadPolicies, SaysWhatCannotBeRead) {
  const Directory directory;
  const auto message = [](const std::string& path) {
    const std::vector files = {path};
    const auto set = load_policies(files);
    EXPECT_FALSE(set);
    if (set) return std::string();
    EXPECT_EQ(set.error().code, ErrorCode::BadPolicy);
    return set.error().message;
  };
  EXPECT_THAT(message(directory.path() + "/none.json"), HasSubstr("none.json: no such file"));
  EXPECT_THAT(message(directory.path()), HasSubstr("contains no *.json"));
  EXPECT_THAT(message("/dev/null"), HasSubstr("is neither a file nor a directory"));
  EXPECT_THAT(message(directory.write("a.json", "{")), HasSubstr("a.json: is not valid JSON at 1:2"));
  EXPECT_THAT(message(directory.write("big.json", std::string((16 << 20) + 1, ' '))), HasSubstr("at most 16777216"));
}

}  // namespace
}  // namespace wheelcheck::policy
