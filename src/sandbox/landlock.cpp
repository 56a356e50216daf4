// The C library has no functions for these calls.
#include "sandbox/landlock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>

#include "sandbox/landlock_abi.h"

namespace wheelcheck::sandbox {
namespace {

using landlock::PathBeneath;
using landlock::Ruleset;

constexpr std::uint64_t read_below = landlock::read_file | landlock::read_dir;
constexpr std::uint64_t write_below = read_below | landlock::write_file | landlock::make_reg | landlock::remove_file;

// Everything that a version can forbid, by the version that brought it.
Ruleset all_of(int version) {
  Ruleset all{.files = (landlock::make_sym << 1) - 1};
  if (version >= 2) all.files |= std::uint64_t{1} << 13;  // REFER
  if (version >= 3) all.files |= std::uint64_t{1} << 14;  // TRUNCATE
  if (version >= 4) all.network = std::uint64_t{1} | 2;   // BIND_TCP, CONNECT_TCP
  if (version >= 5) all.files |= std::uint64_t{1} << 15;  // IOCTL_DEV
  if (version >= 6) all.scoped = std::uint64_t{1} | 2;    // abstract sockets, signals
  return all;
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }

 private:
  int number_;
};

// What cannot be opened now cannot be read later either, rule or not.
void allow(const Descriptor& ruleset, const std::string& path, std::uint64_t below) {
  const Descriptor place(::open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat about{};
  if (!place.is_open() || ::fstat(place.number(), &about) != 0) return;
  const PathBeneath rule{.allowed_access = S_ISDIR(about.st_mode) ? below : below & landlock::read_file,
                         .parent_fd = place.number()};
  (void)::syscall(landlock::add_rule, ruleset.number(), landlock::rule_path_beneath, &rule, 0);
}

}  // namespace

int landlock_version() {
  const long version = ::syscall(landlock::create_ruleset, nullptr, 0, landlock::create_ruleset_version);
  return version > 0 ? static_cast<int>(version) : 0;
}

bool restrict_files(const Allowed& allowed) {
  const Ruleset all = all_of(landlock_version());
  const Descriptor ruleset(static_cast<int>(::syscall(landlock::create_ruleset, &all, sizeof all, 0)));
  if (!ruleset.is_open()) return false;
  for (const std::string& path : allowed.read) allow(ruleset, path, read_below);
  if (!allowed.write.empty()) allow(ruleset, allowed.write, write_below);
  return ::syscall(landlock::restrict_self, ruleset.number(), 0) == 0;
}

}  // namespace wheelcheck::sandbox
