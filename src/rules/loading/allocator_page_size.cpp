// WC518: a jemalloc that was compiled for smaller pages than some kernels have.
#include <fmt/format.h>

#include <string_view>

#include "rules/common.h"

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
