// What is read of the code that runs when a module is imported, on modules that gcc makes for newer processors, and on
// their twins that choose their code at run time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string>

#include "elf/read.h"

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

const char* const clang_for_aarch64 = "clang-19 --target=aarch64-linux-gnu -fuse-ld=lld";

class Startup : public testing::Test {
 protected:
  void SetUp() override {
#ifndef __x86_64__
    GTEST_SKIP() << "needs a compiler for x86-64";
#endif
    if (!has("gcc")) GTEST_SKIP() << "needs gcc";
    folder_ = (fs::temp_directory_path() / "wheelcheck-startup-XXXXXX").string();
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }
  static bool has(const std::string& compiler) { return !output_of_command("command -v " + compiler).empty(); }
  ElfFacts facts_of(const std::string& source, const std::string& options, const char* compiler = "gcc",
                    std::uint64_t padding = 0) const {
    const std::string base = folder_ + "/core";
    std::ofstream(base + ".c") << source;
    const std::string command =
        std::string(compiler) + " -shared -fPIC -w " + options + " -o " + base + ".so " + base + ".c";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    std::ifstream file(base + ".so", std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(file)), {});
    bytes.resize(bytes.size() + padding);
    return padding == 0 ? read_elf(std::as_bytes(std::span(bytes)), {}) : streamed_facts(bytes);
  }
  // As a wheel's large file is read: it passes through a page filter.
  static ElfFacts streamed_facts(const std::string& bytes) {
    constexpr std::size_t chunk = 256 * 1024;
    const auto all = std::as_bytes(std::span(bytes));
    auto pages = SparseBytes::reserve(all.size(), [=](std::uint64_t begin, std::uint64_t end, SparseBytes& into) {
      into.keep(begin, all.subspan(begin, end - begin));
      return Result<std::uint64_t>(end - begin);
    });
    PageFilter filter;
    filter.start(*pages);
    for (std::size_t at = 0; at < all.size(); at += chunk)
      filter.take(all.subspan(at, std::min(chunk, all.size() - at)));
    return read_elf(std::move(pages), filter, {}).value();
  }
  // The instruction of the highest level.
  std::optional<StartupInstruction> startup_of(const std::string& source, const std::string& options,
                                               const char* compiler = "gcc") const {
    const ElfFacts facts = facts_of(source, options, compiler);
    const auto last = std::ranges::max_element(facts.startup, {}, &StartupInstruction::x86_level);
    return last == facts.startup.end() ? std::nullopt : std::optional(*last);
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
  if (!has("clang-19")) return;
  for (const std::string& source : {direct, constructor, slots, exported}) {
    EXPECT_EQ(startup_of(source, "-O3 -march=haswell", "clang-19").value().x86_level, 3U);
    EXPECT_EQ(startup_of(source, "-O3 -march=x86-64-v4 -mprefer-vector-width=512", "clang-19").value().x86_level, 4U);
    EXPECT_FALSE(startup_of(source, "-O3", "clang-19")) << "for the baseline";
  }
}

// dither-go 0.4.0: `test %edx,%edx` after a loop, of runtime.x86HasPOPCNT that was read before it.
TEST_F(Startup, TrustsTheTestsOfTheGoCompiler) {
  const std::string counts =
      "void* PyInit_core(void) { unsigned long n = 5; asm volatile(\"popcnt %0, %0\" : \"+r\"(n)); return (void*)n; "
      "}\n";
  const std::string go = "__attribute__((section(\".go.buildinfo\"))) char info[] = \"go1.24\";\n";
  EXPECT_EQ(startup_of(counts, "-O2").value().feature, "POPCNT");
  EXPECT_FALSE(startup_of(go + counts, "-O2"));
  EXPECT_TRUE(startup_of(go + sum + "void* PyInit_core(void) { sum(x, y); return 0; }\n", "-O3 -march=haswell"))
      << "of C code";
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
  for (const char* compiler : {"gcc", "clang-19"}) {
    if (!has(compiler)) continue;
    EXPECT_FALSE(startup_of(tested, "-O3 -march=haswell", compiler));
    EXPECT_FALSE(startup_of(builtin, "-O3 -march=haswell", compiler));
    EXPECT_FALSE(startup_of(later, "-O3 -march=haswell", compiler));
    EXPECT_FALSE(startup_of(clones, "-O3", compiler)) << "an indirect function chooses";
  }
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
  EXPECT_TRUE(behind("_ZSt7getlinePc@PLT")) << "other names of namespace std";
  EXPECT_TRUE(behind("*getpid@GOTPCREL(%rip)"));
}

// pydrake/geometry/__init__.so of drake 1.51.1: behind a call of such a function of another library, the next function
// begins.
TEST_F(Startup, IsSilentInTheFunctionBehindSuchACall) {
  const auto behind = [&](const std::string& last) {
    const std::string source =
        "__attribute__((noreturn)) void fail(void); volatile int x; void next(void);\n"
        "void* PyInit_core(void) { if (!x) return 0; " +
        last + " }\nvoid next(void) { __asm__ volatile(\"roundsd $9, %xmm0, %xmm0\"); }\n";
    return startup_of(source, "-O2 -fno-toplevel-reorder").has_value();
  };
  EXPECT_FALSE(behind("fail();"));
  EXPECT_TRUE(behind("next(); fail();"));
}

// One instruction of each level, in a constructor that no way leads around, in the twin that asks the processor first,
// and in one that is reached under a condition.
TEST_F(Startup, FindsOneInstructionOfEachLevel) {
  struct Case {
    const char *code, *instruction, *feature;
    std::uint32_t level;
  };
  constexpr Case cases[] = {{"palignr $4, %xmm0, %xmm1", "palignr", "SSSE3", 2},
                            {"haddps %xmm0, %xmm1", "haddps", "SSE3", 2},
                            {"pcmpgtq %xmm0, %xmm1", "pcmpgtq", "SSE4.2", 2},
                            {"popcnt %rax, %rax", "popcnt", "POPCNT", 2},
                            {"vaddps %xmm0, %xmm1, %xmm2", "vaddps", "AVX", 3},
                            {"vpaddd %ymm0, %ymm1, %ymm2", "vpaddd", "AVX2", 3},
                            {"shlx %rax, %rcx, %rdx", "shlx", "BMI2", 3},
                            {"vfmadd231ps %ymm0, %ymm1, %ymm2", "vfmadd231ps", "FMA", 3},
                            {"vaddps %zmm0, %zmm1, %zmm2", "vaddps", "AVX-512", 4}};
  const std::string test =
      "#include <cpuid.h>\nstatic int ask(void) { unsigned a, b, c, d; __cpuid_count(7, 0, a, b, c, d); return b & 32; "
      "}\n";
  for (const Case& one : cases) {
    const std::string use = std::string("__asm__ volatile(\"") + one.code + "\")";
    const auto bare = startup_of("__attribute__((constructor)) void begin(void) { " + use + "; }\n", "-O2");
    ASSERT_TRUE(bare) << one.code;
    EXPECT_EQ(bare->instruction, one.instruction);
    EXPECT_EQ(bare->feature, one.feature);
    EXPECT_EQ(bare->x86_level, one.level);
    EXPECT_EQ(bare->function, "begin");
    EXPECT_TRUE(bare->certain) << one.code;
    const auto maybe =
        startup_of("volatile int x; __attribute__((constructor)) void begin(void) { if (x) " + use + "; }\n", "-O2");
    ASSERT_TRUE(maybe) << one.code;
    EXPECT_FALSE(maybe->certain) << one.code;
    EXPECT_FALSE(
        startup_of(test + "__attribute__((constructor)) void begin(void) { if (ask()) " + use + "; }\n", "-O2"));
  }
  EXPECT_FALSE(startup_of("void* PyInit_core(void) { __asm__ volatile(\"tzcnt %rax, %rax\"); return 0; }\n", "-O2"))
      << "older processors execute it as bsf";
}

// Go 1.24 keeps what CPUID says in internal/cpu.X86, and start-up code that no direct call reaches fills it.
TEST_F(Startup, IsSilentBehindAFlagInMemoryThatATestFills) {
  const std::string fill =
      "#include <cpuid.h>\n__attribute__((visibility(\"hidden\"))) unsigned char has; void fill(void) { unsigned a, b, "
      "c, d; __cpuid_count(7, 0, a, b, c, d); "
      "has = b & 32; }\n";
  const std::string guarded =
      "void* PyInit_core(void) { if (__builtin_expect(has == 1, 1)) __asm__ volatile(\"vpaddd %ymm0, %ymm1, %ymm2\"); ";
  EXPECT_FALSE(startup_of(fill + guarded + "return 0; }\n", "-O2"));
  const auto after =
      startup_of(fill + guarded + "__asm__ volatile(\"vaddps %xmm0, %xmm1, %xmm2\"); return 0; }\n", "-O2");
  ASSERT_TRUE(after) << "both ways lead there";
  EXPECT_EQ(after->feature, "AVX");
  EXPECT_TRUE(
      startup_of("__attribute__((visibility(\"hidden\"))) unsigned char has;\n" + guarded + "return 0; }\n", "-O2"))
      << "nothing tests the processor";
  // pywht 0.0.1: the flag was loaded in another turn of the loop.
  const auto turned = [&](const std::string& load) {
    return startup_of(fill + "void* PyInit_core(void) { __asm__ volatile(\"" + load +
                          "\\n jmp 2f\\n1: popcnt %r9, %r9\\n2: test %rdx, %rdx\\n jne 1b\"); return 0; }\n",
                      "-O2");
  };
  EXPECT_FALSE(turned("movzbq has(%rip), %rdx"));
  EXPECT_TRUE(turned("mov 8(%rsp), %rdx"));
}

// Every way comes to such an instruction, in the function or in one that it calls.
TEST_F(Startup, IsCertainWhereNoWayLeadsAround) {
  const auto certain = [&](const std::string& body) {
    const auto found = startup_of(
        "volatile int x; int get(void);\n__attribute__((noinline)) static void hot(void) { __asm__ volatile(\"vaddps "
        "%xmm0, %xmm1, %xmm2\"); }\n__attribute__((constructor)) void begin(void) { " +
            body + " }\n",
        "-O1");
    return found && found->certain;
  };
  EXPECT_TRUE(certain("get(); hot();"));
  EXPECT_TRUE(certain("if (x) hot(); else { x = 2; hot(); }"));
  EXPECT_TRUE(certain("for (int i = 0; i < x; ++i) get(); hot();"));
  EXPECT_FALSE(certain("if (x) return; hot();"));
  EXPECT_FALSE(certain("for (int i = 0; i < x; ++i) hot();"));
}

// A processor may have one of two features that follow each other: each is judged alone.
TEST_F(Startup, IsCertainOfEachFeature) {
  const auto certain = [&](const std::string& body) {
    std::string out;
    const ElfFacts facts =
        facts_of("volatile int x;\n__attribute__((constructor)) void begin(void) { " + body + " }\n", "-O1");
    for (const StartupInstruction& one : facts.startup)
      if (one.certain) out += one.feature + ' ';
    return out;
  };
  const auto use = [](const std::string& code) { return "__asm__ volatile(\"" + code + "\");"; };
  const std::string sse3 = use("haddps %xmm0, %xmm1"), sse41 = use("pinsrq $1, %rax, %xmm1"),
                    avx = use("vaddps %xmm0, %xmm1, %xmm2"), avx2 = use("vpaddd %ymm0, %ymm1, %ymm2"),
                    popcnt = use("popcnt %rax, %rax");
  EXPECT_EQ(certain(sse3 + sse41 + avx2), "SSE3 SSE4.1 AVX2 ");
  EXPECT_EQ(certain(avx2 + sse3), "AVX2 ") << "what lacks SSE3 ends before";
  EXPECT_EQ(certain("if (x) {" + avx + "} else {" + avx2 + "}"), "AVX ") << "without AVX there is no AVX2";
  EXPECT_EQ(certain("if (x) {" + popcnt + "} else {" + sse41 + "}"), "") << "Phenom has POPCNT, Penryn SSE4.1";
  EXPECT_EQ(certain("if (x) {" + avx2 + "}" + avx), "AVX ");
}

// Neither the size of a file nor a name with "avx" hides anything.
TEST_F(Startup, ReadsFilesOfEverySize) {
  const auto all_find = [&](const std::string& use, const char* compiler) {
    const std::string source = "void* PyInit_core(void) { __asm__ volatile(\"" + use + "\"); return 0; }\n";
    for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{14} << 20, std::uint64_t{300} << 20})
      for (const char* options : {"-O2 -nostdlib", "-O2 -nostdlib -s"})
        for (const char* other : {"", "void sum_avx2(void) {}\n"})
          EXPECT_EQ(facts_of(other + source, options, compiler, size).startup.size(), 1U) << use << size << options;
  };
  all_find("palignr $4, %xmm0, %xmm1", "gcc");
  if (has("clang-19")) all_find(".arch armv8.1-a\\nldaddal x0, x1, [x2]", clang_for_aarch64);
}

// So does code that no import reaches, and a test of the processor that no import reaches.
TEST_F(Startup, ReadsWholeFilesOfEverySize) {
  const std::string work = sum +
                           "double z[256];\nvoid work(void) { sum(x, y);\n"
                           "  for (int i = 0; i < 256; ++i) z[i] = z[i] * z[255 - i] + 1; }\n"
                           "void* PyInit_core(void) { return 0; }\n";
  const std::string tests =
      "void ask(void) { __asm__ volatile(\"cpuid\" : : : \"rax\", \"rbx\", \"rcx\", \"rdx\"); }\n";
  const std::string flag =
      "__attribute__((visibility(\"hidden\"))) unsigned char has;\nvoid* PyInit_core(void) { if (has) __asm__ "
      "volatile(\"vpaddd %ymm0, %ymm1, %ymm2\"); return 0; }\n";
  std::optional<VectorCode> first;
  for (const std::uint64_t padding : {std::uint64_t{0}, std::uint64_t{14} << 20, std::uint64_t{300} << 20}) {
    for (const char* options : {"-O3 -funroll-all-loops -mavx2", "-O3 -funroll-all-loops -mavx2 -s"}) {
      const auto found = facts_of(work, options, "gcc", padding).vector_code;
      ASSERT_TRUE(found) << padding << options;
      if (!first) first = found;
      EXPECT_EQ(found->count, first->count);
      EXPECT_EQ(found->address, first->address);
      EXPECT_FALSE(found->cut);
      EXPECT_FALSE(facts_of(work + tests, options, "gcc", padding).vector_code) << padding << options;
    }
    EXPECT_EQ(facts_of(flag, "-O2", "gcc", padding).startup.size(), 1U) << "nothing tests the processor";
    EXPECT_EQ(facts_of(flag + tests, "-O2", "gcc", padding).startup.size(), 0U) << "the flag may be of the test";
  }
}

// Of more than 16 MB of code, the part with most AVX is decoded.
TEST_F(Startup, CountsInAPartOfMuchCode) {
  // 24 MB of addps, 2 MB of vaddps
  const std::string source =
      "__asm__(\".text\\n.fill 8000000, 3, 0xC8580F\\n.fill 500000, 4, 0xC258F8C5\\n\");\n"
      "void* PyInit_core(void) { return 0; }\n";
  const auto found = facts_of(source, "-O1", "gcc", 1).vector_code;
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->cut);
  EXPECT_GT(found->count, 400'000U);
  const auto whole = facts_of(source, "-O1").vector_code;
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->count, found->count);
  EXPECT_EQ(whole->address, found->address);
}

TEST_F(Startup, ReadsAArch64) {
  const char* const compiler = clang_for_aarch64;
  if (!has("clang-19")) GTEST_SKIP() << "needs a compiler for AArch64";
  const std::string add =
      "long n;\n__attribute__((constructor)) void begin(void) { __atomic_fetch_add(&n, 1, __ATOMIC_ACQ_REL); }\n";
  const auto lse = startup_of(add, "-O2 -march=armv8.1-a -nostdlib", compiler);
  ASSERT_TRUE(lse);
  EXPECT_EQ(lse->feature, "LSE");
  EXPECT_EQ(lse->instruction, "ldaddal");
  EXPECT_EQ(lse->function, "begin");
  EXPECT_EQ(lse->x86_level, 0U);
  EXPECT_TRUE(lse->certain);
  EXPECT_FALSE(startup_of(add, "-O2 -march=armv8-a -mno-outline-atomics -nostdlib", compiler));
  // As in libgcc (config/aarch64/lse.S, __arm_za_disable.S).
  const auto behind_flag = [](const std::string& flag, const char* code) {
    return flag + " unsigned char flag;\nvoid* PyInit_core(void) { if (flag) __asm__ volatile(\"" + code +
           "\"); return 0; }\n";
  };
  const char* const lse_code = ".arch armv8.1-a\\nldaddal x0, x1, [x2]";
  const char* const sme_code = ".arch armv9-a+sme\\nstr za[w12, 0], [x0]";
  for (const char* const flag : {"static volatile", "static const volatile"}) {
    EXPECT_FALSE(startup_of(behind_flag(flag, lse_code), "-O2 -nostdlib", compiler)) << flag;
    EXPECT_FALSE(startup_of(behind_flag(flag, sme_code), "-O2 -nostdlib", compiler)) << flag;
  }
  EXPECT_EQ(startup_of("void* PyInit_core(void) { __asm__ volatile(\"" + std::string(sme_code) + "\"); return 0; }\n",
                       "-O2 -nostdlib", compiler)
                ->feature,
            "SME");
  struct Case {
    const char *code, *feature;
  };
  for (const Case& one :
       {Case{"sdot v0.4s, v1.16b, v2.16b", "DotProd"}, Case{"fadd v0.8h, v1.8h, v2.8h", "FP16"},
        Case{"fadd h0, h1, h2", "FP16"}, Case{"ptrue p0.b", "SVE"}, Case{"aese v0.16b, v1.16b", "AES, SHA1, SHA2"},
        Case{"sha512h q0, q1, v2.2d", "SHA-512"}, Case{"pacia x0, x1", "PAuth"},
        Case{"bfdot v0.4s, v1.8h, v2.8h", "BF16"}, Case{"swp x0, x1, [x2]", "LSE"}, Case{"cas w0, w1, [x2]", "LSE"},
        Case{"smmla v0.4s, v1.16b, v2.16b", "I8MM"}}) {
    const std::string source = std::string(
                                   "void* PyInit_core(void) { __asm__ volatile(\".arch "
                                   "armv8.6-a+sve+sha3+bf16+i8mm+crypto\\n") +
                               one.code + "\"); return 0; }\n";
    const auto found = startup_of(source, "-O2 -nostdlib", compiler);
    ASSERT_TRUE(found) << one.code;
    EXPECT_EQ(found->feature, one.feature) << one.code;
    EXPECT_TRUE(found->certain) << one.code;
    const std::string call = "void* PyInit_core(void) { ";
    const std::string twin = "unsigned long getauxval(unsigned long);\n" +
                             std::string(source).insert(call.size(), "if (getauxval(16) & 1ul << 40) ");
    EXPECT_FALSE(startup_of(twin, "-O2 -nostdlib", compiler)) << one.code;
  }
  for (const char* code : {"paciasp", "autiasp", ".arch armv8.2-a+sve\\ncntd x0", "fcvt s0, h1", "fcvt h0, s1",
                           "ldaxr x0, [x1]", "fadd v0.4s, v1.4s, v2.4s"})
    EXPECT_FALSE(startup_of(std::string("void* PyInit_core(void) { __asm__ volatile(\"") + code + "\"); return 0; }\n",
                            "-O2 -nostdlib", compiler))
        << code;
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
  const auto code_of = [&](const std::string& source, const std::string& options, char machine = 62) {
    startup_of(source, options);
    std::ifstream file(folder_ + "/core.so", std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(file)), {});
    bytes.at(18) = machine;  // e_machine
    return read_elf(std::as_bytes(std::span(bytes)), {}).vector_code;
  };
  const std::string unrolled = "-O3 -funroll-all-loops -mavx2 ";
  const auto found = code_of(work, unrolled);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->x86_level, 3U);
  EXPECT_GE(found->count, 32U);
  EXPECT_FALSE(code_of(work, unrolled, static_cast<char>(183))) << "AArch64";
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

}  // namespace
}  // namespace wheelcheck::elf
