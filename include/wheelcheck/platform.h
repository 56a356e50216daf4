// Machines, C libraries and platform tags. A platform tag is the last part of a wheel's file name and names the systems
// that the wheel is for, such as manylinux_2_17_x86_64. It consists of a family, the oldest C library version, and the
// machine. The formats are those of PEP 425, 513, 571, 599, 600, 656 and 738.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "wheelcheck/version.h"

namespace wheelcheck {

// The machines that the platform tag of a wheel can name. Other: a host machine without a platform tag (x32, mips,
// ppc32). armv6l: hard-float ARM below v7, which is not compatible with the tag armv7l.
enum class Arch { x86_64, i686, aarch64, armv7l, armv6l, ppc64le, ppc64, s390x, riscv64, loongarch64, Other };

// The C library that a file was linked with. None: the file does not show it.
enum class Libc { None, Glibc, Musl, Bionic };

std::string_view name_of(Arch arch);
std::optional<Arch> arch_from_name(std::string_view name);  // "x86_64"; nullopt for others and for variants (x86_64_v3)
// True if a machine runs code for `code`: the same architecture, or ARM v6 code on v7. Other runs on no machine.
bool runs_on(Arch code, Arch machine);
std::string_view name_of(Libc libc);

// A platform tag, parsed.
struct PlatformTag {
  enum class Family { Any, Linux, Manylinux, Musllinux, Android, Other };
  Family family = Family::Other;
  Version libc;             // Manylinux: glibc 2.17; Musllinux: musl 1.2; Android: the API level as {21, 0}
  Arch arch = Arch::Other;  // Other for the families Any and Other
  std::string text;         // as written: manylinux2014_x86_64
  std::string canonical;    // manylinux_2_17_x86_64
  std::string isa;          // "x86_64_v3" in linux_x86_64_v3; otherwise empty
};

// Never fails: a text that is not understood has Family::Other.
PlatformTag parse_platform_tag(std::string_view text);
// The operating system of a tag that is not for Linux: "Windows" for win_amd64, "macOS", "iOS", "WebAssembly" and
// others. "" if the tag is not known to be of another system.
std::string_view other_system(const PlatformTag& tag);
// True if all tags, at least one, are of other systems.
bool is_for_other_systems(std::span<const PlatformTag> tags);
std::string_view name_of(PlatformTag::Family family);  // "manylinux"

// True for a library that contains a Python interpreter: libpython3.11.so.1.0, libpython3.13t.so.1.0, libpython3.so,
// libpypy3.11-c.so; false for libpythonfoo.so.
bool is_libpython(std::string_view soname);

}  // namespace wheelcheck
