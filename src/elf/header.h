// Collects what is wrong with one file. A hostile table can be wrong a million times, so equal remarks are kept once
// and their number is bounded; whoever walks a table counts, and says it once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "elf/image.h"
#include "wheelcheck/elf.h"

namespace wheelcheck::elf {

class Flaws {
 public:
  // ld.so would refuse the file, or bind it wrongly.
  void fatal(ElfArea area, std::string reason) { add({area, true, std::move(reason)}); }
  // ld.so does not mind, but other readers see another file than it does.
  void odd(ElfArea area, std::string reason) { add({area, false, std::move(reason)}); }

  bool any_fatal() const {
    return std::ranges::any_of(all_, [](const Flaw& flaw) { return flaw.fatal; });
  }
  std::vector<Flaw> take() { return std::move(all_); }

 private:
  void add(Flaw flaw) {
    const auto same = [&](const Flaw& old) { return old.area == flaw.area && old.reason == flaw.reason; };
    if (all_.size() < most && std::ranges::none_of(all_, same)) all_.push_back(std::move(flaw));
  }
  static constexpr std::size_t most = 64;
  std::vector<Flaw> all_;
};

// The ELF header and the two tables it points to, widened to 64 bits so that the rest of the room is not four rooms.

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

// The names that LLVM has for values of e_machine, as a table that the build asks of it (cmake/tools).

struct MachineName {
  std::uint16_t machine = 0;
  std::string_view name;  // "x86_64", "CUDA"
};
extern const std::span<const MachineName> machine_names;  // by machine; the values without a name are left out

}  // namespace wheelcheck::elf
