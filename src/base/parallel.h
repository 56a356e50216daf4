// The only use of threads: n independent pieces of work, each of which writes to its own slot.
#pragma once

#include <cstddef>
#include <functional>

namespace wheelcheck {

// The threads of one run that have nothing left to do of their own.
class Helpers {
 public:
  virtual ~Helpers() = default;
  // Runs `work` on an idle thread; false, and at once, where there is none. What `work` refers to must outlive it.
  virtual bool try_start(std::function<void()> work) = 0;
};

// Calls f(0, ...) ... f(n - 1, ...), each once, in order of start, on at most `jobs` threads (the caller's among them).
// A piece may hand part of itself to a thread that found no piece for itself. f must not throw and must touch only what
// belongs to its index.
void parallel_for(std::size_t n, unsigned jobs, const std::function<void(std::size_t, Helpers&)>& f);
void parallel_for(std::size_t n, unsigned jobs, const std::function<void(std::size_t)>& f);

}  // namespace wheelcheck
