// Machine code of x86-64 and AArch64: one instruction after the other, with what the readers of ELF files ask of it.
// Where does it go on? Which memory does it read, which address does it form? Does every processor of the machine have
// it, and does it ask the processor what it has?
//
// x86-64 is decoded by Zydis, whose tables name the CPUID feature of each instruction. Measured on the code of
// libllvmlite.so (2.7 million instructions, all decoded alike by the three): Zydis 4.1 9 million instructions a second
// and 0.4 MB of program, LLVM MC 19 7 million and 5.6 MB, Capstone 4.0 1.1 million; LLVM does not tell the feature.
// None of them ended on random bytes. AArch64 has instructions of 4 bytes, so a table of the encodings that matter is
// enough (Arm ARM, C4 "A64 Instruction Set Encoding").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace wheelcheck::code {

enum class Machine : std::uint8_t { X86, Arm };

// A set of instructions that only some processors have, by its name in /proc/cpuinfo or in the Arm ARM. None: all have
// it. Those of x86-64 have the order of their levels (x86-64 psABI, "micro-architecture levels").
enum class Feature : std::uint8_t {
  None,
  Sse3,
  Ssse3,
  Sse41,
  Sse42,
  Popcnt,
  Cmpxchg16b,  // x86-64-v2
  Avx,
  Avx2,
  Bmi,
  Bmi2,
  F16c,
  Fma,
  Movbe,
  Aes,
  Pclmul,
  Amd,  // x86-64-v3; and what is as old, but in no level
  Avx512,
  Amx,
  Sha,
  Gfni,
  Vaes,
  Vnni,  // x86-64-v4; or newer than v3, and in no level
  Lse,
  Rdm,
  Fp16,
  DotProd,
  Crypto,
  Sha512,
  Sha3,
  Sm4,
  Pauth,
  Rcpc,
  Fcma,
  Jscvt,
  I8mm,
  Bf16,
  Sve,
  Sme,
};
std::string_view name_of(Feature feature);
constexpr std::uint64_t bit_of(Feature feature) { return std::uint64_t{1} << static_cast<unsigned>(feature); }
// The features that every processor without this one lacks, this one included, as bits.
std::uint64_t missing_without(Feature feature);
// 2, 3 or 4 for a feature of x86-64; 0 for one of AArch64.
std::uint32_t x86_level(Feature feature);

struct Instruction {
  enum class Flow : std::uint8_t {
    Next,
    Call,          // direct: `target`
    Jump,          // direct: `target`
    Branch,        // conditional: `target`
    IndirectCall,  // of an unknown address
    CallSlot,      // of the address in memory at `target`
    JumpSlot,      // to the address in memory at `target`
    End,           // return, indirect jump, trap
  };
  // How the value at `memory` is used.
  enum class Use : std::uint8_t {
    None,
    Address,  // the instruction forms the address
    Flag,     // it reads 8 or 32 bits: to compare, to test, or into a register
    Other,    // reads or writes
  };
  std::size_t length = 0;  // bytes
  Flow flow = Flow::Next;
  Use use = Use::None;
  Feature feature = Feature::None;
  bool tests_processor = false;  // CPUID, XGETBV, or the ID registers of AArch64
  std::uint64_t target = 0;
  std::uint64_t memory = 0;  // an address that is known from the code alone
  // Numbers of registers, on x86-64 only; -1: none. The one into which a Use::Flag reads, and one that is compared with
  // a constant or tested.
  std::int8_t loads = -1, tests = -1;
};

// What a register is known to contain.
struct Register {
  enum class Content : std::uint8_t { Unknown, Value, Loaded };
  Content content = Content::Unknown;
  std::uint64_t value = 0;  // of Loaded, the address of the word in memory
};

// Reads the instructions of a function in their order, and remembers which constants the registers contain: on AArch64
// an address takes two instructions.
class Reader {
 public:
  explicit Reader(Machine machine) : machine_(machine) {}

  // The instruction at the start of `code`. nullopt: no instruction, or it does not end within the bytes.
  std::optional<Instruction> read(std::span<const std::byte> code, std::uint64_t address) {
    return machine_ == Machine::X86 ? read_x86(code, address) : read_arm(code, address);
  }
  // A constant that is the argument of a call here, from 0 on; of the first six (psABI, AAPCS64).
  std::optional<std::uint64_t> argument(std::size_t number) const {
    static constexpr std::array<std::uint8_t, 6> x86{7, 6, 2, 1, 8, 9};  // rdi, rsi, rdx, rcx, r8, r9
    const Register& at = registers_[machine_ == Machine::X86 ? x86[number] : number];
    return at.content == Register::Content::Value ? std::optional(at.value) : std::nullopt;
  }
  // What follows is reached from somewhere else.
  void forget() { registers_.fill({}); }
  // After read() of a call, its arguments are in place, until the next instruction is read or the call returns.
  void return_from_call();

 private:
  std::optional<Instruction> read_x86(std::span<const std::byte> code, std::uint64_t address);
  std::optional<Instruction> read_arm(std::span<const std::byte> code, std::uint64_t address);
  void step_arm(std::uint32_t word, std::uint64_t address, Instruction& out);

  Machine machine_;
  bool called_ = false;
  std::array<Register, 32> registers_{};
};

// AArch64: the address that ADR forms, with pages of 4096 bytes ADRP.
constexpr std::uint64_t adr_target(std::uint32_t word, std::uint64_t address, std::uint64_t page = 1) {
  const std::uint64_t field = (word >> 5 & 0x7FFFF) << 2 | (word >> 29 & 3);
  return address / page * page + static_cast<std::uint64_t>(static_cast<std::int64_t>(field << 43) >> 43) * page;
}

// "vaddps", "ldaddal". "" where it has no name here.
std::string mnemonic(Machine machine, std::span<const std::byte> code);
std::string mnemonic_of_x86(std::span<const std::byte> code);

}  // namespace wheelcheck::code
