// Compares the decoder with llvm-objdump, and what a walk asks of single instructions.
#include "code/instruction.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace wheelcheck::code {
namespace {

namespace fs = std::filesystem;
using Flow = Instruction::Flow;
using Use = Instruction::Use;

std::string output_of_command(const std::string& command) {
  std::string out;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return out;
  char buffer[4096];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, got);
  pclose(pipe);
  return out;
}

std::vector<std::byte> bytes_of(std::initializer_list<unsigned> values) {
  std::vector<std::byte> out;
  for (const unsigned value : values) out.push_back(static_cast<std::byte>(value));
  return out;
}
Instruction x86(std::initializer_list<unsigned> values) {
  return Reader(Machine::X86).read(bytes_of(values), 0x1000).value();
}
std::vector<std::byte> word(std::uint32_t value) {
  return bytes_of({value & 255, value >> 8 & 255, value >> 16 & 255, value >> 24});
}

TEST(Instruction, SaysWhereX86GoesOn) {
  EXPECT_EQ(x86({0xE8, 0x10, 0, 0, 0}).flow, Flow::Call);
  EXPECT_EQ(x86({0xE8, 0x10, 0, 0, 0}).target, 0x1015U);
  EXPECT_EQ(x86({0xEB, 0xFE}).flow, Flow::Jump);
  EXPECT_EQ(x86({0xEB, 0xFE}).target, 0x1000U);
  EXPECT_EQ(x86({0x0F, 0x84, 0xF0, 0xFF, 0xFF, 0xFF}).flow, Flow::Branch);
  EXPECT_EQ(x86({0x0F, 0x84, 0xF0, 0xFF, 0xFF, 0xFF}).target, 0xFF6U);
  EXPECT_EQ(x86({0xFF, 0x25, 0x10, 0, 0, 0}).flow, Flow::JumpSlot);
  EXPECT_EQ(x86({0xFF, 0x15, 0x10, 0, 0, 0}).flow, Flow::CallSlot);
  EXPECT_EQ(x86({0xFF, 0x15, 0x10, 0, 0, 0}).target, 0x1016U);
  EXPECT_EQ(x86({0xFF, 0xD0}).flow, Flow::IndirectCall);
  EXPECT_EQ(x86({0xFF, 0xE0}).flow, Flow::End);
  EXPECT_EQ(x86({0xC3}).flow, Flow::End);
  EXPECT_EQ(x86({0x0F, 0x0B}).flow, Flow::End);
}

TEST(Instruction, SaysWhatX86ReadsAndAsks) {
  const Instruction address = x86({0x48, 0x8D, 0x35, 0x10, 0, 0, 0});  // lea rsi, [rip + 0x10]
  EXPECT_EQ(address.use, Use::Address);
  EXPECT_EQ(address.memory, 0x1017U);
  EXPECT_EQ(x86({0x80, 0x3D, 0x10, 0, 0, 0, 1}).use, Use::Flag);  // cmp byte [rip + 0x10], 1
  EXPECT_EQ(x86({0x80, 0x3D, 0x10, 0, 0, 0, 1}).memory, 0x1017U);
  EXPECT_EQ(x86({0x48, 0x0F, 0xB6, 0x15, 0x10, 0, 0, 0}).use, Use::Flag);  // movzx rdx, byte [rip + 0x10]
  EXPECT_EQ(x86({0x48, 0x0F, 0xB6, 0x15, 0x10, 0, 0, 0}).loads, 2);
  EXPECT_EQ(x86({0x48, 0x63, 0x05, 0x10, 0, 0, 0}).use, Use::Flag);   // movsxd rax, dword [rip + 0x10]
  EXPECT_EQ(x86({0x48, 0x8B, 0x05, 0x10, 0, 0, 0}).use, Use::Other);  // mov rax, [rip + 0x10]
  EXPECT_EQ(x86({0xC6, 0x05, 0x10, 0, 0, 0, 1}).use, Use::Other);     // mov byte [rip + 0x10], 1
  EXPECT_TRUE(x86({0x0F, 0xA2}).tests_processor);
  EXPECT_TRUE(x86({0x0F, 0x01, 0xD0}).tests_processor);
  EXPECT_FALSE(x86({0x90}).tests_processor);
}

TEST(Instruction, FormsAddressesOfAArch64) {
  Reader reader(Machine::Arm);
  ASSERT_TRUE(reader.read(word(0xB0000010), 0x1000));       // adrp x16, 0x2000
  const auto load = reader.read(word(0xF9400A11), 0x1004);  // ldr x17, [x16, #16]
  EXPECT_EQ(load->memory, 0x2010U);
  EXPECT_EQ(load->use, Use::Other);
  EXPECT_EQ(reader.read(word(0x91004210), 0x1008)->memory, 0x2010U);  // add x16, x16, #16
  const auto jump = reader.read(word(0xD61F0220), 0x100C);            // br x17
  EXPECT_EQ(jump->flow, Flow::JumpSlot);
  EXPECT_EQ(jump->target, 0x2010U);
  reader.forget();
  EXPECT_EQ(reader.read(word(0xD61F0220), 0x100C)->flow, Flow::End);
  EXPECT_EQ(reader.read(word(0x97FFFFFF), 0x1000)->target, 0xFFCU);     // bl
  EXPECT_EQ(reader.read(word(0x34000040), 0x1000)->target, 0x1008U);    // cbz w0
  EXPECT_TRUE(reader.read(word(0xD5380600), 0x1000)->tests_processor);  // mrs x0, ID_AA64ISAR0_EL1
  EXPECT_EQ(mnemonic(Machine::Arm, word(0xF8E00020)), "ldaddal");
  EXPECT_EQ(mnemonic(Machine::Arm, word(0x38600020)), "ldaddlb");
}

// Any bytes are an instruction or none, and no length leads out of them.
TEST(Instruction, StandsAnyBytes) {
  std::mt19937 random(1);
  for (int i = 0; i < 200'000; ++i) {
    std::vector<std::byte> bytes(1 + random() % 20);
    for (std::byte& one : bytes) one = static_cast<std::byte>(random());
    for (const Machine machine : {Machine::X86, Machine::Arm})
      if (const auto one = Reader(machine).read(bytes, 0x1000)) {
        ASSERT_GE(one->length, 1U);
        ASSERT_LE(one->length, bytes.size());
        mnemonic(machine, bytes);
      }
  }
}

// Every instruction of some libraries of this machine.
TEST(Instruction, LengthsAreThoseOfObjdump) {
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
      const auto decoded = Reader(Machine::X86).read(bytes, 0);
      ASSERT_TRUE(decoded) << line;
      ASSERT_EQ(decoded->length, length) << line;
      ++compared;
    }
  }
  if (compared == 0) GTEST_SKIP() << "no library to compare";
  EXPECT_GT(compared, 10'000U);
}

}  // namespace
}  // namespace wheelcheck::code
