#include "sandbox/sandbox.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "sandbox/landlock.h"
#include "sandbox/seccomp.h"

namespace wheelcheck::sandbox {
namespace {

std::unexpected<Error> refuse(std::string_view what) {
  return std::unexpected(Error{ErrorCode::Usage, fmt::format("--sandbox require: {}", what)});
}

// What is left of a crash is a file of ours with bytes of strangers, or a process that another may look into.
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

}  // namespace wheelcheck::sandbox
