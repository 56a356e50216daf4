// The dynamic symbol table, without an allocation a symbol: names are views into the pool.
#include "elf/symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "elf/llvm_types.h"

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

// Where each symbol goes. The names of a large file are in no cache, and every pass over its symbols asks for them, so
// symbols whose names lie near each other stand near each other there; else, and among those, they stay in order.
class Shelves {
 public:
  explicit Shelves(std::size_t names) : shift_(names > large ? 9 : 32), next_((names >> shift_) + 2) {}

  // First every symbol is counted, then each is given a place: one of so many, unless the file changed meanwhile.
  void count(std::uint32_t name) { ++next_[shelf(name) + 1]; }
  std::size_t finish() {
    std::partial_sum(next_.begin(), next_.end(), next_.begin());
    return next_.back();
  }
  std::size_t place(std::uint32_t name) { return next_[shelf(name)]++; }

 private:
  static constexpr std::size_t large = 1 << 20;  // bytes

  std::size_t shelf(std::uint32_t name) const {
    return std::min(static_cast<std::size_t>(std::uint64_t{name} >> shift_), next_.size() - 2);
  }

  unsigned shift_;
  std::vector<std::uint32_t> next_;  // by shelf, its first free place
};

template <class ELFT>
class SymbolReader {
  using Sym = typename ELFT::Sym;

 public:
  SymbolReader(const Versions& versions, Relocations& relocations, Strings& strings, DynamicFacts& facts)
      : versions_(versions),
        relocations_(relocations),
        strings_(strings),
        facts_(facts),
        imports_(strings.size()),
        exports_(strings.size()) {}

  // `done` is told up to which symbol the tables have been read.
  void walk(std::span<const std::byte> symbols, std::span<const std::byte> numbers,
            const std::function<void(std::size_t)>& done) {
    const std::size_t count = symbols.size() / sizeof(Sym);
    make_room(symbols, count);
    places_.assign(relocations_.bound.size(), nowhere);
    for (std::size_t i = 1; i < count; ++i) {
      if (i % piece == 0) done(i);
      const Sym symbol = at(symbols, i);
      const Role role = role_of(symbol);
      if (role == Role::None) continue;
      std::uint16_t number = VER_NDX_GLOBAL;
      if ((i + 1) * 2 <= numbers.size()) {
        typename ELFT::Half raw;
        std::memcpy(&raw, numbers.data() + i * 2, 2);
        number = raw;
      }
      if (role == Role::Import)
        import(symbol, i, number & VERSYM_VERSION);
      else
        offer(symbol, i, number);
    }
    read_names(facts_.imports, 0);
    read_names(facts_.exports, own);
    refer();
  }
  std::uint64_t unknown_versions() const { return unknown_; }

 private:
  static constexpr std::size_t ahead = 8, piece = 65536;
  static constexpr std::uint32_t nowhere = UINT32_MAX, own = 1U << 31;  // `own` marks a place among the exports

  static Sym at(std::span<const std::byte> symbols, std::size_t i) {
    Sym symbol;
    std::memcpy(&symbol, symbols.data() + i * sizeof(Sym), sizeof(Sym));
    return symbol;
  }

  enum class Role : std::uint8_t { None, Import, Export };
  static Role role_of(const Sym& symbol) {
    const unsigned bind = symbol.getBinding();
    if (bind != STB_GLOBAL && bind != STB_WEAK && bind != STB_GNU_UNIQUE) return Role::None;
    if (symbol.st_shndx == SHN_UNDEF) return Role::Import;
    if (visibility_of(symbol.st_other) == Visibility::Hidden) return Role::None;
    // glibc elf/dl-lookup.c, check_match: a value of 0 defines nothing but an absolute symbol or a TLS offset.
    const bool defines = symbol.st_value != 0 || symbol.st_shndx == SHN_ABS || symbol.getType() == STT_TLS;
    return defines ? Role::Export : Role::None;
  }

  void make_room(std::span<const std::byte> symbols, std::size_t count) {
    for (std::size_t i = 1; i < count; ++i) {
      const Sym symbol = at(symbols, i);
      const Role role = role_of(symbol);
      if (role != Role::None) (role == Role::Import ? imports_ : exports_).count(symbol.st_name);
    }
    facts_.imports.resize(imports_.finish());
    facts_.exports.resize(exports_.finish());
  }

  // The names of a list that has their starts. Symbols without a name go, and places that no symbol was given.
  template <class Symbol>
  void read_names(std::vector<Symbol>& list, std::uint32_t mark) {
    std::vector<std::uint32_t> moved;  // by place; empty: none went
    std::uint32_t left = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i + ahead < list.size()) __builtin_prefetch(list[i + ahead].name.data());
      const std::string_view name = strings_.whole(list[i].name);
      if (name.empty() && moved.empty()) {
        moved.resize(list.size(), nowhere);
        std::iota(moved.begin(), moved.begin() + left, 0U);
      }
      if (name.empty()) continue;
      if (!moved.empty()) moved[i] = left, list[left] = list[i];
      list[left++].name = name;
    }
    if (moved.empty()) return;
    list.resize(left);
    for (std::uint32_t& place : places_)
      if (place != nowhere && (place & own) == mark)
        place = moved[place & ~own] == nowhere ? nowhere : moved[place & ~own] | mark;
  }

  void import(const Sym& symbol, std::size_t i, unsigned number) {
    const Visibility visibility = visibility_of(symbol.st_other);
    const std::size_t place = imports_.place(symbol.st_name);
    if (place >= facts_.imports.size()) return;
    std::optional<NeedIndex> need;
    if (number > VER_NDX_GLOBAL) {
      const std::int32_t position =
          number < versions_.meanings.size() ? versions_.meanings[number].need : Versions::none;
      if (position != Versions::none) need = NeedIndex{static_cast<std::uint32_t>(position)};
      if (number > versions_.highest) ++unknown_;
    }
    // A hidden symbol is never looked up (glibc sysdeps/generic/ldsodefs.h, dl_symbol_visibility_binds_local_p).
    const Bound bound = visibility == Visibility::Hidden ? Bound::Never : bound_of(i);
    if (bound != Bound::Never) places_[i] = static_cast<std::uint32_t>(place);
    facts_.imports[place] = {strings_.start(symbol.st_name),
                             need,
                             kind_of(symbol.getType()),
                             bound,
                             visibility,
                             symbol.getBinding() == STB_WEAK,
                             symbol.st_value != 0};
  }

  void offer(const Sym& symbol, std::size_t i, unsigned number) {
    const std::size_t place = exports_.place(symbol.st_name);
    if (place >= facts_.exports.size()) return;
    Export facts{.name = strings_.start(symbol.st_name),
                 .version = std::nullopt,
                 .copied_version = {},
                 .size = symbol.st_size,
                 .kind = kind_of(symbol.getType()),
                 .binding = binding_of(symbol.getBinding()),
                 .visibility = visibility_of(symbol.st_other),
                 .bound = bound_of(i),
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
    if (facts.bound != Bound::Never) places_[i] = static_cast<std::uint32_t>(place) | own;
    facts_.exports[place] = facts;
  }

  // Symbols that no look-up could be for (local, hidden, without a name) got no place.
  void refer() {
    std::vector<Reference>& all = relocations_.references;
    std::erase_if(all, [&](const Reference& reference) { return places_[reference.symbol] == nowhere; });
    for (Reference& reference : all) {
      const std::uint32_t place = places_[reference.symbol];
      reference = {place & ~own, (place & own) != 0, reference.kind, reference.at_first_call};
    }
    all.shrink_to_fit();
    facts_.references = std::move(all);
  }

  Bound bound_of(std::size_t i) const { return i < relocations_.bound.size() ? relocations_.bound[i] : Bound::Never; }

  const Versions& versions_;
  Relocations& relocations_;
  Strings& strings_;
  DynamicFacts& facts_;
  Shelves imports_, exports_;
  std::vector<std::uint32_t> places_;  // by symbol index, for those that relocations name
  std::uint64_t unknown_ = 0;
};

}  // namespace

template <class ELFT>
void read_symbols(const Image& image, const DynamicTable& table, std::uint64_t count, const Versions& versions,
                  Relocations relocations, Strings& strings, DynamicFacts& facts, Flaws& flaws) {
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
  SymbolReader<ELFT> reader(versions, relocations, strings, facts);
  reader.walk(*symbols, numbers, [&](std::size_t read) {
    constexpr std::uint64_t size = sizeof(typename ELFT::Sym);
    const auto address = table.get(DT_VERSYM);
    image.done(*start, read * size);
    if (address) image.done(*address, read * 2);
    // Where the tables lie over each other, the rest of one may have gone with the other: asked for, it comes back.
    (void)image.from(*start + read * size, symbols->size() - read * size);
    if (address)
      (void)image.from(*address + read * 2, numbers.size() - std::min<std::size_t>(numbers.size(), read * 2));
  });
  facts.symbol_count = static_cast<std::uint32_t>(std::max<std::uint64_t>(count, 1) - 1);
  if (reader.unknown_versions() > 0)
    flaws.fatal(ElfArea::Versions,
                fmt::format("{} symbols have a version index above {}, the highest that is given out",
                            reader.unknown_versions(), versions.highest));
}

#define WHEELCHECK_FOR(ELFT)                                                                                       \
  template void read_symbols<ELFT>(const Image&, const DynamicTable&, std::uint64_t, const Versions&, Relocations, \
                                   Strings&, DynamicFacts&, Flaws&);
WHEELCHECK_FOR_EACH_ELF_TYPE(WHEELCHECK_FOR)
#undef WHEELCHECK_FOR

}  // namespace wheelcheck::elf
