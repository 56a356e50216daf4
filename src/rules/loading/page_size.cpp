// What a file assumes about the page size of the kernel.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "model/machines.h"
#include "rules/common.h"

// WC511: segments whose alignment does not fit the page size of some or all kernels.
namespace wheelcheck::rules::segment_alignment {
namespace {

constexpr std::uint64_t kib = 1024;

// The usual page size of kernels for the machine, and the largest one.
struct Pages {
  std::uint64_t usual, largest;
};

Pages pages_of(Arch arch, bool android) {
  const HostMachine& machine = machine_of(arch);
  if (android) return {4 * kib, machine.bits == 64 ? 16 * kib : 4 * kib};
  return {machine.usual_page, machine.max_page};
}

// glibc before 2.35 compares offset and address with the alignment of the segment, later ones with the page size (BZ
// #28688, "Remove excessive p_align check"). musl and bionic do not compare; there the page size decides too.
constexpr Version compares_pages{{2, 35}};

// True if an older glibc may load the file: no tag and no version need excludes it.
bool may_meet_older_glibc(const WheelView& view, const ElfMember& elf) {
  if (elf.libc == Libc::Musl || elf.libc == Libc::Bionic) return false;
  if (elf.facts.dynamic)
    for (const VersionNeed& need : elf.facts.dynamic->needs)
      if (Version needed; version_family(need.version) == "GLIBC" &&
                          parse_version(version_suffix(need.version), needed) && needed >= compares_pages)
        return false;
  return std::ranges::any_of(view.claims, [](const Claim& claim) {
    if (claim.tag.family == PlatformTag::Family::Manylinux) return claim.tag.libc < compares_pages;
    return claim.tag.family != PlatformTag::Family::Musllinux && claim.tag.family != PlatformTag::Family::Android;
  });
}

void check(const WheelView& view, const Emit& emit) {
  const bool android = claims_family(view, PlatformTag::Family::Android);
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (elf.facts.kind != ElfKind::SharedObject && elf.facts.kind != ElfKind::Executable) return;
    const Segments& segments = elf.facts.segments;
    const Pages pages = pages_of(elf.facts.arch, android || elf.libc == Libc::Bionic);
    const bool no_kernel = segments.largest_page != 0 && segments.largest_page < 4 * kib;  // the smallest page of Linux
    if (segments.misaligned_load && (no_kernel || may_meet_older_glibc(view, elf))) {
      emit({.place = AtElf{index},
            .message = no_kernel ? "has a segment whose file offset does not match its address"
                                 : "has a segment whose file offset does not match its address and alignment, so that "
                                   "glibc before 2.35 does not load it",
            .evidence = {{"offset and address agree within", fmt::format("{} bytes", segments.largest_page)},
                         {"ld.so", "ELF load command address/offset not properly aligned"}},
            .fix = "link it again; do not run strip on a file that patchelf has changed",
            .severity = {}});
      return;
    }
    const std::uint64_t alignment = segments.misaligned_load
                                        ? std::min(segments.smallest_load_align, segments.largest_page)
                                        : segments.smallest_load_align;
    if (alignment == 0 || alignment >= pages.largest) return;
    emit({.place = AtElf{index},
          .message = fmt::format("has segments aligned to {} bytes, but {} kernels have pages of {} KiB", alignment,
                                 name_of(elf.facts.arch), pages.largest / kib),
          .evidence = {{"alignment", fmt::format("{} bytes", alignment)}},
          .fix =
              fmt::format("link with -Wl,-z,max-page-size={}; if only the repaired file is wrong, an old patchelf has "
                          "added the segment: repair with a newer one",
                          pages.largest),
          .severity = alignment < pages.usual ? Severity::Error : Severity::Warning});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC511",
    .name = "segment-alignment",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::segment_alignment

// WC518: a jemalloc that was compiled for smaller pages than some kernels have.
namespace wheelcheck::rules::allocator_page_size {
namespace {

constexpr std::uint64_t kib = 1024, largest_page = 64 * kib;

// Kernels for the machine whose pages are larger than `bytes`.
std::string_view larger_kernels(Arch arch, std::uint64_t bytes) {
  if (arch == Arch::ppc64le) return "64 KiB: RHEL, Ubuntu, SLES";
  return bytes < 16 * kib ? "16 KiB: Asahi Linux, Raspberry Pi 5; 64 KiB: RHEL 8, kernels for servers"
                          : "64 KiB: RHEL 8, kernels for servers";
}

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const std::uint64_t bytes = elf.facts.interfaces.jemalloc_page;
    const Arch arch = elf.facts.arch;
    if (bytes == 0 || bytes >= largest_page || (arch != Arch::aarch64 && arch != Arch::ppc64le)) return;
    emit({.place = AtElf{index},
          .message =
              fmt::format("its jemalloc was compiled for pages of {} KiB: {} kernels with larger pages end it with "
                          "\"<jemalloc>: Unsupported system page size\"",
                          bytes / kib, name_of(arch)),
          .evidence = {{"page size", fmt::format("{} bytes", bytes)},
                       {"kernels with larger pages", std::string(larger_kernels(arch, bytes))}},
          .fix = "build with JEMALLOC_SYS_WITH_LG_PAGE=16 in the environment (Rust), or configure jemalloc with "
                 "--with-lg-page=16",
          .severity = arch == Arch::ppc64le ? Severity::Error : Severity::Warning});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC518",
    .name = "allocator-page-size",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::allocator_page_size
