// WC511: segments whose alignment does not fit the page size of some or all kernels.
#include <fmt/format.h>

#include "model/machines.h"
#include "rules/common.h"

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

void check(const WheelView& view, const Emit& emit) {
  const bool android = claims_family(view, PlatformTag::Family::Android);
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (elf.facts.kind != ElfKind::SharedObject && elf.facts.kind != ElfKind::Executable) return;
    const Segments& segments = elf.facts.segments;
    if (segments.misaligned_load) {
      emit({.place = AtElf{index},
            .message = "has a segment whose file offset does not match its address",
            .evidence = {{"alignment", fmt::format("{} bytes", segments.smallest_load_align)}},
            .fix = "link it again; do not run strip on a file that patchelf has changed",
            .severity = {}});
      return;
    }
    const Pages pages = pages_of(elf.facts.arch, android);
    if (segments.smallest_load_align == 0 || segments.smallest_load_align >= pages.largest) return;
    emit({.place = AtElf{index},
          .message = fmt::format("has segments aligned to {} bytes, but {} kernels have pages of {} KiB",
                                 segments.smallest_load_align, name_of(elf.facts.arch), pages.largest / kib),
          .evidence = {{"alignment", fmt::format("{} bytes", segments.smallest_load_align)}},
          .fix =
              fmt::format("link with -Wl,-z,max-page-size={}; if only the repaired file is wrong, an old patchelf has "
                          "added the segment: repair with a newer one",
                          pages.largest),
          .severity = segments.smallest_load_align < pages.usual ? Severity::Error : Severity::Warning});
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
