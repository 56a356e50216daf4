#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace wheelcheck {

void parallel_for(std::size_t n, unsigned jobs, const std::function<void(std::size_t)>& f) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < n; i = next++) f(i);
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < std::min<std::size_t>(jobs, n); ++i) threads.emplace_back(work);
  work();
}

}  // namespace wheelcheck
