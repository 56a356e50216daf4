// Tests the built-in policies: they match the PEPs and the systems that they are derived from, and equal policies/.
#include "policy/builtin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "policy/load.h"
#include "wheelcheck/version.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::policy {
namespace {

using Family = PlatformTag::Family;

const std::vector<PolicyLevels>& builtin() {
  static const std::vector<PolicyLevels> level_sets = PolicySet().level_sets();
  return level_sets;
}

const PolicyLevels* find_ladder(Family family, Arch arch) {
  for (const PolicyLevels& policy_levels : builtin())
    if (policy_levels.family == family && policy_levels.arch == arch) return &policy_levels;
  return nullptr;
}

std::vector<std::string> names_of(const PolicyLevels& policy_levels) {
  std::vector<std::string> names;
  for (const Policy& level : policy_levels.levels) names.push_back(level.name);
  return names;
}

const Policy& level(Family family, Arch arch, std::string_view name) {
  const PolicyLevels* const policy_levels = find_ladder(family, arch);
  if (policy_levels == nullptr) throw std::invalid_argument("no such ladder");
  const auto at = std::ranges::find(policy_levels->levels, name, &Policy::name);
  if (at == policy_levels->levels.end()) throw std::invalid_argument("no rung " + std::string(name));
  return *at;
}

std::string greatest(const Policy& policy, std::string_view family) {
  std::string result;
  Version max;
  for (const std::string_view text : policy.versions.find(family)->second) {
    Version version;
    if (parse_version(text, version) && version >= max) {
      max = version;
      result = text;
    }
  }
  return result;
}

std::vector<std::string> policy_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(WHEELCHECK_SOURCE_DIR "/policies"))
    if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

TEST(BuiltinPolicies, StartWithLinuxAndGoFromTheNewestLevelToTheOldest) {
  const std::vector<std::string> names = names_of(*find_ladder(Family::Manylinux, Arch::x86_64));
  ASSERT_GE(names.size(), 17U);
  EXPECT_EQ(names.front(), "linux");
  EXPECT_EQ(names.back(), "manylinux_2_5");
  EXPECT_TRUE(std::ranges::is_sorted(
      std::span(names).subspan(1), [](const std::string& a, const std::string& b) { return natural_order(a, b) > 0; }));
  EXPECT_EQ(names_of(*find_ladder(Family::Musllinux, Arch::aarch64)),
            (std::vector<std::string>{"linux", "musllinux_1_2", "musllinux_1_1"}));
  EXPECT_EQ(names_of(*find_ladder(Family::Android, Arch::aarch64)),
            (std::vector<std::string>{"linux", "android_27", "android_26", "android_24", "android_21"}));
}

TEST(BuiltinPolicies, CoverTheArchitecturesThatEachLevelWasMadeFor) {
  const auto oldest = [](Family family, Arch arch) {
    const PolicyLevels* const policy_levels = find_ladder(family, arch);
    return policy_levels == nullptr ? std::string("none") : policy_levels->levels.back().name;
  };
  EXPECT_EQ(oldest(Family::Manylinux, Arch::i686), "manylinux_2_5");
  for (const Arch arch : {Arch::aarch64, Arch::armv7l, Arch::ppc64le, Arch::ppc64, Arch::s390x})
    EXPECT_EQ(oldest(Family::Manylinux, arch), "manylinux_2_17") << name_of(arch);
  EXPECT_EQ(names_of(*find_ladder(Family::Manylinux, Arch::ppc64)),
            (std::vector<std::string>{"linux", "manylinux_2_17"}));
  EXPECT_EQ(oldest(Family::Manylinux, Arch::riscv64), "manylinux_2_31");
  EXPECT_EQ(oldest(Family::Manylinux, Arch::loongarch64), "manylinux_2_36");
  EXPECT_EQ(oldest(Family::Manylinux, Arch::armv6l), "none");
  EXPECT_EQ(oldest(Family::Musllinux, Arch::loongarch64), "musllinux_1_2");
  EXPECT_EQ(oldest(Family::Musllinux, Arch::riscv64), "musllinux_1_1");
  EXPECT_EQ(oldest(Family::Android, Arch::x86_64), "android_21");
  EXPECT_EQ(oldest(Family::Android, Arch::i686), "none");
}

TEST(BuiltinPolicies, KnowTheNamesFromBeforePep600) {
  EXPECT_EQ(level(Family::Manylinux, Arch::x86_64, "manylinux_2_5").aliases, std::vector<std::string>{"manylinux1"});
  EXPECT_EQ(level(Family::Manylinux, Arch::x86_64, "manylinux_2_12").aliases,
            std::vector<std::string>{"manylinux2010"});
  EXPECT_EQ(level(Family::Manylinux, Arch::s390x, "manylinux_2_17").aliases, std::vector<std::string>{"manylinux2014"});
}

TEST(BuiltinPolicies, ListTheGlibcxxOfTheSystemsBehindEachLevel) {
  const std::vector<std::string> expected = {"3.4.8",  "3.4.13", "3.4.19", "3.4.22", "3.4.22", "3.4.24",
                                             "3.4.24", "3.4.28", "3.4.29", "3.4.30", "3.4.30", "3.4.30",
                                             "3.4.30", "3.4.33", "3.4.33", "3.4.33"};
  std::vector<std::string> found;  // from manylinux_2_5 to 2_41
  const PolicyLevels& policy_levels = *find_ladder(Family::Manylinux, Arch::x86_64);
  for (std::size_t i = policy_levels.levels.size(); i-- > 1 && found.size() < expected.size();)
    found.push_back(greatest(policy_levels.levels[i], "GLIBCXX"));
  EXPECT_EQ(found, expected);
  EXPECT_EQ(greatest(level(Family::Manylinux, Arch::i686, "manylinux_2_26"), "GLIBCXX"), "3.4.24");
}

TEST(BuiltinPolicies, ListGlibcUpToTheNumberInTheirName) {
  for (const PolicyLevels& policy_levels : builtin()) {
    if (policy_levels.family != Family::Manylinux) continue;
    for (const Policy& policy : std::span(policy_levels.levels).subspan(1)) {
      Version max;
      ASSERT_TRUE(parse_version(greatest(policy, "GLIBC"), max));
      // aarch64 at 2.17: CentOS 7 has GLIBC_2.18 there, and the relevant symbols are denied instead. Otherwise a level
      // may have a lower version than its number if a glibc release added no symbols.
      const bool exception = policy_levels.arch == Arch::aarch64 && policy.name == "manylinux_2_17";
      EXPECT_TRUE(exception || max <= policy.libc) << policy.name << " " << name_of(policy_levels.arch);
      EXPECT_FALSE(policy.versions.find("GLIBC")->second.contains("PRIVATE"));
    }
  }
}

// PEP 600: a newer level allows at least what an older one allows.
TEST(BuiltinPolicies, PromiseNoLessWhenTheLevelIsNewer) {
  for (const PolicyLevels& policy_levels : builtin()) {
    for (std::size_t i = 1; i + 1 < policy_levels.levels.size(); ++i) {
      const Policy &newer = policy_levels.levels[i], &older = policy_levels.levels[i + 1];
      const std::string where = newer.name + " after " + older.name + " on " + std::string(name_of(policy_levels.arch));
      EXPECT_GT(newer.libc, older.libc) << where;
      EXPECT_TRUE(std::ranges::includes(newer.libraries, older.libraries)) << where;
      for (const auto& [family, nodes] : older.versions) {
        ASSERT_TRUE(newer.versions.contains(family)) << where;
        EXPECT_TRUE(std::ranges::includes(newer.versions.find(family)->second, nodes)) << where << ' ' << family;
      }
      for (const auto& [library, symbols] : newer.denied_symbols) {
        ASSERT_TRUE(older.denied_symbols.contains(library)) << where;
        EXPECT_TRUE(std::ranges::includes(older.denied_symbols.find(library)->second, symbols)) << where;
      }
    }
  }
}

TEST(BuiltinPolicies, AllowLibexpatFrom212AndLibmvecFrom224) {
  const auto allows = [](const char* name, const char* library) {
    return level(Family::Manylinux, Arch::x86_64, name).libraries.contains(library);
  };
  EXPECT_FALSE(allows("manylinux_2_5", "libexpat.so.1"));
  EXPECT_TRUE(allows("manylinux_2_12", "libexpat.so.1"));
  EXPECT_FALSE(allows("manylinux_2_17", "libmvec.so.1"));
  EXPECT_TRUE(allows("manylinux_2_24", "libmvec.so.1"));
  EXPECT_EQ(level(Family::Manylinux, Arch::x86_64, "manylinux_2_41").libraries.size(), 24U);
}

TEST(BuiltinPolicies, DenyFewerSymbolsOfZlibAsItsReleasesAdvance) {
  const auto denied = [](const char* name, const char* library) {
    const auto& lists = level(Family::Manylinux, Arch::x86_64, name).denied_symbols;
    const auto at = lists.find(library);
    return at == lists.end() ? 0 : at->second.size();
  };
  EXPECT_EQ(denied("manylinux_2_17", "libc.so.6"), 6U);
  EXPECT_EQ(denied("manylinux_2_17", "libm.so.6"), 3U);
  EXPECT_EQ(denied("manylinux_2_17", "libpthread.so.0"), 2U);
  EXPECT_EQ(denied("manylinux_2_24", "libc.so.6"), 0U);
  EXPECT_EQ(denied("manylinux_2_31", "libz.so.1"), 41U);
  EXPECT_EQ(denied("manylinux_2_34", "libz.so.1"), 40U);
  EXPECT_EQ(denied("manylinux_2_36", "libz.so.1"), 26U);
  EXPECT_EQ(denied("manylinux_2_41", "libz.so.1"), 23U);
  EXPECT_EQ(level(Family::Musllinux, Arch::x86_64, "musllinux_1_2").denied_symbols.find("libz.so.1")->second.size(),
            31U);
}

TEST(BuiltinPolicies, KnowMuslsLibcByEveryNameThatItsLoaderTakesForItself) {
  const StringSet& i686 = level(Family::Musllinux, Arch::i686, "musllinux_1_1").libraries;
  EXPECT_TRUE(i686.contains("libc.musl-x86.so.1"));
  EXPECT_TRUE(i686.contains("libc.musl-i386.so.1"));
  const StringSet& armv7l = level(Family::Musllinux, Arch::armv7l, "musllinux_1_1").libraries;
  EXPECT_TRUE(armv7l.contains("libc.musl-armv7.so.1"));
  EXPECT_TRUE(armv7l.contains("libc.so"));
  EXPECT_FALSE(armv7l.contains("libc.musl-x86.so.1"));
}

TEST(BuiltinPolicies, AllowLibpythonOnAndroidAlone) {
  for (const PolicyLevels& policy_levels : builtin()) {
    for (const Policy& policy : std::span(policy_levels.levels).subspan(1))
      EXPECT_EQ(policy.allows_libpython, policy_levels.family == Family::Android) << policy.name;
  }
}

TEST(BuiltinPolicies, MakeTheSameLadderAloneAsAmongAll) {
  ASSERT_GE(builtin().size(), 19U);
  for (const PolicyLevels& policy_levels : builtin()) {
    const PolicyLevels alone = PolicySet().policy_levels(policy_levels.family, policy_levels.arch);
    EXPECT_EQ(names_of(alone), names_of(policy_levels));
    for (std::size_t i = 0; i < std::min(alone.levels.size(), policy_levels.levels.size()); ++i) {
      EXPECT_EQ(alone.levels[i].libraries, policy_levels.levels[i].libraries);
      EXPECT_EQ(alone.levels[i].versions, policy_levels.levels[i].versions);
    }
  }
  EXPECT_TRUE(PolicySet().policy_levels(Family::Android, Arch::s390x).levels.empty());
}

TEST(BuiltinPolicies, AreWhatTheFilesOfPoliciesSay) {
  const std::vector<Level> built_in = builtin_levels();
  std::map<std::string, const Level*> by_name;
  for (const Level& level : built_in) by_name[level.name] = &level;
  const std::vector<std::string> files = policy_files();
  ASSERT_GE(files.size(), 22U);
  ASSERT_EQ(by_name.size(), files.size());
  for (const std::string& file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const Result<std::vector<Level>> read = levels_of_text(file, text);
    ASSERT_TRUE(read) << read.error().message;
    const Level& level = read->front();
    EXPECT_EQ(std::filesystem::path(file).stem().string(), level.name);
    ASSERT_TRUE(by_name.contains(level.name)) << level.name;
    const Level& other = *by_name[level.name];
    EXPECT_EQ(level.aliases, other.aliases);
    EXPECT_EQ(level.libc, other.libc);
    ASSERT_EQ(level.policies.size(), other.policies.size());
    for (const auto& [arch, policy] : level.policies) {
      ASSERT_TRUE(other.policies.contains(arch));
      const Policy& compiled = other.policies.at(arch);
      EXPECT_EQ(policy.name, compiled.name);
      EXPECT_EQ(policy.family, compiled.family);
      EXPECT_EQ(policy.versions, compiled.versions);
      EXPECT_EQ(policy.libraries, compiled.libraries);
      EXPECT_EQ(policy.denied_symbols, compiled.denied_symbols);
      EXPECT_EQ(policy.allows_libpython, compiled.allows_libpython);
    }
  }
}

// tests/corpus runs this test, because it provides auditwheel. WHEELCHECK_AUDITWHEEL_POLICIES contains the directory of
// auditwheel's *-policy.json. The test expects the same lists, except the names of musl's libc that auditwheel does not
// have.
TEST(PeerPolicies, SayWhatTheBuiltInOnesSay) {
  const char* const directory = std::getenv("WHEELCHECK_AUDITWHEEL_POLICIES");
  ASSERT_NE(directory, nullptr) << "WHEELCHECK_AUDITWHEEL_POLICIES is not set";
  const StringSet own_names = {"libdl.so", "libm.so", "libpthread.so", "librt.so", "libutil.so", "libxnet.so"};
  std::size_t levels = 0;
  for (const char* name : {"manylinux", "musllinux", "android"}) {
    std::ifstream in(std::string(directory) + '/' + name + "-policy.json", std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const Result<std::vector<Level>> read = levels_of_text(name, text);
    ASSERT_TRUE(read) << read.error().message;
    for (const Level& known : *read) {
      ++levels;
      for (const auto& [arch, policy] : known.policies) {
        const Policy& ours = level(known.family, arch, known.name);
        EXPECT_EQ(policy.aliases, ours.aliases);
        EXPECT_EQ(policy.versions, ours.versions) << known.name;
        EXPECT_EQ(policy.denied_symbols, ours.denied_symbols) << known.name;
        StringSet libraries = policy.libraries;
        if (known.family == Family::Musllinux) libraries.insert(own_names.begin(), own_names.end());
        EXPECT_EQ(libraries, ours.libraries) << known.name;
      }
    }
  }
  EXPECT_EQ(levels, builtin_levels().size());
}

}  // namespace
}  // namespace wheelcheck::policy
