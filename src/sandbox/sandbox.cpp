// Landlock and seccomp: the process gives up rights that it no longer needs.
#include "sandbox/sandbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

namespace wheelcheck::sandbox {

namespace {

std::unexpected<Error> refuse(std::string_view what) {
  return std::unexpected(Error{ErrorCode::Usage, fmt::format("--sandbox require: {}", what)});
}

// Disables core dumps, which could contain untrusted bytes, and the inspection of this process by others.
void leave_nothing() {
  const rlimit none{0, 0};
  (void)::setrlimit(RLIMIT_CORE, &none);
  (void)::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

}  // namespace

Offer offered() { return {.landlock = landlock_version(), .seccomp = has_seccomp()}; }

std::string_view unable() { return WHEELCHECK_SANDBOX_UNABLE; }

Result<void> lock_down(const Allowed& allowed, Demand demand) {
  const bool all = demand == Demand::All;
  if (!unable().empty()) {
    if (all) return refuse(fmt::format("this program cannot, {}", unable()));
    return {};
  }
  leave_nothing();
  const bool settled = ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
  if (!settled && all) return refuse("this kernel has no no_new_privs (Linux 3.5)");
  const bool files = restrict_files(allowed);
  if (!files && all) return refuse("this kernel has no Landlock, or it is turned off (Linux 5.13, lsm=landlock)");
  const bool calls = restrict_calls(allowed);
  if (!calls && all) return refuse("this kernel takes no seccomp filters (Linux 3.17, CONFIG_SECCOMP_FILTER)");
  return {};
}

std::size_t raise_open_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  const rlim_t before = limit.rlim_cur;
  limit.rlim_cur = limit.rlim_max;
  return static_cast<std::size_t>(::setrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_max : before);
}

// The C library has no wrappers for these system calls.

namespace {

using landlock::PathBeneath;
using landlock::Ruleset;

constexpr std::uint64_t read_below = landlock::read_file | landlock::read_dir;
constexpr std::uint64_t write_below = read_below | landlock::write_file | landlock::make_reg | landlock::remove_file;

// All rights that a version can restrict, by the version that introduced them.
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

// A path that cannot be opened now cannot be read later either, so an error is ignored.
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

// System calls are listed by name, because no architecture has all of them; unknown ones are left out.

namespace {

// Memory, threads and exit. Calls whose arguments need a check are in `add_strict`.
constexpr const char* always[] = {
    "pread64",
    "close",
    "futex",
    "madvise",
    "munmap",
    "mremap",
    "brk",
    "exit",
    "exit_group",
    "fstat",
    "rseq",
    "set_robust_list",
    "sched_yield",
    "clock_gettime",
    "gettimeofday",
    "getrandom",
    "getpid",
    "gettid",
    "rt_sigaction",
    "rt_sigprocmask",
    "rt_sigreturn",
    "sysinfo",
    "restart_syscall",
    "clock_nanosleep",
    "sched_getaffinity",
};
// For reading directories: all calls that C libraries use for it.
constexpr const char* looking[] = {
    "read",  "lseek",  "fcntl",     "getdents64", "readlink",   "readlinkat", "stat",   "lstat",
    "statx", "access", "faccessat", "faccessat2", "newfstatat", "getcwd",     "statfs", "fstatfs",
};
// For writing to a directory.
constexpr const char* keeping[] = {"open",     "openat",    "write",  "writev",   "rename",
                                   "renameat", "renameat2", "unlink", "unlinkat", "utimensat"};

class Filter {
 public:
  Filter() : context_(seccomp_init(SCMP_ACT_ERRNO(EPERM)), &seccomp_release) {}

  // All conditions must be true. Alternatives on one argument need several rules.
  void allow(const char* call, std::initializer_list<scmp_arg_cmp> when = {}) { add(SCMP_ACT_ALLOW, call, when); }
  void refuse(const char* call, std::uint32_t error) { add(SCMP_ACT_ERRNO(error), call, {}); }

  bool load() {
    // Kernels before 5.16 slow down a process with seccomp filters, as a mitigation of speculative execution attacks by
    // code inside it. This process runs no foreign code.
    if (context_) (void)seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_SSB, 1);
    return good_ && context_ && seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_TSYNC, 1) == 0 &&
           seccomp_load(context_.get()) == 0;
  }

 private:
  void add(std::uint32_t action, const char* call, std::initializer_list<scmp_arg_cmp> when) {
    const int number = seccomp_syscall_resolve_name(call);
    if (number < 0 || !context_) return;
    good_ =
        seccomp_rule_add_array(context_.get(), action, number, static_cast<unsigned>(when.size()), when.begin()) == 0 &&
        good_;
  }

  std::unique_ptr<void, void (*)(scmp_filter_ctx)> context_;
  bool good_ = true;
};

constexpr scmp_arg_cmp has_bits(unsigned argument, std::uint64_t mask, std::uint64_t bits) {
  return {.arg = argument, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = bits};
}
// An argument of type int; the kernel ignores its upper half.
constexpr scmp_arg_cmp is(unsigned argument, int value) {
  return has_bits(argument, 0xFFFFFFFF, static_cast<std::uint32_t>(value));
}

std::vector<int> outputs_of(const Allowed& allowed) {
  std::vector<int> outputs{STDOUT_FILENO, STDERR_FILENO};
  for (const int output : allowed.outputs)
    if (output > STDERR_FILENO) outputs.push_back(output);
  return outputs;
}

void add_strict(Filter& filter, const Allowed& allowed) {
  for (const char* const call : always) filter.allow(call);
  // No executable memory.
  filter.allow("mmap", {has_bits(2, PROT_EXEC, 0)});
  filter.allow("mprotect", {has_bits(2, PROT_EXEC, 0)});
  // Threads are allowed, processes are not. The flags of clone3 are in memory, which a filter cannot read; if it fails
  // with ENOSYS, C libraries call clone.
  filter.allow("clone", {has_bits(0, CLONE_VM | CLONE_THREAD, CLONE_VM | CLONE_THREAD)});
  filter.refuse("clone3", ENOSYS);
  filter.allow("tgkill", {is(0, ::getpid())});  // abort()
  filter.allow("ioctl", {is(1, TCGETS)});       // isatty()
  for (const int output : outputs_of(allowed)) {
    filter.allow("write", {is(0, output)});
    filter.allow("writev", {is(0, output)});
  }
  for (const int output : allowed.outputs) filter.allow("ftruncate", {is(0, output)});
}

}  // namespace

bool has_seccomp() { return seccomp_api_get() >= 2; }  // filters with TSYNC, seccomp_api_get(3)

bool restrict_calls(const Allowed& allowed) {
  Filter filter;
  add_strict(filter, allowed);
  const bool reads = !allowed.read.empty(), writes = !allowed.write.empty();
  if (reads || writes)
    for (const char* const call : looking) filter.allow(call);
  else
    filter.allow("newfstatat", {has_bits(3, AT_EMPTY_PATH, AT_EMPTY_PATH)});  // fstat() of glibc before 2.39
  if (writes)
    for (const char* const call : keeping) filter.allow(call);
  else if (reads) {
    constexpr std::uint64_t changes = O_ACCMODE | O_CREAT | O_TRUNC;
    filter.allow("openat", {has_bits(2, changes, O_RDONLY)});
    filter.allow("open", {has_bits(1, changes, O_RDONLY)});
  }
  return filter.load();
}

}  // namespace wheelcheck::sandbox
