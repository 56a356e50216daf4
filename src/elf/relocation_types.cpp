// The relocation types of each machine that matter to the loader, by their meaning.
#include <algorithm>
#include <iterator>

#include "elf/llvm_types.h"
#include "elf/relocations.h"

namespace wheelcheck::elf {
namespace {

using namespace llvm::ELF;

constexpr Classes classes[] = {
    {EM_X86_64,
     R_X86_64_COPY,
     {R_X86_64_JUMP_SLOT, R_X86_64_DTPMOD64, R_X86_64_DTPOFF64, R_X86_64_TPOFF64, R_X86_64_TLSDESC}},
    {EM_386,
     R_386_COPY,
     {R_386_JUMP_SLOT, R_386_TLS_DTPMOD32, R_386_TLS_DTPOFF32, R_386_TLS_TPOFF32, R_386_TLS_TPOFF, R_386_TLS_DESC}},
    {EM_AARCH64,
     R_AARCH64_COPY,
     {R_AARCH64_JUMP_SLOT, R_AARCH64_TLS_DTPMOD64, R_AARCH64_TLS_DTPREL64, R_AARCH64_TLS_TPREL64, R_AARCH64_TLSDESC}},
    {EM_ARM, R_ARM_COPY, {R_ARM_JUMP_SLOT, R_ARM_TLS_DTPMOD32, R_ARM_TLS_DTPOFF32, R_ARM_TLS_TPOFF32, R_ARM_TLS_DESC}},
    {EM_PPC64, R_PPC64_COPY, {R_PPC64_JMP_SLOT, R_PPC64_DTPMOD64, R_PPC64_DTPREL64, R_PPC64_TPREL64}},
    {EM_S390, R_390_COPY, {R_390_JMP_SLOT, R_390_TLS_DTPMOD, R_390_TLS_DTPOFF, R_390_TLS_TPOFF}},
    {EM_RISCV, R_RISCV_COPY, {R_RISCV_JUMP_SLOT, R_RISCV_TLS_DTPMOD64, R_RISCV_TLS_DTPREL64, R_RISCV_TLS_TPREL64}},
    {EM_LOONGARCH, R_LARCH_COPY, {R_LARCH_JUMP_SLOT}},
};
constexpr Classes unknown_classes{EM_NONE, 0, {}};

}  // namespace

std::uint32_t jump_slot(std::uint16_t machine) {
  switch (machine) {
    case EM_X86_64:
      return R_X86_64_JUMP_SLOT;
    case EM_386:
      return R_386_JUMP_SLOT;
    case EM_AARCH64:
      return R_AARCH64_JUMP_SLOT;
    case EM_ARM:
      return R_ARM_JUMP_SLOT;
    case EM_PPC64:
      return R_PPC64_JMP_SLOT;
    case EM_PPC:
      return R_PPC_JMP_SLOT;
    case EM_S390:
      return R_390_JMP_SLOT;
    case EM_RISCV:
      return R_RISCV_JUMP_SLOT;
    case EM_LOONGARCH:
      return R_LARCH_JUMP_SLOT;
    case EM_MIPS:
      return R_MIPS_JUMP_SLOT;
    case EM_SPARC:
    case EM_SPARCV9:
      return R_SPARC_JMP_SLOT;
    default:
      return ~std::uint32_t{0};
  }
}

// Relocation types for which glibc computes an offset from the thread pointer. The variable must be in the static TLS
// block, whose size is fixed when the thread starts (CHECK_STATIC_TLS in sysdeps/*/dl-machine.h).
std::span<const std::uint32_t> static_tls_types(std::uint16_t machine) {
  static constexpr std::uint32_t x86_64[] = {R_X86_64_TPOFF64}, i386[] = {R_386_TLS_TPOFF, R_386_TLS_TPOFF32},
                                 aarch64[] = {R_AARCH64_TLS_TPREL64}, arm[] = {R_ARM_TLS_TPOFF32},
                                 ppc64[] = {R_PPC64_TPREL64}, ppc[] = {R_PPC_TPREL32}, s390[] = {R_390_TLS_TPOFF},
                                 riscv[] = {R_RISCV_TLS_TPREL32, R_RISCV_TLS_TPREL64},
                                 loongarch[] = {R_LARCH_TLS_TPREL32, R_LARCH_TLS_TPREL64},
                                 mips[] = {R_MIPS_TLS_TPREL32, R_MIPS_TLS_TPREL64};
  switch (machine) {
    case EM_X86_64:
      return x86_64;
    case EM_386:
      return i386;
    case EM_AARCH64:
      return aarch64;
    case EM_ARM:
      return arm;
    case EM_PPC64:
      return ppc64;
    case EM_PPC:
      return ppc;
    case EM_S390:
      return s390;
    case EM_RISCV:
      return riscv;
    case EM_LOONGARCH:
      return loongarch;
    case EM_MIPS:
      return mips;
    default:
      return {};
  }
}

// The types that glibc's elf_machine_rela accepts on x86-64 (sysdeps/x86_64/dl-machine.h); any other type is an error
// ("unexpected reloc type"). For other machines all types are accepted. One bit per type.
std::uint64_t taken_types(std::uint16_t machine) {
  constexpr std::uint32_t R_X86_64_RELATIVE64 = 38;  // of x32; LLVM has no name for it
  constexpr std::uint32_t x86_64[] = {R_X86_64_RELATIVE,  R_X86_64_GLOB_DAT, R_X86_64_JUMP_SLOT, R_X86_64_64,
                                      R_X86_64_DTPMOD64,  R_X86_64_DTPOFF64, R_X86_64_TPOFF64,   R_X86_64_TLSDESC,
                                      R_X86_64_IRELATIVE, R_X86_64_COPY,     R_X86_64_NONE,      R_X86_64_32,
                                      R_X86_64_PC32,      R_X86_64_SIZE32,   R_X86_64_SIZE64,    R_X86_64_RELATIVE64};
  if (machine != EM_X86_64) return ~std::uint64_t{0};
  std::uint64_t types = 0;
  for (const std::uint32_t type : x86_64) types |= std::uint64_t{1} << type;
  return types;
}

// The types that musl's do_relocs knows (ldso/dynlink.c, arch/*/reloc.h of musl 1.2.5). Any other is "unsupported
// relocation type"; indirect functions are in none of the lists.
std::span<const std::uint32_t> types_of_musl(std::uint16_t machine) {
  static constexpr std::uint32_t ppc64_uaddr64 = 43;  // LLVM has no name for it
  static constexpr std::uint32_t
      x86_64[] = {R_X86_64_64,       R_X86_64_PC32,     R_X86_64_COPY,     R_X86_64_GLOB_DAT, R_X86_64_JUMP_SLOT,
                  R_X86_64_RELATIVE, R_X86_64_DTPMOD64, R_X86_64_DTPOFF64, R_X86_64_TPOFF64,  R_X86_64_TLSDESC},
      i386[] = {R_386_32,        R_386_PC32,        R_386_COPY,         R_386_GLOB_DAT,
                R_386_JUMP_SLOT, R_386_RELATIVE,    R_386_TLS_DTPMOD32, R_386_TLS_DTPOFF32,
                R_386_TLS_TPOFF, R_386_TLS_TPOFF32, R_386_TLS_DESC},
      aarch64[] = {R_AARCH64_ABS64,        R_AARCH64_COPY,        R_AARCH64_GLOB_DAT,
                   R_AARCH64_JUMP_SLOT,    R_AARCH64_RELATIVE,    R_AARCH64_TLS_DTPMOD64,
                   R_AARCH64_TLS_DTPREL64, R_AARCH64_TLS_TPREL64, R_AARCH64_TLSDESC},
      arm[] = {R_ARM_ABS32,        R_ARM_COPY,         R_ARM_GLOB_DAT,    R_ARM_JUMP_SLOT, R_ARM_RELATIVE,
               R_ARM_TLS_DTPMOD32, R_ARM_TLS_DTPOFF32, R_ARM_TLS_TPOFF32, R_ARM_TLS_DESC},
      ppc64[] = {R_PPC64_ADDR64,   ppc64_uaddr64,    R_PPC64_COPY,     R_PPC64_GLOB_DAT, R_PPC64_JMP_SLOT,
                 R_PPC64_RELATIVE, R_PPC64_DTPMOD64, R_PPC64_DTPREL64, R_PPC64_TPREL64},
      s390[] = {R_390_64,       R_390_COPY,       R_390_GLOB_DAT,   R_390_JMP_SLOT,
                R_390_RELATIVE, R_390_TLS_DTPMOD, R_390_TLS_DTPOFF, R_390_TLS_TPOFF},
      riscv[] = {R_RISCV_64,           R_RISCV_COPY,         R_RISCV_JUMP_SLOT,   R_RISCV_RELATIVE,
                 R_RISCV_TLS_DTPMOD64, R_RISCV_TLS_DTPREL64, R_RISCV_TLS_TPREL64, R_RISCV_TLSDESC},
      loongarch[] = {R_LARCH_64,           R_LARCH_COPY,         R_LARCH_JUMP_SLOT,   R_LARCH_RELATIVE,
                     R_LARCH_TLS_DTPMOD64, R_LARCH_TLS_DTPREL64, R_LARCH_TLS_TPREL64, R_LARCH_TLS_DESC64};
  switch (machine) {
    case EM_X86_64:
      return x86_64;
    case EM_386:
      return i386;
    case EM_AARCH64:
      return aarch64;
    case EM_ARM:
      return arm;
    case EM_PPC64:
      return ppc64;
    case EM_S390:
      return s390;
    case EM_RISCV:
      return riscv;
    case EM_LOONGARCH:
      return loongarch;
    default:
      return {};
  }
}

// Types that store the number of a TLS block, which a file without PT_TLS does not have: __tls_get_addr crashes.
bool is_tls_module(std::uint16_t machine, std::uint32_t type) {
  if (machine == EM_X86_64) return type == R_X86_64_DTPMOD64 || type == R_X86_64_TLSDESC;
  if (machine == EM_386) return type == R_386_TLS_DTPMOD32 || type == R_386_TLS_DESC;
  return machine == EM_AARCH64 && (type == R_AARCH64_TLS_DTPMOD64 || type == R_AARCH64_TLSDESC);
}

const Classes& classes_of(std::uint16_t machine) {
  const auto* const at = std::ranges::find(classes, machine, &Classes::machine);
  return at == std::end(classes) ? unknown_classes : *at;
}

// The addend is the address of a function, which the loader calls for the value (sysdeps/*/dl-machine.h).
std::uint32_t irelative_type(std::uint16_t machine) {
  switch (machine) {
    case EM_X86_64:
      return R_X86_64_IRELATIVE;
    case EM_386:
      return R_386_IRELATIVE;
    case EM_AARCH64:
      return R_AARCH64_IRELATIVE;
    case EM_ARM:
      return R_ARM_IRELATIVE;
    case EM_PPC64:
      return R_PPC64_IRELATIVE;
    case EM_S390:
      return R_390_IRELATIVE;
    case EM_RISCV:
      return R_RISCV_IRELATIVE;
    default:
      return ~std::uint32_t{0};
  }
}

// TLS descriptors, for which glibc uses the static TLS block if it can (TRY_STATIC_TLS in sysdeps/*/dl-machine.h).
std::uint32_t descriptor_type(std::uint16_t machine) {
  switch (machine) {
    case EM_X86_64:
      return R_X86_64_TLSDESC;
    case EM_386:
      return R_386_TLS_DESC;
    case EM_AARCH64:
      return R_AARCH64_TLSDESC;
    case EM_ARM:
      return R_ARM_TLS_DESC;
    default:
      return ~std::uint32_t{0};
  }
}

std::uint32_t relative_type(std::uint16_t machine) {
  switch (machine) {
    case EM_X86_64:
      return R_X86_64_RELATIVE;
    case EM_386:
      return R_386_RELATIVE;
    case EM_AARCH64:
      return R_AARCH64_RELATIVE;
    case EM_ARM:
      return R_ARM_RELATIVE;
    case EM_PPC64:
      return R_PPC64_RELATIVE;
    case EM_S390:
      return R_390_RELATIVE;
    case EM_RISCV:
      return R_RISCV_RELATIVE;
    case EM_LOONGARCH:
      return R_LARCH_RELATIVE;
    default:
      return ~std::uint32_t{0};
  }
}

}  // namespace wheelcheck::elf
