// Which platform tags pip takes on a system, told from the system's C library as packaging.tags does.
#include "wheelcheck/system_compatibility.h"

namespace wheelcheck {
namespace {

using Family = PlatformTag::Family;

// packaging/_manylinux.py: tags go down from the system's glibc to 2.5 on x86, to 2.17 elsewhere; ARM below v7 has
// none.
bool takes_manylinux(const PlatformTag& tag, const KnownSystem& system, Arch arch) {
  if (system.libc != Libc::Glibc || arch == Arch::armv6l) return false;
  const bool x86 = arch == Arch::x86_64 || arch == Arch::i686;
  return tag.libc >= Version{{2, x86 ? 5u : 17u}} && tag.libc <= system.libc_version;
}

// packaging/_musllinux.py: the same major version of musl, and no newer minor one.
bool takes_musllinux(const PlatformTag& tag, const KnownSystem& system) {
  return system.libc == Libc::Musl && tag.libc.parts[0] == system.libc_version.parts[0] &&
         tag.libc.parts[1] <= system.libc_version.parts[1];
}

// Tags are compared as texts there: manylinux_2_017_x86_64 is none, however it would be read.
bool is_written_as_pip_does(const PlatformTag& tag) {
  const bool legacy = tag.family == Family::Manylinux && !tag.text.starts_with("manylinux_");
  return legacy || tag.text == tag.canonical;
}

}  // namespace

bool pip_takes(const PlatformTag& tag, const KnownSystem& system, Arch arch) {
  if (tag.family == Family::Any) return true;
  if (tag.arch != arch || !tag.isa.empty() || !is_written_as_pip_does(tag)) return false;
  if (tag.family == Family::Linux) return true;
  if (tag.family == Family::Manylinux) return takes_manylinux(tag, system, arch);
  return tag.family == Family::Musllinux && takes_musllinux(tag, system);
}

}  // namespace wheelcheck
