// Tells the story of one file in order: header, segments, notes, what the data says in words, dynamic section,
// versions, relocations, symbols. The data comes before the symbols, because those take the most memory.
#include "elf/read.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/bytes.h"
#include "elf/dynamic.h"
#include "elf/fatbin.h"
#include "elf/gil_slot.h"
#include "elf/header.h"
#include "elf/identity.h"
#include "elf/llvm_types.h"
#include "elf/notes.h"
#include "elf/places.h"
#include "elf/relocations.h"
#include "elf/sections.h"
#include "elf/strings.h"
#include "elf/symbols.h"
#include "elf/texts.h"
#include "elf/versions.h"

namespace wheelcheck::elf {
namespace {

using namespace llvm::ELF;

struct Story {
  const File& file;
  const Limits& limits;
  std::unique_ptr<StringPool> pool = std::make_unique<StringPool>();
  Flaws flaws;
  ElfFacts facts;
  std::optional<FileRange> names;  // that views of the facts lead to
};

void fill_identity(ElfFacts& facts, const Header& header, const Machine& machine) {
  facts.arch = machine.arch;
  facts.use = machine.use;
  facts.machine_name = machine.name;
  facts.machine = header.machine;
  facts.bits = header.bits;
  facts.little_endian = header.little_endian;
  facts.os_abi = header.os_abi;
  facts.flags = header.flags;
  facts.has_sections = header.sections_offset != 0;
}

// PT_INTERP is read at its offset, since the kernel does so (fs/binfmt_elf.c) and the loader does not read it at all.
std::optional<std::string_view> interpreter_of(Story& story, std::span<const Segment> segments) {
  const auto at = std::ranges::find(segments, std::uint32_t{PT_INTERP}, &Segment::type);
  if (at == segments.end() || at->file_size == 0) return std::nullopt;
  const auto bytes = story.file.slice(at->offset, std::min<std::uint64_t>(at->file_size, page_size));
  const auto name = bytes ? bytes->text(0) : std::nullopt;
  if (!name) story.flaws.odd(ElfArea::ProgramHeaders, "PT_INTERP holds no name that ends");
  return name ? std::optional(story.pool->add(*name)) : std::nullopt;
}

// A split debug file keeps the headers of its library but not the bytes: p_filesz is 0, or, from older tools, the
// headers are as they were and only the sections say so.
bool holds_no_bytes(std::span<const Segment> segments) {
  const auto empty = [](const Segment& segment) { return segment.file_size == 0 && segment.memory_size > 0; };
  bool dynamic = false, code = false, any_code = false;
  for (const Segment& segment : segments) {
    if (segment.type == PT_DYNAMIC && !empty(segment)) return false;
    dynamic = dynamic || segment.type == PT_DYNAMIC;
    if (segment.type != PT_LOAD || (segment.flags & PF_X) == 0) continue;
    any_code = true;
    code = code || !empty(segment);
  }
  return any_code ? !code : dynamic;
}
bool sections_hold_no_bytes(std::span<const Section> sections) {
  bool any = false;
  for (const Section& section : sections) {
    if ((section.flags & SHF_ALLOC) == 0 || (section.flags & SHF_EXECINSTR) == 0 || section.size == 0) continue;
    if (section.type != SHT_NOBITS) return false;
    any = true;
  }
  return any;
}

template <class ELFT>
void read_dynamic_parts(Story& story, const Image& image, const DynamicTable& table, const Header& header) {
  Flaws& flaws = story.flaws;
  Strings strings(story.file, image, table.get(DT_STRTAB), table.get(DT_STRSZ).value_or(0), *story.pool, story.limits);
  if (table.get(DT_STRTAB) && !strings.usable()) flaws.fatal(ElfArea::Strings, "DT_STRTAB leads out of what is mapped");
  DynamicFacts facts = dynamic_facts(table, strings, flaws);
  Versions versions = read_versions<ELFT>(image, table, strings, story.limits, flaws);
  Limits limits = story.limits;
  limits.symbols = std::min(limits.symbols, Reference::most_symbols);
  const std::uint64_t most = most_symbols<ELFT>(image, table);
  if (table.get(DT_SYMTAB) && most == 0) flaws.fatal(ElfArea::Symbols, "DT_SYMTAB leads out of what is mapped");
  Relocations relocations = read_relocations<ELFT>(image, table, header, facts.flags.bind_now,
                                                   std::min<std::uint64_t>(most, limits.symbols), flaws);
  const std::uint64_t count = count_symbols<ELFT>(image, table, header, relocations.bound, limits, flaws);
  facts.static_tls_relocations = relocations.static_tls;
  read_symbols<ELFT>(image, table, count, versions, std::move(relocations), strings, facts, flaws);
  facts.needs = std::move(versions.needs);
  facts.provides = std::move(versions.provides);
  strings.report(flaws);
  story.names = strings.place();
  story.facts.dynamic = std::move(facts);
}

// Where the dynamic string table lies in the file.
std::optional<FileRange> names_of(const Image& image, const DynamicTable& table) {
  auto range = image.place(table.get(DT_STRTAB).value_or(0));
  if (range) range->end = std::min(range->end, range->begin + table.get(DT_STRSZ).value_or(0));
  return range;
}

// What no table tells, only the data itself; it is given back, but for what the loader may write to.
Places read_data(Story& story, std::span<const Segment> segments, std::span<const Section> sections,
                 std::optional<FileRange> names) {
  Places places = find_places(story.file.size(), segments, sections, names);
  story.facts.texts = read_texts(story.file, places.data, story.limits, *story.pool);
  story.facts.device = read_device_code(story.file, places, !sections.empty());
  const auto is_written = [&](const FileRange& range) {  // both lists are sorted and disjoint
    const auto written =
        std::ranges::partition_point(places.writable, [&](const FileRange& one) { return one.end <= range.begin; });
    return written != places.writable.end() && written->begin < range.end;
  };
  // Segments alone do not tell data from the loader's tables.
  for (const FileRange& range : places.data)
    if (!sections.empty() && !is_written(range)) story.file.done(range);
  return places;
}

template <class ELFT>
void read_loadable(Story& story, const Header& header, std::span<const Segment> segments,
                   std::span<const Section> sections) {
  ElfFacts& facts = story.facts;
  facts.segments = hardening(segments);
  if (holds_no_bytes(segments)) {
    facts.debug_only = true;
    facts.kind = kind_of(header, false, std::nullopt, false);
    return;
  }
  const Image image(story.file, segments);
  const Segment* const dynamic = find_dynamic(segments);
  const DynamicTable table = dynamic != nullptr ? read_dynamic<ELFT>(image, *dynamic, story.limits) : DynamicTable{};
  const bool usable = table.ended && image.room(table.get(DT_STRTAB).value_or(0)) > 0 && table.get(DT_SYMTAB);
  if (!usable && sections_hold_no_bytes(sections)) {
    facts.debug_only = true;
    facts.kind = kind_of(header, false, std::nullopt, false);
    return;
  }
  check_header<ELFT>(header, story.file.size(), story.flaws);
  check_segments(header, segments, story.file.size(), story.flaws);
  facts.interpreter = interpreter_of(story, segments);
  const Notes notes = read_notes(story.file, image, header, segments, story.limits, story.flaws);
  facts.build_id = notes.build_id;
  facts.x86_isa_needed = notes.x86_isa_needed;
  facts.x86_isa_used = notes.x86_isa_used;
  facts.x86_features = notes.x86_features;
  const Places places = read_data(story, segments, sections, names_of(image, table));
  if (dynamic != nullptr) {
    check_dynamic<ELFT>(table, segments, story.flaws);
    check_calls(table, image, story.flaws);
    read_dynamic_parts<ELFT>(story, image, table, header);
  } else if (header.type == ET_DYN) {
    story.flaws.fatal(ElfArea::Dynamic, "a shared object without a PT_DYNAMIC that has bytes");
  }
  if (exports_module_init(facts.dynamic))
    facts.gil_slot = has_gil_slot(story.file, places.writable, facts.bits, facts.little_endian);
  if (facts.segments.relro == Relro::Partial && facts.dynamic && facts.dynamic->flags.bind_now)
    facts.segments.relro = Relro::Full;
  facts.kind = kind_of(header, facts.interpreter.has_value(), facts.dynamic, table.get(DT_DEBUG).has_value());
  facts.libc = libc_of(facts.interpreter, notes.android, facts.dynamic);
}

template <class ELFT>
void read_as(Story& story) {
  const auto header = read_header<ELFT>(story.file);
  if (!header) return story.flaws.fatal(ElfArea::Header, "the file ends within the ELF header");
  const std::vector<Segment> segments = read_segments<ELFT>(story.file, *header);
  const std::vector<Section> sections = read_sections<ELFT>(story.file, *header);
  fill_identity(story.facts, *header, identify(*header, arm_architecture(story.file, *header, segments, sections)));
  story.facts.sections = section_facts(story.file, sections, *story.pool);
  // Objects, core dumps and device code are not for this loader: who they are is all that is asked.
  story.facts.kind = kind_of(*header, false, std::nullopt, false);
  if (story.facts.use == MachineUse::Device || header->type == ET_REL || header->type == ET_CORE) return;
  read_loadable<ELFT>(story, *header, segments, sections);
}

void read_any(Story& story) {
  using namespace llvm::object;
  const auto head = story.file.bytes(0, std::min<std::uint64_t>(story.file.size(), EI_NIDENT));
  const auto ident = [&](std::size_t i) { return i < head.size() ? std::to_integer<unsigned>(head[i]) : 0U; };
  const unsigned bits = ident(EI_CLASS), order = ident(EI_DATA);
  if (!has_elf_magic(head)) return story.flaws.fatal(ElfArea::Header, "there is no ELF magic");
  if (story.file.size() < EI_NIDENT) return story.flaws.fatal(ElfArea::Header, "the file ends within the ELF header");
  if (bits != ELFCLASS32 && bits != ELFCLASS64)
    return story.flaws.fatal(ElfArea::Header, "the class is neither 32 nor 64 bits");
  if (order != ELFDATA2LSB && order != ELFDATA2MSB)
    return story.flaws.fatal(ElfArea::Header, "the byte order is neither little nor big");
  if (bits == ELFCLASS64)
    order == ELFDATA2LSB ? read_as<ELF64LE>(story) : read_as<ELF64BE>(story);
  else
    order == ELFDATA2LSB ? read_as<ELF32LE>(story) : read_as<ELF32BE>(story);
}

}  // namespace

bool has_elf_magic(std::span<const std::byte> head) {
  constexpr std::string_view magic =
      "\x7f"
      "ELF";
  return Bytes(head).slice(0, magic.size()).value_or(Bytes()).as_text() == magic;
}

ElfFacts read_elf(std::span<const std::byte> image, const Limits& limits) {
  const File file(image);
  Story story{.file = file, .limits = limits, .flaws = {}, .facts = {}, .names = {}};
  read_any(story);
  story.facts.flaws = story.flaws.take();
  story.facts.strings = std::move(story.pool);
  return std::move(story.facts);
}

Result<ElfFacts> read_elf(std::unique_ptr<SparseBytes> pages, const Sieve& sieve, const Limits& limits) {
  const File file(*pages, sieve);
  Story story{.file = file, .limits = limits, .flaws = {}, .facts = {}, .names = {}};
  read_any(story);
  if (pages->error()) return std::unexpected(*pages->error());
  story.facts.flaws = story.flaws.take();
  if (story.names) {
    pages->keep_only(story.names->begin, story.names->end);
    story.pool->adopt(std::move(pages));
  }
  story.facts.strings = std::move(story.pool);
  return std::move(story.facts);
}

}  // namespace wheelcheck::elf
