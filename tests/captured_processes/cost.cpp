// Measures the cost of reading and running a process, in its order and reversed: CPU time and memory by phase, for
// docs/performance.md.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "wheelcheck/environment.h"

namespace wheelcheck {
namespace {

double cpu() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Anonymous memory in MB (proc(5), statm).
long anonymous() {
  long size = 0, resident = 0, shared = 0;
  std::ifstream("/proc/self/statm") >> size >> resident >> shared;
  return (resident - shared) * 4096 / 1'000'000;
}

int run(const char* directory, const char* plan) {
  const EnvironmentInput input{.directory = directory, .plan = plan, .sysroot = "/", .limits = {}, .jobs = 2};
  const double start = cpu();
  auto environment = read_environment(input, {});
  if (!environment) return fmt::print(stderr, "{}\n", environment.error().message), 2;
  const double read = cpu();
  fmt::print("read    {:.2f} s, {} MB stay\n", read - start, anonymous());
  process::Plan other = environment->plan;
  std::ranges::reverse(other.steps);
  const std::vector<process::Plan> plans{environment->plan, other};
  const auto outcomes = process::predict(environment->world, plans);
  fmt::print("played  {:.2f} s, {} MB stay; {} and {} references bound\n", cpu() - read, anonymous(),
             outcomes[0].bound.size(), outcomes[1].bound.size());
  return 0;
}

}  // namespace
}  // namespace wheelcheck

int main(int count, char** words) {
  if (count == 3) return wheelcheck::run(words[1], words[2]);
  fmt::print(stderr, "process_cost SITE-PACKAGES PLAN\n");
  return 2;
}
