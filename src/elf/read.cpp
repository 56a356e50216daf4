// Reads one file in this order: header, segments, notes, texts of the data, dynamic section, versions, relocations,
// symbols. The data is read before the symbols, because those need the most memory.
#include "elf/read.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/bytes.h"
#include "elf/code.h"
#include "elf/dynamic.h"
#include "elf/fatbin.h"
#include "elf/header.h"
#include "elf/interfaces.h"
#include "elf/llvm_types.h"
#include "elf/loading.h"
#include "elf/relocations.h"
#include "elf/sections.h"
#include "elf/strings.h"
#include "elf/symbols.h"
#include "elf/texts.h"
#include "model/machines.h"

namespace wheelcheck::elf {
namespace {

using namespace llvm::ELF;

struct ElfReading {
  const File& file;
  const Limits& limits;
  std::unique_ptr<StringPool> pool = std::make_unique<StringPool>(), symbol_names = std::make_unique<StringPool>();
  Flaws flaws;
  ElfFacts facts;
  std::optional<FileRange> names;                       // range that views in the facts point into
  bool checks_sizes = false, names_overcommit = false;  // see DataTexts
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
}

// PT_INTERP is read at its offset, because the kernel does so (fs/binfmt_elf.c). The loader does not read it.
std::optional<std::string_view> interpreter_of(ElfReading& reading, std::span<const Segment> segments) {
  const auto at = std::ranges::find(segments, std::uint32_t{PT_INTERP}, &Segment::type);
  if (at == segments.end() || at->file_size == 0) return std::nullopt;
  const auto bytes = reading.file.slice(at->offset, std::min<std::uint64_t>(at->file_size, page_size));
  const auto name = bytes ? bytes->text(0) : std::nullopt;
  if (!name) reading.flaws.odd(ElfArea::ProgramHeaders, "PT_INTERP contains no terminated name");
  return name ? std::optional(reading.pool->add(*name)) : std::nullopt;
}

// True for a split debug file: it has the headers of its library, but p_filesz is 0. If PT_DYNAMIC has bytes, the
// loader opens the file regardless of its sections, so it is judged. objcopy keeps notes, so that a PT_LOAD with both
// notes and code (ld -z noseparate-code) has the bytes up to these; then the sections tell that its code is missing.
bool holds_no_bytes(std::span<const Segment> segments, std::span<const Section> sections) {
  const auto empty = [](const Segment& segment) { return segment.file_size == 0 && segment.memory_size > 0; };
  const auto has_code = [](const Section& section) { return (section.flags & SHF_EXECINSTR) != 0; };
  bool dynamic = false, code = false, any_code = false;
  for (const Segment& segment : segments) {
    if (segment.type == PT_DYNAMIC && !empty(segment)) return false;
    dynamic = dynamic || segment.type == PT_DYNAMIC;
    if (segment.type != PT_LOAD || (segment.flags & PF_X) == 0) continue;
    any_code = true;
    code = code || !empty(segment);
  }
  if (!any_code || !code) return any_code || dynamic;
  return dynamic && std::ranges::any_of(sections, has_code) &&
         std::ranges::none_of(sections, [&](const Section& one) { return has_code(one) && one.type != SHT_NOBITS; });
}

// PT_PHDR is where the loader finds the program headers after mapping. It uses this copy for the notes (glibc
// elf/dl-load.c, _dl_map_object_from_fd).
template <class ELFT>
void check_header_copy(const File& file, const Image& image, const Header& header, std::span<const Segment> segments,
                       Flaws& flaws) {
  const auto last = std::ranges::find(segments.rbegin(), segments.rend(), std::uint32_t{PT_PHDR}, &Segment::type);
  if (last == segments.rend()) return;
  const std::uint64_t size = segments.size() * sizeof(typename ELFT::Phdr);
  const auto copy = image.bytes(last->address, size);
  if (!copy || !std::ranges::equal(*copy, file.bytes(header.headers_offset, size)))
    flaws.odd(ElfArea::ProgramHeaders, "PT_PHDR leads to other program headers, which the loader uses for the notes");
}

template <class ELFT>
void read_dynamic_parts(ElfReading& reading, const Image& image, const DynamicTable& table, const Header& header,
                        std::span<const Segment> segments) {
  Flaws& flaws = reading.flaws;
  Strings strings(reading.file, image, table.get(DT_STRTAB), table.get(DT_STRSZ).value_or(0), *reading.symbol_names,
                  *reading.pool, reading.limits);
  if (table.get(DT_STRTAB) && !strings.usable()) flaws.fatal(ElfArea::Strings, "DT_STRTAB leads out of what is mapped");
  DynamicFacts facts = dynamic_facts(table, strings, flaws);
  Versions versions = read_versions<ELFT>(image, table, strings, reading.limits, flaws);
  Limits limits = reading.limits;
  // A file contains no more symbols than fit into it, unless it maps pages often or places the table in zeros.
  const std::uint64_t available = reading.file.size() / sizeof(typename ELFT::Sym);
  limits.symbols = static_cast<std::uint32_t>(
      std::min<std::uint64_t>({limits.symbols, Reference::max_symbols, std::max<std::uint64_t>(available, 1)}));
  const std::uint64_t max = max_symbols<ELFT>(image, table);
  if (table.get(DT_SYMTAB) && max == 0) flaws.fatal(ElfArea::Symbols, "DT_SYMTAB leads out of what is mapped");
  const HashCounts hashed = count_hashed<ELFT>(image, table, header, limits, flaws);
  Relocations relocations =
      read_relocations<ELFT>(image, table, header, facts.flags.bind_now, std::min<std::uint64_t>(max, limits.symbols),
                             std::max(hashed.gnu.value_or(0), hashed.reached), flaws);
  const std::uint64_t count = count_symbols<ELFT>(image, table, hashed, relocations.bound, limits, flaws);
  facts.static_tls_relocations = relocations.static_tls;
  facts.own_static_tls_relocations = relocations.own_static_tls;
  facts.own_tls_descriptors = relocations.own_descriptors;
  facts.types_not_in_musl = std::move(relocations.not_in_musl);
  facts.flags.read_only = check_loading(segments, image, table, header, relocations, flaws);
  const bool library = header.type == ET_DYN && !reading.facts.interpreter;
  const auto tls = std::find_if(segments.rbegin(), segments.rend(), has_thread_locals);
  read_symbols<ELFT>(image, table, count, header, versions, std::move(relocations), strings, library,
                     tls == segments.rend() ? 0 : tls->memory_size, facts, flaws);
  const auto copies = [](const Reference& reference) { return reference.kind == LookUp::Copy; };
  if (library && std::ranges::any_of(facts.references, copies))
    flaws.fatal(ElfArea::Relocations, "a library has copies of data of other files (R_*_COPY), as only programs have");
  for (std::string_view& name : facts.exports_at_zero) name = reading.pool->add(name);
  reading.facts.texts.version_names =
      read_version_objects<ELFT>(image, table, header, count, facts, strings, *reading.pool);
  const auto is_local = [](const Export& symbol) { return symbol.kind == SymbolKind::Tls; };
  if (tls == segments.rend() && std::ranges::any_of(facts.exports, is_local))
    flaws.fatal(ElfArea::ProgramHeaders, "thread-local variables are exported, but there is no PT_TLS");
  facts.needs = std::move(versions.needs);
  facts.provides = std::move(versions.provides);
  strings.report(flaws);
  reading.names = strings.place();
  reading.facts.dynamic = std::move(facts);
}

// The range of the dynamic string table in the file.
std::optional<FileRange> names_of(const Image& image, const DynamicTable& table) {
  auto range = image.place(table.get(DT_STRTAB).value_or(0));
  if (range) range->end = std::min(range->end, range->begin + table.get(DT_STRSZ).value_or(0));
  return range;
}

// Reads the texts and the device code, which no table lists. The bytes are released afterwards, except for writable
// data.
DataRanges read_data(ElfReading& reading, std::span<const Segment> segments, std::span<const Section> sections,
                     std::optional<FileRange> names) {
  DataRanges places = find_places(reading.file.size(), segments, sections, names);
  DataTexts found = read_texts(reading.file, places.data, reading.limits, *reading.pool);
  reading.facts.texts = std::move(found.texts);
  reading.facts.interfaces = std::move(found.interfaces);
  reading.checks_sizes = found.checks_sizes;
  reading.names_overcommit = found.names_overcommit;
  reading.facts.device = read_device_code(reading.file, places, !sections.empty());
  const auto is_written = [&](const FileRange& range) {  // both lists are sorted and disjoint
    const auto written =
        std::ranges::partition_point(places.writable, [&](const FileRange& one) { return one.end <= range.begin; });
    return written != places.writable.end() && written->begin < range.end;
  };
  // Segments alone do not separate data from the tables of the loader.
  for (const FileRange& range : places.data)
    if (!sections.empty() && !is_written(range)) reading.file.done(range);
  return places;
}

// Big-endian ppc64 (ELFv1): the address of a function is that of a descriptor, which is data.
bool has_descriptors(const Header& header) { return header.machine == EM_PPC64 && !header.little_endian; }

// What machine code and data say of other packages and of the system, beside what the texts of the data say.
void read_interfaces(ElfReading& reading, const Image& image, const DynamicTable& table, const Header& header,
                     std::span<const Segment> segments, bool module, const StartupCode& startup) {
  ElfFacts& facts = reading.facts;
  InterfaceFacts& out = facts.interfaces;
  out.numpy_feature = read_numpy_feature(reading.file, image, segments, header, out).value_or(0);
  if (reading.names_overcommit)
    out.jemalloc_page = read_jemalloc_page(reading.file, image, segments, header).value_or(0);
  if (!module) return;
  read_cython_capi(image, reading.checks_sizes, startup.calls, out, *reading.pool);
  out.defined_types = read_python_types(reading.file, image, table, header, *reading.pool);
  out.pybind11_types = read_pybind11_types(reading.file, image, segments, table, header, facts, *reading.pool);
  out.module_slots = read_code_slots(reading.file, image, segments, table, header, *facts.dynamic);
}

template <class ELFT>
void read_loadable(ElfReading& reading, const Header& header, std::span<const Segment> segments,
                   std::span<const Section> sections) {
  ElfFacts& facts = reading.facts;
  facts.segments = hardening(segments);
  if (holds_no_bytes(segments, sections)) {
    facts.debug_only = true;
    facts.kind = kind_of(header, false, std::nullopt, false);
    return;
  }
  const Image image(reading.file, segments, header.type == ET_DYN, header.bits);
  const Segment* const dynamic = find_dynamic(segments);
  const DynamicTable table = dynamic != nullptr ? read_dynamic<ELFT>(image, *dynamic, reading.limits) : DynamicTable{};
  check_header<ELFT>(header, reading.file.size(), reading.flaws);
  check_segments(header, segments, reading.file.size(), reading.flaws);
  facts.interpreter = interpreter_of(reading, segments);
  check_header_copy<ELFT>(reading.file, image, header, segments, reading.flaws);
  const Notes notes = read_notes(reading.file, image, header, segments, reading.limits, reading.flaws);
  facts.build_id = notes.build_id;
  facts.x86_isa_needed = notes.x86_isa_needed;
  facts.x86_isa_used = notes.x86_isa_used;
  facts.x86_features = notes.x86_features;
  facts.abi_note = notes.abi_note;
  const DataRanges places = read_data(reading, segments, sections, names_of(image, table));
  if (dynamic != nullptr) {
    check_dynamic<ELFT>(table, segments, header.machine, reading.flaws);
    check_calls(table, image, has_descriptors(header), reading.flaws);
    read_dynamic_parts<ELFT>(reading, image, table, header, segments);
  } else if (header.type == ET_DYN) {
    reading.flaws.fatal(ElfArea::Dynamic, "a shared object without a PT_DYNAMIC that has bytes");
  }
  if (facts.dynamic)
    facts.loader_calls = read_loader_calls(reading.file, image, segments, table, header, *facts.dynamic);
  const bool module = exports_module_init(facts.dynamic);
  const bool capi = module && may_have_cython_capi(*facts.dynamic, reading.checks_sizes);
  StartupCode startup;
  const SearchedCode searched(reading.file, header, segments, sections);
  if (facts.dynamic)
    startup = read_startup_code(reading.file, image, segments, sections, table, header, *facts.dynamic, searched, capi);
  facts.startup = std::move(startup.instructions);
  facts.startup_cut = startup.cut;
  if (facts.dynamic &&
      std::ranges::all_of(facts.startup, [](const StartupInstruction& one) { return one.x86_level < 3; }))
    facts.vector_code = read_vector_code(reading.file, image, searched, table, *facts.dynamic);
  if (asks_for_executable_stack(facts)) facts.trampolines = read_trampolines(reading.file, segments, header);
  read_interfaces(reading, image, table, header, segments, module, startup);
  if (module) facts.gil_slot = has_gil_slot(reading.file, places.writable, facts.bits, facts.little_endian);
  if (facts.segments.relro == Relro::Partial && facts.dynamic && facts.dynamic->flags.bind_now)
    facts.segments.relro = Relro::Full;
  facts.kind = kind_of(header, facts.interpreter.has_value(), facts.dynamic, table.get(DT_DEBUG).has_value());
  facts.libc = libc_of(facts.interpreter, notes.android, facts.dynamic);
  if (facts.kind == ElfKind::Executable && header.entry != 0 && !has_descriptors(header) &&
      !image.is_executable(header.entry))
    reading.flaws.fatal(ElfArea::Header, "e_entry leads to memory that is not code: the program crashes");
}

template <class ELFT>
void read_as(ElfReading& reading) {
  const auto header = read_header<ELFT>(reading.file);
  if (!header) return reading.flaws.fatal(ElfArea::Header, "the file ends within the ELF header");
  const std::vector<Segment> segments = read_segments<ELFT>(reading.file, *header);
  const std::vector<Section> sections = read_sections<ELFT>(reading.file, *header);
  const bool is_static =
      header->type == ET_EXEC && std::ranges::find(segments, PT_DYNAMIC, &Segment::type) == segments.end();
  fill_identity(reading.facts, *header,
                identify(*header, arm_architecture(reading.file, *header, segments, sections), is_static));
  reading.facts.has_sections = !sections.empty();
  reading.facts.sections = section_facts(reading.file, sections, *reading.pool);
  // The loader of the host does not use objects, core dumps and device code. Only their identity is read.
  reading.facts.kind = kind_of(*header, false, std::nullopt, false);
  if (reading.facts.use == MachineUse::Device || header->type == ET_REL || header->type == ET_CORE) return;
  read_loadable<ELFT>(reading, *header, segments, sections);
}

void read_any(ElfReading& reading) {
  const auto head = reading.file.bytes(0, std::min<std::uint64_t>(reading.file.size(), EI_NIDENT));
  const auto ident = [&](std::size_t i) { return i < head.size() ? std::to_integer<unsigned>(head[i]) : 0U; };
  const unsigned bits = ident(EI_CLASS), order = ident(EI_DATA);
  if (!has_elf_magic(head)) return reading.flaws.fatal(ElfArea::Header, "there is no ELF magic");
  if (reading.file.size() < EI_NIDENT)
    return reading.flaws.fatal(ElfArea::Header, "the file ends within the ELF header");
  if (bits != ELFCLASS32 && bits != ELFCLASS64)
    return reading.flaws.fatal(ElfArea::Header, "the class is neither 32 nor 64 bits");
  if (order != ELFDATA2LSB && order != ELFDATA2MSB)
    return reading.flaws.fatal(ElfArea::Header, "the byte order is neither little nor big");
  as_elf(bits == ELFCLASS64, order == ELFDATA2LSB, [&]<class ELFT> { read_as<ELFT>(reading); });
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
  ElfReading reading{.file = file, .limits = limits, .flaws = {}, .facts = {}, .names = {}};
  read_any(reading);
  reading.facts.flaws = reading.flaws.take();
  reading.facts.strings = std::move(reading.pool);
  reading.facts.symbol_names = std::move(reading.symbol_names);
  return std::move(reading.facts);
}

Result<ElfFacts> read_elf(std::unique_ptr<SparseBytes> pages, const PageFilter& page_filter, const Limits& limits) {
  const File file(*pages, page_filter);
  ElfReading reading{.file = file, .limits = limits, .flaws = {}, .facts = {}, .names = {}};
  read_any(reading);
  if (pages->error()) return std::unexpected(*pages->error());
  reading.facts.flaws = reading.flaws.take();
  if (reading.names) {
    pages->keep_only(reading.names->begin, reading.names->end);
    reading.symbol_names->adopt(std::move(pages));
  }
  reading.facts.strings = std::move(reading.pool);
  reading.facts.symbol_names = std::move(reading.symbol_names);
  return std::move(reading.facts);
}

}  // namespace wheelcheck::elf
