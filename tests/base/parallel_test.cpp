// Tests that every piece runs exactly once with any number of threads, and that idle threads help with the last one.
#include "base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <vector>

namespace wheelcheck::test::parallel_test {
namespace {

TEST(ParallelFor, DoesEveryPieceOnce) {
  for (const unsigned jobs : {1U, 2U, 7U, 64U}) {
    std::vector<std::atomic<int>> done(100);
    parallel_for(done.size(), jobs, [&](std::size_t i) { ++done[i]; });
    for (const auto& count : done) EXPECT_EQ(count, 1) << jobs;
  }
  parallel_for(0, 4, [](std::size_t) { FAIL(); });
}

TEST(ParallelFor, OneThreadHasNoHelp) {
  bool requested = false;
  parallel_for(3, 1, [&](std::size_t, Helpers& idle) { requested = requested || idle.try_start([] {}); });
  EXPECT_FALSE(requested);
}

TEST(ParallelFor, AThreadThatIsIdleTakesPartOfAnothersPiece) {
  std::mutex mutex;
  std::condition_variable change;
  int helped = 0;
  parallel_for(1, 2, [&](std::size_t, Helpers& idle) {
    for (int round = 1; round <= 5; ++round) {
      // The other thread has no piece, so it becomes idle.
      while (!idle.try_start([&] {
        const std::lock_guard lock(mutex);
        ++helped;
        change.notify_all();
      })) {
      }
      std::unique_lock lock(mutex);
      change.wait(lock, [&] { return helped == round; });
    }
  });
  EXPECT_EQ(helped, 5);
}

TEST(ParallelFor, WorkThatWasGivenAwayIsDoneBeforeTheEnd) {
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> given = 0, done = 0;
    parallel_for(8, 4, [&](std::size_t, Helpers& idle) {
      if (idle.try_start([&] { ++done; })) ++given;
    });
    EXPECT_EQ(given, done);
  }
}

}  // namespace
}  // namespace wheelcheck::test::parallel_test
