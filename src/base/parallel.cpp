#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace wheelcheck {
namespace {

class Crew final : public Helpers {
 public:
  Crew(std::size_t n, const std::function<void(std::size_t, Helpers&)>& f) : n_(n), f_(f) {}

  // Before a thread is started, and if it could not be started.
  void add_thread() {
    const std::lock_guard lock(mutex_);
    ++busy_;
  }
  void remove_thread() {
    const std::lock_guard lock(mutex_);
    --busy_;
  }

  void work() {
    for (std::size_t i = next_++; i < n_; i = next_++) f_(i, *this);
    help();
  }

  bool try_start(std::function<void()> work) override {
    if (waiting_.load(std::memory_order_relaxed) == 0) return false;
    const std::lock_guard lock(mutex_);
    if (waiting_ == 0 || given_) return false;
    --waiting_;
    ++busy_;  // counts the thread that is about to take the work
    given_ = std::move(work);
    wake_.notify_one();
    return true;
  }

 private:
  // Waits for work from other threads until no thread is left that could give any.
  void help() {
    std::unique_lock lock(mutex_);
    --busy_;
    for (;;) {
      ++waiting_;
      if (busy_ == 0) wake_.notify_all();
      wake_.wait(lock, [&] { return given_ || busy_ == 0; });
      if (!given_) return;
      const std::function<void()> work = std::move(*given_);
      given_.reset();
      lock.unlock();
      work();
      lock.lock();
      --busy_;
    }
  }

  const std::size_t n_;
  std::atomic<std::size_t> next_ = 0, waiting_ = 0;
  std::size_t busy_ = 1;  // threads that run a task or work that was given to them; at first the caller's
  std::optional<std::function<void()>> given_;
  std::mutex mutex_;
  std::condition_variable wake_;
  const std::function<void(std::size_t, Helpers&)>& f_;
};

}  // namespace

void parallel_for(std::size_t n, unsigned jobs, const std::function<void(std::size_t, Helpers&)>& f) {
  const std::size_t count = std::clamp<std::size_t>(jobs, 1, std::max<std::size_t>(n, 1) + 1);
  Crew crew(n, f);
  std::vector<std::jthread> threads;
  threads.reserve(count);
  for (std::size_t i = 1; i < count; ++i) {
    crew.add_thread();
    try {
      threads.emplace_back([&] { crew.work(); });
    } catch (const std::system_error&) {  // a limit on threads or on address space: the threads there are do the work
      crew.remove_thread();
      break;
    }
  }
  crew.work();
}

void parallel_for(std::size_t n, unsigned jobs, const std::function<void(std::size_t)>& f) {
  const auto useful = static_cast<unsigned>(std::min<std::size_t>(n, jobs));
  parallel_for(n, useful, [&](std::size_t i, Helpers&) { f(i); });
}

}  // namespace wheelcheck
