// The ELF header, the program headers and the section headers (gABI 4 and 5), and the flaws of a file.
//
// Collects the flaws of one file. A malicious table can contain a million errors, so equal flaws are stored once and
// their number is limited. Code that walks a table counts its errors and reports them as one flaw.
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
#include "wheelcheck/wheel.h"

namespace wheelcheck::elf {

class Flaws {
 public:
  // ld.so rejects the file or binds it wrongly.
  void fatal(ElfArea area, std::string reason) { add({area, true, std::move(reason)}); }
  // ld.so accepts it, but other readers see a different file.
  void odd(ElfArea area, std::string reason) { add({area, false, std::move(reason)}); }

  bool any_fatal() const {
    return std::ranges::any_of(all_, [](const Flaw& flaw) { return flaw.fatal; });
  }
  std::vector<Flaw> take() { return std::move(all_); }

 private:
  void add(Flaw flaw) {
    const auto same = [&](const Flaw& old) { return old.area == flaw.area && old.reason == flaw.reason; };
    if (all_.size() < max && std::ranges::none_of(all_, same)) all_.push_back(std::move(flaw));
  }
  static constexpr std::size_t max = 64;
  std::vector<Flaw> all_;
};

// The ELF header and the fields that lead to the other tables. All fields are widened to 64 bits, so that only the
// readers of raw records depend on the ELF class.

struct Header {
  std::uint16_t bits = 0;
  bool little_endian = true;
  std::uint8_t os_abi = 0, abi_version = 0;
  bool padded = false;  // a padding byte of e_ident is not zero
  std::uint16_t type = 0, machine = 0, header_entry_size = 0, header_count = 0, section_entry_size = 0,
                section_count = 0, section_names = 0;
  std::uint32_t ident_version = 0, version = 0, flags = 0;
  std::uint64_t entry = 0, headers_offset = 0, sections_offset = 0;
};
struct Section {
  std::string name;  // truncated to its first bytes
  std::uint32_t type = 0;
  std::uint64_t flags = 0, address = 0, offset = 0, size = 0;
};

// ELFT is one of LLVM's four ELF types. nullopt: the file is shorter than the header.
template <class ELFT>
std::optional<Header> read_header(const File& file);
// Only the program headers that are inside the file.
template <class ELFT>
std::vector<Segment> read_segments(const File& file, const Header& header);
// The section headers. The loader does not use them, but they show whether a file is a split debug file, the ARM
// architecture, the text of the compilers, and which bytes are data. Empty if they are stripped or outside the file,
// which is not a flaw.
template <class ELFT>
std::vector<Section> read_sections(const File& file, const Header& header);

// Checks what glibc checks in the header (elf/dl-load.c, open_verify) and in the program headers
// (_dl_map_object_from_fd).
template <class ELFT>
void check_header(const Header& header, std::uint64_t file_size, Flaws& flaws);
void check_segments(const Header& header, std::span<const Segment> segments, std::uint64_t file_size, Flaws& flaws);
// Stack, RELRO and alignment. Full RELRO also depends on the dynamic section; see read.cpp.
Segments hardening(std::span<const Segment> segments);

// LLVM's names for values of e_machine. The build generates the table from LLVM (cmake/tools).

struct MachineName {
  std::uint16_t machine = 0;
  std::string_view name;  // "x86_64", "CUDA"
};
extern const std::span<const MachineName> machine_names;  // sorted by machine; values without a name are omitted

// The identity of a file: its machine, its C library, and whether it is a shared object or a program.
struct Machine {
  Arch arch = Arch::Other;
  MachineUse use = MachineUse::Host;
  std::string name;  // for messages: "ARM soft-float"
};
// arm_architecture: Tag_CPU_arch of the ARM build attributes, if the file has them. is_static: a program without
// PT_DYNAMIC.
Machine identify(const Header& header, std::optional<unsigned> arm_architecture, bool is_static);

// Tag_CPU_arch from .ARM.attributes or PT_ARM_ATTRIBUTES (Addenda to, and Errata in, the ABI for the Arm Architecture).
std::optional<unsigned> arm_architecture(const File& file, const Header& header, std::span<const Segment> segments,
                                         std::span<const Section> sections);

ElfKind kind_of(const Header& header, bool has_interpreter, const std::optional<DynamicFacts>& dynamic, bool has_debug);
// Determined by PT_INTERP, the Android note and DT_NEEDED. The name `libc.so` alone is ambiguous (musl or bionic), and
// the result is None.
Libc libc_of(std::optional<std::string_view> interpreter, bool android_note,
             const std::optional<DynamicFacts>& dynamic);

// Notes: build id, GNU properties, the Android note (gABI 5, "Note Section"; Linux Extensions to gABI).
struct Notes {
  std::optional<std::string> build_id;  // lower-case hex
  std::uint32_t x86_isa_needed = 0, x86_isa_used = 0, x86_features = 0;
  bool android = false;
  std::optional<AbiNote> abi_note;
};

Notes read_notes(const File& file, const Image& image, const Header& header, std::span<const Segment> segments,
                 const Limits& limits, Flaws& flaws);

}  // namespace wheelcheck::elf
