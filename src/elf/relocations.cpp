// Scans DT_REL, DT_RELA, DT_JMPREL and Android's packed tables for symbol indices. RELR and relative relocations have
// no symbol. Only a jump slot in DT_JMPREL is bound lazily (glibc elf/do-rel.h).
#include "elf/relocations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "base/text.h"
#include "elf/llvm_types.h"
#include "elf/loading.h"

namespace wheelcheck::elf {
namespace {

using namespace llvm::ELF;

struct Types {
  const Classes& classes;
  std::uint64_t word;  // the bytes that a relocation of data changes, at least
  std::uint32_t lazy;  // the jump slot, if it is bound lazily
  std::span<const std::uint32_t> static_tls;
  std::uint32_t descriptor;                // all bits: none
  std::uint64_t taken;                     // all bits: any type is accepted
  std::uint32_t relative, irelative;       // all bits: not known
  std::uint32_t too_narrow;                // for an address of a shared object; all bits: none
  std::span<const std::uint32_t> of_musl;  // empty: not known
};

// Of the symbol that a relocation names.
struct SymbolEntry {
  bool own = false;  // defined in the file
  bool thread_local_variable = false;
  std::uint64_t size = 0, value = 0;
  bool weak = false;
};

// A table by addresses.
struct Table {
  std::uint64_t begin = 0, end = 0;
};

// What look-ups and later relocations read. A relocation that changes it changes what the loader binds, and no reader
// of the file sees that. `symbols`: how many the hash tables count.
template <class ELFT>
std::vector<Table> read_later(const Image& image, const DynamicTable& table, std::uint64_t symbols) {
  struct Head {
    typename ELFT::Word buckets, second, masks, shift;  // the second: nchain in DT_HASH, else the first hashed symbol
  };
  std::vector<Table> tables;
  const auto add = [&](std::uint64_t begin, std::uint64_t size) {
    if (size > 0 && begin + size > begin) tables.push_back({begin, begin + size});
  };
  add(table.address, (table.entries + 1) * sizeof(typename ELFT::Dyn));
  if (const auto names = table.get(DT_STRTAB)) add(*names, table.get(DT_STRSZ).value_or(0));
  const auto gnu = table.get(DT_GNU_HASH), sysv = table.get(DT_HASH), numbers = table.get(DT_VERSYM);
  if (const auto head = gnu ? image.read<Head>(*gnu) : std::nullopt)
    add(*gnu, sizeof(Head) + std::uint64_t{head->masks} * sizeof(typename ELFT::uint) +
                  4 * (head->buckets + symbols - std::min<std::uint64_t>(head->second, symbols)));
  else if (const auto other = sysv ? image.read<Head>(*sysv) : std::nullopt)
    add(*sysv, 4 * (2 + std::uint64_t{other->buckets} + other->second));
  if (const auto first = table.get(DT_SYMTAB))
    add(*first, std::max<std::uint64_t>(symbols, 2) * sizeof(typename ELFT::Sym));
  if (numbers) add(*numbers, 2 * symbols);
  for (const auto& [tag, size] : {std::pair{DT_REL, DT_RELSZ}, {DT_RELA, DT_RELASZ}, {DT_JMPREL, DT_PLTRELSZ}})
    if (const auto records = table.get(tag)) add(*records, table.get(size).value_or(0));
  std::ranges::sort(tables, {}, &Table::begin);
  return tables;
}

class Scan {
 public:
  // any_memory: the loader makes read-only segments writable first (DT_TEXTREL).
  // symbol_at: the entry of the symbol table.
  // tables: what the loader still reads after the relocations; sorted.
  Scan(const Image& image, Types types, std::uint64_t max, bool any_memory, Calls calls,
       std::function<SymbolEntry(std::uint64_t)> symbol_at, std::vector<Table> tables, Flaws& flaws)
      : image_(image),
        types_(types),
        max_(max),
        any_memory_(any_memory),
        calls_(std::move(calls)),
        symbol_at_(std::move(symbol_at)),
        tables_(std::move(tables)),
        flaws_(flaws) {}

  void mark(std::uint64_t symbol, std::uint32_t type, bool lazy_table) {
    const bool fixed = std::ranges::find(types_.static_tls, type) != types_.static_tls.end(),
               module = is_tls_module(types_.classes.machine, type);
    if (fixed || module || type == types_.descriptor) {
      const SymbolEntry entry =
          symbol == 0 ? SymbolEntry{.own = true, .thread_local_variable = true} : symbol_at_(symbol);
      own_descriptors_ += type == types_.descriptor && entry.own ? 1 : 0;
      static_tls_ += fixed ? 1 : 0;
      own_static_tls_ += fixed && entry.own ? 1 : 0;
      own_tls_modules_ += module && entry.own ? 1 : 0;
      if (!entry.thread_local_variable && symbol < max_) ++other_data_;
    }
    if (~types_.taken != 0 && (type >= 64 || (types_.taken >> type & 1) == 0)) ++unexpected_;
    if (symbol != 0 && (type == 0 || type == types_.relative)) ++not_looked_up_;
    // R_*_NONE on every machine. glibc reads the version of its symbol before it looks at the type (elf/do-rel.h).
    if (type == 0 && symbol < max_) return;
    look_up_in_musl(type);
    if (symbol == 0) return;
    if (type == types_.too_narrow) ++cut_;
    if (symbol >= max_) {
      ++astray_;
      return;
    }
    if (symbol >= bound_.size())
      bound_.resize(std::max<std::uint64_t>(symbol + 1, bound_.size() * 2 < max_ ? bound_.size() * 2 : 0));
    highest_ = std::max(highest_, symbol);
    const Bound how = lazy_table && type == types_.lazy ? Bound::AtFirstCall : Bound::AtLoad;
    bound_[symbol] = std::max(bound_[symbol], how);
    refer(static_cast<std::uint32_t>(symbol), kind_of(type), how == Bound::AtFirstCall);
  }

  // `relative`: DT_RELACOUNT. The loader processes this number of relocations as relative ones without reading their
  // symbols, and asserts that they are relative (glibc elf/do-rel.h, elf_machine_rela_relative). It is checked in the
  // same walk, because the pages of a large table are fetched again for a second one.
  template <class Record, class Word>
  void table(const char* name, std::uint64_t address, std::uint64_t size, bool lazy, bool mips64el,
             std::optional<std::uint64_t> relative = {}) {
    const std::uint64_t count = ~types_.relative == 0 ? 0 : relative.value_or(0);
    std::uint64_t index = 0, other = 0;
    const auto visit = [&](std::span<const std::byte> bytes) {
      for (std::size_t at = 0; at + sizeof(Record) <= bytes.size(); at += sizeof(Record)) {
        Record record;
        std::memcpy(&record, bytes.data() + at, sizeof(Record));
        const std::uint32_t type = record.getType(mips64el);
        if (index++ < count && type != types_.relative) ++other;
        mark(record.getSymbol(mips64el), type, lazy);
        if (type != 0 && !is_mapped(record.r_offset, width_of(type, record.getSymbol(mips64el)))) ++nowhere_;
        if (type != 0 && type == types_.classes.plt[0] && record.r_offset % types_.word != 0) ++between_slots_;
        follow<Word>(record, type, record.getSymbol(mips64el));
      }
    };
    if (size % sizeof(Record) != 0)
      flaws_.fatal(ElfArea::Relocations,
                   fmt::format("{} has {} bytes, and the loader reads beyond them for a whole record", name, size));
    if (size > 0 && !image_.walk(address, size, sizeof(Record), visit)) visit(what_there_is(name, address, size));
    // Since 2.22 the loader does not compare the two.
    if (count > size / sizeof(Record))
      flaws_.fatal(ElfArea::Relocations,
                   fmt::format("{}COUNT is {}, but there are {} relocations", name, count, size / sizeof(Record)));
    if (other > 0)
      flaws_.fatal(ElfArea::Relocations, fmt::format("{}COUNT is {}, but {} of these relocations are not relative",
                                                     name, std::min(count, size / sizeof(Record)), other));
  }

  std::span<const std::byte> whole(const char* name, std::uint64_t address, std::uint64_t size) {
    const auto bytes = image_.bytes(address, size);
    if (bytes || size == 0) return bytes.value_or(std::span<const std::byte>{});
    return what_there_is(name, address, size);
  }

  // DT_RELR (glibc elf/dynamic-link.h, ELF_DYNAMIC_DO_RELR): the address of a word, then bits for those behind it.
  template <class Word>
  void relative_words(const char* name, std::uint64_t address, std::uint64_t size) {
    std::optional<std::uint64_t> where;
    const auto change = [&](std::uint64_t place) {
      place = image_.wrapped(place);
      if (!is_mapped(place, sizeof(Word))) ++nowhere_;
      if (calls_.is_entry(place)) calls_.fill(place, word_at<Word>(place));
    };
    const auto visit = [&](std::span<const std::byte> bytes) {
      for (std::size_t at = 0; at + sizeof(Word) <= bytes.size(); at += sizeof(Word)) {
        Word record;
        std::memcpy(&record, bytes.data() + at, sizeof(Word));
        std::uint64_t entry = record;
        if ((entry & 1) == 0) {
          change(entry);
          where = entry + sizeof(Word);
          continue;
        }
        if (!where) ++nowhere_;
        for (std::uint64_t i = 0; where && (entry >>= 1) != 0; ++i)
          if ((entry & 1) != 0) change(*where + i * sizeof(Word));
        if (where) *where += (8 * sizeof(Word) - 1) * sizeof(Word);
      }
    };
    if (size > 0 && !image_.walk(address, size, sizeof(Word), visit)) visit(what_there_is(name, address, size));
  }
  // The offsets of these relocations are not read.
  void offsets_are_unknown() { calls_.entries_are_unknown(); }

  Relocations take() {
    calls_.report(flaws_);
    const auto say = [&](std::uint64_t count, std::string_view what) {
      if (count > 0) flaws_.fatal(ElfArea::Relocations, fmt::format("{} {}", count, what));
    };
    say(astray_, "relocations name a symbol outside the symbol table");
    say(nowhere_,
        any_memory_ ? "relocations change what is not mapped" : "relocations change what is not mapped to be written");
    say(in_tables_,
        "relocations change tables that the loader reads later: names, symbols, versions, hashes, relocations or the "
        "dynamic section");
    say(other_data_, "relocations of thread-local variables name other symbols");
    say(not_looked_up_, "relocations name a symbol, but by their type it is not looked up");
    say(cut_, "relocations store 32 bits of the address of a symbol, which has more");
    say(between_slots_, "jump slots are not aligned: a call reads parts of two");
    if (unexpected_ > 0)
      flaws_.fatal(ElfArea::Relocations, fmt::format("the loader refuses the types of {} relocations", unexpected_));
    bound_.resize(highest_ == 0 ? 0 : highest_ + 1);
    return {.bound = std::move(bound_),
            .references = std::move(references_),
            .static_tls = static_tls_,
            .own_static_tls = own_static_tls_,
            .own_descriptors = own_descriptors_,
            .own_tls_modules = own_tls_modules_,
            .not_in_musl = std::move(not_in_musl_)};
  }

 private:
  // What the relocation makes the loader call.
  template <class Word, class Record>
  void follow(const Record& record, std::uint32_t type, std::uint64_t symbol) {
    const bool entry = calls_.is_entry(record.r_offset), calls = type == types_.irelative;
    if (type == 0 || (!entry && !calls)) return;
    std::optional<std::uint64_t> target;
    if constexpr (requires { record.r_addend; })
      target = static_cast<std::uint64_t>(record.r_addend);
    else
      target = word_at<Word>(record.r_offset);
    if (calls && target) calls_.resolver(image_.wrapped(*target));
    if (!entry) return;
    if (type != types_.relative && target) target = address_of(symbol, *target);
    calls_.fill(record.r_offset, target);
  }
  // The address that a symbol of the file itself gives an entry. Of a weak one that nothing may define, none.
  std::optional<std::uint64_t> address_of(std::uint64_t symbol, std::uint64_t addend) const {
    if (symbol == 0 || symbol >= max_) return std::nullopt;
    const SymbolEntry entry = symbol_at_(symbol);
    if (entry.own) return entry.value + addend;
    return entry.weak ? std::optional(~std::uint64_t{0}) : std::nullopt;
  }
  template <class Word>
  std::optional<std::uint64_t> word_at(std::uint64_t address) const {
    const auto word = image_.read<Word>(address);
    return word ? std::optional<std::uint64_t>(*word) : std::nullopt;
  }
  // The number of bytes that the relocation changes. glibc elf/dl-machine.h copies as much as the symbol is large.
  std::uint64_t width_of(std::uint32_t type, std::uint64_t symbol) const {
    constexpr std::uint32_t narrow[] = {R_X86_64_PC32, R_X86_64_32, R_X86_64_SIZE32};
    if (type == types_.classes.copy) return std::max<std::uint64_t>(symbol_at_(symbol).size, 1);
    if (type == types_.descriptor) return 2 * types_.word;
    return types_.classes.machine == EM_X86_64 && contains(narrow, type) ? 4 : types_.word;
  }
  // Linkers sort relocations by address, so the last result is usually valid for the next relocation.
  bool is_mapped(std::uint64_t address, std::uint64_t size) {
    if (address - mapped_ < mapped_space_ && size <= mapped_space_ - (address - mapped_)) return true;
    mapped_ = address;
    mapped_space_ = any_memory_ ? image_.available(address) : image_.writable_space(address);
    const bool mapped = mapped_space_ >= size;
    for (const Table& table : tables_) {
      if (table.end <= address) continue;
      if (table.begin < address + size) {
        if (mapped) ++in_tables_;
        mapped_space_ = 0;
        break;
      }
      mapped_space_ = std::min(mapped_space_, table.begin - address);
    }
    return mapped;
  }
  // Most relocations have the type of the one before.
  void look_up_in_musl(std::uint32_t type) {
    constexpr std::size_t most = 8;
    if (type == last_type_) return;
    last_type_ = type;
    const std::uint32_t number = type & 0x7FFF'FFFF;  // R_TYPE of 64-bit machines
    if (types_.of_musl.empty() || number == 0 || std::ranges::find(types_.of_musl, number) != types_.of_musl.end())
      return;
    const auto at = std::ranges::lower_bound(not_in_musl_, number);
    if (not_in_musl_.size() < most && (at == not_in_musl_.end() || *at != number)) not_in_musl_.insert(at, number);
  }
  LookUp kind_of(std::uint32_t type) const {
    if (std::ranges::find(types_.classes.plt, type) != types_.classes.plt.end()) return LookUp::Plt;
    return type == types_.classes.copy ? LookUp::Copy : LookUp::Data;
  }
  std::span<const std::byte> what_there_is(const char* name, std::uint64_t address, std::uint64_t size) {
    flaws_.fatal(ElfArea::Relocations, fmt::format("{} with {} bytes leads out of what is mapped", name, size));
    return image_.from(address, size);
  }
  void refer(std::uint32_t symbol, LookUp kind, bool at_first_call) {
    if (seen_.size() < bound_.size()) seen_.resize(bound_.size());
    const auto bit = static_cast<std::uint8_t>(1U << (static_cast<unsigned>(kind) * 2 + (at_first_call ? 1 : 0)));
    if ((seen_[symbol] & bit) != 0) return;
    seen_[symbol] = static_cast<std::uint8_t>(seen_[symbol] | bit);
    references_.emplace_back(symbol, false, kind, at_first_call);
  }

  const Image& image_;
  Types types_;
  std::uint64_t max_;
  bool any_memory_;
  Calls calls_;
  std::function<SymbolEntry(std::uint64_t)> symbol_at_;
  std::vector<Table> tables_;
  Flaws& flaws_;
  std::vector<Bound> bound_;
  std::vector<std::uint8_t> seen_;  // by symbol: one bit for each kind, lazy or not
  std::vector<Reference> references_;
  std::uint64_t highest_ = 0, astray_ = 0, nowhere_ = 0, in_tables_ = 0, unexpected_ = 0, other_data_ = 0;
  std::uint64_t not_looked_up_ = 0, cut_ = 0, between_slots_ = 0;
  std::uint64_t mapped_ = 0, mapped_space_ = 0;
  std::uint32_t last_type_ = 0;
  std::vector<std::uint32_t> not_in_musl_;
  std::uint32_t static_tls_ = 0, own_static_tls_ = 0, own_descriptors_ = 0, own_tls_modules_ = 0;
};

// Reads a sequence of signed LEB128 numbers.
class Numbers {
 public:
  explicit Numbers(std::span<const std::byte> bytes) : bytes_(bytes) {}
  bool ended() const { return ended_; }
  std::int64_t next() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; at_ < bytes_.size() && shift < 64; shift += 7) {
      const auto byte = std::to_integer<std::uint64_t>(bytes_[at_++]);
      value |= (byte & 0x7F) << shift;
      if ((byte & 0x80) != 0) continue;
      if (shift + 7 < 64 && (byte & 0x40) != 0) value |= ~std::uint64_t{0} << (shift + 7);
      return static_cast<std::int64_t>(value);
    }
    ended_ = true;
    return 0;
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  bool ended_ = false;
};

// Android's "APS2" format: groups of relocations with common fields (bionic linker/linker_reloc_iterators.h).
template <class ELFT>
void packed_table(Scan& scan, const char* name, std::uint64_t address, std::uint64_t size, Flaws& flaws) {
  const auto bytes = scan.whole(name, address, size);
  if (bytes.size() < 4 || std::memcmp(bytes.data(), "APS2", 4) != 0)
    return flaws.fatal(ElfArea::Relocations, fmt::format("{} does not start with APS2", name));
  Numbers numbers(bytes.subspan(4));
  std::int64_t left = numbers.next();
  numbers.next();  // r_offset of the first relocation
  constexpr unsigned symbol_bits = ELFT::Is64Bits ? 32 : 8;
  const auto mark = [&](std::int64_t info) {
    const auto whole = static_cast<std::uint64_t>(info);
    scan.mark(whole >> symbol_bits, static_cast<std::uint32_t>(whole & ((std::uint64_t{1} << symbol_bits) - 1)), false);
  };
  while (left > 0 && !numbers.ended()) {
    const std::int64_t group = numbers.next(), flags = numbers.next();
    const bool same_info = (flags & RELOCATION_GROUPED_BY_INFO_FLAG) != 0;
    const bool same_step = (flags & RELOCATION_GROUPED_BY_OFFSET_DELTA_FLAG) != 0;
    const bool addends = (flags & RELOCATION_GROUP_HAS_ADDEND_FLAG) != 0;
    const bool same_addend = (flags & RELOCATION_GROUPED_BY_ADDEND_FLAG) != 0;
    if (same_step) numbers.next();
    if (same_info) mark(numbers.next());
    if (addends && same_addend) numbers.next();
    if (group <= 0) break;
    left -= std::min(group, left);
    const bool each = !same_step || !same_info || (addends && !same_addend);
    for (std::int64_t i = 0; each && i < group && !numbers.ended(); ++i) {
      if (!same_step) numbers.next();
      if (!same_info) mark(numbers.next());
      if (addends && !same_addend) numbers.next();
    }
  }
  if (numbers.ended() || left > 0) flaws.fatal(ElfArea::Relocations, fmt::format("{} ends too early", name));
}

}  // namespace

template <class ELFT>
Relocations read_relocations(const Image& image, const DynamicTable& table, const Header& header, bool bind_now,
                             std::uint64_t max, std::uint64_t hashed, Flaws& flaws) {
  const bool any_memory = table.get(DT_TEXTREL) || (table.get(DT_FLAGS).value_or(0) & DF_TEXTREL) != 0;
  const auto symbol_at = [&](std::uint64_t symbol) -> SymbolEntry {
    using Sym = typename ELFT::Sym;
    if (symbol >= max) return {};
    const auto entry = image.read<Sym>(table.get(DT_SYMTAB).value_or(0) + symbol * sizeof(Sym));
    // A local one, such as that of a section, is the file's own whatever its type is.
    return entry ? SymbolEntry{entry->st_shndx != SHN_UNDEF,
                               entry->getType() == STT_TLS || entry->getBinding() == STB_LOCAL, entry->st_size,
                               entry->st_value, entry->getBinding() == STB_WEAK}
                 : SymbolEntry{};
  };
  Scan scan(image,
            {.classes = classes_of(header.machine),
             .word = header.bits == 64 && (header.machine == EM_X86_64 || header.machine == EM_AARCH64) ? 8U : 4U,
             .lazy = bind_now ? ~std::uint32_t{0} : jump_slot(header.machine),
             .static_tls = static_tls_types(header.machine),
             .descriptor = descriptor_type(header.machine),
             .taken = taken_types(header.machine),
             .relative = relative_type(header.machine),
             .irelative = irelative_type(header.machine),
             .too_narrow = header.machine == EM_X86_64 && header.bits == 64 && header.type == ET_DYN
                               ? std::uint32_t{R_X86_64_32}
                               : ~std::uint32_t{0},
             .of_musl = types_of_musl(header.machine)},
            max, any_memory, Calls(image, table, header), symbol_at, read_later<ELFT>(image, table, hashed), flaws);
  const bool mips64el = header.machine == EM_MIPS && header.bits == 64 && header.little_endian;
  const auto size_of = [&](std::uint64_t tag) { return table.get(tag).value_or(0); };
  const auto plt = table.get(DT_JMPREL);
  const std::uint64_t plt_size = size_of(DT_PLTRELSZ);
  // Some linkers include the jump slots in DT_RELASZ; the loader subtracts them (glibc elf/dynamic-link.h).
  const auto without_plt = [&](std::uint64_t address, std::uint64_t size) {
    return plt && size >= plt_size && address + size == *plt + plt_size ? size - plt_size : size;
  };
  if (const auto rel = table.get(DT_REL))
    scan.table<typename ELFT::Rel, typename ELFT::Addr>("DT_REL", *rel, without_plt(*rel, size_of(DT_RELSZ)), false,
                                                        mips64el, table.get(DT_RELCOUNT));
  if (const auto rela = table.get(DT_RELA))
    scan.table<typename ELFT::Rela, typename ELFT::Addr>("DT_RELA", *rela, without_plt(*rela, size_of(DT_RELASZ)),
                                                         false, mips64el, table.get(DT_RELACOUNT));
  if (plt && size_of(DT_PLTREL) == DT_RELA)
    scan.table<typename ELFT::Rela, typename ELFT::Addr>("DT_JMPREL", *plt, plt_size, true, mips64el);
  else if (plt)
    scan.table<typename ELFT::Rel, typename ELFT::Addr>("DT_JMPREL", *plt, plt_size, true, mips64el);
  for (const auto& [tag, size] : {std::pair{DT_RELR, DT_RELRSZ}, {DT_ANDROID_RELR, DT_ANDROID_RELRSZ}})
    if (const auto relr = table.get(tag))
      scan.relative_words<typename ELFT::Addr>(tag_name(tag).c_str(), *relr, size_of(size));
  if (table.get(DT_ANDROID_REL) || table.get(DT_ANDROID_RELA)) scan.offsets_are_unknown();
  if (const auto rel = table.get(DT_ANDROID_REL))
    packed_table<ELFT>(scan, "DT_ANDROID_REL", *rel, size_of(DT_ANDROID_RELSZ), flaws);
  if (const auto rela = table.get(DT_ANDROID_RELA))
    packed_table<ELFT>(scan, "DT_ANDROID_RELA", *rela, size_of(DT_ANDROID_RELASZ), flaws);
  return scan.take();
}

#define WHEELCHECK_FOR(ELFT)                                                                                         \
  template Relocations read_relocations<ELFT>(const Image&, const DynamicTable&, const Header&, bool, std::uint64_t, \
                                              std::uint64_t, Flaws&);
WHEELCHECK_FOR_EACH_ELF_TYPE(WHEELCHECK_FOR)
#undef WHEELCHECK_FOR

}  // namespace wheelcheck::elf
