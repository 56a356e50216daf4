// What the kernel takes of Landlock (include/uapi/linux/landlock.h, since Linux 5.13). It stands here because headers
// may be older than the kernel: those of the manylinux_2_28 image know nothing of it. The numbers are the same on all
// machines.
#pragma once

#include <cstdint>

namespace wheelcheck::sandbox::landlock {

inline constexpr long create_ruleset = 444, add_rule = 445, restrict_self = 446;  // system calls

inline constexpr unsigned create_ruleset_version = 1;  // a flag: nothing is made, the version is told
inline constexpr int rule_path_beneath = 1;

inline constexpr std::uint64_t write_file = 1 << 1, read_file = 1 << 2, read_dir = 1 << 3, remove_file = 1 << 5,
                               make_reg = 1 << 8, make_sym = 1 << 12;  // make_sym is the last of version 1

struct [[gnu::packed]] PathBeneath {
  std::uint64_t allowed_access;
  std::int32_t parent_fd;
};

// struct landlock_ruleset_attr as of version 6; a kernel takes what it does not know as long as it is 0.
struct Ruleset {
  std::uint64_t files = 0, network = 0, scoped = 0;
};

}  // namespace wheelcheck::sandbox::landlock
