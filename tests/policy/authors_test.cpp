// Tests the tools for authors: documents that load again, and the comparison of levels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "policy/builtin.h"
#include "policy/load.h"
#include "wheelcheck/policies.h"

namespace wheelcheck::policy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Level level(StringSet libraries, StringSet glibc) {
  Level out{
      .name = "mylinux_1", .aliases = {}, .family = PlatformTag::Family::Manylinux, .libc = {{2, 17}}, .policies = {}};
  Policy policy{.name = out.name,
                .aliases = {},
                .family = out.family,
                .libc = out.libc,
                .versions = {},
                .libraries = libraries,
                .denied_symbols = {}};
  policy.versions.emplace("GLIBC", glibc);
  out.policies.emplace(Arch::x86_64, std::move(policy));
  return out;
}

TEST(PolicyDocument, LoadsAgainAsTheSameLevel) {
  for (const Level& one : builtin_levels()) {
    const auto again = levels_of_text(one.name, policy_document(one));
    ASSERT_TRUE(again) << again.error().message;
    ASSERT_THAT(*again, SizeIs(1));
    EXPECT_EQ(again->front().aliases, one.aliases);
    EXPECT_EQ(again->front().libc, one.libc);
    EXPECT_THAT(compare_levels(one, again->front()).architectures, IsEmpty()) << one.name;
  }
}

TEST(CompareLevels, TellsWhatCameAndWhatWent) {
  const PolicyChange change = compare_levels(level({"libc.so.6", "libold.so.1"}, {"2.5", "2.17"}),
                                             level({"libc.so.6"}, {"2.17", "2.9", "2.10"}));
  ASSERT_THAT(change.architectures, SizeIs(1));
  const ArchChange& arch = change.architectures.front();
  EXPECT_EQ(arch.presence, Presence::Both);
  EXPECT_THAT(arch.libraries.removed, ElementsAre("libold.so.1"));
  EXPECT_THAT(arch.libraries.added, IsEmpty());
  ASSERT_THAT(arch.versions, SizeIs(1));
  EXPECT_THAT(arch.versions.front().added, ElementsAre("2.9", "2.10"));
  EXPECT_THAT(arch.versions.front().removed, ElementsAre("2.5"));
}

TEST(CompareLevels, TellsArchitecturesThatOneSideHas) {
  Level more = level({"libc.so.6"}, {"2.17"});
  more.policies.emplace(Arch::aarch64, more.policies.begin()->second);
  const Level one = level({"libc.so.6"}, {"2.17"});
  ASSERT_THAT(compare_levels(one, more).architectures, SizeIs(1));
  EXPECT_EQ(compare_levels(one, more).architectures.front().presence, Presence::New);
  EXPECT_EQ(compare_levels(more, one).architectures.front().presence, Presence::Old);
}

}  // namespace
}  // namespace wheelcheck::policy
