// Tests CxxAbi with libraries that real compilers create in every way that its classes describe. A missing compiler or
// C++ library fails the test; scripts/test installs them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "elf/read.h"
#include "tests/support/analysed.h"

namespace wheelcheck {
namespace {

constexpr const char* source = R"(
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>
namespace SCOPE {
std::string greet(const std::string& name) {
  if (name.empty()) throw std::runtime_error("nobody is there");
  return "hello " + name;
}
void show(int n) { std::cout << n; }
int count(int n) {
  std::thread worker(show, n);
  worker.join();
  return n;
}
}
)";

struct Built {
  std::string said;  // output of the compiler, if it failed
  ElfMember member;
  CxxAbi abi;
};

class Compiled : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = (std::filesystem::temp_directory_path() / "wheelcheck-cxxabi-XXXXXX").string();
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
    std::ofstream(folder_ + "/own.cpp") << source;
    std::ofstream(folder_ + "/call.cpp")
        << "namespace own { int open(int); int twice(int n) { return open(n) * 2; } }\n";
    std::ofstream(folder_ + "/plain.c") << "int plain(int n) { return n + 1; }\n";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Runs the commands in the folder and reads x.so, which they create.
  Built make(const std::string& commands) const {
    Built built;
    const std::string all = "cd '" + folder_ + "' && { " + commands + "; } 2>&1";
    FILE* const pipe = popen(all.c_str(), "r");
    if (pipe == nullptr) return {.said = "no shell", .member = {}, .abi = {}};
    char buffer[4096];
    while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) built.said.append(buffer, got);
    if (pclose(pipe) == 0) built.said.clear();
    std::ifstream file(folder_ + "/x.so", std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    built.member.facts = elf::read_elf(std::as_bytes(std::span(bytes)), {});
    built.abi = test::cxx_abi_of(built.member);
    return built;
  }
  // One source, one command.
  Built gcc(const std::string& options) const {
    return make("g++ -shared -fPIC -O2 -DSCOPE=own -o x.so own.cpp " + options);
  }
  Built clang(const std::string& options) const {
    return make("clang++-19 -shared -fPIC -O2 -DSCOPE=own -stdlib=libc++ -o x.so own.cpp " + options);
  }

 private:
  std::string folder_;
};

bool has_compiler(const CxxAbi& abi, std::string_view name) {
  return std::ranges::any_of(abi.compilers, [&](const Compiler& c) { return c.name == name && !c.version.empty(); });
}
std::string evidence(const CxxAbi& abi) {
  std::string text;
  for (const std::string_view one : abi.runtime_evidence) text.append(one).append(" ");
  return text;
}

TEST_F(Compiled, TheNewString) {
  const Built built = gcc("-D_GLIBCXX_USE_CXX11_ABI=1");
  ASSERT_EQ(built.said, "");
  EXPECT_EQ(built.abi.defined, StringAbi::New);
  EXPECT_EQ(built.abi.imported, StringAbi::New);
  EXPECT_EQ(built.abi.runtime, CxxRuntime::Libstdcxx);
  EXPECT_TRUE(has_compiler(built.abi, "GCC"));
}

TEST_F(Compiled, TheOldString) {
  const Built built = gcc("-D_GLIBCXX_USE_CXX11_ABI=0");
  ASSERT_EQ(built.said, "");
  EXPECT_EQ(built.abi.defined, StringAbi::Old);
  EXPECT_EQ(built.abi.imported, StringAbi::Old);
  EXPECT_EQ(built.abi.runtime, CxxRuntime::Libstdcxx);
}

TEST_F(Compiled, BothStringsInOneFile) {
  const Built built = make(
      "g++ -c -fPIC -DSCOPE=before -D_GLIBCXX_USE_CXX11_ABI=0 -o before.o own.cpp && "
      "g++ -c -fPIC -DSCOPE=after -D_GLIBCXX_USE_CXX11_ABI=1 -o after.o own.cpp && "
      "g++ -shared -o x.so before.o after.o");
  ASSERT_EQ(built.said, "");
  EXPECT_EQ(built.abi.defined, StringAbi::Both);
  EXPECT_EQ(built.abi.imported, StringAbi::Both);
  EXPECT_EQ(built.abi.own_old, 1U);
  EXPECT_EQ(built.abi.own_new, 1U);
}

TEST_F(Compiled, ALinkedInLibstdcxx) {
  const Built built = gcc("-static-libstdc++");
  ASSERT_EQ(built.said, "");
  EXPECT_EQ(built.abi.runtime, CxxRuntime::StaticLibstdcxx) << evidence(built.abi);
  EXPECT_EQ(built.abi.defined, StringAbi::New) << "the runtime's own symbols are no interface of the file";
  EXPECT_EQ(built.abi.own_old, 0U);
}

TEST_F(Compiled, ALinkedInLibstdcxxThatIsHidden) {
  for (const char* more : {"", " -static-libgcc", " -static-libgcc -fvisibility=hidden"}) {
    const Built built = gcc(std::string("-static-libstdc++ -Wl,--exclude-libs,ALL") + more);
    ASSERT_EQ(built.said, "");
    EXPECT_EQ(built.abi.runtime, CxxRuntime::StaticLibstdcxx) << more << ": " << evidence(built.abi);
  }
}

TEST_F(Compiled, TheLibcxxOfClang) {
  const Built built = clang("");
  ASSERT_EQ(built.said, "");
  EXPECT_EQ(built.abi.runtime, CxxRuntime::Libcxx) << evidence(built.abi);
  EXPECT_EQ(built.abi.defined, StringAbi::None) << "neither string of libstdc++";
  EXPECT_EQ(built.abi.imported, StringAbi::None);
  EXPECT_TRUE(has_compiler(built.abi, "clang"));
}

TEST_F(Compiled, ALinkedInLibcxxVisibleAndHidden) {
  for (const char* more : {"", " -Wl,--exclude-libs,ALL", " -Wl,--exclude-libs,ALL -fvisibility=hidden"}) {
    const Built built = clang(std::string("-static-libstdc++") + more);
    ASSERT_EQ(built.said, "");
    EXPECT_EQ(built.abi.runtime, CxxRuntime::StaticLibcxx) << more << ": " << evidence(built.abi);
  }
}

// How Red Hat's toolsets work: their libstdc++.so is a linker script that names the system's library and an archive of
// the parts that it lacks. Here the part with std::thread comes from the same libstdc++.a.
constexpr const char* with_parts =
    "ar x $(g++ -print-file-name=libstdc++.a) thread.o && ar rc libstdc++_nonshared.a thread.o && "
    "g++ -shared -fPIC -O2 -DSCOPE=own -o x.so own.cpp libstdc++_nonshared.a ";

TEST_F(Compiled, AHybridOfANewerAndTheSystemsLibstdcxx) {
  const Built built = make(with_parts);
  ASSERT_EQ(built.said, "");
  EXPECT_EQ(built.abi.runtime, CxxRuntime::Hybrid) << evidence(built.abi);
  EXPECT_THAT(evidence(built.abi), testing::HasSubstr("_ZNSt6thread"));
}

TEST_F(Compiled, AHybridWhosePartsAreHidden) {
  const Built built = make(std::string(with_parts) + "-Wl,--exclude-libs,libstdc++_nonshared.a");
  ASSERT_EQ(built.said, "");
  EXPECT_EQ(built.abi.runtime, CxxRuntime::Hybrid) << evidence(built.abi);
}

TEST_F(Compiled, NothingThatTellsAndNoCxxAtAll) {
  const Built open = make("gcc -shared -fPIC -o x.so call.cpp");
  ASSERT_EQ(open.said, "");
  EXPECT_EQ(open.abi.runtime, CxxRuntime::Undecided);
  const Built plain = make("gcc -shared -fPIC -o x.so plain.c");
  ASSERT_EQ(plain.said, "");
  EXPECT_EQ(plain.abi.runtime, CxxRuntime::None);
  EXPECT_TRUE(has_compiler(plain.abi, "GCC"));
}

}  // namespace
}  // namespace wheelcheck
