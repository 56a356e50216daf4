// Compares the constants of sandbox/sandbox.h with those of the kernel's header.
#include <gtest/gtest.h>
#include <linux/landlock.h>
#include <sys/syscall.h>

#include <cstddef>

#include "sandbox/sandbox.h"

namespace wheelcheck::sandbox {
namespace {

TEST(LandlockAbi, NumbersAreTheKernels) {
  EXPECT_EQ(landlock::create_ruleset, SYS_landlock_create_ruleset);
  EXPECT_EQ(landlock::add_rule, SYS_landlock_add_rule);
  EXPECT_EQ(landlock::restrict_self, SYS_landlock_restrict_self);
  EXPECT_EQ(landlock::create_ruleset_version, LANDLOCK_CREATE_RULESET_VERSION);
  EXPECT_EQ(landlock::rule_path_beneath, LANDLOCK_RULE_PATH_BENEATH);
  EXPECT_EQ(landlock::write_file, LANDLOCK_ACCESS_FS_WRITE_FILE);
  EXPECT_EQ(landlock::read_file, LANDLOCK_ACCESS_FS_READ_FILE);
  EXPECT_EQ(landlock::read_dir, LANDLOCK_ACCESS_FS_READ_DIR);
  EXPECT_EQ(landlock::remove_file, LANDLOCK_ACCESS_FS_REMOVE_FILE);
  EXPECT_EQ(landlock::make_reg, LANDLOCK_ACCESS_FS_MAKE_REG);
  EXPECT_EQ(landlock::make_sym, LANDLOCK_ACCESS_FS_MAKE_SYM);
}

TEST(LandlockAbi, ARuleHasTheKernelsForm) {
  EXPECT_EQ(sizeof(landlock::PathBeneath), sizeof(landlock_path_beneath_attr));
  EXPECT_EQ(offsetof(landlock::PathBeneath, parent_fd), offsetof(landlock_path_beneath_attr, parent_fd));
}

}  // namespace
}  // namespace wheelcheck::sandbox
