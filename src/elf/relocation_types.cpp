// The relocation types of each machine that matter to the loader, by their meaning.
#include <algorithm>
#include <array>
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

// The types that musl's do_relocs knows (ldso/dynlink.c, arch/*/reloc.h of musl 1.2.5). Any other is "unsupported
// relocation type"; indirect functions are in none of the lists.
constexpr std::uint32_t ppc64_uaddr64 = 43;  // LLVM has no name for it
constexpr std::uint32_t musl_x86_64[] = {R_X86_64_64,        R_X86_64_PC32,     R_X86_64_COPY,     R_X86_64_GLOB_DAT,
                                         R_X86_64_JUMP_SLOT, R_X86_64_RELATIVE, R_X86_64_DTPMOD64, R_X86_64_DTPOFF64,
                                         R_X86_64_TPOFF64,   R_X86_64_TLSDESC},
                        musl_i386[] = {R_386_32,        R_386_PC32,        R_386_COPY,         R_386_GLOB_DAT,
                                       R_386_JUMP_SLOT, R_386_RELATIVE,    R_386_TLS_DTPMOD32, R_386_TLS_DTPOFF32,
                                       R_386_TLS_TPOFF, R_386_TLS_TPOFF32, R_386_TLS_DESC},
                        musl_aarch64[] = {R_AARCH64_ABS64,        R_AARCH64_COPY,        R_AARCH64_GLOB_DAT,
                                          R_AARCH64_JUMP_SLOT,    R_AARCH64_RELATIVE,    R_AARCH64_TLS_DTPMOD64,
                                          R_AARCH64_TLS_DTPREL64, R_AARCH64_TLS_TPREL64, R_AARCH64_TLSDESC},
                        musl_arm[] = {R_ARM_ABS32,        R_ARM_COPY,        R_ARM_GLOB_DAT,
                                      R_ARM_JUMP_SLOT,    R_ARM_RELATIVE,    R_ARM_TLS_DTPMOD32,
                                      R_ARM_TLS_DTPOFF32, R_ARM_TLS_TPOFF32, R_ARM_TLS_DESC},
                        musl_ppc64[] = {R_PPC64_ADDR64,   ppc64_uaddr64,    R_PPC64_COPY,
                                        R_PPC64_GLOB_DAT, R_PPC64_JMP_SLOT, R_PPC64_RELATIVE,
                                        R_PPC64_DTPMOD64, R_PPC64_DTPREL64, R_PPC64_TPREL64},
                        musl_s390[] = {R_390_64,       R_390_COPY,       R_390_GLOB_DAT,   R_390_JMP_SLOT,
                                       R_390_RELATIVE, R_390_TLS_DTPMOD, R_390_TLS_DTPOFF, R_390_TLS_TPOFF},
                        musl_riscv[] = {R_RISCV_64,          R_RISCV_COPY,         R_RISCV_JUMP_SLOT,
                                        R_RISCV_RELATIVE,    R_RISCV_TLS_DTPMOD64, R_RISCV_TLS_DTPREL64,
                                        R_RISCV_TLS_TPREL64, R_RISCV_TLSDESC},
                        musl_loongarch[] = {R_LARCH_64,          R_LARCH_COPY,         R_LARCH_JUMP_SLOT,
                                            R_LARCH_RELATIVE,    R_LARCH_TLS_DTPMOD64, R_LARCH_TLS_DTPREL64,
                                            R_LARCH_TLS_TPREL64, R_LARCH_TLS_DESC64};

constexpr std::uint32_t no_type = ~std::uint32_t{0};

struct MachineTypes {
  std::uint16_t machine = EM_NONE;
  std::uint32_t jump_slot = no_type, relative = no_type;
  // The addend is the address of a function, which the loader calls for the value (sysdeps/*/dl-machine.h).
  std::uint32_t irelative = no_type;
  // TLS descriptors, for which glibc uses the static TLS block if it can (TRY_STATIC_TLS in sysdeps/*/dl-machine.h).
  std::uint32_t descriptor = no_type;
  // MachineTypes for which glibc computes an offset from the thread pointer. The variable must be in the static TLS
  // block, whose size is fixed when the thread starts (CHECK_STATIC_TLS in sysdeps/*/dl-machine.h).
  std::array<std::uint32_t, 2> static_tls{};
  std::size_t static_tls_count = 0;
  std::span<const std::uint32_t> musl{};
};
constexpr MachineTypes machine_types[] = {
    {EM_X86_64,
     R_X86_64_JUMP_SLOT,
     R_X86_64_RELATIVE,
     R_X86_64_IRELATIVE,
     R_X86_64_TLSDESC,
     {R_X86_64_TPOFF64},
     1,
     musl_x86_64},
    {EM_386,
     R_386_JUMP_SLOT,
     R_386_RELATIVE,
     R_386_IRELATIVE,
     R_386_TLS_DESC,
     {R_386_TLS_TPOFF, R_386_TLS_TPOFF32},
     2,
     musl_i386},
    {EM_AARCH64,
     R_AARCH64_JUMP_SLOT,
     R_AARCH64_RELATIVE,
     R_AARCH64_IRELATIVE,
     R_AARCH64_TLSDESC,
     {R_AARCH64_TLS_TPREL64},
     1,
     musl_aarch64},
    {EM_ARM, R_ARM_JUMP_SLOT, R_ARM_RELATIVE, R_ARM_IRELATIVE, R_ARM_TLS_DESC, {R_ARM_TLS_TPOFF32}, 1, musl_arm},
    {EM_PPC64, R_PPC64_JMP_SLOT, R_PPC64_RELATIVE, R_PPC64_IRELATIVE, no_type, {R_PPC64_TPREL64}, 1, musl_ppc64},
    {EM_PPC, R_PPC_JMP_SLOT, no_type, no_type, no_type, {R_PPC_TPREL32}, 1, {}},
    {EM_S390, R_390_JMP_SLOT, R_390_RELATIVE, R_390_IRELATIVE, no_type, {R_390_TLS_TPOFF}, 1, musl_s390},
    {EM_RISCV,
     R_RISCV_JUMP_SLOT,
     R_RISCV_RELATIVE,
     R_RISCV_IRELATIVE,
     no_type,
     {R_RISCV_TLS_TPREL32, R_RISCV_TLS_TPREL64},
     2,
     musl_riscv},
    {EM_LOONGARCH,
     R_LARCH_JUMP_SLOT,
     R_LARCH_RELATIVE,
     no_type,
     no_type,
     {R_LARCH_TLS_TPREL32, R_LARCH_TLS_TPREL64},
     2,
     musl_loongarch},
    {EM_MIPS, R_MIPS_JUMP_SLOT, no_type, no_type, no_type, {R_MIPS_TLS_TPREL32, R_MIPS_TLS_TPREL64}, 2, {}},
    {EM_SPARC, R_SPARC_JMP_SLOT},
    {EM_SPARCV9, R_SPARC_JMP_SLOT},
};
constexpr MachineTypes unknown_machine;

const MachineTypes& machine_types_of(std::uint16_t machine) {
  const auto* const at = std::ranges::find(machine_types, machine, &MachineTypes::machine);
  return at == std::end(machine_types) ? unknown_machine : *at;
}

}  // namespace

std::uint32_t jump_slot(std::uint16_t machine) { return machine_types_of(machine).jump_slot; }
std::uint32_t relative_type(std::uint16_t machine) { return machine_types_of(machine).relative; }
std::uint32_t irelative_type(std::uint16_t machine) { return machine_types_of(machine).irelative; }
std::uint32_t descriptor_type(std::uint16_t machine) { return machine_types_of(machine).descriptor; }
std::span<const std::uint32_t> static_tls_types(std::uint16_t machine) {
  const MachineTypes& types = machine_types_of(machine);
  return std::span(types.static_tls).first(types.static_tls_count);
}
std::span<const std::uint32_t> types_of_musl(std::uint16_t machine) { return machine_types_of(machine).musl; }

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

// Types that store the number of a TLS block or an offset in it. A file without PT_TLS has no block: __tls_get_addr
// crashes.
bool is_tls_module(std::uint16_t machine, std::uint32_t type) {
  if (machine == EM_X86_64) return type == R_X86_64_DTPMOD64 || type == R_X86_64_DTPOFF64 || type == R_X86_64_TLSDESC;
  if (machine == EM_386) return type == R_386_TLS_DTPMOD32 || type == R_386_TLS_DTPOFF32 || type == R_386_TLS_DESC;
  return machine == EM_AARCH64 &&
         (type == R_AARCH64_TLS_DTPMOD64 || type == R_AARCH64_TLS_DTPREL64 || type == R_AARCH64_TLSDESC);
}

const Classes& classes_of(std::uint16_t machine) {
  const auto* const at = std::ranges::find(classes, machine, &Classes::machine);
  return at == std::end(classes) ? unknown_classes : *at;
}

}  // namespace wheelcheck::elf
