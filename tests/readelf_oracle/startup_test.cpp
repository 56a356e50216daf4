// Compares the decoder of instruction lengths with llvm-objdump, and what is read of the code that runs when a module
// is imported with modules that gcc makes for a newer processor.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "elf/read.h"
#include "elf/x86_length.h"

namespace wheelcheck::elf {
namespace {

namespace fs = std::filesystem;

std::string output_of_command(const std::string& command) {
  std::string out;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return out;
  char buffer[4096];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, got);
  pclose(pipe);
  return out;
}

class Startup : public testing::Test {
 protected:
  void SetUp() override {
#ifndef __x86_64__
    GTEST_SKIP() << "needs a compiler for x86-64";
#endif
    if (output_of_command("command -v gcc").empty()) GTEST_SKIP() << "needs gcc";
    folder_ = (fs::temp_directory_path() / "wheelcheck-startup-XXXXXX").string();
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }
  std::optional<StartupInstruction> startup_of(const std::string& source, const std::string& options) const {
    const std::string base = folder_ + "/core";
    std::ofstream(base + ".c") << source;
    const std::string command = "gcc -shared -fPIC -w " + options + " -o " + base + ".so " + base + ".c";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    std::ifstream file(base + ".so", std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    return read_elf(std::as_bytes(std::span(bytes)), {}).startup;
  }
  std::string folder_;
};

// A function whose loop is vectorized.
const std::string sum =
    "#define HOT __attribute__((noinline))\n"
    "HOT static void sum(float* a, const float* b) { for (int i = 0; i < 64; ++i) a[i] += b[i] * 2.5f; }\n"
    "float x[64], y[64];\n";

TEST_F(Startup, FindsInstructionsOfNewerProcessorsOnTheWaysOfAnImport) {
  const std::string direct = sum + "void* PyInit_core(void) { sum(x, y); return 0; }\n";
  const std::string constructor = sum + "__attribute__((constructor)) static void begin(void) { sum(x, y); }\n";
  const std::string slots =
      sum +
      "static int run(void* module) { sum(x, y); return 0; }\n"
      "struct Slot { long id; void* function; };\n"
      "static struct Slot slots[] = {{4, (void*)1}, {2, (void*)&run}, {0, 0}};\n"
      "static struct { long head[9]; struct Slot* slots; void* rest[3]; } def = {.slots = slots};\n"
      "void* PyModuleDef_Init(void*);\n"
      "void* PyInit_core(void) { return PyModuleDef_Init(&def); }\n";
  const std::string exported =
      sum + "HOT void shared(void) { sum(x, y); }\nvoid* PyInit_core(void) { shared(); return 0; }\n";
  for (const char* linking : {"", "-Wl,-z,now", "-fno-plt", "-Wl,-z,pack-relative-relocs", "-fcf-protection"}) {
    const auto options = [&](const char* march) { return std::string("-O3 ") + march + " " + linking; };
    for (const std::string& source : {direct, constructor, slots, exported}) {
      const auto avx = startup_of(source, options("-march=haswell"));
      ASSERT_TRUE(avx) << source << linking;
      EXPECT_EQ(avx->x86_level, 3U);
      EXPECT_EQ(avx->entry, source == constructor ? "DT_INIT_ARRAY" : "PyInit_core");
      EXPECT_EQ(startup_of(source, options("-march=skylake-avx512 -mprefer-vector-width=512"))->x86_level, 4U);
      EXPECT_FALSE(startup_of(source, options(""))) << "for the baseline";
    }
  }
}

TEST_F(Startup, IsSilentWhereTheProcessorIsTestedOrNothingIsCalled) {
  const std::string tested = sum +
                             "#include <cpuid.h>\n"
                             "void* PyInit_core(void) { unsigned a, b, c, d; __cpuid_count(7, 0, a, b, c, d);\n"
                             "  if (b & (1 << 5)) sum(x, y); return 0; }\n";
  const std::string builtin = sum +
                              "void* PyInit_core(void) { __builtin_cpu_init();\n"
                              "  if (__builtin_cpu_supports(\"avx2\")) sum(x, y); return 0; }\n";
  const std::string later = sum + "void work(void) { sum(x, y); }\nvoid* PyInit_core(void) { return 0; }\n";
  const std::string clones =
      "__attribute__((target_clones(\"avx2\", \"default\"))) void sum(float* a, const float* b) {\n"
      "  for (int i = 0; i < 64; ++i) a[i] += b[i] * 2.5f; }\n"
      "float x[64], y[64];\nvoid* PyInit_core(void) { sum(x, y); return 0; }\n";
  EXPECT_FALSE(startup_of(tested, "-O3 -march=haswell"));
  EXPECT_FALSE(startup_of(builtin, "-O3 -march=haswell"));
  EXPECT_FALSE(startup_of(later, "-O3 -march=haswell"));
  EXPECT_FALSE(startup_of(clones, "-O3")) << "an indirect function chooses";
}

// tiledbsoma 1.7.3: the handlers of exceptions are behind calls of functions that do not return.
TEST_F(Startup, IsSilentBehindAFunctionThatDoesNotReturn) {
  const auto behind = [&](const std::string& call) {
    const std::string source = "void* PyInit_core(void) { __asm__ volatile(\"call " + call +
                               "\\n vaddps %ymm0, %ymm1, %ymm2\"); return 0; }\n";
    return startup_of(source, "-O2 -fcf-protection").has_value();
  };
  EXPECT_FALSE(behind("abort@PLT"));
  EXPECT_FALSE(behind("*abort@GOTPCREL(%rip)"));
  EXPECT_FALSE(behind("_ZSt20__throw_length_errorPKc@PLT"));
  EXPECT_TRUE(behind("getpid@PLT"));
  EXPECT_TRUE(behind("*getpid@GOTPCREL(%rip)"));
}

// vl_constructor of vlsift 0.1.2 does so.
TEST_F(Startup, FindsWhatRunsBeforeTheTest) {
  const std::string scale =
      sum + "volatile float z;\nHOT static void scale(void) { z = z * 2.5f; }\n#include <cpuid.h>\n";
  const std::string test =
      "  unsigned a, b, c, d; __cpuid_count(7, 0, a, b, c, d);\n  if (b & (1 << 5)) sum(x, y); return 0; }\n";
  const auto early = startup_of(scale + "void* PyInit_core(void) { scale();\n" + test, "-O3 -march=haswell");
  ASSERT_TRUE(early);
  EXPECT_EQ(early->entry, "PyInit_core");
  EXPECT_FALSE(startup_of(scale + "volatile int wanted;\nvoid* PyInit_core(void) { if (wanted) scale();\n" + test,
                          "-O3 -march=haswell"))
      << "behind a condition";
}

// AVX that no import reaches and nothing tests.
TEST_F(Startup, FindsCodeForNewerProcessorsInTheWholeFile) {
  const std::string work = sum +
                           "double z[256];\nvoid work(void) { sum(x, y);\n"
                           "  for (int i = 0; i < 256; ++i) z[i] = z[i] * z[255 - i] + 1; }\n"
                           "void* PyInit_core(void) { return 0; }\n";
  const auto code_of = [&](const std::string& source, const std::string& options) {
    startup_of(source, options);
    std::ifstream file(folder_ + "/core.so", std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    return read_elf(std::as_bytes(std::span(bytes)), {}).vector_code;
  };
  const std::string unrolled = "-O3 -funroll-all-loops -mavx2 ";
  const auto found = code_of(work, unrolled);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->x86_level, 3U);
  EXPECT_GE(found->count, 32U);
  EXPECT_EQ(code_of(work, "-O3 -funroll-all-loops -mavx512f -mprefer-vector-width=512").value().x86_level, 4U);
  EXPECT_FALSE(code_of(work, "-O3 -funroll-all-loops")) << "SSE only";
  EXPECT_FALSE(code_of(
      work + "void cpuid(void) { __asm__ volatile(\"cpuid\" : : : \"rax\", \"rbx\", \"rcx\", \"rdx\"); }\n", unrolled));
  EXPECT_FALSE(code_of(work + "int get_cpu_flags(void);\nint flags(void) { return get_cpu_flags(); }\n", unrolled))
      << "another library may test";
  EXPECT_FALSE(code_of(work + "void sum_avx2(void) {}\n", unrolled)) << "the caller may test";
  // call rel32 whose displacement has the bytes of CPUID
  const auto chance = code_of(work + "void far(void) { __asm__ volatile(\".byte 0xe8, 0x0f, 0xa2, 0xfc, 0xff\"); }\n",
                              unrolled + "-fno-reorder-functions");
  EXPECT_TRUE(chance) << "not an instruction";
}

// Every instruction of some libraries of this machine.
TEST_F(Startup, LengthsAreThoseOfObjdump) {
  if (output_of_command("command -v llvm-objdump-19").empty()) GTEST_SKIP() << "needs llvm-objdump-19";
  std::size_t compared = 0;
  for (const char* path : {"/usr/lib/x86_64-linux-gnu/libstdc++.so.6", "/lib/x86_64-linux-gnu/libgcc_s.so.1"}) {
    if (!fs::exists(path)) continue;
    std::istringstream lines(output_of_command(std::string("llvm-objdump-19 -d ") + path));
    for (std::string line; std::getline(lines, line);) {
      // "   99000: c5 fc 28 c1    \tvmovaps ..."
      const std::size_t tab = line.find('\t');
      if (tab == line.npos || !line.starts_with(' ') || line.find("<unknown>") != line.npos ||
          line.find("\twait") != line.npos)
        continue;
      std::vector<std::byte> bytes;
      std::istringstream words(line.substr(0, tab));
      for (std::string word; words >> word;) {
        if (word.ends_with(':')) continue;
        unsigned value = 0;
        std::from_chars(word.data(), word.data() + word.size(), value, 16);
        bytes.push_back(static_cast<std::byte>(value));
      }
      if (bytes.empty()) continue;
      // A prefix on a line of its own: LLVM does not know it before this instruction.
      const auto first = static_cast<unsigned char>(bytes[0]);
      if (bytes.size() == 1 &&
          (first >> 4 == 4 ||
           std::string_view("\xF0\xF2\xF3\x66\x67\x2E\x36\x3E\x26\x64\x65").contains(static_cast<char>(first))))
        continue;
      const std::size_t length = bytes.size();
      bytes.resize(length + 8, std::byte{0x90});
      const auto decoded = x86_instruction(bytes);
      ASSERT_TRUE(decoded) << line;
      ASSERT_EQ(decoded->length, length) << line;
      ++compared;
    }
  }
  if (compared == 0) GTEST_SKIP() << "no library to compare";
  EXPECT_GT(compared, 10'000U);
}

}  // namespace
}  // namespace wheelcheck::elf
