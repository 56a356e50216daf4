// Symbol, string, version and hash tables of generated ELF files (gABI 5; LSB symbol versioning; glibc
// elf/dl-lookup.c).
#include "tests/support/elf_tables.h"

#include <algorithm>

namespace wheelcheck::test {
namespace {

std::uint32_t sysv_hash(std::string_view name) {
  std::uint32_t hash = 0;
  for (const char c : name) {
    hash = (hash << 4) + static_cast<unsigned char>(c);
    const std::uint32_t high = hash & 0xF0000000U;
    hash = (hash ^ (high >> 24)) & ~high;
  }
  return hash;
}
std::uint32_t gnu_hash(std::string_view name) {
  std::uint32_t hash = 5381;
  for (const char c : name) hash = hash * 33 + static_cast<unsigned char>(c);
  return hash;
}

constexpr std::uint32_t bucket_count = 3;

PlacedSymbol place(StringTable& strings, const RecipeSymbol& symbol, bool defined, std::uint16_t version) {
  PlacedSymbol out{.symbol = symbol, .defined = defined, .name = strings.add(symbol.name), .version = version};
  const bool function = symbol.kind == SymbolKind::Function || symbol.kind == SymbolKind::NoType;
  out.bound = symbol.bound.value_or(defined ? Bound::Never : function ? Bound::AtFirstCall : Bound::AtLoad);
  return out;
}

std::string sysv_table(const ElfRecipe& recipe, const std::vector<PlacedSymbol>& symbols) {
  ElfOut out(recipe.bits, recipe.big_endian);
  const int size = habits_of(recipe).wide_hash ? 8 : 4;
  std::vector<std::uint32_t> buckets(bucket_count), chain(symbols.size());
  for (std::uint32_t i = 1; i < symbols.size(); ++i) {
    std::uint32_t& bucket = buckets[sysv_hash(symbols[i].symbol.name) % bucket_count];
    chain[i] = bucket;
    bucket = i;
  }
  out.put(bucket_count, size).put(symbols.size(), size);
  for (const std::uint32_t value : buckets) out.put(value, size);
  for (const std::uint32_t value : chain) out.put(value, size);
  return out.bytes;
}

std::string gnu_table(const ElfRecipe& recipe, const std::vector<PlacedSymbol>& symbols, std::uint32_t first) {
  ElfOut out(recipe.bits, recipe.big_endian);
  constexpr std::uint32_t shift = 6;
  // The table of GNU ld if there is nothing to hash.
  if (first == symbols.size()) return out.u32(1).u32(1).u32(1).u32(0).word(0).u32(0).bytes;
  std::uint64_t bloom = 0;
  std::vector<std::uint32_t> buckets(bucket_count), chain;
  const auto bits = static_cast<std::uint32_t>(recipe.bits);
  for (std::uint32_t i = first; i < symbols.size(); ++i) {
    const std::uint32_t hash = gnu_hash(symbols[i].symbol.name), bucket = hash % bucket_count;
    bloom |= std::uint64_t{1} << (hash % bits) | std::uint64_t{1} << ((hash >> shift) % bits);
    if (buckets[bucket] == 0) buckets[bucket] = i;
    const bool last = i + 1 == symbols.size() || gnu_hash(symbols[i + 1].symbol.name) % bucket_count != bucket;
    chain.push_back((hash & ~1U) | (last ? 1U : 0U));
  }
  out.u32(bucket_count).u32(first).u32(1).u32(shift).word(bloom);
  for (const std::uint32_t value : buckets) out.u32(value);
  for (const std::uint32_t value : chain) out.u32(value);
  return out.bytes;
}

std::string verdef_table(const ElfRecipe& recipe, StringTable& strings) {
  ElfOut out(recipe.bits, recipe.big_endian);
  const auto record = [&](const std::string& name, std::uint16_t flags, std::uint16_t index, bool last) {
    out.u16(1).u16(flags).u16(index).u16(1).u32(sysv_hash(name)).u32(20).u32(last ? 0 : 28);
    out.u32(strings.add(name)).u32(0);
  };
  record(recipe.soname.value_or("made.so"), 1, 1, recipe.defines.empty());
  for (std::size_t i = 0; i < recipe.defines.size(); ++i)
    record(recipe.defines[i].version, recipe.defines[i].weak ? 2 : 0, static_cast<std::uint16_t>(i + 2),
           i + 1 == recipe.defines.size());
  return out.bytes;
}

// Groups the needs by library, in the order in which the libraries are first named.
std::string verneed_table(const ElfRecipe& recipe, StringTable& strings, std::uint64_t& libraries) {
  std::vector<std::string> names;
  for (const RecipeNeed& need : recipe.needs)
    if (std::ranges::find(names, need.library) == names.end()) names.push_back(need.library);
  libraries = names.size();
  ElfOut out(recipe.bits, recipe.big_endian);
  for (const std::string& name : names) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < recipe.needs.size(); ++i)
      if (recipe.needs[i].library == name) members.push_back(i);
    const auto count = static_cast<std::uint32_t>(members.size());
    out.u16(1).u16(count).u32(strings.add(name)).u32(16).u32(name == names.back() ? 0 : 16 + 16 * count);
    for (const std::size_t i : members) {
      const RecipeNeed& need = recipe.needs[i];
      out.u32(sysv_hash(need.version)).u16(need.weak ? 2 : 0).u16(recipe.defines.size() + 2 + i);
      out.u32(strings.add(need.version)).u32(i == members.back() ? 0 : 16);
    }
  }
  return out.bytes;
}

}  // namespace

ElfOut& ElfOut::put(std::uint64_t value, int size) {
  for (int i = 0; i < size; ++i) {
    const int shift = 8 * (big_ ? size - 1 - i : i);
    bytes.push_back(static_cast<char>((value >> shift) & 0xFF));
  }
  return *this;
}

std::uint32_t StringTable::add(const std::string& text) {
  if (text.empty()) return 0;
  const auto [at, fresh] = known_.try_emplace(text, static_cast<std::uint32_t>(bytes.size()));
  if (fresh) bytes.append(text).push_back('\0');
  return at->second;
}

MachineHabits habits_of(const ElfRecipe& recipe) {
  switch (recipe.machine) {
    case 62:  // x86-64
      return {.glob_dat = 6, .jump_slot = 7};
    case 3:  // i386
      return {.rela = false, .glob_dat = 6, .jump_slot = 7};
    case 183:  // AArch64
      return {.glob_dat = 1025, .jump_slot = 1026, .page = 65536};
    case 40:  // ARM, EABI 5 hard-float
      return {.rela = false, .glob_dat = 21, .jump_slot = 22, .flags = 0x05000400, .page = 65536};
    case 21:  // PowerPC64, ELFv2 if little-endian
      return {.glob_dat = 20, .jump_slot = 21, .flags = recipe.big_endian ? 1U : 2U, .page = 65536};
    case 22:  // s390
      return {.glob_dat = 10, .jump_slot = 11, .wide_hash = recipe.bits == 64};
    case 243:  // RISC-V, double-float, compressed
      return {.glob_dat = 2, .jump_slot = 5, .flags = 5};
    case 258:  // LoongArch, double-float
      return {.glob_dat = 2, .jump_slot = 5, .flags = 0x43, .page = 65536};
    default:
      return {.glob_dat = 6, .jump_slot = 7};
  }
}

Tables make_tables(const ElfRecipe& recipe) {
  Tables tables;
  StringTable& strings = tables.strings;
  for (const auto* list : {&recipe.needed, &recipe.filters, &recipe.auxiliaries})
    for (const std::string& name : *list) strings.add(name);
  for (const auto* text : {&recipe.soname, &recipe.rpath, &recipe.runpath}) strings.add(text->value_or(""));
  tables.symbols.emplace_back();
  for (const RecipeSymbol& symbol : recipe.imports) tables.symbols.push_back(place(strings, symbol, false, 1));
  for (std::size_t i = 0; i < recipe.needs.size(); ++i)
    for (const RecipeSymbol& symbol : recipe.needs[i].symbols)
      tables.symbols.push_back(
          place(strings, symbol, false, static_cast<std::uint16_t>(recipe.defines.size() + 2 + i)));
  const std::size_t first = tables.symbols.size();
  for (const RecipeSymbol& symbol : recipe.exports) tables.symbols.push_back(place(strings, symbol, true, 1));
  for (std::size_t i = 0; i < recipe.defines.size(); ++i)
    for (const RecipeSymbol& symbol : recipe.defines[i].symbols)
      tables.symbols.push_back(
          place(strings, symbol, true, static_cast<std::uint16_t>((i + 2) | (symbol.default_version ? 0 : 0x8000))));
  std::ranges::stable_sort(tables.symbols.begin() + static_cast<std::ptrdiff_t>(first), tables.symbols.end(), {},
                           [](const PlacedSymbol& s) { return gnu_hash(s.symbol.name) % bucket_count; });

  if (!recipe.defines.empty() || !recipe.needs.empty()) {
    ElfOut versym(recipe.bits, recipe.big_endian);
    for (std::size_t i = 0; i < tables.symbols.size(); ++i) versym.u16(i == 0 ? 0 : tables.symbols[i].version);
    tables.versym = versym.bytes;
  }
  if (!recipe.defines.empty()) {
    tables.verdef = verdef_table(recipe, strings);
    tables.definition_count = recipe.defines.size() + 1;
  }
  if (!recipe.needs.empty()) tables.verneed = verneed_table(recipe, strings, tables.need_count);
  if (recipe.hash == HashTables::Sysv || recipe.hash == HashTables::Both)
    tables.hash = sysv_table(recipe, tables.symbols);
  if (recipe.hash == HashTables::Gnu || recipe.hash == HashTables::Both)
    tables.gnu_hash = gnu_table(recipe, tables.symbols, static_cast<std::uint32_t>(first));
  return tables;
}

std::string function_code(const ElfRecipe& recipe, std::uint32_t returns) {
  ElfOut out(recipe.bits, recipe.big_endian);
  if (recipe.machine == 62 || recipe.machine == 3) out.u8(0xB8).u32(returns).u8(0xC3);         // mov eax, imm32; ret
  if (recipe.machine == 183) out.u32(0x52800000U | (returns & 0xFFFF) << 5).u32(0xD65F03C0U);  // mov w0, imm16; ret
  out.bytes.resize(16, '\0');
  return out.bytes;
}

std::string notes_of(const ElfRecipe& recipe, bool properties) {
  ElfOut out(recipe.bits, recipe.big_endian);
  if (properties) {
    ElfOut content(recipe.bits, recipe.big_endian);
    const auto add = [&](std::uint32_t type, std::uint32_t value) {
      if (value != 0) content.u32(type).u32(4).u32(value).pad(static_cast<std::uint64_t>(recipe.bits) / 8);
    };
    add(0xC0000002U, recipe.x86_features);
    add(0xC0008002U, recipe.x86_isa_needed);
    add(0xC0010002U, recipe.x86_isa_used);
    if (content.bytes.empty()) return {};
    return out.u32(4).u32(content.bytes.size()).u32(5).raw(std::string_view("GNU\0", 4)).raw(content.bytes).bytes;
  }
  if (!recipe.build_id.empty()) {
    out.u32(4).u32(recipe.build_id.size() / 2).u32(3).raw(std::string_view("GNU\0", 4));
    for (std::size_t i = 0; i + 1 < recipe.build_id.size(); i += 2)
      out.u8(std::stoul(recipe.build_id.substr(i, 2), nullptr, 16));
    out.pad(4);
  }
  if (recipe.android_api != 0) out.u32(8).u32(4).u32(1).raw(std::string_view("Android\0", 8)).u32(recipe.android_api);
  return out.bytes;
}

std::string arm_attributes(const ElfRecipe& recipe) {
  ElfOut attributes(recipe.bits, recipe.big_endian), out(recipe.bits, recipe.big_endian);
  // Tag_CPU_name is a text, Tag_CPU_arch the requested number, Tag_ABI_VFP_args means hard-float.
  attributes.u8(5).raw(std::string_view("made\0", 5)).u8(6).u8(recipe.arm_cpu_arch.value_or(10)).u8(28).u8(1);
  out.u8('A').u32(4 + 6 + 5 + attributes.bytes.size()).raw(std::string_view("aeabi\0", 6));
  return out.u8(1).u32(5 + attributes.bytes.size()).raw(attributes.bytes).bytes;
}

}  // namespace wheelcheck::test
