// Reads PT_GNU_PROPERTY and PT_NOTE. The total number of bytes is limited, because a thousand program headers may name
// one range.
#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.h"
#include "elf/header.h"
#include "elf/llvm_types.h"

namespace wheelcheck::elf {
namespace {

using namespace llvm::ELF;

std::string hex(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const std::byte byte : bytes) {
    text += "0123456789abcdef"[std::to_integer<unsigned>(byte >> 4)];
    text += "0123456789abcdef"[std::to_integer<unsigned>(byte & std::byte{15})];
  }
  return text;
}

constexpr std::uint64_t up(std::uint64_t value, std::uint64_t align) { return (value + align - 1) & ~(align - 1); }

class NoteReader {
 public:
  explicit NoteReader(const Header& header) : header_(header) {}

  // Returns false if a note extends beyond its segment.
  bool segment(std::span<const std::byte> data, std::uint64_t align) {
    const Bytes bytes(data, header_.little_endian ? std::endian::little : std::endian::big);
    for (std::uint64_t at = 0; at + 12 <= bytes.size();) {
      const std::uint32_t name_size = *bytes.read<std::uint32_t>(at), size = *bytes.read<std::uint32_t>(at + 4),
                          type = *bytes.read<std::uint32_t>(at + 8);
      if (name_size == 0 && size == 0 && type == 0) return true;  // padding at the end
      const auto name = bytes.slice(at + 12, name_size);
      // The name is padded to 4, and the content starts at the alignment of the segment (glibc elf/dl-load.h).
      const std::uint64_t start = up(at + 12 + name_size, align);
      const auto content = bytes.slice(start, size);
      if (!name || !content) return false;
      note(name->as_text(), type, *content);
      at = up(start + size, align);
    }
    return true;
  }
  Notes take() { return std::move(notes_); }

 private:
  void note(std::string_view name, std::uint32_t type, const Bytes& content) {
    constexpr std::string_view gnu("GNU\0", 4), android("Android\0", 8);
    constexpr std::uint64_t max_build_id = 64;  // SHA-512
    if (name == gnu && type == NT_GNU_BUILD_ID && !notes_.build_id && content.size() <= max_build_id)
      notes_.build_id = hex(content.data());
    if (name == gnu && type == NT_GNU_PROPERTY_TYPE_0) properties(content);
    if (name == android) notes_.android = true;
  }

  // Reads GNU_PROPERTY_X86_ISA_1_USED from the first note. The loader does not use it.
  void properties(const Bytes& content) {
    if (properties_) return;
    properties_ = true;
    if (header_.machine != EM_X86_64 && header_.machine != EM_386) return;
    const std::uint64_t align = header_.bits / 8;
    for (std::uint64_t at = 0; at + 8 <= content.size();) {
      const std::uint32_t type = *content.read<std::uint32_t>(at), size = *content.read<std::uint32_t>(at + 4);
      const auto value = content.read<std::uint32_t>(at + 8);
      if (type == GNU_PROPERTY_X86_ISA_1_USED && value && size == 4) notes_.x86_isa_used = *value;
      at += 8 + up(size, align);
    }
  }

  const Header& header_;
  Notes notes_;
  bool properties_ = false;
};

// The properties that ld.so uses, since glibc 2.33, which is the first version that rejects a file because of its ISA
// level (elf/dl-load.c, _dl_process_pt_gnu_property; sysdeps/x86/dl-prop.h). Before 2.39 it uses only those of PT_NOTE.
class LoaderProperties {
 public:
  explicit LoaderProperties(unsigned bits) : align_(bits / 8) {}

  // The first PT_NOTE with such a note is used, unless it has two of them. It is ignored if properties were found
  // before.
  void take_note(const Bytes& bytes, std::uint64_t align) {
    if (seen_ || align != align_) return;
    Values values;
    for (std::uint64_t at = 0; at + 12 < bytes.size();) {
      if (is_property(bytes, at)) {
        if (seen_) return;
        seen_ = true;
        if (!take_all(bytes, at, values)) return;
      }
      at = next(bytes, at);
    }
    apply(values);
  }
  // Every PT_GNU_PROPERTY is read, and its values replace earlier ones.
  void take_property(const Bytes& bytes, std::uint64_t align) {
    if (align != align_) return;
    for (std::uint64_t at = 0; at + 12 < bytes.size(); at = next(bytes, at)) {
      if (!is_property(bytes, at)) continue;
      seen_ = true;
      Values values;
      (void)take_all(bytes, at, values);
      return apply(values);
    }
  }
  std::uint32_t isa_needed() const { return taken_.isa_needed; }
  std::uint32_t features() const { return taken_.features; }

 private:
  struct Values {
    std::uint32_t isa_needed = 0, features = 0;
  };
  static bool is_property(const Bytes& bytes, std::uint64_t at) {
    const auto name = bytes.slice(at + 12, 4);
    return *bytes.read<std::uint32_t>(at) == 4 && *bytes.read<std::uint32_t>(at + 8) == NT_GNU_PROPERTY_TYPE_0 &&
           name && name->as_text() == std::string_view("GNU\0", 4);
  }
  std::uint64_t next(const Bytes& bytes, std::uint64_t at) const {
    const std::uint64_t name = *bytes.read<std::uint32_t>(at), content = *bytes.read<std::uint32_t>(at + 4);
    return at + up(up(12 + name, align_) + content, align_);
  }
  // Returns false if the note is malformed; the loader then ignores the note and its segment.
  bool take_all(const Bytes& bytes, std::uint64_t note, Values& values) const {
    const std::uint64_t size = *bytes.read<std::uint32_t>(note + 4), end = note + 16 + size;
    if (size < 8 || size % align_ != 0) return false;
    std::uint32_t last = 0;
    for (std::uint64_t at = note + 16; end - at >= 8;) {
      const auto type = bytes.read<std::uint32_t>(at), length = bytes.read<std::uint32_t>(at + 4);
      if (!type || !length || *type < last || at + 8 + *length > end) return false;
      last = *type;
      if (last > GNU_PROPERTY_X86_ISA_1_NEEDED) return true;
      if (last == GNU_PROPERTY_X86_FEATURE_1_AND || last == GNU_PROPERTY_X86_ISA_1_NEEDED) {
        const auto value = bytes.read<std::uint32_t>(at + 8);
        if (*length != 4 || !value) return false;
        (last == GNU_PROPERTY_X86_ISA_1_NEEDED ? values.isa_needed : values.features) = *value;
        if (last == GNU_PROPERTY_X86_ISA_1_NEEDED) return true;
      }
      at += 8 + up(*length, align_);
      if (at > end) return true;
    }
    return true;
  }
  void apply(const Values& values) {
    if (values.isa_needed != 0) taken_.isa_needed = values.isa_needed;
    if (values.features != 0) taken_.features = values.features;
  }

  std::uint64_t align_;
  Values taken_;
  bool seen_ = false;
};

// The loader processes the program headers from the last to the first, and uses p_memsz. A level counts as required if
// either version of the loader requires it.
void read_properties(const Image& image, const Header& header, std::span<const Segment> segments, std::uint64_t left,
                     Notes& notes, Flaws& flaws) {
  if (header.machine != EM_X86_64 && header.machine != EM_386) return;
  LoaderProperties older(header.bits), newer(header.bits);
  for (std::size_t i = segments.size(); i-- > 0;) {
    const Segment& segment = segments[i];
    if (segment.type != PT_NOTE && segment.type != PT_GNU_PROPERTY) continue;
    const std::uint64_t available = image.available(segment.address),
                        size = std::min({segment.memory_size, available, left});
    left -= size;
    if (header.type == ET_DYN && segment.align == header.bits / 8 && segment.memory_size > 12 &&
        segment.memory_size > available)
      flaws.fatal(ElfArea::Notes, "the loader reads a note segment that is not mapped (glibc 2.33 and newer)");
    const auto data = image.bytes(segment.address, size);
    if (!data) continue;
    const Bytes bytes(*data, std::endian::little);
    if (segment.type == PT_NOTE) older.take_note(bytes, segment.align);
    if (segment.type == PT_NOTE)
      newer.take_note(bytes, segment.align);
    else
      newer.take_property(bytes, segment.align);
  }
  notes.x86_isa_needed = older.isa_needed() | newer.isa_needed();
  notes.x86_features = newer.features();
  constexpr std::uint32_t levels = GNU_PROPERTY_X86_ISA_1_BASELINE | GNU_PROPERTY_X86_ISA_1_V2 |
                                   GNU_PROPERTY_X86_ISA_1_V3 | GNU_PROPERTY_X86_ISA_1_V4;
  if ((notes.x86_isa_needed & ~levels) != 0)
    flaws.fatal(ElfArea::Notes,
                "a note requires an x86 instruction level that does not exist: glibc 2.33 and newer "
                "refuse the file");
}

// The ABI note as glibc before 2.36 finds it: in the file, by p_offset, in the first PT_NOTE that has one
// (elf/dl-load.c, open_verify). It reads each PT_NOTE whole, and refuses the file where that fails.
std::optional<AbiNote> read_abi_note(const File& file, const Header& header, std::span<const Segment> segments,
                                     std::uint64_t left, Flaws& flaws) {
  constexpr std::uint64_t whole = 32;
  const std::endian order = header.little_endian ? std::endian::little : std::endian::big;
  for (const Segment& segment : segments) {
    if (segment.type != PT_NOTE || segment.file_size < whole || (segment.align != 4 && segment.align != 8)) continue;
    if (!file.contains(segment.offset, segment.file_size)) {
      flaws.fatal(ElfArea::Notes, "a note segment reaches beyond the end of the file: glibc before 2.36 refuses it");
      return std::nullopt;
    }
    if (segment.file_size > left) return std::nullopt;  // read_notes reports it
    left -= segment.file_size;
    const Bytes bytes = *file.slice(segment.offset, segment.file_size, order);
    const auto word = [&](std::uint64_t at) { return *bytes.read<std::uint32_t>(at); };
    for (std::uint64_t at = 0; at + whole <= bytes.size();) {
      const std::uint64_t name = word(at), content = word(at + 4);
      if (name == 4 && content == 16 && word(at + 8) == NT_GNU_ABI_TAG &&
          bytes.slice(at + 12, 4)->as_text() == std::string_view("GNU\0", 4))
        return AbiNote{.system = word(at + 16), .major = word(at + 20), .minor = word(at + 24), .patch = word(at + 28)};
      at += up(up(12 + name, segment.align) + content, segment.align);
    }
  }
  return std::nullopt;
}

}  // namespace

Notes read_notes(const File& file, const Image& image, const Header& header, std::span<const Segment> segments,
                 const Limits& limits, Flaws& flaws) {
  NoteReader reader(header);
  std::uint64_t left = limits.note_bytes, cut = 0;
  const auto read_all = [&](std::uint32_t type) {
    for (const Segment& segment : segments) {
      if (segment.type != type || segment.file_size == 0) continue;
      if (std::max(segment.file_size, std::min(segment.memory_size, image.available(segment.address))) > left)
        return flaws.fatal(ElfArea::Notes,
                           fmt::format("there are more than {} bytes of notes; raise it with --limit note-bytes=N",
                                       limits.note_bytes));
      left -= std::max(segment.file_size, std::min(segment.memory_size, image.available(segment.address)));
      auto data = image.bytes(segment.address, segment.file_size);
      // A note outside of every PT_LOAD is only for tools, which read it at its offset.
      if (!data && file.contains(segment.offset, segment.file_size))
        data = file.bytes(segment.offset, segment.file_size);
      if (!data || !reader.segment(*data, segment.align == 8 ? 8 : 4)) ++cut;
    }
  };
  read_all(PT_GNU_PROPERTY);
  read_all(PT_NOTE);
  if (cut > 0)
    flaws.odd(ElfArea::Notes, cut == 1 ? "a note segment cannot be read to its end"
                                       : fmt::format("{} note segments cannot be read to their end", cut));
  Notes notes = reader.take();
  read_properties(image, header, segments, limits.note_bytes, notes, flaws);
  if (header.type == ET_DYN) notes.abi_note = read_abi_note(file, header, segments, limits.note_bytes, flaws);
  return notes;
}

}  // namespace wheelcheck::elf
