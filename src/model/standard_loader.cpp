#include "model/standard_loader.h"

namespace wheelcheck {

// Paths of glibc's loader, from sysdeps/unix/sysv/linux/*/ldconfig.h and shlib-versions.
std::string_view glibc_loader(Arch arch) {
  switch (arch) {
    case Arch::x86_64:
      return "/lib64/ld-linux-x86-64.so.2";
    case Arch::i686:
      return "/lib/ld-linux.so.2";
    case Arch::aarch64:
      return "/lib/ld-linux-aarch64.so.1";
    case Arch::armv7l:
    case Arch::armv6l:
      return "/lib/ld-linux-armhf.so.3";
    case Arch::ppc64le:
      return "/lib64/ld64.so.2";
    case Arch::ppc64:
      return "/lib64/ld64.so.1";
    case Arch::s390x:
      return "/lib/ld64.so.1";
    case Arch::riscv64:
      return "/lib/ld-linux-riscv64-lp64d.so.1";
    case Arch::loongarch64:
      return "/lib64/ld-linux-loongarch-lp64d.so.1";
    case Arch::Other:
      break;
  }
  return "";
}

namespace {

// Paths of musl's loader, from its configure (ARCH and SUBARCH); ARM with hard-float.
std::string_view musl_loader(Arch arch) {
  switch (arch) {
    case Arch::x86_64:
      return "/lib/ld-musl-x86_64.so.1";
    case Arch::i686:
      return "/lib/ld-musl-i386.so.1";
    case Arch::aarch64:
      return "/lib/ld-musl-aarch64.so.1";
    case Arch::armv7l:
    case Arch::armv6l:
      return "/lib/ld-musl-armhf.so.1";
    case Arch::ppc64le:
      return "/lib/ld-musl-powerpc64le.so.1";
    case Arch::ppc64:
      return "/lib/ld-musl-powerpc64.so.1";
    case Arch::s390x:
      return "/lib/ld-musl-s390x.so.1";
    case Arch::riscv64:
      return "/lib/ld-musl-riscv64.so.1";
    case Arch::loongarch64:
      return "/lib/ld-musl-loongarch64.so.1";
    case Arch::Other:
      break;
  }
  return "";
}

}  // namespace

std::string_view standard_loader(const ElfMember& elf) {
  switch (elf.libc) {
    case Libc::Glibc:
      return glibc_loader(elf.facts.arch);
    case Libc::Musl:
      return musl_loader(elf.facts.arch);
    case Libc::Bionic:
      return elf.facts.arch == Arch::Other ? "" : elf.facts.bits == 64 ? "/system/bin/linker64" : "/system/bin/linker";
    case Libc::None:
      break;
  }
  return "";
}

}  // namespace wheelcheck
