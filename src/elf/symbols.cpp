// Reads the dynamic symbol table. There is no allocation per symbol: names are views into the pool.
#include "elf/symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <type_traits>
#include <utility>

#include "elf/hash_table.h"
#include "elf/llvm_types.h"
#include "model/module_names.h"

namespace wheelcheck::elf {
namespace {

using namespace llvm::ELF;

SymbolKind kind_of(unsigned type) {
  switch (type) {
    case STT_NOTYPE:
      return SymbolKind::NoType;
    case STT_OBJECT:
      return SymbolKind::Object;
    case STT_FUNC:
      return SymbolKind::Function;
    case STT_COMMON:
      return SymbolKind::Common;
    case STT_TLS:
      return SymbolKind::Tls;
    case STT_GNU_IFUNC:
      return SymbolKind::Ifunc;
    default:
      return SymbolKind::Other;
  }
}
Visibility visibility_of(unsigned other) {
  switch (other & 3) {
    case STV_DEFAULT:
      return Visibility::Default;
    case STV_PROTECTED:
      return Visibility::Protected;
    default:
      return Visibility::Hidden;
  }
}
Binding binding_of(unsigned bind) {
  return bind == STB_WEAK ? Binding::Weak : bind == STB_GNU_UNIQUE ? Binding::Unique : Binding::Global;
}

template <class ELFT>
class SymbolReader {
  using Sym = typename ELFT::Sym;

 public:
  SymbolReader(const Image& image, const HashTable<ELFT>& hashes, const Versions& versions, Relocations& relocations,
               Strings& strings, DynamicFacts& facts, bool library, std::uint64_t start, bool checks_code,
               std::uint64_t tls_size)
      : image_(image),
        hashes_(hashes),
        versions_(versions),
        relocations_(relocations),
        strings_(strings),
        facts_(facts),
        start_(start),
        tls_size_(tls_size),
        library_(library),
        checks_code_(checks_code) {}

  // `done` receives the index up to which the tables have been read.
  void walk(std::span<const std::byte> symbols, std::span<const std::byte> numbers,
            const std::function<void(std::size_t)>& done) {
    const std::size_t count = symbols.size() / sizeof(Sym);
    numbers_ = numbers;
    reserve(symbols, count);
    places_.assign(relocations_.bound.size(), nowhere);
    for (std::size_t i = 1; i < count; ++i) {
      if (i % piece == 0) done(i);
      const Sym symbol = at(symbols, i);
      if (is_blocker(symbol) && hashes_.contains(i)) blockers_.push_back({i, symbol.st_name, version_of(numbers, i)});
      if (is_lost(symbol) && bound_of(i) != Bound::Never) ++lost_;
      if (is_without_look_up(symbol) && bound_of(i) != Bound::Never) ++not_looked_up_;
      if (!takes_part(symbol) && !is_import(symbol)) continue;
      const std::uint16_t number = version_of(numbers, i);
      if (symbol.st_shndx != SHN_UNDEF) {
        if (!is_offered(symbol) && symbol.st_name != 0 && unoffered_.size() < max_unoffered)
          unoffered_.push_back(symbol.st_name);
        offer(symbol, i, i, number);
        continue;
      }
      import(symbol, i, number & VERSYM_VERSION);
      // dlsym and data references find such a symbol as a definition (glibc elf/dl-lookup.c, check_match). A program
      // has such symbols for the addresses of functions; a library should not.
      if (library_ && symbol.st_value != 0 && takes_part(symbol) && is_offered(symbol))
        offer(symbol, i, no_relocation, number);
    }
    finish(facts_.imports, 0);
    if (!blockers_.empty()) find_blockers();
    for (const std::uint32_t name : unoffered_)
      if (is_module_hook(strings_.whole(strings_.start(name)))) ++lost_inits_;
    finish(facts_.exports, own);
    find_versioned_hooks();
    refer();
  }
  std::uint64_t unknown_versions() const { return unknown_; }
  std::uint64_t undefined_with_value() const { return valued_; }
  std::uint64_t found_undefined() const { return found_undefined_; }
  std::uint64_t not_found() const { return not_found_; }
  std::uint64_t blocked() const { return blocked_; }
  std::uint64_t lost_resolvers() const { return lost_resolvers_; }
  std::uint64_t lost_inits() const { return lost_inits_; }
  std::uint64_t wrong_inits() const { return wrong_inits_; }
  std::uint64_t tls_data() const { return tls_data_; }
  // Symbols that ld.so does not find.
  void report_lost(Flaws& flaws) const {
    const auto say = [&](std::uint64_t count, const char* text) {
      if (count > 0) flaws.fatal(ElfArea::Symbols, fmt::format("{} {}", count, text));
    };
    say(of_own_version_, "undefined symbols have a version that the file itself defines");
    say(lost_, "definitions are looked up that no look-up takes: by their binding, type or value");
    say(protected_, "undefined symbols are protected: the loader takes the file's own, which has no value");
    say(absolute_, "functions have an absolute address, where the file is not loaded: a call crashes");
    say(not_code_, "functions lie in memory that is not code: a call crashes");
    say(beyond_tls_, "thread-local variables lie behind the end of PT_TLS");
    say(not_looked_up_, "undefined symbols are local or hidden: the loader takes the file's own, which has no value");
    say(nameless_, "symbols without a name are looked up");
    say(hidden_without_version_, "definitions are hidden without a version: no look-up of a version finds them");
  }
  std::vector<std::string_view> at_zero() {
    std::vector<std::string_view> names;
    for (const std::uint32_t name : at_zero_) names.push_back(strings_.whole(strings_.start(name)));
    return names;
  }

 private:
  static constexpr std::size_t ahead = 8, piece = 65536, no_relocation = SIZE_MAX;
  static constexpr std::uint32_t nowhere = UINT32_MAX, own = 1U << 31;  // `own` marks an index into the exports
  static constexpr std::size_t large = 1 << 20;                         // size of the string table, bytes
  static constexpr unsigned shelf_bits = 9;
  static constexpr std::size_t max_unoffered = 4096, max_at_zero = 100;

  static Sym at(std::span<const std::byte> symbols, std::size_t i) {
    Sym symbol;
    std::memcpy(&symbol, symbols.data() + i * sizeof(Sym), sizeof(Sym));
    return symbol;
  }

  static bool takes_part(const Sym& symbol) {
    const unsigned bind = symbol.getBinding();
    return bind == STB_GLOBAL || bind == STB_WEAK || bind == STB_GNU_UNIQUE;
  }
  // An undefined symbol is looked up whatever its binding is (glibc elf/dl-reloc.c, RESOLVE_MAP), and only STB_WEAK may
  // stay undefined (elf/dl-lookup.c, _dl_lookup_symbol_x).
  static bool is_import(const Sym& symbol) { return symbol.st_shndx == SHN_UNDEF && symbol.getBinding() != STB_LOCAL; }
  // A definition that relocations look up, and that no look-up takes.
  static bool is_lost(const Sym& symbol) {
    const unsigned bind = symbol.getBinding();
    return symbol.st_shndx != SHN_UNDEF && bind != STB_LOCAL && bind != STB_WEAK &&
           visibility_of(symbol.st_other) != Visibility::Hidden && (!takes_part(symbol) || !is_offered(symbol));
  }
  // glibc elf/dl-reloc.c, RESOLVE_MAP: the loader takes the file's own, and an undefined one has no value.
  static bool is_without_look_up(const Sym& symbol) {
    const bool bound_here = symbol.getBinding() == STB_LOCAL || visibility_of(symbol.st_other) == Visibility::Hidden;
    return symbol.st_shndx == SHN_UNDEF && bound_here && symbol.st_value == 0 && symbol.st_name != 0;
  }
  // glibc elf/dl-lookup.c, check_match: a symbol with value 0 is a definition only if it is absolute or a TLS offset,
  // and other types (sections, files) are none.
  static bool is_offered(const Sym& symbol) {
    return visibility_of(symbol.st_other) != Visibility::Hidden &&
           (symbol.st_value != 0 || symbol.st_shndx == SHN_ABS || symbol.getType() == STT_TLS) &&
           kind_of(symbol.getType()) != SymbolKind::Other;
  }

  // glibc elf/dl-lookup.c, do_lookup_x: a local or hidden symbol ends the look-up in this file, and nothing is found.
  static bool is_blocker(const Sym& symbol) {
    return symbol.st_name != 0 && (!takes_part(symbol) || visibility_of(symbol.st_other) == Visibility::Hidden) &&
           (symbol.st_value != 0 || symbol.st_shndx == SHN_ABS || symbol.getType() == STT_TLS) &&
           kind_of(symbol.getType()) != SymbolKind::Other;
  }
  static std::uint16_t version_of(std::span<const std::byte> numbers, std::size_t i) {
    if ((i + 1) * 2 > numbers.size()) return VER_NDX_GLOBAL;
    typename ELFT::Half raw;
    std::memcpy(&raw, numbers.data() + i * 2, 2);
    return raw;
  }

  // Keeps the first blocker of each name and version.
  void find_blockers() {
    for (const Blocker& blocker : blockers_) {
      const std::string_view name = strings_.whole(strings_.start(blocker.name));
      if (name.empty() || !hashes_.finds(name, blocker.symbol)) continue;
      if (is_module_hook(name)) ++lost_inits_;
      const auto [first, fresh] = blocked_by_.try_emplace({name, blocker.version & VERSYM_VERSION}, blocker.symbol);
      if (!fresh && hashes_.precedes(blocker.symbol, first->second)) first->second = blocker.symbol;
    }
  }
  // A symbol without a version, or of the file itself, is found for any version.
  bool is_blocked(std::string_view name, std::size_t symbol, unsigned version) const {
    for (const unsigned of : {version, unsigned{VER_NDX_LOCAL}, unsigned{VER_NDX_GLOBAL}})
      if (const auto first = blocked_by_.find({name, of}); first != blocked_by_.end())
        if (hashes_.precedes(first->second, symbol)) return true;
    return false;
  }

  // dlsym asks for no version: it takes a definition of the first two indices, or the only one of the others that is
  // not hidden (glibc elf/dl-lookup.c, check_match).
  void find_versioned_hooks() {
    struct Found {
      bool first = false;
      int others = 0;
    };
    std::map<std::string_view, Found> found;
    for (const auto& [name, version] : hooks_) {
      Found& one = found[name];
      if ((version & VERSYM_VERSION) <= VER_NDX_GLOBAL)
        one.first = true;
      else if ((version & VERSYM_HIDDEN) == 0)
        ++one.others;
    }
    for (const auto& [name, one] : found) lost_inits_ += one.first || one.others == 1 ? 0 : 1;
  }

  // Counts first, so that no more is reserved than is filled: a table may be large and empty.
  void reserve(std::span<const std::byte> symbols, std::size_t count) {
    std::size_t requested = 0, offered = 0;
    for (std::size_t i = 1; i < count; ++i) {
      const Sym symbol = at(symbols, i);
      if (is_import(symbol))
        ++requested;
      else if (!takes_part(symbol))
        continue;
      else if (is_offered(symbol))
        ++offered;
    }
    facts_.imports.reserve(requested);
    facts_.exports.reserve(offered);
    symbols_.reserve(offered);
  }

  // Up to here, Import::name and Export::name contain only the start of the name.
  template <class Symbol>
  void finish(std::vector<Symbol>& list, std::uint32_t mark) {
    if (strings_.size() > large) arrange(list, mark);
    read_names(list, mark);
  }

  // Sorts symbols by the position of their names, at a granularity of 512 bytes, and otherwise keeps their order. The
  // names of a large file do not fit into a CPU cache, and every pass over the symbols reads them.
  template <class Symbol>
  void arrange(std::vector<Symbol>& list, std::uint32_t mark) {
    const auto shelf = [this](const Symbol& symbol) { return strings_.offset(symbol.name) >> shelf_bits; };
    std::vector<std::uint32_t> next((strings_.size() >> shelf_bits) + 2), places(list.size());
    for (const Symbol& symbol : list) ++next[shelf(symbol) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (std::size_t i = 0; i < list.size(); ++i) places[i] = next[shelf(list[i])]++;
    move_places(mark, places);
    for (std::uint32_t i = 0; i < list.size(); ++i)
      while (places[i] != i) {
        const std::uint32_t place = places[i];
        std::swap(list[i], list[place]);
        if constexpr (std::is_same_v<Symbol, Export>) std::swap(symbols_[i], symbols_[place]);
        std::swap(places[i], places[place]);
      }
  }

  // Addresses of functions are those of descriptors on big-endian ppc64. The symbol is read again, because its page may
  // have been released.
  bool is_code(std::size_t index) const {
    const auto symbol = image_.read<Sym>(start_ + index * sizeof(Sym));
    if (!checks_code_ || !symbol || symbol->st_shndx == SHN_UNDEF) return true;
    return symbol->st_shndx != SHN_ABS && symbol->getType() != STT_TLS && image_.is_executable(symbol->st_value);
  }

  // Names that a linker may list in .dynsym and leave out of the hash table (LLD).
  static bool is_mark_of_linker(std::string_view name) {
    return name == "_edata" || name == "_end" || name == "__bss_start";
  }

  // Whether a look-up comes to an export. If it does not, the export is none.
  bool is_found(std::size_t i, std::string_view name) {
    const SymbolOfExport symbol = symbols_[i];
    const bool blocked =
        !blocked_by_.empty() && is_blocked(name, symbol.index, version_of(numbers_, symbol.index) & VERSYM_VERSION);
    const bool found = hashes_.finds(name, symbol.index) && !blocked;
    if (found && library_ && is_module_hook(name)) {
      if (!is_code(symbol.index)) ++wrong_inits_;
      if (hooks_.size() < max_unoffered) hooks_.emplace_back(name, version_of(numbers_, symbol.index));
    }
    if (blocked) ++blocked_;
    if (symbol.is_undefined) ++(found ? found_undefined_ : valued_);
    if (!found && !blocked && !symbol.is_undefined && !is_mark_of_linker(name)) ++not_found_;
    return found;
  }

  // Reads the names, and removes symbols without one, and definitions that no look-up finds.
  template <class Symbol>
  void read_names(std::vector<Symbol>& list, std::uint32_t mark) {
    std::vector<std::uint32_t> moved;  // new index by old index; empty: nothing was removed
    std::uint32_t left = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i + ahead < list.size()) __builtin_prefetch(list[i + ahead].name.data());
      const std::string_view name = strings_.whole(list[i].name);
      bool keep = !name.empty();
      if constexpr (std::is_same_v<Symbol, Export>) {
        if (!keep && list[i].bound != Bound::Never && list[i].binding != Binding::Weak) ++nameless_;
        keep = keep && is_found(i, name);
      } else if (!keep && list[i].bound != Bound::Never && !list[i].weak) {
        ++nameless_;
      }
      if (!keep && moved.empty()) {
        moved.resize(list.size(), nowhere);
        std::iota(moved.begin(), moved.begin() + left, 0U);
      }
      if (!keep) continue;
      if (!moved.empty()) moved[i] = left, list[left] = list[i];
      list[left].name = name;
      ++left;
    }
    list.resize(left);
    if (!moved.empty()) move_places(mark, moved);
  }

  void move_places(std::uint32_t mark, std::span<const std::uint32_t> moved) {
    for (std::uint32_t& place : places_) {
      if (place == nowhere || (place & own) != mark) continue;
      const std::uint32_t to = moved[place & ~own];
      place = to == nowhere ? nowhere : to | mark;
    }
  }

  void import(const Sym& symbol, std::size_t i, unsigned number) {
    const Visibility visibility = visibility_of(symbol.st_other);
    std::optional<NeedIndex> need;
    if (number > VER_NDX_GLOBAL) {
      const std::int32_t position =
          number < versions_.meanings.size() ? versions_.meanings[number].need : Versions::none;
      if (position != Versions::none) need = NeedIndex{static_cast<std::uint32_t>(position)};
      if (number > versions_.highest) ++unknown_;
      if (number < versions_.meanings.size() && versions_.meanings[number].provided != Versions::none)
        ++of_own_version_;
    }
    if (visibility == Visibility::Protected && bound_of(i) != Bound::Never) ++protected_;
    // A hidden symbol is not looked up (glibc sysdeps/generic/ldsodefs.h, dl_symbol_visibility_binds_local_p).
    const Bound bound = visibility == Visibility::Hidden ? Bound::Never : bound_of(i);
    if (bound != Bound::Never) places_[i] = static_cast<std::uint32_t>(facts_.imports.size());
    facts_.imports.push_back({strings_.start(symbol.st_name), need, kind_of(symbol.getType()), bound, visibility,
                              symbol.getBinding() == STB_WEAK, symbol.st_value != 0});
  }

  // `relocated`: the index of the symbol, or no_relocation
  void offer(const Sym& symbol, std::size_t index_of_symbol, std::size_t relocated, unsigned number) {
    if (!is_offered(symbol)) return;
    const SymbolKind kind = kind_of(symbol.getType());
    if (symbol.st_value == 0 && (kind == SymbolKind::NoType || kind == SymbolKind::Function) &&
        at_zero_.size() < max_at_zero)
      at_zero_.push_back(symbol.st_name);
    if (library_ && symbol.getType() == STT_FUNC && symbol.st_shndx == SHN_ABS && symbol.st_value != 0) ++absolute_;
    const bool placed = symbol.st_shndx != SHN_ABS && symbol.st_shndx != SHN_UNDEF && symbol.st_value != 0;
    if (library_ && checks_code_ && symbol.getType() == STT_FUNC && placed && !image_.is_executable(symbol.st_value))
      ++not_code_;
    if (kind == SymbolKind::Tls && symbol.st_shndx != SHN_UNDEF && symbol.st_value > tls_size_) ++beyond_tls_;
    if (library_ && symbol.getType() == STT_GNU_IFUNC && !image_.is_executable(symbol.st_value)) ++lost_resolvers_;
    Export facts{.name = strings_.start(symbol.st_name),
                 .version = std::nullopt,
                 .copied_version = {},
                 .size = symbol.st_size,
                 .kind = kind,
                 .binding = binding_of(symbol.getBinding()),
                 .visibility = visibility_of(symbol.st_other),
                 .bound = bound_of(relocated),
                 .default_version = true};
    const unsigned index = number & VERSYM_VERSION;
    if (index > VER_NDX_GLOBAL) {
      const std::int32_t position =
          index < versions_.meanings.size() ? versions_.meanings[index].provided : Versions::none;
      if (position != Versions::none)
        facts.version = static_cast<std::uint16_t>(position);
      else if (index < versions_.meanings.size() && versions_.meanings[index].need != Versions::none)
        facts.copied_version = NeedIndex{static_cast<std::uint32_t>(versions_.meanings[index].need)};
      if (index > versions_.highest) ++unknown_;
      facts.default_version = (number & VERSYM_HIDDEN) == 0;
    }
    // dlsym, which asks for no version, finds those of the first two indices.
    if ((number & VERSYM_HIDDEN) != 0 && !facts.version && facts.copied_version == OptionalIndex<NeedIndexTag>() &&
        (index > VER_NDX_GLOBAL || !is_init(symbol.st_name)))
      ++hidden_without_version_;
    if (facts.bound != Bound::Never) places_[relocated] = static_cast<std::uint32_t>(facts_.exports.size()) | own;
    facts_.exports.push_back(facts);
    symbols_.push_back({static_cast<std::uint32_t>(index_of_symbol) & 0x7FFF'FFFF, symbol.st_shndx == SHN_UNDEF});
  }

  // Whether dlsym looks the name up, which asks for no version. Few names are looked at.
  bool is_init(std::uint32_t name) {
    return names_looked_at_++ < max_unoffered && is_module_hook(strings_.whole(strings_.start(name)));
  }

  // Symbols that are never looked up (local, hidden, without a name) have no place.
  void refer() {
    std::vector<Reference>& all = relocations_.references;
    std::erase_if(all, [&](const Reference& reference) { return places_[reference.symbol] == nowhere; });
    for (Reference& reference : all) {
      const std::uint32_t place = places_[reference.symbol];
      const SymbolKind kind = (place & own) != 0 ? facts_.exports[place & ~own].kind : facts_.imports[place].kind;
      if (kind == SymbolKind::Tls && reference.kind == LookUp::Data) ++tls_data_;
      reference = {place & ~own, (place & own) != 0, reference.kind, reference.at_first_call};
    }
    all.shrink_to_fit();
    facts_.references = std::move(all);
  }

  Bound bound_of(std::size_t i) const { return i < relocations_.bound.size() ? relocations_.bound[i] : Bound::Never; }

  struct SymbolOfExport {
    std::uint32_t index : 31;
    std::uint32_t is_undefined : 1;
  };

  const Image& image_;
  const HashTable<ELFT>& hashes_;
  const Versions& versions_;
  Relocations& relocations_;
  Strings& strings_;
  DynamicFacts& facts_;
  std::vector<std::uint32_t> places_;    // by symbol index, for those that relocations name
  std::vector<SymbolOfExport> symbols_;  // of each export
  struct Blocker {
    std::uint64_t symbol;
    std::uint32_t name;
    std::uint16_t version;
  };
  std::vector<Blocker> blockers_;
  std::map<std::pair<std::string_view, unsigned>, std::uint64_t> blocked_by_;
  std::span<const std::byte> numbers_;
  std::vector<std::pair<std::string_view, std::uint16_t>> hooks_;  // functions that make a module, with their versions
  std::vector<std::uint32_t> unoffered_;  // names of visible symbols that are no definitions for a look-up
  std::vector<std::uint32_t> at_zero_;    // names of functions with the absolute value 0
  std::uint64_t lost_inits_ = 0, wrong_inits_ = 0;
  std::uint64_t unknown_ = 0, valued_ = 0, found_undefined_ = 0, not_found_ = 0, blocked_ = 0, lost_resolvers_ = 0;
  std::uint64_t of_own_version_ = 0, nameless_ = 0, hidden_without_version_ = 0, names_looked_at_ = 0, tls_data_ = 0;
  std::uint64_t lost_ = 0, protected_ = 0, absolute_ = 0, not_looked_up_ = 0, not_code_ = 0, beyond_tls_ = 0;
  std::uint64_t start_;  // DT_SYMTAB
  std::uint64_t tls_size_;
  bool library_, checks_code_;
};

}  // namespace

namespace {

// The function that Python looks up and calls when it imports the module.
void check_inits(std::uint64_t lost, std::uint64_t wrong, Flaws& flaws) {
  if (lost > 0)
    flaws.fatal(ElfArea::Symbols,
                "the function that makes the module (PyInit_, PyModExport_) is local, hidden, without a value or in "
                "several versions: Python does not find it");
  if (wrong > 0)
    flaws.fatal(
        ElfArea::Symbols,
        "the function that makes the module (PyInit_, PyModExport_) lies in memory that is not code: the import "
        "crashes");
}

}  // namespace

template <class ELFT>
void read_symbols(const Image& image, const DynamicTable& table, std::uint64_t count, const Header& header,
                  const Versions& versions, Relocations relocations, Strings& strings, bool library,
                  std::uint64_t tls_size, DynamicFacts& facts, Flaws& flaws) {
  const auto start = table.get(DT_SYMTAB);
  if (!start || count == 0) return;
  auto symbols = image.bytes(*start, count * sizeof(typename ELFT::Sym));
  if (!symbols) {
    flaws.fatal(ElfArea::Symbols, "the symbol table leads out of what is mapped");
    symbols = image.from(*start, count * sizeof(typename ELFT::Sym));
  }
  std::span<const std::byte> numbers;
  if (const auto address = table.get(DT_VERSYM)) {
    const auto whole = image.bytes(*address, count * 2);
    if (!whole) flaws.fatal(ElfArea::Versions, "DT_VERSYM leads out of what is mapped");
    numbers = whole ? *whole : image.from(*address, count * 2);
  }
  const HashTable<ELFT> hashes(image, table, header, count);
  const bool has_descriptors = header.machine == EM_PPC64 && !header.little_endian;
  SymbolReader<ELFT> reader(image, hashes, versions, relocations, strings, facts, library, *start, !has_descriptors,
                            tls_size);
  reader.walk(*symbols, numbers, [&](std::size_t read) {
    constexpr std::uint64_t size = sizeof(typename ELFT::Sym);
    const auto address = table.get(DT_VERSYM);
    image.done(*start, read * size);
    if (address) image.done(*address, read * 2);
    // If the tables overlap, pages of one may have been released with the other. This read fetches them again.
    (void)image.from(*start + read * size, symbols->size() - read * size);
    if (address)
      (void)image.from(*address + read * 2, numbers.size() - std::min<std::size_t>(numbers.size(), read * 2));
  });
  facts.exports_at_zero = reader.at_zero();
  facts.symbol_count = static_cast<std::uint32_t>(std::max<std::uint64_t>(count, 1) - 1);
  if (reader.undefined_with_value() > 0)
    flaws.odd(ElfArea::Symbols,
              fmt::format("{} undefined symbols have a value, as in a program", reader.undefined_with_value()));
  if (reader.found_undefined() > 0)
    flaws.odd(ElfArea::Symbols, fmt::format("{} undefined symbols have a value: dlsym finds them as definitions",
                                            reader.found_undefined()));
  if (reader.not_found() > 0)
    flaws.odd(ElfArea::Symbols,
              fmt::format("{} symbols are defined, but the hash table does not lead to them: no look-up "
                          "finds them",
                          reader.not_found()));
  if (reader.blocked() > 0)
    flaws.odd(ElfArea::Symbols,
              fmt::format("{} definitions are not found: a local or hidden symbol of the same name comes first",
                          reader.blocked()));
  if (hashes.is_endless())
    flaws.fatal(ElfArea::Symbols, "a chain of DT_HASH has no end: the look-up of another name does not return");
  else if (hashes.chains_meet())
    flaws.odd(ElfArea::Symbols, "two chains of DT_HASH have a symbol in common");
  if (const auto address = table.get(DT_GNU_HASH)) image.done(*address, hashes.size());
  if (reader.lost_resolvers() > 0)
    flaws.fatal(ElfArea::Symbols, fmt::format("{} indirect functions have their resolver in memory that is not code",
                                              reader.lost_resolvers()));
  reader.report_lost(flaws);
  // glibc then finds an undefined thread-local variable as a definition (elf/dl-lookup.c, do_lookup_x).
  const bool has_classes = header.machine == EM_X86_64 || header.machine == EM_386 || header.machine == EM_AARCH64;
  if (has_classes && reader.tls_data() > 0)
    flaws.fatal(ElfArea::Relocations,
                fmt::format("{} relocations of other data look up thread-local variables", reader.tls_data()));
  if (library) check_inits(reader.lost_inits(), reader.wrong_inits(), flaws);
  if (reader.unknown_versions() > 0)
    flaws.fatal(ElfArea::Versions,
                fmt::format("{} symbols have a version index above {}, the highest that is given out",
                            reader.unknown_versions(), versions.highest));
}

#define WHEELCHECK_FOR(ELFT)                                                                                         \
  template void read_symbols<ELFT>(const Image&, const DynamicTable&, std::uint64_t, const Header&, const Versions&, \
                                   Relocations, Strings&, bool, std::uint64_t, DynamicFacts&, Flaws&);
WHEELCHECK_FOR_EACH_ELF_TYPE(WHEELCHECK_FOR)
#undef WHEELCHECK_FOR

}  // namespace wheelcheck::elf
