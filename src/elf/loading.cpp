#include "elf/loading.h"

#include <fmt/format.h>

#include <algorithm>

#include "elf/llvm_types.h"

namespace wheelcheck::elf {
namespace {

using namespace llvm::ELF;

// dl_init_static_tls (nptl) of glibc copies p_filesz bytes and clears
// the rest, and _dl_try_allocate_static_tls (elf/dl-reloc.c) divides by p_align.
void check_tls(std::span<const Segment> segments, const Image& image, const Relocations& relocations, Flaws& flaws) {
  const std::uint32_t own_static_tls = relocations.own_static_tls;
  const auto area = ElfArea::ProgramHeaders;
  const auto last = std::find_if(segments.rbegin(), segments.rend(), has_thread_locals);
  if (last == segments.rend()) {
    if (own_static_tls > 0 || relocations.own_tls_modules > 0)
      flaws.fatal(area, "there are relocations for thread-local variables of the file, but no PT_TLS");
    return;
  }
  if (std::ranges::count_if(segments, has_thread_locals) > 1)
    flaws.odd(area, "there are several PT_TLS, of which the loader uses the last");
  const auto bytes = image.place(last->address);
  if (last->file_size > 0 && bytes && bytes->begin != last->offset)
    flaws.odd(area, "PT_TLS has other bytes at its address, which the loader uses, than at p_offset");
  if (last->file_size > last->memory_size) flaws.fatal(area, "PT_TLS has p_filesz above p_memsz");
  constexpr std::uint64_t max = std::uint64_t{1} << 30;
  if (last->align > max) flaws.fatal(area, "PT_TLS is aligned to more memory than a process has");
  if (last->memory_size > max)
    flaws.fatal(area, fmt::format("PT_TLS requires {} bytes for each thread", last->memory_size));
  if (last->file_size > image.available(last->address)) flaws.fatal(area, "PT_TLS leads out of what is mapped");
  if (last->align == 0 && own_static_tls > 0)
    flaws.fatal(area, "PT_TLS has an alignment of 0, by which the loader divides");
  else if ((last->align & (last->align - 1)) != 0)
    flaws.odd(area, fmt::format("PT_TLS has an alignment of {}, which is not a power of two", last->align));
}

// glibc reserves the pages from the first PT_LOAD to the end of the last one; mprotect() fails outside of them
// (elf/dl-reloc.c, _dl_protect_relro).
void check_relro(std::span<const Segment> segments, Flaws& flaws) {
  const Image::Range relro = Image::relro_of(segments);
  const auto is_load = [](const Segment& segment) { return segment.type == PT_LOAD; };
  const auto first = std::ranges::find_if(segments, is_load);
  const auto last = std::find_if(segments.rbegin(), segments.rend(), is_load);
  if (relro.begin == relro.end || first == segments.end()) return;
  const std::uint64_t begin = first->address & ~(page_size - 1),
                      end = (last->address + last->memory_size + page_size - 1) & ~(page_size - 1);
  if (relro.begin < begin || relro.end > end || relro.end < relro.begin)
    flaws.fatal(ElfArea::ProgramHeaders, "PT_GNU_RELRO leads out of what is mapped");
}

// glibc elf/get-dynamic-info.h adds the load address to the entries where they are.
bool check_writes(const DynamicTable& table, const Image& image, std::span<const Segment> segments,
                  const Header& header, Flaws& flaws) {
  const Segment* const dynamic = find_dynamic(segments);
  if (dynamic == nullptr || header.type != ET_DYN || header.machine == EM_MIPS || header.machine == EM_RISCV)
    return false;
  const std::uint64_t size = table.entries * (header.bits / 4);
  if (image.available(dynamic->address) < size || image.writable_space(dynamic->address) >= size) return false;
  if ((dynamic->flags & PF_W) == 0) return true;
  flaws.fatal(ElfArea::Dynamic, "the loader writes to the dynamic section, which is mapped without PF_W");
  return false;
}

// glibc elf/rtld.c (elf_setup_debug_entry) and musl ldso/dynlink.c write the address of r_debug into a program.
void check_debug_entry(const DynamicTable& table, const Image& image, std::span<const Segment> segments,
                       const Header& header, Flaws& flaws) {
  const bool program = std::ranges::any_of(segments, [](const Segment& s) { return s.type == PT_INTERP; });
  if (!program || !table.debug || header.machine == EM_MIPS) return;
  if (image.writable_space(*table.debug) < header.bits / 4)
    flaws.fatal(ElfArea::Dynamic,
                "ld.so writes to DT_DEBUG when the program starts, which is mapped without PF_W: the process crashes");
}

}  // namespace

bool check_loading(std::span<const Segment> segments, const Image& image, const DynamicTable& table,
                   const Header& header, const Relocations& relocations, Flaws& flaws) {
  check_tls(segments, image, relocations, flaws);
  if (header.type == ET_DYN) check_relro(segments, flaws);
  check_debug_entry(table, image, segments, header, flaws);
  return check_writes(table, image, segments, header, flaws);
}

Calls::Calls(const Image& image, const DynamicTable& table, const Header& header)
    : image_(image),
      word_(header.bits / 8),
      // Addresses of functions are those of descriptors on big-endian ppc64, and bits are set aside in those of ARM and
      // MIPS code.
      checked_(header.type == ET_DYN && !(header.machine == EM_PPC64 && !header.little_endian)) {
  struct Tag {
    std::uint64_t array, size;
    const char* name;
  };
  // DT_PREINIT_ARRAY is for programs, but glibc also uses that of a file that dlopen names (elf/dl-init.c, _dl_init).
  constexpr Tag tags[] = {{DT_INIT_ARRAY, DT_INIT_ARRAYSZ, "DT_INIT_ARRAY"},
                          {DT_FINI_ARRAY, DT_FINI_ARRAYSZ, "DT_FINI_ARRAY"},
                          {DT_PREINIT_ARRAY, DT_PREINIT_ARRAYSZ, "DT_PREINIT_ARRAY"}};
  for (const auto& [tag, size_tag, name] : tags) {
    const std::uint64_t begin = table.get(tag).value_or(0), size = table.get(size_tag).value_or(0) / word_ * word_;
    if (checked_ && table.get(tag) && image.available(begin) >= size)
      arrays_.push_back({.tag = name, .begin = begin, .size = size, .filled = {}});
  }
}

void Calls::fill_entry(Array& array, std::uint64_t address, std::optional<std::uint64_t> target) {
  if ((address - array.begin) % word_ != 0) return;  // the loader reads parts of two values
  array.filled.push_back(address);
  if (target && !image_.is_executable(image_.wrapped(*target))) ++array.lost;
}

void Calls::report(Flaws& flaws) {
  const auto area = ElfArea::Dynamic;
  for (Array& array : arrays_) {
    std::ranges::sort(array.filled);
    const auto same = std::ranges::unique(array.filled);
    const auto filled = static_cast<std::uint64_t>(array.filled.size() - same.size());
    if (entries_known_ && filled < array.size / word_)
      flaws.fatal(area, fmt::format("{} of the {} functions in {} are called at an address that no relocation sets",
                                    array.size / word_ - filled, array.size / word_, array.tag));
    if (array.lost > 0)
      flaws.fatal(area, fmt::format("{} entries of {} are called and lead to memory that is not code: the process "
                                    "crashes",
                                    array.lost, array.tag));
  }
  if (lost_resolvers_ > 0)
    flaws.fatal(
        ElfArea::Relocations,
        fmt::format("the loader calls {} resolvers of indirect functions in memory that is not code", lost_resolvers_));
}

}  // namespace wheelcheck::elf
