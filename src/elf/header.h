// The ELF header and the two tables it points to, widened to 64 bits so that the rest of the room is not four rooms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "elf/file.h"
#include "elf/flaws.h"
#include "elf/image.h"

namespace wheelcheck::elf {

struct Header {
  std::uint16_t bits = 0;
  bool little_endian = true;
  std::uint8_t os_abi = 0, abi_version = 0;
  bool padded = false;  // a byte of e_ident that must be zero is not
  std::uint16_t type = 0, machine = 0, header_entry_size = 0, header_count = 0, section_entry_size = 0,
                section_count = 0, section_names = 0;
  std::uint32_t ident_version = 0, version = 0, flags = 0;
  std::uint64_t entry = 0, headers_offset = 0, sections_offset = 0;
};
struct Section {
  std::string name;  // of a longer one its first bytes
  std::uint32_t type = 0;
  std::uint64_t flags = 0, address = 0, offset = 0, size = 0;
};

// ELFT is one of LLVM's four ELF types. Nothing: the file is shorter than its header.
template <class ELFT>
std::optional<Header> read_header(const File& file);
// What of the program headers lies in the file.
template <class ELFT>
std::vector<Segment> read_segments(const File& file, const Header& header);
// Section headers tell what the loader never asks: whether a file is a split debug file, the ARM architecture, what
// compilers wrote about themselves, and which bytes are data. Empty where they are stripped or lie outside the file,
// which is no flaw.
template <class ELFT>
std::vector<Section> read_sections(const File& file, const Header& header);

// What glibc refuses in the header (elf/dl-load.c, open_verify) and in the program headers (_dl_map_object_from_fd).
template <class ELFT>
void check_header(const Header& header, std::uint64_t file_size, Flaws& flaws);
void check_segments(const Header& header, std::span<const Segment> segments, std::uint64_t file_size, Flaws& flaws);
// Stack, RELRO, alignment. Full RELRO needs the dynamic section: read.cpp.
Segments hardening(std::span<const Segment> segments);

}  // namespace wheelcheck::elf
