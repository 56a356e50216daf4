// Zydis, for the questions of instruction.h.
#include <Zydis/Zydis.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "code/instruction.h"

namespace wheelcheck::code {
namespace {

const ZydisDecoder& decoder() {
  static const ZydisDecoder made = [] {
    ZydisDecoder out;
    ZydisDecoderInit(&out, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    return out;
  }();
  return made;
}

bool decode(std::span<const std::byte> code, ZydisDecoderContext& context, ZydisDecodedInstruction& out) {
  return ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder(), &context, code.data(), code.size(), &out));
}

// LZCNT and TZCNT are not here: older processors execute them as BSR and BSF. Neither are hints (CET, PREFETCHW).
Feature feature_of(ZydisISASet set) {
  if (set >= ZYDIS_ISA_SET_AVX512BW_128 && set <= ZYDIS_ISA_SET_AVX512_VPOPCNTDQ_512) return Feature::Avx512;
  switch (set) {
    case ZYDIS_ISA_SET_SSE3:
    case ZYDIS_ISA_SET_SSE3X87:
      return Feature::Sse3;
    case ZYDIS_ISA_SET_SSSE3:
    case ZYDIS_ISA_SET_SSSE3MMX:
      return Feature::Ssse3;
    case ZYDIS_ISA_SET_SSE4:
      return Feature::Sse41;
    case ZYDIS_ISA_SET_SSE42:
      return Feature::Sse42;
    case ZYDIS_ISA_SET_POPCNT:
      return Feature::Popcnt;
    case ZYDIS_ISA_SET_CMPXCHG16B:
      return Feature::Cmpxchg16b;
    case ZYDIS_ISA_SET_AVX:
    case ZYDIS_ISA_SET_AVXAES:
      return Feature::Avx;
    case ZYDIS_ISA_SET_AVX2:
    case ZYDIS_ISA_SET_AVX2GATHER:
      return Feature::Avx2;
    case ZYDIS_ISA_SET_BMI1:
      return Feature::Bmi;
    case ZYDIS_ISA_SET_BMI2:
      return Feature::Bmi2;
    case ZYDIS_ISA_SET_F16C:
      return Feature::F16c;
    case ZYDIS_ISA_SET_FMA:
      return Feature::Fma;
    case ZYDIS_ISA_SET_MOVBE:
      return Feature::Movbe;
    case ZYDIS_ISA_SET_AES:
      return Feature::Aes;
    case ZYDIS_ISA_SET_PCLMULQDQ:
      return Feature::Pclmul;
    case ZYDIS_ISA_SET_FMA4:
    case ZYDIS_ISA_SET_SSE4A:
    case ZYDIS_ISA_SET_TBM:
    case ZYDIS_ISA_SET_XOP:
      return Feature::Amd;
    case ZYDIS_ISA_SET_AMX_BF16:
    case ZYDIS_ISA_SET_AMX_FP16:
    case ZYDIS_ISA_SET_AMX_INT8:
    case ZYDIS_ISA_SET_AMX_TILE:
      return Feature::Amx;
    case ZYDIS_ISA_SET_SHA:
      return Feature::Sha;
    case ZYDIS_ISA_SET_GFNI:
    case ZYDIS_ISA_SET_AVX_GFNI:
      return Feature::Gfni;
    case ZYDIS_ISA_SET_VAES:
    case ZYDIS_ISA_SET_VPCLMULQDQ:
      return Feature::Vaes;
    case ZYDIS_ISA_SET_AVX_VNNI:
    case ZYDIS_ISA_SET_AVX_IFMA:
      return Feature::Vnni;
    default:
      return Feature::None;
  }
}

// The register that a comparison with a constant or a test looks at; -1 for other instructions.
std::int8_t tested_register(const ZydisDecodedInstruction& one) {
  const bool test = one.mnemonic == ZYDIS_MNEMONIC_TEST;
  const bool compare = one.mnemonic == ZYDIS_MNEMONIC_CMP || one.mnemonic == ZYDIS_MNEMONIC_BT;
  if (!test && !(compare && one.raw.imm[0].size != 0)) return -1;
  if ((one.attributes & ZYDIS_ATTRIB_HAS_MODRM) == 0) return 0;  // al, eax
  return one.raw.modrm.mod == 3 ? static_cast<std::int8_t>(one.raw.modrm.rm | one.raw.rex.B << 3) : -1;
}

// Whether the instruction reads less than 64 bits of memory, and writes none. Go loads a flag with MOVZX into 64 bits.
bool reads_flag(const ZydisDecodedInstruction& one) {
  switch (one.mnemonic) {
    case ZYDIS_MNEMONIC_MOVZX:
    case ZYDIS_MNEMONIC_MOVSX:
    case ZYDIS_MNEMONIC_MOVSXD:
      return true;
    case ZYDIS_MNEMONIC_CMP:
    case ZYDIS_MNEMONIC_TEST:
    case ZYDIS_MNEMONIC_BT:
      return one.operand_width < 64;
    case ZYDIS_MNEMONIC_MOV:
    case ZYDIS_MNEMONIC_AND:  // into a register
      return one.operand_width < 64 && ((one.opcode & 0xFE) == 0x8A || (one.opcode & 0xFE) == 0x22);
    default:
      return false;
  }
}

// What the bytes of an instruction before its displacement and immediate say of it. Zydis is asked once for each such
// sequence of bytes, because code consists of few of them: a decoding takes 100 ns, a look at the known ones 10 ns, and
// the start-up code of scikit_learn 1.9.1 has 300,000 instructions.
struct Form {
  enum class Effect : std::uint8_t { Clear, Immediate, Copy, Address, Zero, Ones };
  Instruction instruction;
  std::uint8_t displacement_at = 0, displacement_size = 0, immediate_at = 0, immediate_size = 0;  // bytes
  std::uint8_t fixed = 0;                                                                         // bytes before both
  bool relative_target = false, rip = false, narrow = false, is_kept = true;
  Effect effect = Effect::Clear;  // on the register `to`
  std::uint8_t to = 0, from = 0;
  std::uint16_t writes = 0;  // general registers
};

bool is_general(const ZydisDecodedOperand& operand) {
  const ZydisRegisterClass of = ZydisRegisterGetClass(operand.reg.value);
  return operand.type == ZYDIS_OPERAND_TYPE_REGISTER && of >= ZYDIS_REGCLASS_GPR8 && of <= ZYDIS_REGCLASS_GPR64;
}
std::uint8_t number_of(const ZydisDecodedOperand& operand) {
  const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, operand.reg.value);
  return static_cast<std::uint8_t>(ZydisRegisterGetId(whole));
}

// What an instruction leaves in registers: constants, addresses, copies.
void add_effect(const ZydisDecoderContext& context, const ZydisDecodedInstruction& one, Form& form) {
  using Effect = Form::Effect;
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeOperands(&decoder(), &context, &one, operands.data(), one.operand_count))) return;
  for (std::size_t i = 0; i < one.operand_count; ++i)
    if (is_general(operands[i]) && (operands[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0)
      form.writes |= static_cast<std::uint16_t>(1U << number_of(operands[i]));
  const ZydisDecodedOperand &to = operands[0], &from = operands[1];
  if (one.operand_count < 2 || !is_general(to) || to.size < 32) return;
  form.to = number_of(to);
  form.narrow = to.size == 32;
  const bool immediate = from.type == ZYDIS_OPERAND_TYPE_IMMEDIATE, copy = is_general(from);
  if (copy) form.from = number_of(from);
  if (one.mnemonic == ZYDIS_MNEMONIC_MOV && (immediate || copy))
    form.effect = immediate ? Effect::Immediate : Effect::Copy;
  if (one.mnemonic == ZYDIS_MNEMONIC_LEA && form.rip) form.effect = Effect::Address;
  if (one.mnemonic == ZYDIS_MNEMONIC_XOR && copy && form.from == form.to) form.effect = Effect::Zero;
  if (one.mnemonic == ZYDIS_MNEMONIC_OR && immediate && from.imm.value.s == -1) form.effect = Effect::Ones;
}

std::optional<Form> form_of(std::span<const std::byte> code) {
  using Flow = Instruction::Flow;
  using Use = Instruction::Use;
  ZydisDecoderContext context;
  ZydisDecodedInstruction one;
  if (!decode(code, context, one)) return std::nullopt;
  Form form{.instruction = {.length = one.length, .feature = feature_of(one.meta.isa_set)}};
  Instruction& out = form.instruction;
  form.displacement_at = one.raw.disp.offset;
  form.displacement_size = one.raw.disp.size / 8;
  form.immediate_at = one.raw.imm[0].offset;
  form.immediate_size = one.raw.imm[0].size / 8;
  form.rip = (one.attributes & ZYDIS_ATTRIB_HAS_MODRM) != 0 && one.raw.modrm.mod == 0 && one.raw.modrm.rm == 5;
  if (form.rip) {
    const bool flag = reads_flag(one);
    out.use = one.mnemonic == ZYDIS_MNEMONIC_LEA ? Use::Address : flag ? Use::Flag : Use::Other;
    if (flag) out.loads = static_cast<std::int8_t>(one.raw.modrm.reg | one.raw.rex.R << 3);
  }
  out.tests = tested_register(one);
  switch (one.meta.category) {
    case ZYDIS_CATEGORY_CALL:
    case ZYDIS_CATEGORY_UNCOND_BR: {
      const bool call = one.meta.category == ZYDIS_CATEGORY_CALL;
      form.relative_target = one.raw.imm[0].is_relative != 0;
      out.flow = form.relative_target ? (call ? Flow::Call : Flow::Jump)
                 : form.rip           ? (call ? Flow::CallSlot : Flow::JumpSlot)
                                      : (call ? Flow::IndirectCall : Flow::End);
      break;
    }
    case ZYDIS_CATEGORY_COND_BR:
      out.flow = Flow::Branch;
      form.relative_target = true;
      break;
    case ZYDIS_CATEGORY_RET:
      out.flow = Flow::End;
      break;
    default:
      break;
  }
  switch (one.mnemonic) {
    case ZYDIS_MNEMONIC_CPUID:
    case ZYDIS_MNEMONIC_XGETBV:
      out.tests_processor = true;
      break;
    case ZYDIS_MNEMONIC_UD0:
    case ZYDIS_MNEMONIC_UD1:
    case ZYDIS_MNEMONIC_UD2:
    case ZYDIS_MNEMONIC_HLT:
    case ZYDIS_MNEMONIC_INT3:
      out.flow = Flow::End;
      break;
    case ZYDIS_MNEMONIC_TZCNT:
    case ZYDIS_MNEMONIC_LZCNT:
      out.feature = Feature::None;
      break;
    default:
      break;
  }
  if (out.flow == Flow::Next) add_effect(context, one, form);
  // The last byte of 3DNow! is a part of the opcode, and `or reg, -1` is the only one whose immediate counts.
  form.is_kept = one.encoding != ZYDIS_INSTRUCTION_ENCODING_3DNOW && form.effect != Form::Effect::Ones;
  return form;
}

// The known forms, by their bytes: a tree whose nodes have a place for each next byte.
class Forms {
 public:
  const Form* find(std::span<const std::byte> code) {
    if (code.size() < longest) return find_in_tree(code);
    std::uint64_t word = 0;  // the first byte is the lowest
    std::memcpy(&word, code.data(), sizeof word);
    if constexpr (std::endian::native == std::endian::big) word = std::byteswap(word);
    std::int16_t next = nodes_[0][word & 0xFF];
    if (next > 0) next = nodes_[static_cast<std::size_t>(next)][word >> 8 & 0xFF];
    if (next < 0) return &forms_[static_cast<std::size_t>(-next - 1)];
    const bool longer = (word & 0xFF) == 0x66 || (word & 0xFE) == 0xF2 || (word & 0xFFF0) == 0x0F40;
    Recent& recent = recent_[static_cast<std::uint32_t>(word << (longer ? 0 : 8)) * 2654435761U >> 21];
    if (recent.form != 0 && ((word ^ recent.word) << recent.others) == 0) return &forms_[recent.form - 1U];
    const Form* const found = find_in_tree(code);
    if (found == nullptr || found == &last_) return found;
    recent.word = word;
    recent.form = static_cast<std::uint16_t>(found - forms_.data() + 1);
    recent.others = static_cast<std::uint8_t>(64 - 8 * found->fixed);
    return found;
  }

 private:
  static constexpr std::size_t longest = 15;  // bytes of an instruction
  static constexpr std::size_t deepest = 6, max_nodes = 4096, max_forms = 16'384;
  // A form that was found, by a hash of its bytes: the tree is larger than the nearest cache of a processor.
  struct Recent {
    std::uint64_t word = 0;   // begins with the bytes that identify it
    std::uint16_t form = 0;   // its index and one; 0: none
    std::uint8_t others = 0;  // bits that may differ
  };

  const Form* find_in_tree(std::span<const std::byte> code) {
    std::size_t node = 0;
    for (std::size_t depth = 0; depth < code.size() && depth < deepest; ++depth) {
      const std::int16_t next = nodes_[node][static_cast<std::uint8_t>(code[depth])];
      if (next == 0) break;
      if (next > 0) {
        node = static_cast<std::size_t>(next);
        continue;
      }
      const Form& form = forms_[static_cast<std::size_t>(-next - 1)];
      return form.instruction.length <= code.size() ? &form : nullptr;
    }
    const std::optional<Form> made = form_of(code);
    if (!made) return nullptr;
    last_ = *made;
    std::size_t fixed = last_.instruction.length;
    if (last_.displacement_size != 0) fixed = std::min<std::size_t>(fixed, last_.displacement_at);
    if (last_.immediate_size != 0) fixed = std::min<std::size_t>(fixed, last_.immediate_at);
    last_.fixed = static_cast<std::uint8_t>(fixed);
    if (last_.is_kept && fixed <= deepest) add(code.first(fixed));
    return &last_;
  }

  void add(std::span<const std::byte> fixed) {
    if (nodes_.size() + fixed.size() > max_nodes || forms_.size() >= max_forms) return;
    std::size_t node = 0;
    for (std::size_t i = 0; i + 1 < fixed.size(); ++i) {
      const auto byte = static_cast<std::uint8_t>(fixed[i]);
      if (nodes_[node][byte] < 0) return;
      if (nodes_[node][byte] == 0) {
        const auto added = static_cast<std::int16_t>(nodes_.size());
        nodes_[node][byte] = added;
        nodes_.emplace_back();
      }
      node = static_cast<std::size_t>(nodes_[node][byte]);
    }
    forms_.push_back(last_);
    std::int16_t& place = nodes_[node][static_cast<std::uint8_t>(fixed.back())];
    if (place == 0) place = static_cast<std::int16_t>(-static_cast<int>(forms_.size()));
  }

  std::vector<std::array<std::int16_t, 256>> nodes_{1};
  std::vector<Form> forms_;
  std::array<Recent, 2048> recent_;
  Form last_;
};

// The signed number of so many bytes.
std::int64_t number_at(std::span<const std::byte> code, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  if (size == 0 || at + size > code.size()) return 0;
  if (at + sizeof value <= code.size())
    std::memcpy(&value, code.data() + at, sizeof value);  // in one load
  else
    std::memcpy(&value, code.data() + at, size);
  return static_cast<std::int64_t>(value << (64 - 8 * size)) >> (64 - 8 * size);
}

}  // namespace

std::optional<Instruction> Reader::read_x86(std::span<const std::byte> code, std::uint64_t address) {
  using Flow = Instruction::Flow;
  using Content = Register::Content;
  thread_local Forms forms;
  const Form* const form = forms.find(code);
  if (form == nullptr) return std::nullopt;
  Instruction out = form->instruction;
  const std::uint64_t next = address + out.length;
  const std::int64_t immediate = number_at(code, form->immediate_at, form->immediate_size);
  if (form->rip)
    out.memory = next + static_cast<std::uint64_t>(number_at(code, form->displacement_at, form->displacement_size));
  out.target = form->relative_target ? next + static_cast<std::uint64_t>(immediate) : out.memory;
  return_from_call();
  called_ = out.flow == Flow::Call || out.flow == Flow::CallSlot || out.flow == Flow::IndirectCall;
  if (form->writes == 0) return out;
  Register result;
  switch (form->effect) {
    case Form::Effect::Immediate:
      result = {Content::Value, static_cast<std::uint64_t>(immediate)};
      break;
    case Form::Effect::Copy:
      result = registers_[form->from];
      break;
    case Form::Effect::Address:
      result = {Content::Value, out.memory};
      break;
    case Form::Effect::Zero:
      result = {Content::Value, 0};
      break;
    case Form::Effect::Ones:
      result = {Content::Value, ~std::uint64_t{0}};
      break;
    case Form::Effect::Clear:
      break;
  }
  if (form->narrow) result.value &= UINT32_MAX;
  for (unsigned writes = form->writes; writes != 0; writes &= writes - 1) registers_[std::countr_zero(writes)] = {};
  if (form->effect != Form::Effect::Clear) registers_[form->to] = result;
  return out;
}

std::string mnemonic_of_x86(std::span<const std::byte> code) {
  ZydisDecoderContext context;
  ZydisDecodedInstruction one;
  if (!decode(code, context, one)) return "";
  const char* const name = ZydisMnemonicGetString(one.mnemonic);
  return name == nullptr ? "" : name;
}

}  // namespace wheelcheck::code
