// Compares the ELF reader with llvm-readelf. llvm-readelf finds tables by section headers, and the ELF reader by
// addresses; for files made by a compiler both must agree.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "elf/read.h"

namespace wheelcheck::elf {
namespace {

using Names = std::vector<std::string>;

std::string output_of(const std::string& command) {
  std::string out;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return out;
  char buffer[4096];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, got);
  return pclose(pipe) == 0 ? out : std::string();
}

class Readelf : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    tool_ = output_of("command -v llvm-readelf-19 llvm-readelf | head -n 1");
    if (tool_.empty() || output_of("command -v gcc").empty()) GTEST_SKIP() << "needs llvm-readelf and gcc";
    tool_.pop_back();
    const std::string pattern = (std::filesystem::temp_directory_path() / "wheelcheck-readelf-XXXXXX").string();
    folder_.assign(pattern.begin(), pattern.end());
    folder_.push_back('\0');
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
    const std::string base = std::string(folder_.data()) + "/lib";
    std::ofstream(base + ".c")
        << "#include <math.h>\n#include <stdio.h>\n"
           "__thread int counter; int table[7];\n"
           "extern int elsewhere(void) __attribute__((weak));\n"
           "int older(int x) { return x; }\nint newer(int x) { return x + 1; }\n"
           "__asm__(\".symver older,call@LIB_1\"); __asm__(\".symver newer,call@@LIB_2\");\n"
           "double work(double x) { if (elsewhere) elsewhere(); puts(\"x\"); return pow(x, x); }\n";
    std::ofstream(base + ".map") << "LIB_1 { global: call; work; }; LIB_2 { global: call; table; counter; } LIB_1;\n";
    path_ = base + ".so";
    const std::string command = "gcc -shared -fPIC -o " + path_ + " " + base + ".c -Wl,-soname,liboracle.so.3 -lm " +
                                GetParam() + " -Wl,--version-script=" + base + ".map";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    std::ifstream file(path_, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    facts_ = read_elf(std::as_bytes(std::span(bytes)), {});
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_.data());
  }
  std::string ask(const std::string& options) const { return output_of(tool_ + " " + options + " " + path_); }

  std::string tool_, path_;
  std::vector<char> folder_;
  ElfFacts facts_;
};
INSTANTIATE_TEST_SUITE_P(Links, Readelf,
                         testing::Values("-Wl,--hash-style=gnu", "-Wl,--hash-style=sysv",
                                         "-Wl,--hash-style=both -Wl,-z,now", "-Wl,-z,pack-relative-relocs",
                                         "-Wl,-rpath,/opt/lib -Wl,--enable-new-dtags"));

TEST_P(Readelf, AgreesOnEverySymbolAndItsVersion) {
  const nlohmann::json answer = nlohmann::json::parse(ask("--elf-output-style=JSON --dyn-symbols"));
  const nlohmann::json& symbols = answer.at(0).at("DynamicSymbols");
  Names theirs, ours;
  for (const nlohmann::json& entry : symbols) {
    const nlohmann::json& symbol = entry.at("Symbol");
    const std::string name = symbol.at("Name").at("Name");
    if (!name.empty() && symbol.at("Binding").at("Name") != "Local") theirs.push_back(name);
  }
  ASSERT_TRUE(facts_.dynamic);
  for (const Import& one : facts_.dynamic->imports)
    ours.push_back(std::string(one.name) +
                   (one.need ? "@" + std::string(facts_.dynamic->needs.at(one.need->value).version) : ""));
  for (const Export& one : facts_.dynamic->exports)
    ours.push_back(std::string(one.name) + (one.version ? (one.default_version ? "@@" : "@") : "") +
                   (one.version ? std::string(facts_.dynamic->provides.at(*one.version).version) : ""));
  // The symbols that represent the version nodes are exports like others.
  std::ranges::sort(theirs);
  std::ranges::sort(ours);
  EXPECT_EQ(ours, theirs);
  EXPECT_EQ(facts_.dynamic->symbol_count + 1, symbols.size());
  EXPECT_TRUE(facts_.flaws.empty());
}

TEST_P(Readelf, AgreesOnVersionNeedsAndLibraries) {
  const std::string text = ask("--elf-output-style=LLVM -V --needed-libs");
  const std::string needs = text.substr(std::min(text.find("VersionRequirements"), text.size()));
  ASSERT_FALSE(facts_.dynamic->needs.empty());
  std::size_t at = 0;
  for (const VersionNeed& need : facts_.dynamic->needs) {  // in file order
    at = needs.find("Index: " + std::to_string(need.index) + "\n", at);
    ASSERT_NE(at, std::string::npos) << need.version;
    EXPECT_NE(needs.substr(at, 80).find("Name: " + std::string(need.version) + "\n"), std::string::npos);
  }
  EXPECT_EQ(needs.find("Index: ", at + 1), std::string::npos) << "there are more";
  for (const std::string_view name : facts_.dynamic->needed)
    EXPECT_NE(text.find("\n  " + std::string(name) + "\n"), std::string::npos) << name;
  EXPECT_EQ(facts_.dynamic->soname, "liboracle.so.3");
}

}  // namespace
}  // namespace wheelcheck::elf
