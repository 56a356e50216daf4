// Reads PT_DYNAMIC by address and converts its entries to facts (gABI 5, "Dynamic Section").
#include "elf/dynamic.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "elf/llvm_types.h"
#include "model/name_cost.h"

namespace wheelcheck::elf {
namespace {

using namespace llvm::ELF;

struct TagName {
  std::uint64_t tag;
  const char* name;
};
// The tags that the ELF reader uses. Others are counted and ignored.
constexpr TagName known_tags[] = {
    {DT_PLTRELSZ, "DT_PLTRELSZ"},
    {DT_HASH, "DT_HASH"},
    {DT_STRTAB, "DT_STRTAB"},
    {DT_SYMTAB, "DT_SYMTAB"},
    {DT_RELA, "DT_RELA"},
    {DT_RELASZ, "DT_RELASZ"},
    {DT_RELAENT, "DT_RELAENT"},
    {DT_STRSZ, "DT_STRSZ"},
    {DT_SYMENT, "DT_SYMENT"},
    {DT_INIT, "DT_INIT"},
    {DT_FINI, "DT_FINI"},
    {DT_SONAME, "DT_SONAME"},
    {DT_RPATH, "DT_RPATH"},
    {DT_SYMBOLIC, "DT_SYMBOLIC"},
    {DT_REL, "DT_REL"},
    {DT_RELSZ, "DT_RELSZ"},
    {DT_RELENT, "DT_RELENT"},
    {DT_PLTREL, "DT_PLTREL"},
    {DT_DEBUG, "DT_DEBUG"},
    {DT_TEXTREL, "DT_TEXTREL"},
    {DT_JMPREL, "DT_JMPREL"},
    {DT_BIND_NOW, "DT_BIND_NOW"},
    {DT_INIT_ARRAY, "DT_INIT_ARRAY"},
    {DT_FINI_ARRAY, "DT_FINI_ARRAY"},
    {DT_INIT_ARRAYSZ, "DT_INIT_ARRAYSZ"},
    {DT_FINI_ARRAYSZ, "DT_FINI_ARRAYSZ"},
    {DT_PREINIT_ARRAY, "DT_PREINIT_ARRAY"},
    {DT_PREINIT_ARRAYSZ, "DT_PREINIT_ARRAYSZ"},
    {DT_RUNPATH, "DT_RUNPATH"},
    {DT_FLAGS, "DT_FLAGS"},
    {DT_RELR, "DT_RELR"},
    {DT_RELRSZ, "DT_RELRSZ"},
    {DT_RELRENT, "DT_RELRENT"},
    {DT_RELACOUNT, "DT_RELACOUNT"},
    {DT_RELCOUNT, "DT_RELCOUNT"},
    {DT_GNU_HASH, "DT_GNU_HASH"},
    {DT_VERSYM, "DT_VERSYM"},
    {DT_FLAGS_1, "DT_FLAGS_1"},
    {DT_VERDEF, "DT_VERDEF"},
    {DT_VERDEFNUM, "DT_VERDEFNUM"},
    {DT_VERNEED, "DT_VERNEED"},
    {DT_VERNEEDNUM, "DT_VERNEEDNUM"},
    {DT_ANDROID_REL, "DT_ANDROID_REL"},
    {DT_ANDROID_RELSZ, "DT_ANDROID_RELSZ"},
    {DT_ANDROID_RELA, "DT_ANDROID_RELA"},
    {DT_ANDROID_RELASZ, "DT_ANDROID_RELASZ"},
    {DT_ANDROID_RELR, "DT_ANDROID_RELR"},
    {DT_ANDROID_RELRSZ, "DT_ANDROID_RELRSZ"},
    {DT_MIPS_SYMTABNO, "DT_MIPS_SYMTABNO"},
};
const TagName* find_tag(std::uint64_t tag) {
  const auto at = std::ranges::find(known_tags, tag, &TagName::tag);
  return at == std::end(known_tags) ? nullptr : &*at;
}

void keep(DynamicTable& table, std::uint64_t tag, std::uint64_t value) {
  if (tag == DT_NEEDED || tag == DT_FILTER || tag == DT_AUXILIARY)
    return table.libraries.emplace_back(tag, value), void();
  if (find_tag(tag) == nullptr) return;
  const auto [at, first] = table.last.try_emplace(tag, value);
  if (first || at->second == value) return;
  at->second = value;
  if (std::ranges::find(table.repeated, tag) == table.repeated.end()) table.repeated.push_back(tag);
}

LoaderFlags loader_flags(const DynamicTable& table) {
  const std::uint64_t flags = table.get(DT_FLAGS).value_or(0), more = table.get(DT_FLAGS_1).value_or(0);
  const auto has = [&](std::uint64_t tag) { return table.get(tag).has_value(); };
  return {.symbolic = has(DT_SYMBOLIC) || (flags & DF_SYMBOLIC) != 0,
          .bind_now = has(DT_BIND_NOW) || (flags & DF_BIND_NOW) != 0 || (more & DF_1_NOW) != 0,
          .text_relocations = has(DT_TEXTREL) || (flags & DF_TEXTREL) != 0,
          .static_tls = (flags & DF_STATIC_TLS) != 0,
          .global = (more & DF_1_GLOBAL) != 0,
          .nodelete = (more & DF_1_NODELETE) != 0,
          .noopen = (more & DF_1_NOOPEN) != 0,
          .pie = (more & DF_1_PIE) != 0,
          .relr = has(DT_RELR) || has(DT_ANDROID_RELR)};
}

// Tags that glibc uses without a check if the first tag is present (elf/dynamic-link.h, dl-init.c, dl-fini.c). If the
// second one is missing, it crashes or an assertion fails.
void check_companions(const DynamicTable& table, bool reads_rel, Flaws& flaws) {
  constexpr std::uint64_t companions[][2] = {{DT_RELA, DT_RELASZ},
                                             {DT_RELA, DT_RELAENT},
                                             {DT_REL, DT_RELSZ},
                                             {DT_REL, DT_RELENT},
                                             {DT_JMPREL, DT_PLTREL},
                                             {DT_JMPREL, DT_PLTRELSZ},
                                             {DT_PLTREL, DT_JMPREL},
                                             {DT_VERNEED, DT_VERSYM},
                                             {DT_RELR, DT_RELRSZ},
                                             {DT_RELR, DT_RELRENT},
                                             {DT_INIT_ARRAY, DT_INIT_ARRAYSZ},
                                             {DT_FINI_ARRAY, DT_FINI_ARRAYSZ}};
  for (const auto& [tag, companion] : companions)
    if (table.get(tag) && !table.get(companion) && (tag != DT_REL || reads_rel))
      flaws.fatal(ElfArea::Dynamic, fmt::format("there is {} but no {}", tag_name(tag), tag_name(companion)));
  const auto kind = table.get(DT_PLTREL);
  if (kind && *kind != DT_RELA && (*kind != DT_REL || !reads_rel))
    flaws.fatal(ElfArea::Dynamic, fmt::format("DT_PLTREL is {}, not DT_RELA{}", *kind, reads_rel ? " or DT_REL" : ""));
  if (table.get(DT_REL) && !reads_rel)
    flaws.odd(ElfArea::Dynamic, "there is DT_REL, which the loader of this machine does not read");
}

// glibc ignores an empty list (elf/dl-load.c, decompose_rpath).
std::vector<std::string_view> search_path(const char* tag, std::optional<std::string_view> list, Flaws& flaws) {
  constexpr std::ptrdiff_t max_directories = 4096;
  if (!list || list->empty()) return {};
  if (std::ranges::count(*list, ':') < max_directories) return split(*list, ':');
  flaws.fatal(ElfArea::Dynamic, fmt::format("{} has more than the {} directories that are read", tag, max_directories));
  return {};
}

}  // namespace

std::string tag_name(std::uint64_t tag) {
  const TagName* const known = find_tag(tag);
  return known != nullptr ? known->name : fmt::format("tag {:#x}", tag);
}

const Segment* find_dynamic(std::span<const Segment> segments) {
  // glibc elf/dl-load.c uses each PT_DYNAMIC in turn and skips those with p_filesz 0.
  const Segment* found = nullptr;
  for (const Segment& segment : segments)
    if (segment.type == PT_DYNAMIC && segment.file_size > 0) found = &segment;
  return found;
}

template <class ELFT>
DynamicTable read_dynamic(const Image& image, const Segment& segment, const Limits& limits) {
  using Dyn = typename ELFT::Dyn;
  DynamicTable table;
  table.address = segment.address;
  for (std::uint64_t address = segment.address; table.entries < limits.dynamic_entries; address += sizeof(Dyn)) {
    const auto entry = image.read<Dyn>(address);
    if (!entry) break;
    const auto tag = static_cast<std::uint64_t>(static_cast<std::int64_t>(entry->d_tag));
    if (tag == DT_NULL) {
      table.ended = true;
      break;
    }
    if (tag == DT_DEBUG) table.debug = address;
    keep(table, tag, entry->d_un.d_val);
    ++table.entries;
  }
  table.cut = !table.ended && table.entries == limits.dynamic_entries;
  return table;
}

// ELF_MACHINE_NO_REL in glibc's dl-machine.h.
bool reads_rel(std::uint16_t machine) {
  constexpr std::uint16_t rela_only[] = {EM_X86_64, EM_AARCH64, EM_PPC, EM_PPC64, EM_S390, EM_RISCV, EM_LOONGARCH};
  return std::ranges::find(rela_only, machine) == std::end(rela_only);
}

template <class ELFT>
void check_dynamic(const DynamicTable& table, std::span<const Segment> segments, std::uint16_t machine, Flaws& flaws) {
  const auto area = ElfArea::Dynamic;
  const Segment& taken = *find_dynamic(segments);
  const auto count = std::ranges::count_if(segments, [](const Segment& s) { return s.type == PT_DYNAMIC; });
  if (count > 1) flaws.odd(area, fmt::format("there are {} PT_DYNAMIC; the loader takes the last", count));
  if (std::ranges::any_of(segments, [](const Segment& s) { return s.type == PT_DYNAMIC && s.file_size == 0; }))
    flaws.fatal(area, "a further PT_DYNAMIC has no bytes: glibc 2.35 and newer refuse the file");
  if (table.cut)
    flaws.fatal(area,
                fmt::format("there are more entries than the {} that are read; raise it with --limit dynamic-entries=N",
                            table.entries));
  else if (!table.ended)
    flaws.fatal(area, "DT_NULL was not found");
  if (table.ended && (table.entries + 1) * sizeof(typename ELFT::Dyn) > taken.file_size)
    flaws.odd(area, "the entries go on beyond p_filesz of PT_DYNAMIC; the loader reads them to DT_NULL");
  const bool by_load = std::ranges::any_of(segments, [&](const Segment& load) {
    // The loader maps whole pages, and clears the rest of the last one only if p_memsz is larger.
    const std::uint64_t rest =
        load.file_size == load.memory_size ? -(load.address + load.file_size) & (page_size - 1) : 0;
    return load.type == PT_LOAD && taken.address - load.address < load.file_size + rest &&
           taken.offset - load.offset == taken.address - load.address;
  });
  if (!by_load) flaws.odd(area, "p_offset of PT_DYNAMIC does not lead where its p_vaddr does; the loader uses p_vaddr");
  for (const std::uint64_t tag : table.repeated)
    flaws.odd(area, fmt::format("{} is given more than once; the loader takes the last", tag_name(tag)));
  const auto must = [&](std::uint64_t tag, std::uint64_t size, bool refused) {
    const auto value = table.get(tag);
    if (!value || *value == size) return;
    const std::string reason = fmt::format("{} is {}, not {}", tag_name(tag), *value, size);
    refused ? flaws.fatal(area, reason) : flaws.odd(area, reason);
  };
  // glibc asserts on all but the last (elf/get-dynamic-info.h), which it does not read.
  must(DT_RELAENT, sizeof(typename ELFT::Rela), true);
  if (reads_rel(machine)) must(DT_RELENT, sizeof(typename ELFT::Rel), true);
  must(DT_RELRENT, ELFT::Is64Bits ? 8 : 4, true);  // since 2.36
  must(DT_SYMENT, sizeof(typename ELFT::Sym), false);
  check_companions(table, reads_rel(machine), flaws);
  for (const std::uint64_t tag : {DT_STRTAB, DT_SYMTAB})
    if (!table.get(tag)) flaws.fatal(area, fmt::format("there is no {}", tag_name(tag)));
}

void check_calls(const DynamicTable& table, const Image& image, bool descriptors, Flaws& flaws) {
  const auto complain = [&](std::uint64_t tag) {
    flaws.fatal(ElfArea::Dynamic, fmt::format("{} leads out of what is mapped", tag_name(tag)));
  };
  for (const std::uint64_t tag : {DT_INIT, DT_FINI})
    if (const auto address = table.get(tag); address) {
      if (image.available(*address) == 0)
        complain(tag);
      else if (!descriptors && !image.is_executable(*address))
        flaws.fatal(
            ElfArea::Dynamic,
            fmt::format("{} is called and leads to memory that is not code: the process crashes", tag_name(tag)));
    }
  constexpr std::uint64_t arrays[][2] = {
      {DT_INIT_ARRAY, DT_INIT_ARRAYSZ}, {DT_FINI_ARRAY, DT_FINI_ARRAYSZ}, {DT_PREINIT_ARRAY, DT_PREINIT_ARRAYSZ}};
  // A linker aligns them to words (gABI 5, "Initialization and Termination Functions"), and relocates words.
  for (const auto& [tag, size] : arrays)
    if (const auto address = table.get(tag); address && *address % 4 != 0 && table.get(size).value_or(0) > 0)
      flaws.fatal(ElfArea::Dynamic,
                  fmt::format("{} is not aligned: the entries are no addresses of functions", tag_name(tag)));
  for (const auto& [tag, size] : arrays)
    if (const auto address = table.get(tag); address && image.available(*address) < table.get(size).value_or(0))
      complain(tag);
}

DynamicFacts dynamic_facts(const DynamicTable& table, Strings& strings, Flaws& flaws) {
  DynamicFacts facts;
  const auto named = [&](std::uint64_t tag) -> std::optional<std::string_view> {
    const auto offset = table.get(tag);
    return offset ? strings.kept(*offset) : std::nullopt;
  };
  facts.soname = named(DT_SONAME);
  facts.search.rpath = search_path("DT_RPATH", named(DT_RPATH), flaws);
  const std::optional<std::string_view> runpath = named(DT_RUNPATH);
  facts.search.runpath = search_path("DT_RUNPATH", runpath, flaws);
  if (table.get(DT_RUNPATH) && facts.search.runpath.empty() && !facts.search.rpath.empty()) {
    facts.search.rpath.clear();
    if (!runpath || runpath->empty()) flaws.odd(ElfArea::Dynamic, "DT_RUNPATH is empty and switches DT_RPATH off");
  }
  // The loader ignores a name that is repeated.
  std::set<std::pair<std::uint64_t, std::uint64_t>> offsets;
  std::set<std::pair<std::uint64_t, std::string_view>> names;
  for (const auto& library : table.libraries) {
    if (!offsets.insert(library).second) continue;
    if (names.size() == max_libraries) {
      flaws.fatal(ElfArea::Dynamic, fmt::format("requires more than the {} libraries that are read", max_libraries));
      break;
    }
    const auto& [tag, offset] = library;
    const auto name = strings.named(offset);
    if (!name || !names.emplace(tag, *name).second) continue;
    (tag == DT_NEEDED ? facts.needed : tag == DT_FILTER ? facts.filters : facts.auxiliaries).push_back(*name);
  }
  facts.flags = loader_flags(table);
  // glibc elf/dl-load.c, _dl_map_object. Every process has the C library already.
  const auto is_loaded = [](std::string_view name) { return name.starts_with("libc.so.") || name.starts_with("ld"); };
  if ((table.get(DT_FLAGS_1).value_or(0) & DF_1_NODEFLIB) != 0 && !std::ranges::all_of(facts.needed, is_loaded))
    flaws.odd(ElfArea::Dynamic,
              "DF_1_NODEFLIB: the loader does not look for the libraries in the directories of the system");
  return facts;
}

#define WHEELCHECK_FOR(ELFT)                                                             \
  template DynamicTable read_dynamic<ELFT>(const Image&, const Segment&, const Limits&); \
  template void check_dynamic<ELFT>(const DynamicTable&, std::span<const Segment>, std::uint16_t, Flaws&);
WHEELCHECK_FOR_EACH_ELF_TYPE(WHEELCHECK_FOR)
#undef WHEELCHECK_FOR

}  // namespace wheelcheck::elf
