// Reads the ELF header, the program headers and the section headers, and compares them with what glibc accepts.
#include "elf/header.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/bytes.h"
#include "elf/llvm_types.h"

namespace wheelcheck::elf {
namespace {

template <class Record>
Record record_at(const File& file, std::uint64_t offset) {
  Record record;
  std::memcpy(&record, file.bytes(offset, sizeof(Record)).data(), sizeof(Record));
  return record;
}
// The number of records of `size` bytes that fit into the file from `offset` on.
std::uint64_t fitting(const File& file, std::uint64_t offset, std::uint64_t size) {
  return offset > file.size() ? 0 : (file.size() - offset) / size;
}

// All names that the reader looks for are shorter. A million sections may share one name of a million bytes.
constexpr std::uint64_t max_section_name = 64;

std::string name_at(const File& file, std::uint64_t offset, std::uint64_t end) {
  if (offset >= end) return {};
  const std::string_view rest = Bytes(file.bytes(offset, std::min(max_section_name, end - offset))).as_text();
  return std::string(rest.substr(0, rest.find('\0')));
}

// The address space of a process on x86-64 with four-level page tables. No machine with a platform tag has much more.
constexpr std::uint64_t max_address_space = std::uint64_t{1} << 47;
// Linux refuses to map more writable memory than the machine has (overcommit).
constexpr std::uint64_t max_zeros = std::uint64_t{1} << 34;

}  // namespace

template <class ELFT>
std::optional<Header> read_header(const File& file) {
  using Ehdr = typename ELFT::Ehdr;
  if (file.size() < sizeof(Ehdr)) return std::nullopt;
  const auto raw = record_at<Ehdr>(file, 0);
  Header header;
  header.bits = ELFT::Is64Bits ? 64 : 32;
  header.little_endian = ELFT::Endianness == llvm::endianness::little;
  header.os_abi = raw.e_ident[llvm::ELF::EI_OSABI];
  header.abi_version = raw.e_ident[llvm::ELF::EI_ABIVERSION];
  header.ident_version = raw.e_ident[llvm::ELF::EI_VERSION];
  header.padded = std::any_of(raw.e_ident + llvm::ELF::EI_PAD, raw.e_ident + llvm::ELF::EI_NIDENT,
                              [](unsigned char byte) { return byte != 0; });
  header.type = raw.e_type;
  // A program that is an AppImage has "AI" and a number there (AppImage specification), which the kernel does not read.
  constexpr std::string_view app_image = "AI";
  const std::string_view ident(reinterpret_cast<const char*>(raw.e_ident), llvm::ELF::EI_NIDENT);
  if (header.type == llvm::ELF::ET_EXEC && ident.substr(llvm::ELF::EI_ABIVERSION).starts_with(app_image)) {
    header.abi_version = 0;
    header.padded = ident.find_first_not_of('\0', llvm::ELF::EI_ABIVERSION + 3) != ident.npos;
  }
  header.machine = raw.e_machine;
  header.version = raw.e_version;
  header.flags = raw.e_flags;
  header.entry = raw.e_entry;
  header.headers_offset = raw.e_phoff;
  header.header_entry_size = raw.e_phentsize;
  header.header_count = raw.e_phnum;
  header.sections_offset = raw.e_shoff;
  header.section_entry_size = raw.e_shentsize;
  header.section_count = raw.e_shnum;
  header.section_names = raw.e_shstrndx;
  return header;
}

template <class ELFT>
std::vector<Segment> read_segments(const File& file, const Header& header) {
  using Phdr = typename ELFT::Phdr;
  std::vector<Segment> segments;
  if (header.header_entry_size != sizeof(Phdr)) return segments;
  const std::uint64_t count =
      std::min<std::uint64_t>(header.header_count, fitting(file, header.headers_offset, sizeof(Phdr)));
  segments.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto raw = record_at<Phdr>(file, header.headers_offset + i * sizeof(Phdr));
    segments.push_back({raw.p_type, raw.p_flags, raw.p_offset, raw.p_vaddr, raw.p_filesz, raw.p_memsz, raw.p_align});
  }
  return segments;
}

template <class ELFT>
std::vector<Section> read_sections(const File& file, const Header& header) {
  using Shdr = typename ELFT::Shdr;
  std::vector<Section> sections;
  if (header.sections_offset == 0 || header.section_entry_size != sizeof(Shdr)) return sections;
  const std::uint64_t available = fitting(file, header.sections_offset, sizeof(Shdr));
  std::uint64_t count = header.section_count;
  // gABI 4, "Section header": a count that does not fit into e_shnum is in sh_size of the first section.
  if (count == 0 && available > 0) count = record_at<Shdr>(file, header.sections_offset).sh_size;
  if (count > available) return sections;
  const auto raw_at = [&](std::uint64_t i) { return record_at<Shdr>(file, header.sections_offset + i * sizeof(Shdr)); };
  // The index of the section of names is then in sh_link.
  std::uint64_t names_index = header.section_names;
  if (names_index == llvm::ELF::SHN_XINDEX && count > 0) names_index = raw_at(0).sh_link;
  std::uint64_t names = 0, names_end = 0;
  if (names_index != 0 && names_index < count) {
    const Shdr raw = raw_at(names_index);
    if (file.contains(raw.sh_offset, raw.sh_size)) {
      names = raw.sh_offset;
      names_end = names + raw.sh_size;
    }
  }
  sections.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Shdr raw = raw_at(i);
    sections.push_back({name_at(file, names + raw.sh_name, names_end), raw.sh_type, raw.sh_flags, raw.sh_addr,
                        raw.sh_offset, raw.sh_size});
  }
  return sections;
}

template <class ELFT>
void check_header(const Header& header, std::uint64_t file_size, Flaws& flaws) {
  using namespace llvm::ELF;
  const auto fatal = [&](std::string reason) { flaws.fatal(ElfArea::Header, std::move(reason)); };
  if (header.ident_version != EV_CURRENT || header.version != EV_CURRENT) fatal("ELF version is not 1");
  const bool arm_abi = header.machine == EM_ARM && (header.os_abi == 64 || header.os_abi == 97);
  if (header.os_abi != ELFOSABI_NONE && header.os_abi != ELFOSABI_LINUX && !arm_abi)
    fatal(fmt::format("EI_OSABI {} is not one that the loader of Linux takes", header.os_abi));
  if (header.os_abi == ELFOSABI_NONE && header.abi_version != 0 && header.machine != EM_MIPS)
    fatal(fmt::format("EI_ABIVERSION is {}, not 0", header.abi_version));
  // The ABI versions of glibc (libc-abis): 1 unique symbols, 2 indirect functions; glibc 2.28 and newer accept more.
  if (header.os_abi == ELFOSABI_LINUX && header.abi_version > 2)
    fatal(fmt::format("EI_ABIVERSION is {}, above 2", header.abi_version));
  if (header.padded) fatal("padding bytes of e_ident are not zero");
  if (header.type != ET_DYN && header.type != ET_EXEC)
    return fatal(fmt::format("e_type {} is neither a shared object nor a program", header.type));
  if (header.header_count == 0) return fatal("there are no program headers");
  if (header.header_entry_size != sizeof(typename ELFT::Phdr))
    return fatal(fmt::format("e_phentsize is {}, not {}", header.header_entry_size, sizeof(typename ELFT::Phdr)));
  const std::uint64_t size = std::uint64_t{header.header_count} * header.header_entry_size;
  if (header.headers_offset > file_size || size > file_size - header.headers_offset)
    fatal("program headers lie beyond the end of the file");
}

void check_segments(const Header& header, std::span<const Segment> segments, std::uint64_t file_size, Flaws& flaws) {
  using namespace llvm::ELF;
  const std::uint64_t limit = header.bits == 64 ? ~std::uint64_t{0} : 0xFFFFFFFFU;
  std::uint64_t loads = 0, cut = 0, wrapped = 0, shrunk = 0, vast = 0, unordered = 0, first = 0, last = 0, furthest = 0,
                lowest = limit, highest = 0, next_page = 0, unreadable = 0, cleared = 0, huge = 0;
  const Segment* before = nullptr;
  // A segment that continues the one before within a page: patchelf 0.17 writes such. The page that is mapped again has
  // the same bytes.
  const auto continues = [&](const Segment& segment) {
    return before != nullptr && segment.address >= last && next_page == (last + page_size - 1) / page_size &&
           segment.address - segment.offset == before->address - before->offset &&
           before->file_size == before->memory_size && (before->flags & ~segment.flags & PF_X) == 0;
  };
  for (const Segment& segment : segments) {
    if (segment.type != llvm::ELF::PT_LOAD) continue;
    ++loads;
    const std::uint64_t larger = std::max(segment.file_size, segment.memory_size);
    if (segment.address > limit || larger > limit - segment.address) ++wrapped;
    if (segment.offset > file_size || segment.file_size > file_size - segment.offset) {
      ++cut;
      furthest = std::max(furthest, segment.offset + segment.file_size);
    }
    if (segment.file_size > segment.memory_size) ++shrunk;
    if (segment.align > max_address_space) ++vast;
    if (segment.memory_size > segment.file_size && segment.memory_size - segment.file_size > max_zeros) ++huge;
    if ((segment.flags & (PF_X | PF_W)) == PF_X && segment.memory_size > segment.file_size) ++cleared;
    // If only PF_X is set, some machines still allow reading, and Android uses this intentionally.
    if (segment.memory_size > 0 && (segment.flags & PF_R) == 0 &&
        ((segment.flags & PF_X) == 0 || header.machine == EM_X86_64 || header.machine == EM_386))
      ++unreadable;
    // The loader maps whole pages, even if p_filesz is 0 and the segment starts within a page.
    const bool maps = segment.file_size > 0 || segment.address % page_size != 0;
    if (loads > 1 &&
        (segment.address < last || (maps && segment.address / page_size < next_page && !continues(segment))))
      ++unordered;
    before = &segment;
    if (larger <= limit - std::min(segment.address, limit))
      next_page = std::max(next_page, (segment.address + larger + (maps ? page_size - 1 : 0)) / page_size);
    if (loads == 1) first = segment.address;
    last = segment.address + segment.memory_size;
    lowest = std::min(lowest, segment.address);
    highest = std::max(highest, last);
  }
  const auto area = ElfArea::ProgramHeaders;
  if (loads == 0) flaws.fatal(area, "there is no PT_LOAD");
  if (cut > 0)
    flaws.fatal(area,
                fmt::format("{} PT_LOAD reach beyond the end of the file, to byte {} of {}: the file is truncated", cut,
                            furthest, file_size));
  if (wrapped > 0)
    flaws.fatal(area, fmt::format("{} PT_LOAD reach beyond the address space", wrapped));
  else if (loads > 0 && highest - lowest > max_address_space / 2)  // the process has other files too
    flaws.fatal(area, "the PT_LOAD reach over more memory than a process has");
  // glibc reserves memory from the start of the first to the end of the last segment (elf/dl-load.c,
  // _dl_map_object_from_fd).
  if (loads > 1 && last < first) flaws.fatal(area, "the last PT_LOAD lies before the first");
  if (huge > 0) flaws.fatal(area, fmt::format("{} PT_LOAD require more than 1 TiB of zeros", huge));
  // glibc 2.35 and newer reserve additional memory for the alignment (elf/dl-map-segments.h).
  if (vast > 0) flaws.fatal(area, fmt::format("{} PT_LOAD are aligned to more memory than a process has", vast));
  if (unreadable > 0)
    flaws.fatal(area, fmt::format("{} PT_LOAD are mapped without PF_R: nothing may read them", unreadable));
  if (cleared > 0)
    flaws.odd(area, fmt::format("{} PT_LOAD of code have p_memsz above p_filesz: the loader clears the end of the code",
                                cleared));
  if (shrunk > 0) flaws.odd(area, fmt::format("{} PT_LOAD have p_filesz above p_memsz", shrunk));
  if (unordered > 0)
    flaws.odd(area, fmt::format("{} PT_LOAD overlap the one before or are out of order; the later one is mapped over "
                                "the earlier one",
                                unordered));
}

Segments hardening(std::span<const Segment> segments) {
  using namespace llvm::ELF;
  Segments facts;
  for (const Segment& segment : segments) {
    if (segment.type == PT_GNU_STACK) facts.executable_stack = (segment.flags & PF_X) != 0;
    if (segment.type == PT_GNU_RELRO) facts.relro = Relro::Partial;
    if (segment.type == PT_TLS) {
      facts.tls_size = segment.memory_size;
      facts.tls_align = segment.align;
    }
    if (segment.type != PT_LOAD) continue;
    if ((segment.flags & PF_W) != 0 && (segment.flags & PF_X) != 0) facts.writable_code = true;
    if (facts.smallest_load_align == 0 || segment.align < facts.smallest_load_align)
      facts.smallest_load_align = segment.align;
    // The lowest bit in which they differ: kernels with larger pages cannot map the segment.
    const std::uint64_t differ = segment.address - segment.offset;
    const std::uint64_t page = differ & (~differ + 1);
    if (page != 0 && (facts.largest_page == 0 || page < facts.largest_page)) facts.largest_page = page;
    // glibc before 2.35 compares so, and takes an alignment of 0 for one of the whole address space.
    if (segment.align != 1 && (differ & (segment.align - 1)) != 0) facts.misaligned_load = true;
  }
  return facts;
}

#define WHEELCHECK_FOR(ELFT)                                                     \
  template std::optional<Header> read_header<ELFT>(const File&);                 \
  template std::vector<Segment> read_segments<ELFT>(const File&, const Header&); \
  template std::vector<Section> read_sections<ELFT>(const File&, const Header&); \
  template void check_header<ELFT>(const Header&, std::uint64_t, Flaws&);
WHEELCHECK_FOR_EACH_ELF_TYPE(WHEELCHECK_FOR)
#undef WHEELCHECK_FOR

}  // namespace wheelcheck::elf
