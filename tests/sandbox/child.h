// A child process for actions that cannot be undone: it locks itself down, tries calls, and reports the result of each
// through a pipe.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <string>

#include "sandbox/sandbox.h"

namespace wheelcheck::sandbox {

// The result of a call that returns a negative number on failure.
inline std::string outcome(long result) {
  if (result >= 0) return "done";
  return errno == EPERM ? "EPERM" : errno == EACCES ? "EACCES" : errno == ENOSYS ? "ENOSYS" : std::to_string(errno);
}

inline std::string after_opening(int file) {
  const std::string said = outcome(file);
  if (file >= 0) ::close(file);
  return said;
}

// Runs `tries` in a child, which gets the descriptor of the pipe for its answer. Returns the answer, or how the child
// ended.
inline std::string in_child(const std::function<std::string(int pipe)>& tries) {
  int ends[2] = {-1, -1};
  if (::pipe(ends) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    const std::string said = tries(ends[1]);
    ::_exit(::write(ends[1], said.data(), said.size()) == static_cast<ssize_t>(said.size()) ? 0 : 1);
  }
  ::close(ends[1]);
  std::string said;
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    said.append(buffer, static_cast<std::size_t>(got));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return status == 0 ? said : "ended with " + std::to_string(status) + " after: " + said;
}

// The same in a locked-down child; `allowed` gets the pipe as its output.
inline std::string locked_down(Allowed allowed, const std::function<std::string()>& tries) {
  return in_child([&](int pipe) -> std::string {
    allowed.outputs = {pipe};
    if (const auto done = lock_down(allowed, Demand::WhatThereIs); !done) return done.error().message;
    return tries();
  });
}

}  // namespace wheelcheck::sandbox
