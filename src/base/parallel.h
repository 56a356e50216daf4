// Threads for n independent tasks, each of which writes only to its own slot of the result. All threads of the program
// are started here; where the system starts fewer, fewer do the work. A thread without a task left may help another one
// with part of its task.
#pragma once

#include <cstddef>
#include <functional>

namespace wheelcheck {

// The threads of one run that have no task left.
class Helpers {
 public:
  virtual ~Helpers() = default;
  // Runs `work` on an idle thread. Returns false immediately if no thread is idle. The objects that `work` refers to
  // must outlive it.
  virtual bool try_start(std::function<void()> work) = 0;
};

// Calls f(0, ...) to f(n - 1, ...) once each, started in this order, on at most `jobs` threads including the caller's.
// A task may give part of its work to an idle thread through Helpers. f must not throw and must access only data that
// belongs to its index.
void parallel_for(std::size_t n, unsigned jobs, const std::function<void(std::size_t, Helpers&)>& f);
void parallel_for(std::size_t n, unsigned jobs, const std::function<void(std::size_t)>& f);

}  // namespace wheelcheck
