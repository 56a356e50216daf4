// AArch64, for the questions of instruction.h. The encodings are those of the Arm ARM, chapters C4.1 and C6.
#include <algorithm>
#include <cstring>
#include <utility>

#include "code/instruction.h"

namespace wheelcheck::code {
namespace {

using Flow = Instruction::Flow;
using Use = Instruction::Use;

std::uint32_t word_of(std::span<const std::byte> code) {
  std::uint32_t word = 0;
  if (code.size() >= sizeof word) std::memcpy(&word, code.data(), sizeof word);
  return word;
}

// The signed number in the bits from `low` on.
constexpr std::int64_t field(std::uint32_t word, int low, int bits) {
  return static_cast<std::int64_t>(std::uint64_t{word} << (64 - low - bits)) >> (64 - bits);
}

struct Encoding {
  std::uint32_t mask, value;
  Feature feature;
  std::string_view name;
};
constexpr Encoding encodings[] = {
    // FCVT from half precision is in all processors; the other ones with a half-precision operand are not.
    {0xFFFFFC00, 0x1EE24000, Feature::None, "fcvt"},
    {0xFFFFFC00, 0x1EE2C000, Feature::None, "fcvt"},
    {0x3FA07C00, 0x08A07C00, Feature::Lse, "cas"},
    {0xBFA07C00, 0x08207C00, Feature::Lse, "casp"},
    {0x3F20FC00, 0x3820C000, Feature::Rcpc, "ldapr"},
    {0x3F20FC00, 0x38208000, Feature::Lse, "swp"},
    {0x3F208C00, 0x38200000, Feature::Lse, "ld"},
    {0xBF20FC00, 0x2E008400, Feature::Rdm, "sqrdmlah"},
    {0xBF20FC00, 0x2E008C00, Feature::Rdm, "sqrdmlsh"},
    {0xBF00F400, 0x2F00D000, Feature::Rdm, "sqrdmlah"},
    {0xBF00F400, 0x2F00F000, Feature::Rdm, "sqrdmlsh"},
    {0xBFE0FC00, 0x0E809400, Feature::DotProd, "sdot"},
    {0xBFE0FC00, 0x2E809400, Feature::DotProd, "udot"},
    {0xBFC0F400, 0x0F80E000, Feature::DotProd, "sdot"},
    {0xBFC0F400, 0x2F80E000, Feature::DotProd, "udot"},
    {0x7FE00000, 0x1EE00000, Feature::Fp16, "half precision"},
    {0x7FE00000, 0x1EC00000, Feature::Fp16, "half precision"},
    {0xFFC00000, 0x1FC00000, Feature::Fp16, "half precision"},
    {0x9F60C400, 0x0E400400, Feature::Fp16, "half precision"},
    {0x9F7E0C00, 0x0E780800, Feature::Fp16, "half precision"},
    {0xFFFF0C00, 0x4E280800, Feature::Crypto, "aes"},
    {0xFFE08C00, 0x5E000000, Feature::Crypto, "sha1, sha256"},
    {0xFFFF0C00, 0x5E280800, Feature::Crypto, "sha1, sha256"},
    {0xBFE0FC00, 0x0EE0E000, Feature::Crypto, "pmull"},
    {0xFFE0FC00, 0xCE608000, Feature::Sha512, "sha512h"},
    {0xFFE0FC00, 0xCE608400, Feature::Sha512, "sha512h2"},
    {0xFFE0FC00, 0xCE608800, Feature::Sha512, "sha512su1"},
    {0xFFFFFC00, 0xCEC08000, Feature::Sha512, "sha512su0"},
    {0xFFE0FC00, 0xCE608C00, Feature::Sha3, "rax1"},
    {0xFFE08000, 0xCE000000, Feature::Sha3, "eor3"},
    {0xFFE08000, 0xCE200000, Feature::Sha3, "bcax"},
    {0xFFE00000, 0xCE800000, Feature::Sha3, "xar"},
    {0xFFE00000, 0xCE400000, Feature::Sm4, "sm3"},
    {0xFFE0F000, 0xCE60C000, Feature::Sm4, "sm3, sm4"},
    {0xFFFFFC00, 0xCEC08400, Feature::Sm4, "sm4e"},
    {0xFFFFFBFF, 0xD65F0BFF, Feature::Pauth, "retaa, retab"},
    {0xFEDFF800, 0xD61F0800, Feature::Pauth, "braa, blraa"},
    {0xFFFF0000, 0xDAC10000, Feature::Pauth, "pacia, autia"},
    {0xFFE0FC00, 0x9AC03000, Feature::Pauth, "pacga"},
    {0xFF200400, 0xF8200400, Feature::Pauth, "ldraa, ldrab"},
    {0xBF20E400, 0x2E00C400, Feature::Fcma, "fcmla"},
    {0xBF20EC00, 0x2E00E400, Feature::Fcma, "fcadd"},
    {0xFFFFFC00, 0x1E7E0000, Feature::Jscvt, "fjcvtzs"},
    {0xFFE0FC00, 0x4E80A400, Feature::I8mm, "smmla"},
    {0xFFE0FC00, 0x6E80A400, Feature::I8mm, "ummla"},
    {0xFFE0FC00, 0x4E80AC00, Feature::I8mm, "usmmla"},
    {0xBFE0FC00, 0x0E809C00, Feature::I8mm, "usdot"},
    {0xBFE0FC00, 0x2E40FC00, Feature::Bf16, "bfdot"},
    {0xFFE0FC00, 0x6E40EC00, Feature::Bf16, "bfmmla"},
    {0xBFE0FC00, 0x2EC0FC00, Feature::Bf16, "bfmlal"},
    {0xFFFFFC00, 0x1E634000, Feature::Bf16, "bfcvt"},
    {0xBFFFFC00, 0x0EA16800, Feature::Bf16, "bfcvtn"},
    {0x9E000000, 0x80000000, Feature::Sme, "an instruction of SME"},
    {0x1E000000, 0x04000000, Feature::Sve, "an instruction of SVE"},
};

// `cntd x0` is how the unwinder of libgcc asks for the length of vectors, in the frames of SVE code alone (GCC,
// libgcc/config/aarch64/aarch64-unwind.h).
constexpr std::uint32_t cntd_x0 = 0x04E0E3E0;

const Encoding* encoding_of(std::uint32_t word) {
  if (word == cntd_x0) return nullptr;
  const auto* const at =
      std::ranges::find_if(encodings, [&](const Encoding& one) { return (word & one.mask) == one.value; });
  return at == std::end(encodings) ? nullptr : at;
}

bool is_call(std::uint32_t word) { return (word & 0xFC000000) == 0x94000000 || (word & 0xFFFFFC1F) == 0xD63F0000; }

}  // namespace

std::optional<Instruction> Reader::read_arm(std::span<const std::byte> code, std::uint64_t address) {
  if (code.size() < 4 || address % 4 != 0) return std::nullopt;
  const std::uint32_t word = word_of(code);
  Instruction out{.length = 4};
  return_from_call();
  called_ = is_call(word);
  const auto relative = [&](int low, int bits) {
    return address + static_cast<std::uint64_t>(field(word, low, bits) * 4);
  };
  const Register& through = registers_[word >> 5 & 31];
  const bool slot = through.content == Register::Content::Loaded;
  if ((word & 0x7C000000) == 0x14000000) {  // b, bl
    out.flow = (word >> 31) != 0 ? Flow::Call : Flow::Jump;
    out.target = relative(0, 26);
  } else if ((word & 0xFF000000) == 0x54000000 || (word & 0x7E000000) == 0x34000000) {  // b.cond, cbz, cbnz
    out.flow = Flow::Branch;
    out.target = relative(5, 19);
  } else if ((word & 0x7E000000) == 0x36000000) {  // tbz, tbnz
    out.flow = Flow::Branch;
    out.target = relative(5, 14);
  } else if ((word & 0xFFDFFC1F) == 0xD61F0000) {  // br, blr
    const bool call = is_call(word);
    out.flow = slot ? (call ? Flow::CallSlot : Flow::JumpSlot) : (call ? Flow::IndirectCall : Flow::End);
    out.target = slot ? through.value : 0;
  } else if ((word & 0xFFFFFC1F) == 0xD65F0000 || (word & 0xFFFFFBFF) == 0xD65F0BFF ||                     // ret, retaa
             (word & 0xFEFFF800) == 0xD61F0800 || (word & 0xFFE0001F) == 0xD4200000 || word >> 16 == 0) {  // braa, brk
    out.flow = Flow::End;
  }
  out.tests_processor = (word & 0xFFFFF000) == 0xD5380000;  // mrs of ID_AA64ISAR0_EL1 and the like
  if (const Encoding* const found = word >> 16 == 0 ? nullptr : encoding_of(word)) out.feature = found->feature;
  step_arm(word, address, out);
  return out;
}

void Reader::return_from_call() {
  if (!std::exchange(called_, false)) return;
  static constexpr std::uint32_t x86 = 0x0FC7, arm = 0x7FFFF;  // psABI and AAPCS64: registers that a call may change
  for (std::size_t i = 0; i < registers_.size(); ++i)
    if (((machine_ == Machine::X86 ? x86 : arm) >> i & 1) != 0) registers_[i] = {};
}

// What the registers contain afterwards.
void Reader::step_arm(std::uint32_t word, std::uint64_t address, Instruction& out) {
  using Content = Register::Content;
  if (out.flow != Flow::Next) return;
  Register& to = registers_[word & 31];
  const Register from = registers_[word >> 5 & 31];
  const auto found = [&](Register value, Use use) {
    to = value;
    out.memory = value.value;
    out.use = use;
  };
  if ((word & 0x9F000000) == 0x90000000) {  // adrp
    to = {Content::Value, adr_target(word, address, 4096)};
  } else if ((word & 0x9F000000) == 0x10000000) {  // adr
    found({Content::Value, adr_target(word, address)}, Use::Address);
  } else if ((word & 0xFFC00000) == 0x91000000 && from.content == Content::Value) {  // add x, x, imm12
    found({Content::Value, from.value + (word >> 10 & 0xFFF)}, Use::Address);
  } else if ((word & 0x3FC00000) == 0x39400000 && from.content == Content::Value) {  // ldr, imm12
    const std::uint64_t at = from.value + (std::uint64_t{word >> 10 & 0xFFF} << (word >> 30));
    found({Content::Loaded, at}, (word >> 30 & 1) == 0 ? Use::Flag : Use::Other);
  } else if ((word & 0x7F800000) == 0x52800000) {  // movz
    to = {Content::Value, std::uint64_t{word >> 5 & 0xFFFF} << ((word >> 21 & 3) * 16)};
  } else if ((word & 0x7F800000) == 0x12800000) {  // movn
    to = {Content::Value, ~(std::uint64_t{word >> 5 & 0xFFFF} << ((word >> 21 & 3) * 16))};
  } else if ((word & 0x7FE0FFE0) == 0x2A0003E0) {  // mov
    to = registers_[word >> 16 & 31];
  } else {
    to = {};  // a store loses the register that it stores as well, which does no harm
  }
}

std::string mnemonic(Machine machine, std::span<const std::byte> code) {
  if (machine == Machine::X86) return mnemonic_of_x86(code);
  const std::uint32_t word = word_of(code);
  const Encoding* const found = encoding_of(word);
  if (found == nullptr) return "";
  std::string name(found->name);
  if (found->feature != Feature::Lse) return name;
  // ldaddal: the operation, acquire, release, the size
  static constexpr std::string_view operations[] = {"add", "clr", "eor", "set", "smax", "smin", "umax", "umin"};
  const bool swap = name != "cas" && name != "casp";
  if (name == "ld") name += operations[word >> 12 & 7];
  if ((word >> (swap ? 23 : 22) & 1) != 0) name += 'a';
  if ((word >> (swap ? 22 : 15) & 1) != 0) name += 'l';
  if (found->name != "casp" && word >> 30 < 2) name += word >> 30 == 0 ? 'b' : 'h';
  return name;
}

}  // namespace wheelcheck::code
