// Machines, C libraries and platform tags (PEP 425, 513, 571, 599, 600, 656, 738).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "wheelcheck/version.h"

namespace wheelcheck {

// The machines that a wheel's platform tag can name. Other: a host machine that no tag names (x32, mips, ppc32 ...).
// Armv6 is hard-float ARM below v7: never an armv7l.
enum class Arch { x86_64, i686, aarch64, armv7l, armv6l, ppc64le, ppc64, s390x, riscv64, loongarch64, Other };

// The C library that a file was linked for. None: nothing in the file says.
enum class Libc { None, Glibc, Musl, Bionic };

std::string_view name_of(Arch arch);
std::optional<Arch> arch_from_name(std::string_view name);  // "x86_64"; variants (x86_64_v3) are not taken
// Whether a machine runs code made for `code`: itself, and ARM v6 code on v7. Other runs nowhere.
bool runs_on(Arch code, Arch machine);
std::string_view name_of(Libc libc);

struct PlatformTag {
  enum class Family { Any, Linux, Manylinux, Musllinux, Android, Other };
  Family family = Family::Other;
  Version libc;             // Manylinux 2.17, Musllinux 1.2; Android: the API level as {21, 0}
  Arch arch = Arch::Other;  // for Any and Other: Arch::Other
  std::string text;         // as written: manylinux2014_x86_64
  std::string canonical;    // manylinux_2_17_x86_64
  std::string isa;          // "x86_64_v3" in linux_x86_64_v3; else empty
};

// Every text gives a tag; one that is not understood has Family::Other.
PlatformTag parse_platform_tag(std::string_view text);
// "Windows" for win_amd64, "macOS", "iOS", "WebAssembly" and others; "" for a tag that is not known to be of another
// system than Linux.
std::string_view other_system(const PlatformTag& tag);
std::string_view name_of(PlatformTag::Family family);  // "manylinux"

// A library that holds an interpreter: libpython3.11.so.1.0, libpython3.13t.so.1.0, libpython3.so, libpypy3.11-c.so;
// never libpythonfoo.so.
bool is_libpython(std::string_view soname);

}  // namespace wheelcheck
