// Reads PT_GNU_PROPERTY and PT_NOTE. The total of bytes looked at is bounded, since a thousand headers may name one
// range.
#include "elf/notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.h"
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

class Reader {
 public:
  explicit Reader(const Header& header) : header_(header) {}

  // False where a note runs out of its segment.
  bool segment(std::span<const std::byte> data, std::uint64_t align) {
    const Bytes bytes(data, header_.little_endian ? std::endian::little : std::endian::big);
    for (std::uint64_t at = 0; at + 12 <= bytes.size();) {
      const std::uint32_t name_size = *bytes.read<std::uint32_t>(at), size = *bytes.read<std::uint32_t>(at + 4),
                          type = *bytes.read<std::uint32_t>(at + 8);
      if (name_size == 0 && size == 0 && type == 0) return true;  // padding at the end
      const auto name = bytes.slice(at + 12, name_size);
      // The name is padded to 4 and the contents start at the alignment of the segment (glibc elf/dl-load.h).
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
    constexpr std::uint64_t most_build_id = 64;  // SHA-512
    if (name == gnu && type == NT_GNU_BUILD_ID && !notes_.build_id && content.size() <= most_build_id)
      notes_.build_id = hex(content.data());
    if (name == gnu && type == NT_GNU_PROPERTY_TYPE_0) properties(content);
    if (name == android) notes_.android = true;
  }

  void properties(const Bytes& content) {
    // The loader believes the first of them (glibc sysdeps/generic/dl-prop.h).
    if (properties_) return;
    properties_ = true;
    if (header_.machine != EM_X86_64 && header_.machine != EM_386) return;
    const std::uint64_t align = header_.bits / 8;
    for (std::uint64_t at = 0; at + 8 <= content.size();) {
      const std::uint32_t type = *content.read<std::uint32_t>(at), size = *content.read<std::uint32_t>(at + 4);
      if (const auto value = content.read<std::uint32_t>(at + 8); value && size == 4) {
        if (type == GNU_PROPERTY_X86_ISA_1_NEEDED) notes_.x86_isa_needed = *value;
        if (type == GNU_PROPERTY_X86_ISA_1_USED) notes_.x86_isa_used = *value;
        if (type == GNU_PROPERTY_X86_FEATURE_1_AND) notes_.x86_features = *value;
      }
      at += 8 + up(size, align);
    }
  }

  const Header& header_;
  Notes notes_;
  bool properties_ = false;
};

}  // namespace

Notes read_notes(const File& file, const Image& image, const Header& header, std::span<const Segment> segments,
                 const Limits& limits, Flaws& flaws) {
  Reader reader(header);
  std::uint64_t left = limits.note_bytes, cut = 0;
  const auto read_all = [&](std::uint32_t type) {
    for (const Segment& segment : segments) {
      if (segment.type != type || segment.file_size == 0) continue;
      if (segment.file_size > left)
        return flaws.fatal(
            ElfArea::Notes,
            fmt::format("there are more than {} bytes of notes; raise it with --max-note-bytes", limits.note_bytes));
      left -= segment.file_size;
      auto data = image.bytes(segment.address, segment.file_size);
      // A note outside of every PT_LOAD is for tools only, and they read it at its offset.
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
  return reader.take();
}

}  // namespace wheelcheck::elf
