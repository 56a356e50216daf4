// Runs one program and says what it cost: "user system wall maxrss exit", microseconds and kilobytes.
//
// What wait4 calls the largest resident set of a child starts with that of the process which started it, so a script of
// 20 MB could not measure a program of 5. This one has no more than a page or two of its own.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace {

long long micros(const timeval& time) { return time.tv_sec * 1'000'000LL + time.tv_usec; }

long long now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1'000'000LL + time.tv_nsec / 1000;
}

}  // namespace

int main(int count, char** words) {
  if (count < 2) return std::fputs("launch PROGRAM [WORD...]: stdout of the program is thrown away\n", stderr), 2;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const long long start = now();
  pid_t child = 0;
  if (const int error = posix_spawn(&child, words[1], &actions, nullptr, words + 1, environ); error != 0)
    return std::fprintf(stderr, "launch: %s: %s\n", words[1], std::strerror(error)), 2;
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child) return std::perror("launch"), 2;
  const long long wall = now() - start;
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  std::printf("%lld %lld %lld %ld %d\n", micros(usage.ru_utime), micros(usage.ru_stime), wall, usage.ru_maxrss, code);
  return 0;
}
