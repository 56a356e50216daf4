// The machines that a wheel can be for, and all that the program knows of each, in one row. Every module that needs a
// name of a machine, in a tag, an ELF header, the path of a loader or a soname, takes it from here. A new machine is an
// enumerator of Arch (wheelcheck/platform.h), a row, and what its relocations need (elf/relocation_types.cpp).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "wheelcheck/wheel.h"

namespace wheelcheck {

struct HostMachine {
  Arch arch = Arch::Other;
  std::string_view name = "other";  // in tags of Linux: x86_64
  std::string_view android;   // in tags of Android, which contain the name of an ABI (PEP 738); "" if there is none
  std::string_view elf_name;  // of the header, in messages: "x86-64"
  // e_machine, class and byte order of the ELF header (gABI, "ELF header").
  std::uint16_t elf_machine = 0, bits = 0;
  bool little_endian = true;
  // Path of the loader of glibc (its shlib-versions and sysdeps/unix/sysv/linux/*/ldconfig.h) and of musl (LDSO_ARCH in
  // its arch/*/reloc.h; ARM with hard-float).
  std::string_view glibc_loader, musl_loader;
  std::string_view other_glibc_loader;           // name for another floating-point ABI
  std::array<std::string_view, 2> musl_sonames;  // of musl's libc in Alpine; "" if there is one (auditwheel issue 482)
  std::string_view triplet;                      // of Debian and of CPython's SOABI: x86_64-linux-gnu
  std::string_view first_glibc_node;             // DEFAULT of glibc's shlib-versions
  std::uint32_t usual_page = 4096, max_page = 4096;  // bytes of a page, of usual kernels and of some
  // Without PT_GNU_STACK the stack is executable (DEFAULT_STACK_PERMS in glibc's sysdeps/*/stackinfo.h).
  bool executable_stack = false;
  // $LIB is fixed when glibc is built (DL_DST_LIB: lib64 on Fedora and SUSE, lib on Arch, the multiarch directory on
  // Debian). $PLATFORM is AT_PLATFORM of the kernel; on x86-64 sysdeps/x86/cpu-features.c replaces it by the type of
  // the processor. Empty: the kernel does not set AT_PLATFORM, and the element is ignored.
  std::array<std::string_view, 3> lib;
  std::array<std::string_view, 5> platform;
};

std::span<const HostMachine> machines();
// Of Arch::Other: a row of defaults.
const HostMachine& machine_of(Arch arch);
// As in the tags of the family: aarch64 is arm64_v8a on Android.
std::string_view arch_text(PlatformTag::Family family, Arch arch);
// The path of the loader that systems have, by the C library and the machine of a file; "" if they are unknown.
std::string_view standard_loader(const ElfMember& elf);

// True if the loader refuses the file or binds it wrongly, so that a change of it repairs nothing (WC708).
bool is_damaged(const ElfFacts& facts);
// True if the loader makes the stack executable for the file: PT_GNU_STACK says so, or there is none.
bool asks_for_executable_stack(const ElfFacts& facts);

// Whether a process of one could map the other.
inline bool is_same_machine(const ElfFacts& a, const ElfFacts& b) {
  return a.machine == b.machine && a.bits == b.bits && a.little_endian == b.little_endian;
}

}  // namespace wheelcheck
