// Determines the machine of a file. Several ABIs share one e_machine, and only one of them is the machine of a platform
// tag.
#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.h"
#include "elf/header.h"
#include "elf/llvm_types.h"
#include "model/machines.h"

namespace wheelcheck::elf {
namespace {

using namespace llvm::ELF;

struct LookAlike {
  std::uint16_t machine;
  std::uint16_t bits;
  bool little;
  const char* name;
};
// The same values of e_machine with another class or byte order.
constexpr LookAlike look_alikes[] = {
    {EM_X86_64, 32, true, "x32"},
    {EM_386, 64, true, "i386 in a 64-bit file"},
    {EM_AARCH64, 32, true, "AArch64 ILP32"},
    {EM_AARCH64, 64, false, "AArch64 big-endian"},
    {EM_ARM, 32, false, "ARM big-endian"},
    {EM_S390, 32, false, "s390 31-bit"},
    {EM_RISCV, 32, true, "RISC-V 32"},
    {EM_LOONGARCH, 32, true, "LoongArch 32"},
};
struct Named {
  std::uint16_t machine;
  const char* name;
};
// No operating system with Python runs on these. 205 is EM_INTELGT, 180 and 181 are Intel's accelerator cards, 250 is a
// network card.
constexpr Named devices[] = {
    {EM_CUDA, "CUDA"},           {EM_AMDGPU, "AMDGPU"},  {EM_BPF, "BPF"},         {EM_VE, "NEC Vector Engine"},
    {EM_HEXAGON, "Hexagon DSP"}, {205, "Intel GPU"},     {EM_L10M, "Intel L10M"}, {EM_K10M, "Intel K10M"},
    {EM_TI_C6000, "TI C6000"},   {EM_XTENSA, "Xtensa"},  {EM_AVR, "AVR"},         {EM_MSP430, "MSP430"},
    {EM_XCORE, "XCore"},         {250, "Netronome NFP"},
};

std::string plain_name(std::uint16_t machine) {
  const auto known = std::ranges::lower_bound(machine_names, machine, {}, &MachineName::machine);
  return known == machine_names.end() || known->machine != machine ? fmt::format("machine {}", machine)
                                                                   : fmt::format("{} ({})", known->name, machine);
}

// How floating-point arguments are passed matters between files alone: the kernel starts a program that is linked
// statically whatever its flags say (ziglang 0.17.1 for armv7l).
Machine arm(const Header& header, std::optional<unsigned> architecture, bool is_static) {
  const unsigned eabi = header.flags >> 24;
  if (eabi != 5) return {.name = eabi == 0 ? "ARM without EABI" : fmt::format("ARM EABI {}", eabi)};
  const bool hard = (header.flags & EF_ARM_ABI_FLOAT_HARD) != 0;
  if (!hard && !is_static) return {.name = "ARM soft-float"};
  // Tag_CPU_arch: 10 is v7; 11 and 12 are v6-M and v6S-M; all above are newer than v7.
  const bool old = architecture && (*architecture < 10 || *architecture == 11 || *architecture == 12);
  return {.arch = old ? Arch::armv6l : Arch::armv7l,
          .name = fmt::format("ARM {}-float{}", hard ? "hard" : "soft", old ? " below v7" : "")};
}

// The ABI in e_flags, if the loader of the tagged platform rejects the file because of it.
std::string_view foreign_abi(const Header& header) {
  if (header.machine == EM_PPC64) {  // glibc sysdeps/powerpc/powerpc64/dl-machine.h, elf_machine_matches_host
    const unsigned abi = header.flags & 3;
    if (header.little_endian && abi == 1) return "ELFv1 ABI";
    if (!header.little_endian && abi == 2) return "ELFv2 ABI";
  }
  if (header.machine == EM_RISCV) {  // psABI: distributions and manylinux use lp64d
    const unsigned abi = header.flags & EF_RISCV_FLOAT_ABI;
    if (abi == EF_RISCV_FLOAT_ABI_SOFT) return "soft-float";
    if (abi == EF_RISCV_FLOAT_ABI_SINGLE) return "single-float";
    if (abi == EF_RISCV_FLOAT_ABI_QUAD) return "quad-float";
  }
  if (header.machine == EM_LOONGARCH) {
    const unsigned abi = header.flags & EF_LOONGARCH_ABI_MODIFIER_MASK;
    if (abi == EF_LOONGARCH_ABI_SOFT_FLOAT) return "soft-float";
    if (abi == EF_LOONGARCH_ABI_SINGLE_FLOAT) return "single-float";
  }
  return {};
}

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> starts) {
  return std::ranges::any_of(starts, [&](std::string_view start) { return text.starts_with(start); });
}

// Reads an unsigned LEB128 number.
std::optional<std::uint64_t> number(const Bytes& bytes, std::uint64_t& at) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 63; shift += 7) {
    const auto byte = bytes.read<std::uint8_t>(at++);
    if (!byte) return std::nullopt;
    value |= std::uint64_t{*byte & 0x7FU} << shift;
    if ((*byte & 0x80) == 0) return value;
  }
  return std::nullopt;
}

// Reads the attributes of Tag_File. Tags 4, 5, 67 and odd tags above 32 have a text; tag 32 has a number and a text.
std::optional<unsigned> cpu_arch(const Bytes& attributes) {
  constexpr std::uint64_t tag_cpu_arch = 6, tag_compatibility = 32;
  for (std::uint64_t at = 0; at < attributes.size();) {
    const auto tag = number(attributes, at);
    if (!tag) return std::nullopt;
    const bool text = *tag == 4 || *tag == 5 || (*tag > tag_compatibility && *tag % 2 == 1);
    if (!text) {
      const auto value = number(attributes, at);
      if (!value) return std::nullopt;
      if (*tag == tag_cpu_arch) return static_cast<unsigned>(std::min<std::uint64_t>(*value, 255));
    }
    if (text || *tag == tag_compatibility) {
      const auto value = attributes.text(at);
      if (!value) return std::nullopt;
      at += value->size() + 1;
    }
  }
  return std::nullopt;
}

std::optional<unsigned> attributes_of(const Bytes& bytes) {
  if (bytes.read<std::uint8_t>(0) != std::uint8_t{'A'}) return std::nullopt;
  for (std::uint64_t at = 1; at < bytes.size();) {
    const auto size = bytes.read<std::uint32_t>(at);
    const auto vendor = size && *size > 4 ? bytes.slice(at + 4, *size - 4) : std::nullopt;
    if (!vendor) return std::nullopt;
    const auto name = vendor->text(0);
    for (std::uint64_t part = name ? name->size() + 1 : vendor->size(); name == "aeabi" && part < vendor->size();) {
      const auto tag = vendor->read<std::uint8_t>(part);
      const auto length = vendor->read<std::uint32_t>(part + 1);
      const auto attributes = length && *length >= 5 ? vendor->slice(part + 5, *length - 5) : std::nullopt;
      if (!attributes) return std::nullopt;
      if (*tag == 1) return cpu_arch(*attributes);  // Tag_File
      part += *length;
    }
    at += *size;
  }
  return std::nullopt;
}

}  // namespace

Machine identify(const Header& header, std::optional<unsigned> arm_version, bool is_static) {
  const auto is_it = [&](const HostMachine& one) {
    return one.elf_machine == header.machine && one.bits == header.bits && one.little_endian == header.little_endian;
  };
  if (const auto row = std::ranges::find_if(machines(), is_it); row != machines().end()) {
    if (header.machine == EM_ARM) return arm(header, arm_version, is_static);
    if (const auto abi = foreign_abi(header); !abi.empty()) return {.name = fmt::format("{} {}", row->elf_name, abi)};
    return {.arch = row->arch, .name = std::string(row->elf_name)};
  }
  const auto same = [&](const LookAlike& row) {
    return row.machine == header.machine && row.bits == header.bits && row.little == header.little_endian;
  };
  if (const auto row = std::ranges::find_if(look_alikes, same); row != std::end(look_alikes))
    return {.name = row->name};
  if (const auto row = std::ranges::find(devices, header.machine, &Named::machine); row != std::end(devices))
    return {.use = MachineUse::Device, .name = fmt::format("{} ({})", row->name, header.machine)};
  return {.name = fmt::format("{}, {}-bit {}-endian", plain_name(header.machine), header.bits,
                              header.little_endian ? "little" : "big")};
}

std::optional<unsigned> arm_architecture(const File& file, const Header& header, std::span<const Segment> segments,
                                         std::span<const Section> sections) {
  if (header.machine != EM_ARM) return std::nullopt;
  constexpr std::uint32_t pt_arm_attributes = 0x70000003;
  const std::endian order = header.little_endian ? std::endian::little : std::endian::big;
  for (const Segment& segment : segments)
    if (segment.type == pt_arm_attributes)
      if (const auto bytes = file.slice(segment.offset, segment.file_size, order))
        if (const auto found = attributes_of(*bytes)) return found;
  for (const Section& section : sections)
    if (section.type == SHT_ARM_ATTRIBUTES)
      if (const auto bytes = file.slice(section.offset, section.size, order))
        if (const auto found = attributes_of(*bytes)) return found;
  return std::nullopt;
}

ElfKind kind_of(const Header& header, bool has_interpreter, const std::optional<DynamicFacts>& dynamic,
                bool has_debug) {
  switch (header.type) {
    case ET_REL:
      return ElfKind::Relocatable;
    case ET_CORE:
      return ElfKind::Core;
    case ET_EXEC:
      return ElfKind::Executable;
    case ET_DYN: {
      // libc.so.6 has an interpreter and a soname too. DT_DEBUG is only in programs; linkers older than DF_1_PIE do not
      // mark a program in another way.
      const bool program = dynamic && !dynamic->soname && has_interpreter && has_debug;
      return program || (dynamic && dynamic->flags.pie) ? ElfKind::Executable : ElfKind::SharedObject;
    }
    default:
      return ElfKind::Other;
  }
}

Libc libc_of(std::optional<std::string_view> interpreter, bool android_note,
             const std::optional<DynamicFacts>& dynamic) {
  if (interpreter) {
    const std::string_view name = interpreter->substr(interpreter->rfind('/') + 1);
    if (name.starts_with("ld-musl-")) return Libc::Musl;
    if (interpreter->starts_with("/system/bin/linker") || interpreter->starts_with("/apex/")) return Libc::Bionic;
    if (starts_with_any(name, {"ld-linux", "ld64.so.", "ld.so.1"})) return Libc::Glibc;
  }
  if (android_note) return Libc::Bionic;
  if (!dynamic) return Libc::None;
  bool plain = false, android = false;
  for (const std::string_view name : dynamic->needed) {
    if (starts_with_any(name, {"libc.musl-", "ld-musl-"})) return Libc::Musl;
    if (name == "libc.so.6" || name == "libc.so.6.1" || starts_with_any(name, {"ld-linux", "ld64.so."}))
      return Libc::Glibc;
    plain = plain || name == "libc.so";
    // musl has all of these in its libc.so, so a file that is linked for musl does not need them.
    android = android || name == "libdl.so" || name == "libm.so" || name == "liblog.so" || name == "libandroid.so" ||
              name == "libc++_shared.so";
  }
  return plain && android ? Libc::Bionic : Libc::None;
}

}  // namespace wheelcheck::elf
