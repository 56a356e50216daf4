// Compares the texts of compilers and linkers in the data with llvm-readelf and strings(1): .comment, the strings of
// .rodata, debug sections, static TLS relocations. It uses a library made by gcc and libraries of this machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "elf/read.h"

namespace wheelcheck::elf {
namespace {

namespace fs = std::filesystem;

std::string output_of(const std::string& command) {
  std::string out;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return out;
  char buffer[4096];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, got);
  pclose(pipe);
  return out;
}
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

class Data : public testing::Test {
 protected:
  void SetUp() override {
    readelf_ = first_line(output_of("command -v llvm-readelf-19 llvm-readelf"));
    strings_ = first_line(output_of("command -v strings"));
    if (readelf_.empty() || strings_.empty() || output_of("command -v gcc").empty())
      GTEST_SKIP() << "needs llvm-readelf, strings and gcc";
    const std::string pattern = (fs::temp_directory_path() / "wheelcheck-data-XXXXXX").string();
    folder_.assign(pattern.begin(), pattern.end());
    folder_.push_back('\0');
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_.data());
  }
  std::string compile(const std::string& source, const std::string& options) const {
    const std::string base = std::string(folder_.data()) + "/lib";
    std::ofstream(base + ".c") << source;
    const std::string command = "gcc -shared -fPIC " + options + " -o " + base + ".so " + base + ".c";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return base + ".so";
  }
  static ElfFacts read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    return read_elf(std::as_bytes(std::span(bytes)), {});
  }
  // The strings of a section as llvm-readelf -p prints them: "[     1] text".
  std::set<std::string> section_strings(const std::string& section, const std::string& path) const {
    std::istringstream lines(output_of(readelf_ + " -p " + section + " " + path + " 2>/dev/null"));
    std::set<std::string> out;
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with('[')) out.insert(line.substr(line.find(']') + 2));
    return out;
  }

  std::string readelf_, strings_;
  std::vector<char> folder_;
};

constexpr const char* source =
    "const char* const texts[] = {\"libcuda.so.1\", \" deflate 1.3.1 Copyright\", \"%5.2f\", \"plain words\"};\n"
    "char writable[] = \"version 4.5.6 of writable data\";\n"
    "static __thread int hidden; extern __thread int shared;\n"
    "int add(void) { return hidden++ + shared; }\n";

TEST_F(Data, CommentIsTheOneThatReadelfPrints) {
  const std::string path = compile(source, "-g");
  const ElfFacts facts = read(path);
  const std::set<std::string> ours(facts.sections.comments.begin(), facts.sections.comments.end());
  EXPECT_FALSE(ours.empty());
  EXPECT_EQ(ours, section_strings(".comment", path));
}

TEST_F(Data, DebugBytesAreTheSumOfTheSections) {
  for (const char* options : {"-g", "-g -gz", "-s"}) {
    const std::string path = compile(source, options);
    std::istringstream lines(output_of(readelf_ + " -SW " + path));
    std::uint64_t sum = 0, symbols = 0;
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line.substr(std::min(line.find(']') + 1, line.size())));
      std::string name, type, address, offset, size;
      words >> name >> type >> address >> offset >> size;
      if (name.starts_with(".debug_")) sum += std::stoull(size, nullptr, 16);
      if (type == "SYMTAB" || name == ".strtab") symbols += std::stoull(size, nullptr, 16);
    }
    const ElfFacts facts = read(path);
    EXPECT_EQ(facts.sections.debug_bytes, sum) << options;
    EXPECT_EQ(facts.sections.symbol_bytes, symbols) << options;
  }
}

TEST_F(Data, TextsOfALibraryAreFoundWhateverItsLayout) {
  for (const char* options : {"-Wl,-z,separate-code", "-Wl,-z,noseparate-code", "-Wl,-z,separate-code -s"}) {
    const std::string path = compile(source, options);
    for (const bool headers : {true, false}) {
      if (!headers) {  // e_shoff, e_shnum and e_shstrndx of a 64-bit header
        std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(40).write("\0\0\0\0\0\0\0\0", 8);
        file.seekp(60).write("\0\0\0\0", 4);
      }
      const ElfFacts facts = read(path);
      EXPECT_EQ(facts.has_sections, headers);
      EXPECT_THAT(facts.texts.libraries, testing::Contains("libcuda.so.1")) << options;
      EXPECT_THAT(facts.texts.versions,
                  testing::IsSupersetOf({" deflate 1.3.1 Copyright", "version 4.5.6 of writable data"}))
          << options;
    }
  }
}

TEST_F(Data, VariablesThatNameAVersionAreFollowedToTheirText) {
  const std::string code =
      "const char* const xmlParserVersion = \"21404\"; const char sqlite3_version[] = \"3.45.1\";\n"
      "const char* no_version = 0; const char version[] = \"x7\"; const char bare_version[4] = \"9999\";\n"
      "const char wordy_version[] = \"none\"; __attribute__((visibility(\"hidden\"))) const char* own_version = "
      "\"7\";\n";
  for (const char* options : {"", "-s", "-Wl,-z,pack-relative-relocs", "-Wl,-z,noseparate-code -Wl,--hash-style=sysv"})
    EXPECT_THAT(read(compile(code, options)).texts.version_names,
                testing::ElementsAre(VersionVariable{"sqlite3_version", "3.45.1"},
                                     VersionVariable{"xmlParserVersion", "21404"}))
        << options;
}

TEST_F(Data, CallsOfTheLoaderAreReadFromMachineCode) {
  const std::string code =
      "#define _GNU_SOURCE\n#include <dlfcn.h>\n"
      "__attribute__((noinline)) static void* first(void) { return dlopen(\"libfirst.so.1\", RTLD_LAZY | RTLD_GLOBAL); "
      "}\n"
      "void* PyInit_lib(void) { return first(); }\n"
      "void* later(void) { void* got = dlopen(\"liblater.so\", RTLD_NOW); return got ? got : dlopen(0, RTLD_NOW); }\n"
      "void* unknown(const char* name) { return dlopen(name, RTLD_NOW); }\n"
      "void* next(void) { return dlsym(RTLD_NEXT, \"malloc\"); }\n"
      "void* other(void* library) { return dlsym(library, \"free\"); }\n"
      "void* apart(void) { void* got = dlmopen(LM_ID_NEWLM, \"libapart.so\", RTLD_NOW); return got ? &apart : 0; }\n";
  using Function = LoaderCall::Function;
  for (const char* options :
       {"-O0", "-O2", "-O2 -fno-plt", "-O2 -fcf-protection -Wl,-z,ibtplt", "-O1 -Wl,-z,now", "-O2 -Wl,-z,lazy"})
    EXPECT_THAT(read(compile(code, options)).loader_calls,
                testing::UnorderedElementsAre(LoaderCall{Function::Dlopen, "libfirst.so.1", 0x101, true},
                                              LoaderCall{Function::Dlopen, "liblater.so", 0x2, false},
                                              LoaderCall{Function::Dlopen, "", 0x2, false},
                                              LoaderCall{Function::Dlmopen, "libapart.so", 0, false},
                                              LoaderCall{Function::DlsymNext, "malloc", 0, false}))
        << options;
  EXPECT_THAT(read(compile("int plain(void) { return 1; }", "")).loader_calls, testing::IsEmpty());
}

TEST_F(Data, CallsOfTheLoaderAreReadFromCodeOfAArch64) {
  if (output_of("command -v clang-19").empty() || output_of("command -v ld.lld-19").empty())
    GTEST_SKIP() << "needs clang-19 and lld-19";
  const std::string base = std::string(folder_.data()) + "/arm";
  std::ofstream(base + ".c") << R"(
void* dlopen(const char*, int); void* dlsym(void*, const char*);
__attribute__((noinline)) static void* first(void) { return dlopen("libfirst.so.1", 0x101); }
void* PyInit_lib(void) { return first(); }
void* later(void) { void* got = dlopen("liblater.so", 2); return got ? got : dlopen(0, 2); }
void* unknown(const char* name) { return dlopen(name, 2); }
void* next(void) { return dlsym((void*)-1L, "malloc"); }
void* other(void* library) { return dlsym(library, "free"); }
)";
  using Function = LoaderCall::Function;
  for (const char* options : {"-O0", "-O2", "-O2 -mbranch-protection=standard"}) {
    const std::string command = "clang-19 --target=aarch64-linux-gnu -nostdlib -shared -fPIC -fuse-ld=lld-19 " +
                                std::string(options) + " -o " + base + ".so " + base + ".c";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    EXPECT_THAT(read(base + ".so").loader_calls,
                testing::UnorderedElementsAre(LoaderCall{Function::Dlopen, "libfirst.so.1", 0x101, true},
                                              LoaderCall{Function::Dlopen, "liblater.so", 0x2, false},
                                              LoaderCall{Function::Dlopen, "", 0x2, false},
                                              LoaderCall{Function::DlsymNext, "malloc", 0, false}))
        << options;
  }
}

// DT_RELR: an address, then bitmaps of the words behind it. A bitmap without an address relocates nothing that exists.
TEST_F(Data, PackedRelativeRelocationsAreFollowed) {
  const std::string path =
      compile("static int a; int* const p[200] = {[0 ... 199] = &a};", "-Wl,-z,pack-relative-relocs");
  ElfFacts facts = read(path);
  ASSERT_TRUE(facts.dynamic->flags.relr);
  EXPECT_THAT(facts.flaws, testing::IsEmpty());
  std::istringstream offset(
      output_of(readelf_ + " -S " + path + " | sed -n 's/.* RELR *[0-9a-f]* \\([0-9a-f]*\\).*/\\1/p'"));
  std::streamoff at = 0;
  ASSERT_TRUE(offset >> std::hex >> at);
  std::fstream(path, std::ios::binary | std::ios::in | std::ios::out).seekp(at).put(1);
  EXPECT_THAT(read(path).flaws, testing::Contains(testing::Field(
                                    &Flaw::reason, testing::HasSubstr("relocations change what is not mapped"))));
}

// As _import_array of NumPy before 1.25 does it.
std::string numpy_check_source(int in_message, int in_comparison) {
  return "void** PyArray_API; extern void* PyExc_RuntimeError; void* PyErr_Format(void*, const char*, ...);\n"
         "int import_array(void) {\n"
         "  if (" +
         std::to_string(in_comparison) +
         "U > ((unsigned (*)(void))PyArray_API[211])()) {\n"
         "    PyErr_Format(PyExc_RuntimeError, \"module compiled against API version 0x%x but this version of numpy is "
         "0x%x\", " +
         std::to_string(in_message) +
         ", ((unsigned (*)(void))PyArray_API[211])()); return -1; }\n"
         "  return 0; }\n";
}
TEST_F(Data, NumpysFeatureVersionIsReadFromMachineCode) {
  for (const char* options : {"-O1", "-O2", "-O3 -s", "-Os", "-O2 -fno-plt"}) {
    EXPECT_EQ(read(compile(numpy_check_source(13, 13), options)).interfaces.numpy_feature, 13U) << options;
    EXPECT_EQ(read(compile(numpy_check_source(13, 15), options)).interfaces.numpy_feature, 0U) << options;
  }
}

TEST_F(Data, NumpysFeatureVersionIsReadFromCodeOfAArch64) {
  if (output_of("command -v clang-19").empty() || output_of("command -v ld.lld-19").empty())
    GTEST_SKIP() << "needs clang-19 and lld-19";
  const std::string base = std::string(folder_.data()) + "/numpy";
  for (const int compared : {14, 16}) {
    std::ofstream(base + ".c") << numpy_check_source(14, compared);
    const std::string command = "clang-19 --target=aarch64-linux-gnu -nostdlib -shared -fPIC -O2 -fuse-ld=lld-19 -o " +
                                base + ".so " + base + ".c";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    EXPECT_EQ(read(base + ".so").interfaces.numpy_feature, compared == 14 ? 14U : 0U);
  }
}

TEST_F(Data, CFunctionsOfCythonsModulesAreReadFromMachineCode) {
  const std::string code =
      "typedef void (*function)(void); void* PyCapsule_New(void*, const char*, void*); void* "
      "PyImport_ImportModule(const char*);\n"
      "__attribute__((noipa)) static int give(const char* name, function f, const char* sig) "
      "{ return PyCapsule_New(f, sig, (void*)name) != 0; }\n"
      "__attribute__((noipa)) static int take(void* module, const char* name, function* f, const char* sig) "
      "{ *f = (function)PyCapsule_New(module, name, (void*)sig); return *f != 0; }\n"
      "__attribute__((noipa)) static int take_same(void* module, const char* name, function* f) "
      "{ *f = (function)PyCapsule_New(module, name, 0); return *f != 0; }\n"
      "static int twice(int x) { return 2 * x; } int shared(void) { return 3; }\n"
      "static function half; static function other; static function third;\n"
      "void* PyInit_lib(void) {\n"
      "  if (!give(\"twice\", (function)twice, \"int (int)\")) return 0;\n"
      "  if (!give(\"shared\", (function)shared, \"int (void)\")) return 0;\n"
      "  if (!give(\"no\", (function)twice, \"text without arguments\")) return 0;\n"
      "  void* module = PyImport_ImportModule(\"pkg.mod\");\n"
      "  if (!take(module, \"half\", &half, \"double (double, struct __pyx_x *)\")) return 0;\n"
      "  if (!take(module, \"other\", &other, \"char *(void)\")) return 0;\n"
      "  if (!PyImport_ImportModule(\"pkg.none\")) return 0;\n"
      "  if (!take_same(PyImport_ImportModule(\"pkg.same\"), \"third\", &third)) return 0;\n"
      "  half(); other(); third(); return module; }\n";
  for (const char* options : {"-O1", "-O2", "-O3 -s", "-Os"}) {
    const ElfFacts facts = read(compile(code, options));
    using Function = CythonFunction;
    EXPECT_THAT(facts.interfaces.cython_modules, testing::ElementsAre("pkg.mod", "pkg.same")) << options;
    EXPECT_THAT(facts.interfaces.cython_exports,
                testing::ElementsAre(Function{"shared", "int (void)"}, Function{"twice", "int (int)"}))
        << options;
    EXPECT_THAT(
        facts.interfaces.cython_imports,
        testing::ElementsAre(Function{"half", "double (double, struct __pyx_x *)"}, Function{"other", "char *(void)"}))
        << options;
  }
}

TEST_F(Data, TypesOfPythonAreReadFromDataAndMachineCode) {
  // The structs of CPython, and the calls that Cython generates with five and with six arguments.
  const std::string code =
      "struct type { long count; void* type; long size; const char* name; long basic, item; void* rest[40]; };\n"
      "struct spec { const char* name; int basic, item; unsigned flags; void* slots; };\n"
      "static struct type one = {1, 0, 0, \"pkg.mod.One\", 88, 0}, two = {0xFFFFFFFF, 0, 0, \"pkg.Two\", 24, 8};\n"
      "static struct type none = {1, 0, 3, \"pkg.No\", 88, 0}, also = {1, 0, 0, \"pkg no\", 88, 0};\n"
      "static struct spec three = {\"pkg.Three\", 32, 0, 1024, &one};\n"
      "void* keep[] = {&one, &two, &none, &also, &three};\n"
      "const char text[] = \"%.200s.%.200s size changed, may indicate binary incompatibility.\";\n"
      "void* PyImport_ImportModule(const char*);\n"
      "__attribute__((noipa)) static void* five(void* m, const char* a, const char* b, unsigned long s, int check) "
      "{ return m && a[0] && b[0] && s && check != 9 ? m : keep[0]; }\n"
      "__attribute__((noipa)) static void* six(void* m, const char* a, const char* b, unsigned long s, unsigned long "
      "n, "
      "int check) { return m && a[0] && b[0] && s && n && check != 9 ? m : keep[1]; }\n"
      "void* PyInit_lib(void) {\n"
      "  void* m = PyImport_ImportModule(\"other\");\n"
      "  if (!five(m, \"other\", \"Old\", 96, 2)) return 0;\n"
      "  if (!five(m, \"same\", \"same\", 48, 1)) return 0;\n"
      "  if (!five(m, \"other\", \"Exact\", 104, 0)) return 0;\n"
      "  if (!six(m, \"other.mod\", \"New\", 216, 8, 1)) return 0;\n"
      "  if (!six(m, \"other.mod\", \"Same\", 64, 8, 0)) return 0;\n"
      "  if (!six(m, \"other.mod\", \"Odd\", 63, 8, 0)) return 0;\n"
      "  return m; }\n";
  for (const char* options : {"-O1", "-O2", "-O3 -s"}) {
    const ElfFacts facts = read(compile(code, options));
    using Imported = ImportedType;
    using Defined = DefinedType;
    EXPECT_THAT(facts.interfaces.imported_types,
                testing::ElementsAre(Imported{.name = "other.Exact", .size = 104, .exact = true},
                                     Imported{.name = "other.Old", .size = 96},
                                     Imported{.name = "other.mod.New", .size = 216, .warns = true},
                                     Imported{.name = "other.mod.Same", .size = 64, .exact = true},
                                     Imported{.name = "same.same", .size = 48, .warns = true}))
        << options;
    EXPECT_THAT(
        facts.interfaces.defined_types,
        testing::ElementsAre(Defined{"pkg.Three", 32, 0}, Defined{"pkg.Two", 24, 8}, Defined{"pkg.mod.One", 88, 0}))
        << options;
  }
}

// GCC places the code for an error between a test and what follows, and a jump ends it.
TEST_F(Data, ATypeOfPythonIsReadBehindCodeForAnError) {
  const std::string code =
      "const char text[] = \"%.200s.%.200s size changed, may indicate binary incompatibility.\";\n"
      "const char module[] = \"other\", type[] = \"Type\"; const char* where;\n"
      "void* PyImport_ImportModule(const char*);\n"
      "__attribute__((noipa)) void* take(void* m, const char* a, const char* b, unsigned long s, int check) "
      "{ return m && a[0] && b[0] && s && check != 9 ? m : 0; }\n"
      "asm(\".globl PyInit_lib; .type PyInit_lib, @function; PyInit_lib: push %rbx\\n\"\n"
      "    \"lea module(%rip), %rdi; call PyImport_ImportModule@PLT; test %rax, %rax; jne 1f\\n\"\n"
      "    \"lea text(%rip), %rax; mov %rax, where(%rip); jmp 2f\\n\"\n"
      "    \"1: lea type(%rip), %rdx; lea module(%rip), %rsi; mov $1, %r8d; mov $112, %ecx; mov %rax, %rdi\\n\"\n"
      "    \"call take@PLT; 2: pop %rbx; ret\\n.size PyInit_lib, .-PyInit_lib\");\n";
  EXPECT_THAT(read(compile(code, "-O2 -fvisibility=hidden")).interfaces.imported_types,
              testing::ElementsAre(ImportedType{.name = "other.Type", .size = 112, .warns = true}));
}

TEST_F(Data, StaticTlsRelocationsAreTheOnesThatReadelfCounts) {
  for (const char* options : {"-ftls-model=initial-exec", "-ftls-model=global-dynamic"}) {
    const std::string path = compile(source, options);
    const std::string theirs = output_of(readelf_ + " -rW " + path + " | grep -cE 'TPOFF|TPREL' | tr -d '\\n'");
    // DTPOFF is an offset in the block of one module, which can be allocated at any time.
    const std::string dynamic = output_of(readelf_ + " -rW " + path + " | grep -cE 'DTPOFF|DTPREL' | tr -d '\\n'");
    EXPECT_EQ(read(path).dynamic->static_tls_relocations, std::stoul(theirs) - std::stoul(dynamic)) << options;
  }
}

// strings(1) prints all runs of printable characters, terminated or not. So every text of ours is one of its lines, and
// every line that is a plain library name is one of ours.
TEST_F(Data, LibraryNamesOfThisMachinesLibrariesAreThoseOfStrings) {
  std::size_t requested = 0;
  for (const char* name : {"libc.so.6", "libstdc++.so.6", "libm.so.6", "libgomp.so.1", "libcrypto.so.3"}) {
    const std::string path = first_line(output_of(std::string("gcc -print-file-name=") + name));
    if (!fs::exists(path) || !path.starts_with('/')) continue;
    const ElfFacts facts = read(path);
    const std::set<std::string> comments = section_strings(".comment", path);
    EXPECT_EQ(std::set<std::string>(facts.sections.comments.begin(), facts.sections.comments.end()), comments) << path;
    std::set<std::string> lines;
    std::istringstream all(output_of(strings_ + " -n 4 " + path));
    for (std::string line; std::getline(all, line);) lines.insert(line);
    for (const auto* list : {&facts.texts.libraries, &facts.texts.versions})
      for (const std::string_view text : *list) EXPECT_TRUE(lines.contains(std::string(text))) << path << ": " << text;
    const std::set<std::string> rodata = section_strings(".rodata", path);
    for (const std::string& text : rodata) {
      const bool name_only = text.starts_with("lib") && text.ends_with(".so") && text.size() < 100;
      if (name_only && text.find_first_of(" \\") == std::string::npos) {
        EXPECT_THAT(facts.texts.libraries, testing::Contains(text)) << path;
      }
    }
    ++requested;
  }
  EXPECT_GE(requested, 3U);
}

}  // namespace
}  // namespace wheelcheck::elf
