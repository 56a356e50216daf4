// The only use of threads: n independent pieces of work, each of which writes to its own slot.
#pragma once

#include <cstddef>
#include <functional>

namespace wheelcheck {

// Calls f(0) ... f(n - 1), each once, in order of start, on at most `jobs` threads (the caller's among them).
// f must not throw and must touch only what belongs to its index.
void parallel_for(std::size_t n, unsigned jobs, const std::function<void(std::size_t)>& f);

}  // namespace wheelcheck
