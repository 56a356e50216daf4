// What the process sets for itself before anything else: descriptors, memory, signals.
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "cli/main.h"
#include "cli/options.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace wheelcheck::cli {
namespace {

// Only calls that signal-safety(7) allows, and no memory. The first thread that comes here ends all others.
[[noreturn]] void end_process(std::string_view message) {
  static std::atomic_flag ending;
  while (ending.test_and_set()) continue;  // the sandbox allows no waiting
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, message.data(), message.size());
  ::_exit(exit_internal);
}

[[noreturn]] void end_without_memory() {
  end_process(
      "wheelcheck: not enough memory: free memory, raise the limit of this process (ulimit -v), or use --jobs 1\n");
}

// std::terminate, assertions, and abort() in libraries.
[[noreturn]] void end_aborted(int /*signal*/) { end_process("wheelcheck: internal error: aborted\n"); }

// Objects with static storage allocate before main.
[[gnu::constructor(101)]] void handle_lack_of_memory() { std::set_new_handler(&end_without_memory); }

// A descriptor of a closed stream would be given to the next file that is opened: a wheel would be stdout. The
// replacements refuse what the stream is for, as a closed stream does.
void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
    const int file = ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (file >= 0 && file != stream) {
      ::dup2(file, stream);
      ::close(file);
    }
  }
}

constexpr std::size_t deepest_stack = std::size_t{1} << 20;  // the parser and the evaluator of Python need half of it

// A small soft limit on the stack is raised, for this thread and for those that it starts.
void demand_stack() {
  constexpr rlim_t usual = rlim_t{8} << 20;
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= usual) return;
  limit.rlim_cur = std::min(usual, limit.rlim_max);
  if (limit.rlim_cur < 2 * deepest_stack || ::setrlimit(RLIMIT_STACK, &limit) != 0)
    end_process("wheelcheck: the limit on the stack is less than 2 MB: raise it (ulimit -s)\n");
  pthread_attr_t threads;
  if (::pthread_attr_init(&threads) != 0) return;
  (void)::pthread_attr_setstacksize(&threads, limit.rlim_cur);
#ifdef __GLIBC__
  (void)::pthread_setattr_default_np(&threads);
#endif
  (void)::pthread_attr_destroy(&threads);
}

// The compiler's stack clash protection touches the stack before the first statement of a function with a large array.
[[gnu::noinline]] void use_stack() {
  constexpr std::size_t page = 4096;
  [[maybe_unused]] volatile std::byte space[deepest_stack];
  for (std::size_t i = deepest_stack; i >= page; i -= page) space[i - 1] = std::byte{};  // as a stack grows: downwards
}

// With a limit on memory, the kernel ends a process whose stack cannot grow with SIGSEGV, and no function can report
// it. So the stack gets its memory here, while a failure can still be reported.
void reserve_stack() {
  rlimit memory{};
  if (::getrlimit(RLIMIT_AS, &memory) != 0 || memory.rlim_cur == RLIM_INFINITY) return;
  void* const possible =
      ::mmap(nullptr, 2 * deepest_stack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (possible == MAP_FAILED) end_without_memory();
  ::munmap(possible, 2 * deepest_stack);
  use_stack();
}

// Memory that one member frees is used for the next one. Returning it to the kernel in between takes 2 % of a run.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int mb = 1 << 20;
  ::mallopt(M_TRIM_THRESHOLD, 16 * mb);
  ::mallopt(M_MMAP_THRESHOLD, 4 * mb);
#endif
}

}  // namespace

void prepare_process() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // write() fails with EFBIG
  std::signal(SIGABRT, &end_aborted);
  occupy_closed_streams();
  demand_stack();
  reserve_stack();
  // No result depends on the time zone. Without TZ, the C library opens the host's time zone file again and again.
  ::setenv("TZ", "UTC0", 1);
  keep_freed_memory();
}

}  // namespace wheelcheck::cli
