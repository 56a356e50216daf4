// Tests what a locked-down process can still do. Each action that must fail is first tried without the sandbox.
#include "sandbox/sandbox.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <string>
#include <thread>

#include "tests/sandbox/child.h"

namespace wheelcheck::sandbox {
namespace {

namespace fs = std::filesystem;

class Sandbox : public testing::Test {
 protected:
  Sandbox() {
    std::string name = (fs::temp_directory_path() / "sandbox.XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    for (const char* const below : {"inside", "outside"}) {
      fs::create_directory(folder_ / below);
      std::ofstream(folder_ / below / "file") << "bytes";
    }
  }
  ~Sandbox() override { fs::remove_all(folder_); }

  void SetUp() override {
    if (!unable().empty()) GTEST_SKIP() << "this program has no sandbox, " << unable();
    ASSERT_TRUE(offered().seccomp) << "this kernel has no seccomp filters";
  }
  // Skips a test that this kernel does not support; other tests cover what it supports.
  static bool lacks_landlock(int version = 1) {
    if (offered().landlock >= version) return false;
    std::cout << "this kernel has Landlock ABI " << offered().landlock << ", less than " << version << "\n";
    return true;
  }

  std::string place(const char* name) const { return (folder_ / name).string(); }
  std::string open(const char* name, int flags) const {
    return after_opening(::open(place(name).c_str(), flags, 0600));
  }
  std::string everything() const {
    const std::string program = "/proc/self/exe", file = place("inside/file");
    char* const none[] = {nullptr};
    std::string said = "read " + open("inside/file", O_RDONLY);
    said += ", write " + open("inside/file", O_WRONLY);
    said += ", make " + open("inside/new", O_WRONLY | O_CREAT);
    struct stat about{};
    said += ", look " + outcome(::stat(file.c_str(), &about));
    said += ", socket " + after_opening(::socket(AF_UNIX, SOCK_STREAM, 0));
    said += ", network " + after_opening(::socket(AF_INET, SOCK_STREAM, 0));
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    said += ", fork " + outcome(child);
    if (child > 0) ::waitpid(child, nullptr, 0);
    void* const code = ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    said += ", code " + outcome(code == MAP_FAILED ? -1 : 0);
    said += ", unlink " + outcome(::unlink(place("outside/file").c_str()));
    if (said.find("code EPERM") != said.npos) said += ", program " + outcome(::execve(program.c_str(), none, none));
    return said;
  }

  fs::path folder_;
};

TEST_F(Sandbox, LeavesWhatIsOpenAndNothingElse) {
  EXPECT_EQ(
      in_child([&](int) { return everything(); }),
      "read done, write done, make done, look done, socket done, network done, fork done, code done, unlink done");
  EXPECT_EQ(locked_down({}, [&] { return everything(); }),
            "read EPERM, write EPERM, make EPERM, look EPERM, socket EPERM, network EPERM, fork EPERM, code EPERM, "
            "unlink EPERM, program EPERM");
}

TEST_F(Sandbox, ThreadsReadWhatIsOpen) {
  const int file = ::open(place("inside/file").c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(locked_down({},
                        [&] {
                          char bytes[5] = {};
                          std::string said, tried;
                          std::jthread([&] {
                            said = outcome(::pread(file, bytes, sizeof bytes, 0));
                            tried = open("inside/file", O_RDONLY);
                          }).join();
                          return said + " " + std::string(bytes, sizeof bytes) + " " + tried;
                        }),
            "done bytes EPERM");
  ::close(file);
}

TEST_F(Sandbox, NothingElseIsWritten) {
  const int other = ::open(place("inside/file").c_str(), O_WRONLY | O_CLOEXEC);
  EXPECT_EQ(locked_down({}, [&] { return outcome(::write(other, "x", 1)); }), "EPERM");
  ::close(other);
}

TEST_F(Sandbox, ADirectoryIsReadWithAllBelowIt) {
  if (lacks_landlock()) return;
  const auto tries = [&] {
    return open("inside", O_RDONLY | O_DIRECTORY) + " " + open("inside/file", O_RDONLY) + " " +
           open("inside/file", O_WRONLY) + " " + open("inside/new", O_WRONLY | O_CREAT) + " " +
           open("outside/file", O_RDONLY) + " " + open("outside", O_RDONLY | O_DIRECTORY);
  };
  EXPECT_EQ(locked_down({.read = {place("inside")}}, tries), "done done EPERM EPERM EACCES EACCES");
  EXPECT_EQ(locked_down({.read = {place("inside/file"), place("no such")}}, tries),
            "EACCES done EPERM EPERM EACCES EACCES");
}

TEST_F(Sandbox, OneDirectoryMayBeWritten) {
  if (lacks_landlock()) return;
  EXPECT_EQ(locked_down({.read = {place("outside")}, .write = place("inside")},
                        [&] {
                          std::string said = open("inside/new", O_WRONLY | O_CREAT);
                          const std::string from = place("inside/new"), to = place("inside/newer");
                          said += " " + outcome(::rename(from.c_str(), to.c_str()));
                          said += " " + outcome(::unlink(to.c_str()));
                          said += " " + open("outside/file", O_RDONLY) + " " + open("outside/file", O_WRONLY);
                          said += " " + open("outside/new", O_WRONLY | O_CREAT);
                          return said + " " + outcome(::unlink(place("outside/file").c_str()));
                        }),
            "done done done done EACCES EACCES EACCES");
}

// Landlock alone, without seccomp: what a kernel without filters would still deny.
TEST_F(Sandbox, LandlockAloneHoldsFilesAndPorts) {
  if (lacks_landlock()) return;
  const std::string said = in_child([&](int) -> std::string {
    (void)::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (!restrict_files({.read = {place("inside")}})) return "refused";
    sockaddr_in any{};
    any.sin_family = AF_INET;
    const int port = ::socket(AF_INET, SOCK_STREAM, 0);
    return open("inside/file", O_RDONLY) + " " + open("outside/file", O_RDONLY) + " " +
           open("inside/new", O_WRONLY | O_CREAT) + " " +
           outcome(::bind(port, reinterpret_cast<const sockaddr*>(&any), sizeof any));
  });
  EXPECT_EQ(said, lacks_landlock(4) ? "done EACCES EACCES done" : "done EACCES EACCES EACCES");
}

TEST_F(Sandbox, NothingIsLeftForOthers) {
  EXPECT_EQ(in_child([](int pipe) -> std::string {
              const auto done = lock_down({.read = {"/"}, .write = "/", .outputs = {pipe}}, Demand::WhatThereIs);
              std::ifstream status("/proc/self/status");
              std::string said, line;
              while (std::getline(status, line))
                if (line.starts_with("NoNewPrivs") || line.starts_with("Seccomp:"))
                  said += line.substr(line.find('\t'));
              std::ifstream limits("/proc/self/limits");
              while (std::getline(limits, line))
                if (line.starts_with("Max core")) said += line.find(" 0 ") != line.npos ? "\tno core" : "\tcore";
              return said + (done ? "" : "failed");
            }),
            "\t1\t2\tno core");
}

// Simulates a kernel that lacks a call: the call fails with ENOSYS.
std::string without(const char* call, Demand demand, const std::function<std::string()>& tries) {
  return in_child([&](int pipe) -> std::string {
    const scmp_filter_ctx lacking = seccomp_init(SCMP_ACT_ALLOW);
    (void)seccomp_rule_add(lacking, SCMP_ACT_ERRNO(ENOSYS), seccomp_syscall_resolve_name(call), 0);
    if (seccomp_load(lacking) != 0) return "no filter";
    const auto done = lock_down({.outputs = {pipe}}, demand);
    return done ? tries() : done.error().message;
  });
}

TEST_F(Sandbox, AnOlderKernelGivesWhatItHas) {
  const auto tries = [&] { return open("inside/file", O_RDONLY); };
  EXPECT_EQ(without("landlock_create_ruleset", Demand::WhatThereIs, tries), "EPERM");
  EXPECT_EQ(without("landlock_create_ruleset", Demand::All, tries),
            "--sandbox require: this kernel has no Landlock, or it is turned off (Linux 5.13, lsm=landlock)");
  if (lacks_landlock()) return;
  EXPECT_EQ(without("seccomp", Demand::WhatThereIs, tries), "EACCES");
  EXPECT_EQ(without("seccomp", Demand::All, tries),
            "--sandbox require: this kernel takes no seccomp filters (Linux 3.17, CONFIG_SECCOMP_FILTER)");
  EXPECT_EQ(without("personality", Demand::All, tries), "EPERM");
}

TEST(Unable, SaysSoWhereAllIsDemanded) {
  if (unable().empty()) return;  // the remaining checks are about this program
  EXPECT_EQ(in_child([](int) { return lock_down({}, Demand::WhatThereIs) ? "fine" : "failed"; }), "fine");
  const auto done = lock_down({}, Demand::All);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "--sandbox require: this program cannot, " + std::string(unable()));
}

TEST_F(Sandbox, MoreFilesMayBeOpen) {
  EXPECT_EQ(in_child([](int) {
              rlimit limit{};
              ::getrlimit(RLIMIT_NOFILE, &limit);
              limit.rlim_cur = 20;
              ::setrlimit(RLIMIT_NOFILE, &limit);
              const std::size_t raised = raise_open_files();
              ::getrlimit(RLIMIT_NOFILE, &limit);
              return std::string(raised == limit.rlim_max && limit.rlim_cur == limit.rlim_max ? "all" : "not all");
            }),
            "all");
}

}  // namespace
}  // namespace wheelcheck::sandbox
