// The length and kind of x86-64 instructions (Intel SDM volume 2, chapter 2 and appendix A). Only the length is
// decoded, and what a walk over the code of a function needs: where it goes on, and which encoding the instruction has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace wheelcheck::elf {

struct X86Instruction {
  enum class Kind : std::uint8_t {
    Other,
    Bmi,       // BMI and BMI2 that are encoded like AVX
    Vex,       // AVX, AVX2, FMA, F16C
    Evex,      // AVX-512
    CpuTest,   // CPUID, XGETBV
    Call,      // direct: `target`
    Jump,      // direct: `target`
    Branch,    // conditional: `target`
    JumpSlot,  // jmp *[rip + disp32]: `target` is the slot
    CallSlot,  // call *[rip + disp32]
    Address,   // lea r64, [rip + disp32]: `target`
    End,       // ret, an indirect jump, ud2, hlt, int3
  };
  std::size_t length = 0;
  Kind kind = Kind::Other;
  std::int64_t target = 0;  // relative to the start of the instruction
};
// nullopt: not an instruction of 64-bit mode, or it does not end within the bytes.
std::optional<X86Instruction> x86_instruction(std::span<const std::byte> code);

}  // namespace wheelcheck::elf
