#include "elf/code.h"

#include <algorithm>

#include "llvm/BinaryFormat/ELF.h"

namespace wheelcheck::elf {
namespace {

using namespace llvm::ELF;

constexpr std::uint64_t tables[] = {DT_HASH,    DT_GNU_HASH,    DT_STRTAB,       DT_SYMTAB, DT_RELA,
                                    DT_REL,     DT_RELR,        DT_JMPREL,       DT_VERSYM, DT_VERDEF,
                                    DT_VERNEED, DT_ANDROID_REL, DT_ANDROID_RELA, DT_PLTGOT};

const Section* largest(std::span<const Section> sections) {
  const Section* found = nullptr;
  for (const Section& section : sections) {
    const bool code =
        section.type == SHT_PROGBITS && (section.flags & SHF_ALLOC) != 0 && (section.flags & SHF_EXECINSTR) != 0;
    if (code && (found == nullptr || section.size > found->size)) found = &section;
  }
  return found;
}

}  // namespace

std::optional<FileRange> code_alone(std::span<const std::byte> file, const Header& header,
                                    std::span<const Segment> segments, std::span<const Section> sections,
                                    const DynamicTable& table) {
  const Section* const code = largest(sections);
  if (code == nullptr || code->offset > file.size() || code->size > file.size() - code->offset) return std::nullopt;
  const auto meets = [&](std::uint64_t offset, std::uint64_t size) {
    return size > 0 && offset < code->offset + code->size && (offset >= code->offset || size > code->offset - offset);
  };
  if (meets(0, sizeof(Elf64_Ehdr)) ||
      meets(header.headers_offset, std::uint64_t{header.header_count} * header.header_entry_size) ||
      meets(header.sections_offset, sections.size() * std::uint64_t{header.section_entry_size}))
    return std::nullopt;
  for (const Section& section : sections)
    if (&section != code && section.type != SHT_NOBITS && meets(section.offset, section.size)) return std::nullopt;
  unsigned maps = 0;
  for (const Segment& segment : segments) {
    if (!meets(segment.offset, segment.file_size)) continue;
    const bool maps_code = segment.type == PT_LOAD && (segment.flags & PF_X) != 0 &&
                           segment.address - segment.offset == code->address - code->offset;
    if (!maps_code || ++maps > 1) return std::nullopt;
  }
  const auto starts_here = [&](std::uint64_t tag) {
    const auto address = table.get(tag);
    return address && *address >= code->address && *address - code->address < code->size;
  };
  if (maps != 1 || std::ranges::any_of(tables, starts_here)) return std::nullopt;
  return FileRange{code->offset, code->offset + code->size};
}

}  // namespace wheelcheck::elf
