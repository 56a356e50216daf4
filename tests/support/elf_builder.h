// Lays out an ELF file: a read-only segment with the tables, code, then data with the dynamic section. Segments are
// adjacent in the file and at least a page apart in memory, so that offsets and addresses are never equal.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/elf_recipe.h"
#include "tests/support/elf_tables.h"

namespace wheelcheck::test {

enum class Part { Read, Code, Data, Loose };  // Loose: in no segment

struct MadeSection {
  std::string name;
  std::uint32_t type = 1;
  Part part = Part::Read;
  std::uint64_t align = 1;
  std::string bytes;
  std::uint64_t entry_size = 0;
  std::string link;
  std::uint32_t info = 0;
  std::uint64_t flags = 2;  // SHF_ALLOC
  std::uint64_t offset = 0, address = 0;
};

class Builder {
 public:
  explicit Builder(const ElfRecipe& recipe)
      : recipe_(recipe), habits_(habits_of(recipe)), tables_(make_tables(recipe)), word_(recipe.bits / 8) {}

  ElfImage build() {
    add_sections();
    lay_out();
    place_symbols();
    fill();
    write();
    for (const RecipePatch& patch : recipe_.patches) apply(patch);
    if (recipe_.cut_at) image_.bytes.resize(std::min<std::uint64_t>(*recipe_.cut_at, image_.bytes.size()));
    return std::move(image_);
  }

 private:
  using Entries = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

  ElfOut out() const { return {recipe_.bits, recipe_.big_endian}; }
  std::uint64_t load_align() const { return recipe_.load_align.value_or(habits_.page); }
  std::uint64_t gap() const { return std::max<std::uint64_t>(load_align(), 4096); }
  bool wide() const { return recipe_.bits == 64; }
  std::uint64_t header_size() const { return wide() ? 64 : 52; }
  std::uint64_t program_header_size() const { return wide() ? 56 : 32; }
  std::uint64_t symbol_size() const { return wide() ? 24 : 16; }
  std::uint64_t relocation_size() const { return word_ * (habits_.rela ? 3 : 2); }

  MadeSection* find(const std::string& name) {
    const auto at = std::ranges::find(sections_, name, &MadeSection::name);
    return at == sections_.end() ? nullptr : &*at;
  }
  std::uint64_t address_of(const std::string& name) {
    const MadeSection* const section = find(name);
    return section != nullptr ? section->address : 0;
  }
  // Sections without bytes are omitted.
  void add(MadeSection section) {
    if (!section.bytes.empty()) sections_.push_back(std::move(section));
  }
  std::vector<const PlacedSymbol*> bound_as(Bound bound) const {
    std::vector<const PlacedSymbol*> out;
    for (std::size_t i = 1; i < tables_.symbols.size(); ++i)
      if (tables_.symbols[i].bound == bound) out.push_back(&tables_.symbols[i]);
    return out;
  }

  void add_sections() {
    if (recipe_.interp) add({.name = ".interp", .bytes = *recipe_.interp + '\0'});
    add({.name = ".note.gnu.property", .type = 7, .align = word_, .bytes = notes_of(recipe_, true)});
    add({.name = ".note", .type = 7, .align = 4, .bytes = notes_of(recipe_, false)});
    const std::uint64_t hash_word = habits_.wide_hash ? 8 : 4;
    const std::uint64_t slots = bound_as(Bound::AtLoad).size(), calls = bound_as(Bound::AtFirstCall).size();
    const std::string rel = habits_.rela ? ".rela" : ".rel";
    if (recipe_.dynamic) {
      add({".hash", 5, Part::Read, hash_word, tables_.hash, hash_word, ".dynsym"});
      add({".gnu.hash", 0x6FFFFFF6, Part::Read, word_, tables_.gnu_hash, 0, ".dynsym"});
      add({".dynsym", 11, Part::Read, word_, std::string(tables_.symbols.size() * symbol_size(), '\0'), symbol_size(),
           ".dynstr", 1});
      add({".dynstr", 3, Part::Read, 1, tables_.strings.bytes});
      add({".gnu.version", 0x6FFFFFFF, Part::Read, 2, tables_.versym, 2, ".dynsym"});
      add({".gnu.version_d", 0x6FFFFFFD, Part::Read, word_, tables_.verdef, 0, ".dynstr",
           static_cast<std::uint32_t>(tables_.definition_count)});
      add({".gnu.version_r", 0x6FFFFFFE, Part::Read, word_, tables_.verneed, 0, ".dynstr",
           static_cast<std::uint32_t>(tables_.need_count)});
      const std::uint32_t type = habits_.rela ? 4 : 9;
      add({rel + ".dyn", type, Part::Read, word_, std::string(slots * relocation_size(), '\0'), relocation_size(),
           ".dynsym"});
      add({rel + ".plt", type, Part::Read, word_, std::string(calls * relocation_size(), '\0'), relocation_size(),
           ".dynsym"});
    }
    add({.name = ".text", .part = Part::Code, .align = 16, .bytes = std::string(16, '\0'), .flags = 6});
    add({.name = ".tdata", .part = Part::Data, .align = 16, .bytes = thread_data(), .flags = 0x403});
    if (recipe_.dynamic)
      add({.name = ".dynamic",
           .type = 6,
           .part = Part::Data,
           .align = word_,
           .bytes = std::string((dynamic_entries().size() + 1) * 2 * word_, '\0'),
           .entry_size = 2 * word_,
           .link = ".dynstr",
           .flags = 3});
    // Three words reserved for the loader, then a slot for each relocation.
    add({.name = ".got",
         .part = Part::Data,
         .align = word_,
         .bytes = std::string((3 + slots + calls) * word_, '\0'),
         .entry_size = word_,
         .flags = 3});
    add({.name = ".data", .part = Part::Data, .align = 16, .bytes = std::string(16, '\0'), .flags = 3});
    if (recipe_.arm_cpu_arch && !recipe_.strip_sections)
      add({.name = ".ARM.attributes",
           .type = 0x70000003,
           .part = Part::Loose,
           .bytes = arm_attributes(recipe_),
           .flags = 0});
    for (const RecipeSection& extra : recipe_.sections) {
      const Part part = (extra.flags & 2) == 0 ? Part::Loose : (extra.flags & 1) != 0 ? Part::Data : Part::Read;
      add({.name = extra.name,
           .type = extra.type,
           .part = part,
           .align = 16,
           .bytes = extra.bytes,
           .flags = extra.flags});
    }
    grow_for_exports();
  }

  std::string thread_data() const {
    const auto tls = [](const PlacedSymbol& s) { return s.defined && s.symbol.kind == SymbolKind::Tls; };
    return std::string(16 * static_cast<std::size_t>(std::ranges::count_if(tables_.symbols, tls)), '\0');
  }

  // Gives every export 16 bytes of code or data.
  void grow_for_exports() {
    std::uint64_t thread = 0;
    for (PlacedSymbol& placed : tables_.symbols) {
      if (!placed.defined) continue;
      const SymbolKind kind = placed.symbol.kind;
      if (kind == SymbolKind::Tls) {
        placed.place = thread;
        thread += 16;
        continue;
      }
      const bool code = kind == SymbolKind::Function || kind == SymbolKind::Ifunc || kind == SymbolKind::NoType;
      MadeSection& home = *find(code ? ".text" : ".data");
      placed.place = home.bytes.size();
      home.bytes += code ? function_code(recipe_, placed.symbol.returns) : std::string(16, '\0');
    }
  }

  Entries dynamic_entries() {
    Entries entries;
    StringTable& strings = tables_.strings;
    const auto text = [&](std::uint64_t tag, const std::string& value) {
      entries.emplace_back(tag, strings.add(value));
    };
    for (const std::string& name : recipe_.needed) text(1, name);
    for (const std::string& name : recipe_.filters) text(0x7FFFFFFF, name);
    for (const std::string& name : recipe_.auxiliaries) text(0x7FFFFFFD, name);
    if (recipe_.soname) text(14, *recipe_.soname);
    if (recipe_.rpath) text(15, *recipe_.rpath);
    if (recipe_.runpath) text(29, *recipe_.runpath);
    const auto table = [&](std::uint64_t tag, const std::string& name, std::uint64_t size_tag = 0) {
      const MadeSection* const section = find(name);
      if (section == nullptr) return;
      entries.emplace_back(tag, section->address);
      if (size_tag != 0) entries.emplace_back(size_tag, section->bytes.size());
    };
    table(4, ".hash");
    table(0x6FFFFEF5, ".gnu.hash");
    table(5, ".dynstr", 10);
    table(6, ".dynsym");
    entries.emplace_back(11, symbol_size());
    table(0x6FFFFFF0, ".gnu.version");
    table(0x6FFFFFFC, ".gnu.version_d");
    if (tables_.definition_count > 0) entries.emplace_back(0x6FFFFFFD, tables_.definition_count);
    table(0x6FFFFFFE, ".gnu.version_r");
    if (tables_.need_count > 0) entries.emplace_back(0x6FFFFFFF, tables_.need_count);
    const std::string rel = habits_.rela ? ".rela" : ".rel";
    table(habits_.rela ? 7 : 17, rel + ".dyn", habits_.rela ? 8 : 18);
    entries.emplace_back(habits_.rela ? 9 : 19, relocation_size());
    if (find(rel + ".plt") != nullptr) {
      table(23, rel + ".plt", 2);
      entries.emplace_back(20, habits_.rela ? 7 : 17);
      entries.emplace_back(3, address_of(".got"));
    }
    for (const auto& [tag, on] :
         {std::pair{16, recipe_.symbolic}, {22, recipe_.textrel}, {24, recipe_.bind_now}, {21, recipe_.debug}})
      if (on) entries.emplace_back(tag, 0);
    if (recipe_.dt_flags != 0) entries.emplace_back(30, recipe_.dt_flags);
    if (recipe_.dt_flags_1 != 0) entries.emplace_back(0x6FFFFFFB, recipe_.dt_flags_1);
    entries.insert(entries.end(), recipe_.extra_dynamic.begin(), recipe_.extra_dynamic.end());
    return entries;
  }

  static std::uint64_t round_up(std::uint64_t value, std::uint64_t align) {
    return align < 2 ? value : (value + align - 1) / align * align;
  }

  void lay_out() {
    std::uint64_t offset = header_size() + program_header_size() * program_headers().size();
    std::uint64_t shift = gap() * 2;  // address minus offset
    for (const Part part : {Part::Read, Part::Code, Part::Data, Part::Loose}) {
      if (part != Part::Read) shift += gap();
      offset = round_up(offset, 16);
      for (MadeSection& section : sections_) {
        if (section.part != part) continue;
        offset = round_up(offset, section.align);
        section.offset = offset;
        section.address = part == Part::Loose ? 0 : offset + shift;
        offset += section.bytes.size();
      }
    }
    file_end_ = offset;
  }

  void place_symbols() {
    for (PlacedSymbol& placed : tables_.symbols) {
      if (!placed.defined || placed.symbol.kind == SymbolKind::Tls) continue;
      const SymbolKind kind = placed.symbol.kind;
      const bool code = kind == SymbolKind::Function || kind == SymbolKind::Ifunc || kind == SymbolKind::NoType;
      placed.place += address_of(code ? ".text" : ".data");
    }
  }

  void fill() {
    if (!recipe_.dynamic) return;
    ElfOut symbols = out();
    for (const PlacedSymbol& placed : tables_.symbols) symbol_record(symbols, placed);
    find(".dynsym")->bytes = symbols.bytes;
    ElfOut dynamic = out();
    const Entries entries = dynamic_entries();
    for (const auto& [tag, value] : entries) dynamic.word(tag).word(value);
    find(".dynamic")->bytes = dynamic.word(0).word(0).bytes;
    for (std::size_t i = 0; i < entries.size(); ++i)
      image_.offsets.try_emplace("dynamic:" + std::to_string(entries[i].first),
                                 find(".dynamic")->offset + i * 2 * word_ + word_);
    const std::string rel = habits_.rela ? ".rela" : ".rel";
    std::uint64_t slot = address_of(".got") + 3 * word_;
    relocations(rel + ".dyn", Bound::AtLoad, habits_.glob_dat, slot);
    relocations(rel + ".plt", Bound::AtFirstCall, habits_.jump_slot, slot);
  }

  void symbol_record(ElfOut& symbols, const PlacedSymbol& placed) const {
    static constexpr std::uint8_t types[] = {0, 2, 1, 6, 10, 5, 13};  // in the order of SymbolKind
    const RecipeSymbol& symbol = placed.symbol;
    const bool null = &placed == tables_.symbols.data();
    const std::uint64_t bind = symbol.weak ? 2 : symbol.unique ? 10 : 1;
    const std::uint64_t info = null ? 0 : bind << 4 | types[static_cast<std::size_t>(symbol.kind)];
    const std::uint64_t other = symbol.visibility == Visibility::Default  ? 0
                                : symbol.visibility == Visibility::Hidden ? 2
                                                                          : 3;
    const std::uint64_t section = placed.defined ? 1 : 0, size = placed.defined ? symbol.size : 0;
    if (wide())
      symbols.u32(placed.name).u8(info).u8(other).u16(section).u64(placed.place).u64(size);
    else
      symbols.u32(placed.name).u32(placed.place).u32(size).u8(info).u8(other).u16(section);
  }

  void relocations(const std::string& name, Bound bound, std::uint32_t type, std::uint64_t& slot) {
    MadeSection* const section = find(name);
    if (section == nullptr) return;
    ElfOut bytes = out();
    for (const PlacedSymbol* const placed : bound_as(bound)) {
      const auto index = static_cast<std::uint64_t>(placed - tables_.symbols.data());
      bytes.word(slot).word(wide() ? index << 32 | type : index << 8 | type);
      if (habits_.rela) bytes.word(0);
      slot += word_;
    }
    section->bytes = bytes.bytes;
  }

  std::vector<RecipeSegment> program_headers();
  void write();
  void write_sections(ElfOut& file, std::uint64_t& names_index);
  void write_header(ElfOut& file, std::uint64_t sections_offset, std::size_t sections, std::uint64_t names_index);
  void apply(const RecipePatch& patch);

  const ElfRecipe& recipe_;
  MachineHabits habits_;
  Tables tables_;
  std::uint64_t word_;
  std::vector<MadeSection> sections_;
  std::uint64_t file_end_ = 0;
  ElfImage image_;
};

}  // namespace wheelcheck::test
