// Writes a laid-out ELF file: program headers, sections, the ELF header, then the patches.
#include "tests/support/elf_recipe.h"

#include <algorithm>
#include <stdexcept>

#include "tests/support/elf_builder.h"

namespace wheelcheck::test {

// Called once for the number of headers, and again when all addresses are known.
std::vector<RecipeSegment> Builder::program_headers() {
  std::vector<RecipeSegment> out;
  const auto span = [&](auto matches, std::uint32_t type, std::uint32_t flags, std::uint64_t align) {
    RecipeSegment segment{.type = type, .flags = flags, .align = align};
    bool any = false;
    for (const MadeSection& section : sections_) {
      if (!matches(section)) continue;
      if (!any) segment.offset = section.offset, segment.address = section.address;
      any = true;
      segment.file_size = segment.memory_size = section.offset + section.bytes.size() - segment.offset;
    }
    if (any) out.push_back(segment);
  };
  const auto named = [](std::string_view name) { return [name](const MadeSection& s) { return s.name == name; }; };
  const auto in = [](Part part) { return [part](const MadeSection& s) { return s.part == part; }; };
  span(named(".interp"), 3, 4, 1);
  RecipeSegment head{.type = 1, .flags = 4, .address = gap() * 2, .align = load_align()};
  for (const MadeSection& section : sections_)
    if (section.part == Part::Read) head.file_size = head.memory_size = section.offset + section.bytes.size();
  if (head.file_size == 0) head.file_size = head.memory_size = header_size();
  out.push_back(head);
  span(in(Part::Code), 1, recipe_.writable_code ? 7 : 5, load_align());
  span(in(Part::Data), 1, 6, load_align());
  span(named(".dynamic"), 2, 6, word_);
  span(named(".note"), 4, 4, 4);
  span(named(".note.gnu.property"), 4, 4, word_);
  span(named(".note.gnu.property"), 0x6474E553, 4, word_);
  span(named(".tdata"), 7, 4, 16);
  if (recipe_.relro) span(named(".dynamic"), 0x6474E552, 4, 1);
  if (recipe_.gnu_stack) out.push_back({.type = 0x6474E551, .flags = *recipe_.gnu_stack, .align = 16});
  out.insert(out.end(), recipe_.extra_segments.begin(), recipe_.extra_segments.end());
  return out;
}

void Builder::write() {
  ElfOut file = out();
  file.bytes.resize(file_end_, '\0');
  for (const MadeSection& section : sections_) {
    image_.offsets[section.name] = section.offset;
    image_.addresses[section.name] = section.address;
    if (recipe_.split_debug == SplitDebug::No || section.part == Part::Loose || section.type == 7)
      std::ranges::copy(section.bytes, file.bytes.begin() + static_cast<std::ptrdiff_t>(section.offset));
    else
      std::ranges::fill_n(file.bytes.begin() + static_cast<std::ptrdiff_t>(section.offset),
                          static_cast<std::ptrdiff_t>(section.bytes.size()), 'D');
  }
  std::uint64_t sections_offset = 0, names_index = 0;
  std::size_t count = 0;
  if (!recipe_.strip_sections) {
    file.pad(8);
    count = sections_.size() + 2;
    write_sections(file, names_index);
    sections_offset = file.bytes.size() - count * (wide() ? 64 : 40);
  }
  write_header(file, sections_offset, count, names_index);
  image_.bytes = std::move(file.bytes);
}

void Builder::write_sections(ElfOut& file, std::uint64_t& names_index) {
  StringTable names;
  for (const MadeSection& section : sections_) names.add(section.name);
  MadeSection table{.name = ".shstrtab", .type = 3, .part = Part::Loose, .flags = 0};
  names.add(table.name);
  table.bytes = names.bytes;
  table.offset = file.bytes.size();
  file.raw(table.bytes).pad(8);
  file.raw(std::string(wide() ? 64 : 40, '\0'));
  const auto index_of = [&](const std::string& name) -> std::uint64_t {
    const auto at = std::ranges::find(sections_, name, &MadeSection::name);
    return at == sections_.end() ? 0 : static_cast<std::uint64_t>(at - sections_.begin()) + 1;
  };
  std::vector<MadeSection> all = sections_;
  all.push_back(table);
  for (const MadeSection& section : all) {
    const bool hollow = recipe_.split_debug != SplitDebug::No && section.part != Part::Loose && section.type != 7;
    file.u32(names.add(section.name)).u32(hollow ? 8 : section.type).word(section.flags).word(section.address);
    file.word(section.offset).word(section.bytes.size()).u32(index_of(section.link)).u32(section.info);
    file.word(section.align).word(section.entry_size);
  }
  names_index = all.size();
}

void Builder::write_header(ElfOut& file, std::uint64_t sections_offset, std::size_t sections,
                           std::uint64_t names_index) {
  static constexpr const char* names[] = {"PT_NULL", "PT_LOAD",  "PT_DYNAMIC", "PT_INTERP",
                                          "PT_NOTE", "PT_SHLIB", "PT_PHDR",    "PT_TLS"};
  ElfOut head = out();
  const std::vector<RecipeSegment> segments = recipe_.type == 1 ? std::vector<RecipeSegment>{} : program_headers();
  head.raw(
          "\x7f"
          "ELF")
      .u8(wide() ? 2 : 1)
      .u8(recipe_.big_endian ? 2 : 1)
      .u8(1)
      .u8(recipe_.os_abi)
      .u64(0);
  head.u16(recipe_.type).u16(recipe_.machine).u32(1).word(0).word(segments.empty() ? 0 : header_size());
  head.word(sections_offset).u32(recipe_.flags.value_or(habits_.flags)).u16(header_size());
  head.u16(program_header_size()).u16(segments.size()).u16(wide() ? 64 : 40).u16(sections).u16(names_index);
  for (RecipeSegment segment : segments) {
    const std::string name = segment.type < 8 ? names[segment.type] : "PT_OTHER";
    image_.offsets.try_emplace("phdr:" + name, head.bytes.size());
    if (recipe_.split_debug == SplitDebug::NoBytes && segment.type != 4) segment.file_size = 0;
    if (wide())
      head.u32(segment.type)
          .u32(segment.flags)
          .u64(segment.offset)
          .u64(segment.address)
          .u64(segment.address)
          .u64(segment.file_size)
          .u64(segment.memory_size)
          .u64(segment.align);
    else
      head.u32(segment.type)
          .u32(segment.offset)
          .u32(segment.address)
          .u32(segment.address)
          .u32(segment.file_size)
          .u32(segment.memory_size)
          .u32(segment.flags)
          .u32(segment.align);
  }
  image_.offsets["ehdr"] = 0;
  std::ranges::copy(head.bytes, file.bytes.begin());
}

void Builder::apply(const RecipePatch& patch) {
  std::uint64_t at = 0;
  if (!patch.at.empty()) {
    const auto place = image_.offsets.find(patch.at);
    if (place == image_.offsets.end()) throw std::invalid_argument("there is no place " + patch.at);
    at = place->second;
  }
  at += static_cast<std::uint64_t>(patch.plus);
  if (at > image_.bytes.size()) throw std::invalid_argument("a patch lies beyond the end of the file");
  if (image_.bytes.size() < at + patch.bytes.size()) image_.bytes.resize(at + patch.bytes.size());
  std::ranges::copy(patch.bytes, image_.bytes.begin() + static_cast<std::ptrdiff_t>(at));
}

ElfImage build_elf(const ElfRecipe& recipe) { return Builder(recipe).build(); }

std::string make_elf(const ElfRecipe& recipe) { return build_elf(recipe).bytes; }

std::string encoded(const ElfRecipe& recipe, std::uint64_t value, int bytes) {
  return ElfOut(recipe.bits, recipe.big_endian).put(value, bytes).bytes;
}

}  // namespace wheelcheck::test
