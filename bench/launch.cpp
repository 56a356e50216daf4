// Runs one program and prints its cost: "user system wall maxrss exit", in microseconds and kilobytes.
//
// The maximum resident set that wait4 reports for a child starts with that of its parent, so a script of 20 MB could
// not measure a program of 5 MB. This program has only a page or two of its own.
//
// A virtual machine gets memory from its host at the first access, and returns memory that is idle for some seconds.
// The cost of a program's memory therefore depends on what ran before. To make it constant, another process touches
// BYTES of memory directly before the program runs.
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

long long micros(const timeval& time) { return time.tv_sec * 1'000'000LL + time.tv_usec; }

long long now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1'000'000LL + time.tv_nsec / 1000;
}

void touch_memory(std::size_t size) {
  if (size == 0) return;
  const pid_t child = fork();
  if (child == 0) {
    void* const place = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) _exit(1);
    (void)madvise(place, size, MADV_HUGEPAGE);
    _exit(madvise(place, size, MADV_POPULATE_WRITE) == 0 ? 0 : 1);
  }
  if (child > 0) (void)waitpid(child, nullptr, 0);
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) return std::fputs("launch BYTES PROGRAM [WORD...]: stdout of the program is thrown away\n", stderr), 2;
  touch_memory(std::strtoull(words[1], nullptr, 10));
  char** const program = words + 2;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const long long start = now();
  pid_t child = 0;
  if (const int error = posix_spawn(&child, *program, &actions, nullptr, program, environ); error != 0)
    return std::fprintf(stderr, "launch: %s: %s\n", *program, std::strerror(error)), 2;
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child) return std::perror("launch"), 2;
  const long long wall = now() - start;
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  std::printf("%lld %lld %lld %ld %d\n", micros(usage.ru_utime), micros(usage.ru_stime), wall, usage.ru_maxrss, code);
  return 0;
}
