#include "model/machines.h"

#include <algorithm>

namespace wheelcheck {
namespace {

constexpr std::uint32_t kib = 1024;

constexpr HostMachine rows[] = {
    {.arch = Arch::x86_64,
     .name = "x86_64",
     .android = "x86_64",
     .elf_name = "x86-64",
     .elf_machine = 62,
     .bits = 64,
     .glibc_loader = "/lib64/ld-linux-x86-64.so.2",
     .musl_loader = "/lib/ld-musl-x86_64.so.1",
     .musl_sonames = {"libc.musl-x86_64.so.1"},
     .triplet = "x86_64-linux-gnu",
     .first_glibc_node = "GLIBC_2.2.5",
     .executable_stack = true,
     .lib = {"lib64", "lib", "lib/x86_64-linux-gnu"},
     .platform = {"x86_64", "haswell", "xeon_phi"}},
    {.arch = Arch::i686,
     .name = "i686",
     .android = "x86",
     .elf_name = "i386",
     .elf_machine = 3,
     .bits = 32,
     .glibc_loader = "/lib/ld-linux.so.2",
     .musl_loader = "/lib/ld-musl-i386.so.1",
     .musl_sonames = {"libc.musl-i386.so.1", "libc.musl-x86.so.1"},
     .triplet = "i386-linux-gnu",
     .first_glibc_node = "GLIBC_2.0",
     .executable_stack = true,
     .lib = {"lib", "lib/i386-linux-gnu"},
     .platform = {"i686", "i586"}},
    {.arch = Arch::aarch64,
     .name = "aarch64",
     .android = "arm64_v8a",
     .elf_name = "AArch64",
     .elf_machine = 183,
     .bits = 64,
     .glibc_loader = "/lib/ld-linux-aarch64.so.1",
     .musl_loader = "/lib/ld-musl-aarch64.so.1",
     .musl_sonames = {"libc.musl-aarch64.so.1"},
     .triplet = "aarch64-linux-gnu",
     .first_glibc_node = "GLIBC_2.17",
     .usual_page = 64 * kib,  // RHEL 7 and 8, and newer kernels for large servers
     .max_page = 64 * kib,
     .lib = {"lib64", "lib", "lib/aarch64-linux-gnu"},
     .platform = {"aarch64"}},
    {.arch = Arch::armv7l,
     .name = "armv7l",
     .android = "armeabi_v7a",
     .elf_name = "ARM",
     .elf_machine = 40,
     .bits = 32,
     .glibc_loader = "/lib/ld-linux-armhf.so.3",
     .musl_loader = "/lib/ld-musl-armhf.so.1",
     .other_glibc_loader = "ld-linux.so.3",
     .musl_sonames = {"libc.musl-armv7.so.1"},
     .triplet = "arm-linux-gnueabihf",
     .first_glibc_node = "GLIBC_2.4",
     .executable_stack = true,
     .lib = {"lib", "lib/arm-linux-gnueabihf"},
     .platform = {"v7l", "v8l"}},
    // The ELF header is that of armv7l; the build attributes decide.
    {.arch = Arch::armv6l,
     .name = "armv6l",
     .glibc_loader = "/lib/ld-linux-armhf.so.3",
     .musl_loader = "/lib/ld-musl-armhf.so.1",
     .musl_sonames = {"libc.musl-armv6l.so.1"},
     .triplet = "arm-linux-gnueabihf",
     .first_glibc_node = "GLIBC_2.4",
     .executable_stack = true,
     .lib = {"lib", "lib/arm-linux-gnueabihf"},
     .platform = {"v6l", "v7l", "v8l"}},
    {.arch = Arch::ppc64le,
     .name = "ppc64le",
     .elf_name = "PowerPC64 little-endian",
     .elf_machine = 21,
     .bits = 64,
     .glibc_loader = "/lib64/ld64.so.2",
     .musl_loader = "/lib/ld-musl-powerpc64le.so.1",
     .musl_sonames = {"libc.musl-ppc64le.so.1"},
     .triplet = "powerpc64le-linux-gnu",
     .first_glibc_node = "GLIBC_2.17",
     .usual_page = 64 * kib,  // every distribution
     .max_page = 64 * kib,
     .lib = {"lib64", "lib", "lib/powerpc64le-linux-gnu"},
     .platform = {"power8", "power9", "power10", "power11"}},
    {.arch = Arch::ppc64,
     .name = "ppc64",
     .elf_name = "PowerPC64 big-endian",
     .elf_machine = 21,
     .bits = 64,
     .little_endian = false,
     .glibc_loader = "/lib64/ld64.so.1",
     .musl_loader = "/lib/ld-musl-powerpc64.so.1",
     .musl_sonames = {"libc.musl-ppc64.so.1"},
     .triplet = "powerpc64-linux-gnu",
     .first_glibc_node = "GLIBC_2.3",
     .usual_page = 64 * kib,
     .max_page = 64 * kib,
     .lib = {"lib64", "lib", "lib/powerpc64-linux-gnu"},
     .platform = {"power7", "power8", "power9", "power10"}},
    {.arch = Arch::s390x,
     .name = "s390x",
     .elf_name = "s390x",
     .elf_machine = 22,
     .bits = 64,
     .little_endian = false,
     .glibc_loader = "/lib/ld64.so.1",
     .musl_loader = "/lib/ld-musl-s390x.so.1",
     .musl_sonames = {"libc.musl-s390x.so.1"},
     .triplet = "s390x-linux-gnu",
     .first_glibc_node = "GLIBC_2.2",
     .executable_stack = true,
     .lib = {"lib64", "lib", "lib/s390x-linux-gnu"},
     .platform = {"z13", "z14", "z15", "z16", "z17"}},
    {.arch = Arch::riscv64,
     .name = "riscv64",
     .elf_name = "RISC-V 64",
     .elf_machine = 243,
     .bits = 64,
     .glibc_loader = "/lib/ld-linux-riscv64-lp64d.so.1",
     .musl_loader = "/lib/ld-musl-riscv64.so.1",
     .other_glibc_loader = "ld-linux-riscv64-lp64.so.1",
     .musl_sonames = {"libc.musl-riscv64.so.1"},
     .triplet = "riscv64-linux-gnu",
     .first_glibc_node = "GLIBC_2.27",
     .lib = {"lib64/lp64d", "lib", "lib/riscv64-linux-gnu"}},
    {.arch = Arch::loongarch64,
     .name = "loongarch64",
     .elf_name = "LoongArch 64",
     .elf_machine = 258,
     .bits = 64,
     .glibc_loader = "/lib64/ld-linux-loongarch-lp64d.so.1",
     .musl_loader = "/lib/ld-musl-loongarch64.so.1",
     .other_glibc_loader = "ld-linux-loongarch-lp64s.so.1",
     .musl_sonames = {"libc.musl-loongarch64.so.1"},
     .triplet = "loongarch64-linux-gnu",
     .first_glibc_node = "GLIBC_2.36",
     .usual_page = 16 * kib,  // every distribution; 64 KiB can be configured
     .max_page = 64 * kib,
     .lib = {"lib64", "lib", "lib/loongarch64-linux-gnu"},
     .platform = {"loongarch"}},
};

constexpr HostMachine other;

}  // namespace

std::span<const HostMachine> machines() { return rows; }

const HostMachine& machine_of(Arch arch) {
  const auto* const row = std::ranges::find(rows, arch, &HostMachine::arch);
  return row == std::end(rows) ? other : *row;
}

std::string_view name_of(Arch arch) { return machine_of(arch).name; }

std::optional<Arch> arch_from_name(std::string_view name) {
  const auto* const row = std::ranges::find(rows, name, &HostMachine::name);
  if (row == std::end(rows)) return std::nullopt;
  return row->arch;
}

std::string_view arch_text(PlatformTag::Family family, Arch arch) {
  const HostMachine& machine = machine_of(arch);
  return family == PlatformTag::Family::Android && !machine.android.empty() ? machine.android : machine.name;
}

bool is_damaged(const ElfFacts& facts) { return std::ranges::any_of(facts.flaws, &Flaw::fatal); }

bool asks_for_executable_stack(const ElfFacts& facts) {
  return facts.segments.executable_stack.value_or(machine_of(facts.arch).executable_stack);
}

std::string_view standard_loader(const ElfMember& elf) {
  const HostMachine& machine = machine_of(elf.facts.arch);
  switch (elf.libc) {
    case Libc::Glibc:
      return machine.glibc_loader;
    case Libc::Musl:
      return machine.musl_loader;
    case Libc::Bionic:
      return machine.arch == Arch::Other ? "" : elf.facts.bits == 64 ? "/system/bin/linker64" : "/system/bin/linker";
    case Libc::None:
      break;
  }
  return "";
}

}  // namespace wheelcheck
