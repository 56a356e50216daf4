#include "elf/x86_length.h"

#include <algorithm>
#include <cstring>

namespace wheelcheck::elf {
namespace {

using InstructionKind = X86Instruction::Kind;

constexpr std::size_t longest_instruction = 15;

class Decoder {
 public:
  explicit Decoder(std::span<const std::byte> code) : code_(code.first(std::min(code.size(), longest_instruction))) {}

  std::optional<X86Instruction> decode() {
    prefixes();
    const std::uint8_t opcode = next();
    if (opcode == 0x0F)
      two_bytes();
    else if (opcode == 0xC5 || opcode == 0xC4)
      vex(opcode == 0xC4);
    else if (opcode == 0x62)
      evex();
    else
      one_byte(opcode);
    if (bad_ || at_ > code_.size()) return std::nullopt;
    result_.length = at_;
    return result_;
  }

 private:
  std::uint8_t next() {
    if (at_ < code_.size()) return static_cast<std::uint8_t>(code_[at_++]);
    bad_ = true;
    return 0;
  }
  std::uint8_t peek() const { return at_ < code_.size() ? static_cast<std::uint8_t>(code_[at_]) : 0; }
  void skip(std::size_t count) { at_ += count; }

  void prefixes() {
    for (; at_ < code_.size(); ++at_) {
      const std::uint8_t byte = peek();
      if (byte == 0x66) word_ = true;
      if (byte == 0x67) short_address_ = true;
      const bool legacy = byte == 0x66 || byte == 0x67 || byte == 0xF0 || byte == 0xF2 || byte == 0xF3 ||
                          byte == 0x2E || byte == 0x36 || byte == 0x3E || byte == 0x26 || byte == 0x64 || byte == 0x65;
      if (!legacy) break;
    }
    if ((peek() & 0xF0) == 0x40) wide_ = (next() & 8) != 0;  // REX comes last
  }

  // ModRM, SIB and displacement; returns the reg field.
  unsigned modrm() {
    const std::uint8_t byte = next();
    const unsigned mode = byte >> 6, base = byte & 7;
    rip_relative_ = mode == 0 && base == 5;
    if (mode == 3) return byte >> 3 & 7;
    std::size_t displacement = mode == 1 ? 1 : mode == 2 || rip_relative_ ? 4 : 0;
    if (base == 4 && (next() & 7) == 5 && mode == 0) displacement = 4;
    displacement_at_ = at_;
    skip(displacement);
    return byte >> 3 & 7;
  }
  std::int32_t number(std::size_t at) const {
    std::int32_t value = 0;
    if (at + 4 <= code_.size()) std::memcpy(&value, code_.data() + at, 4);
    return value;
  }
  // The displacement counts from the end of the instruction.
  void take_slot(InstructionKind kind) {
    if (!rip_relative_) return;
    result_.kind = kind;
    result_.target = static_cast<std::int64_t>(at_) + number(displacement_at_);
  }
  void relative(InstructionKind kind, bool byte) {
    const std::size_t at = at_;
    skip(byte ? 1 : 4);
    result_.kind = kind;
    const std::int64_t offset = byte ? (at < code_.size() ? static_cast<std::int8_t>(code_[at]) : 0) : number(at);
    result_.target = static_cast<std::int64_t>(at_) + offset;
  }
  std::size_t immediate() const { return word_ && !wide_ ? 2 : 4; }

  void one_byte(std::uint8_t opcode) {
    if (opcode < 0x40) {
      const unsigned form = opcode & 7;
      if (form > 5) return reject();
      if (form < 4) return void(modrm());
      return skip(form == 4 ? 1 : immediate());
    }
    switch (opcode >> 4) {
      case 0x5:
      case 0x9:
        return opcode == 0x9A ? reject() : void();
      case 0x6:
        return six(opcode);
      case 0x7:
        return relative(InstructionKind::Branch, true);
      case 0x8:
        return eight(opcode);
      case 0xA:
        if (opcode < 0xA4) return skip(short_address_ ? 4 : 8);
        return skip(opcode == 0xA8 ? 1 : opcode == 0xA9 ? immediate() : 0);
      case 0xB:
        return skip(opcode < 0xB8 ? 1 : wide_ ? 8 : immediate());
      case 0xC:
        return twelve(opcode);
      case 0xD:
        if (opcode >= 0xD4 && opcode <= 0xD6) return reject();
        return opcode == 0xD7 ? void() : void(modrm());
      case 0xE:
        return fourteen(opcode);
      default:
        return fifteen(opcode);
    }
  }
  void six(std::uint8_t opcode) {
    if (opcode < 0x63) return reject();
    if (opcode == 0x63) return void(modrm());
    if (opcode == 0x69 || opcode == 0x6B) modrm();
    if (opcode == 0x68 || opcode == 0x69) skip(immediate());
    if (opcode == 0x6A || opcode == 0x6B) skip(1);
  }
  void eight(std::uint8_t opcode) {
    if (opcode == 0x82) return reject();
    const unsigned reg = modrm();
    if (opcode == 0x8F && reg != 0) return reject();  // XOP of AMD
    if (opcode == 0x8D) take_slot(InstructionKind::Address);
    if (opcode == 0x80 || opcode == 0x83) skip(1);
    if (opcode == 0x81) skip(immediate());
  }
  void twelve(std::uint8_t opcode) {
    switch (opcode) {
      case 0xC0:
      case 0xC1:
      case 0xC6:
        modrm();
        return skip(1);
      case 0xC7:
        modrm();
        return skip(immediate());
      case 0xC2:
      case 0xCA:
        skip(2);
        return end();
      case 0xC3:
      case 0xCB:
      case 0xCC:
      case 0xCF:
        return end();
      case 0xC8:
        return skip(3);
      case 0xCD:
        return skip(1);
      case 0xCE:
        return reject();
      default:
        return;  // leave
    }
  }
  void fourteen(std::uint8_t opcode) {
    if (opcode < 0xE4) return relative(InstructionKind::Branch, true);  // loop, jrcxz
    if (opcode < 0xE8) return skip(1);
    if (opcode == 0xE8) return relative(InstructionKind::Call, false);
    if (opcode == 0xE9) return relative(InstructionKind::Jump, false);
    if (opcode == 0xEB) return relative(InstructionKind::Jump, true);
    if (opcode == 0xEA) reject();
  }
  void fifteen(std::uint8_t opcode) {
    if (opcode == 0xF4) return end();
    if (opcode == 0xF6 || opcode == 0xF7) {
      if (modrm() < 2) skip(opcode == 0xF6 ? 1 : immediate());
      return;
    }
    if (opcode != 0xFF) return opcode == 0xFE ? void(modrm()) : void();
    const unsigned reg = modrm();
    if (reg == 2) take_slot(InstructionKind::CallSlot);
    if (reg != 4 && reg != 5) return;
    result_.kind = InstructionKind::End;
    if (reg == 4) take_slot(InstructionKind::JumpSlot);
  }

  // True for the opcodes of the map 0F that an 8-bit immediate follows.
  static bool has_byte(std::uint8_t opcode) {
    return (opcode >= 0x70 && opcode <= 0x73) || opcode == 0xA4 || opcode == 0xAC || opcode == 0xBA || opcode == 0xC2 ||
           opcode == 0xC4 || opcode == 0xC5 || opcode == 0xC6 || opcode == 0x0F;
  }
  void two_bytes() {
    const std::uint8_t opcode = next();
    if (opcode == 0x38 || opcode == 0x3A) {
      next();
      modrm();
      return skip(opcode == 0x3A ? 1 : 0);
    }
    if (opcode == 0x01 && peek() == 0xD0) result_.kind = InstructionKind::CpuTest;  // xgetbv
    if (opcode == 0xA2) result_.kind = InstructionKind::CpuTest;
    if (opcode == 0x0B) return end();  // ud2
    if ((opcode & 0xF0) == 0x80) return relative(InstructionKind::Branch, false);
    const bool plain = (opcode >= 0x05 && opcode <= 0x09) || opcode == 0x0E || (opcode >= 0x30 && opcode <= 0x37) ||
                       opcode == 0x77 || (opcode >= 0xA0 && opcode <= 0xA2) || (opcode >= 0xA8 && opcode <= 0xAA) ||
                       opcode >= 0xC8;
    if (plain && (opcode < 0xD0)) return;
    modrm();
    if (has_byte(opcode)) skip(1);
  }
  void coded(InstructionKind kind, unsigned map) {
    const std::uint8_t opcode = next();
    result_.kind = kind;
    const bool bmi = (map == 2 && opcode >= 0xF2 && opcode <= 0xF7) || (map == 3 && opcode == 0xF0);
    if (kind == InstructionKind::Vex && bmi) result_.kind = InstructionKind::Bmi;
    if (kind == InstructionKind::Vex && map == 1 && opcode == 0x77) return;  // vzeroupper
    modrm();
    if (map == 3 || (map == 1 && has_byte(opcode))) skip(1);
  }
  void vex(bool three) {
    const unsigned map = three ? next() & 0x1F : 1;
    next();
    if (map < 1 || map > 3) return reject();
    coded(InstructionKind::Vex, map);
  }
  void evex() {
    const unsigned map = next() & 7;
    skip(2);
    if (map == 0 || map == 4 || map == 7) return reject();
    coded(InstructionKind::Evex, map);
  }

  void end() { result_.kind = InstructionKind::End; }
  void reject() { bad_ = true; }

  std::span<const std::byte> code_;
  std::size_t at_ = 0, displacement_at_ = 0;
  bool word_ = false, wide_ = false, short_address_ = false, rip_relative_ = false, bad_ = false;
  X86Instruction result_;
};

}  // namespace

std::optional<X86Instruction> x86_instruction(std::span<const std::byte> code) { return Decoder(code).decode(); }

}  // namespace wheelcheck::elf
