// The text of a variable is found as the loader would make it: by the variable's own bytes, or by the relative
// relocation of its place.
#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "base/text.h"
#include "elf/llvm_types.h"
#include "elf/relocations.h"
#include "elf/symbols.h"

namespace wheelcheck::elf {
namespace {

using namespace llvm::ELF;

constexpr std::size_t max_objects = 16, max_text = 64, max_object_name = 64;

bool names_version(std::string_view name) {
  constexpr std::string_view word = "version";
  return name.size() > word.size() && name.size() <= max_object_name &&
         std::ranges::equal(name.substr(name.size() - word.size()), word, {}, to_lower);
}

struct Object {
  std::string_view name;
  std::uint64_t address = 0, size = 0;
  std::optional<std::uint64_t> target;  // where its relocation makes it point to
};

// Exports do not keep their address, so the few of interest are sought in the table again, by the place of their name.
template <class ELFT>
std::vector<Object> find_objects(const Image& image, const DynamicTable& table, std::uint64_t count,
                                 const DynamicFacts& facts, const Strings& strings) {
  using Sym = typename ELFT::Sym;
  std::map<std::uint64_t, std::string_view> sought;
  for (const Export& one : facts.exports)
    if (one.kind == SymbolKind::Object && one.size >= 4 && one.size <= max_text && names_version(one.name) &&
        sought.size() < max_objects)
      sought.emplace(strings.offset(one.name), one.name);
  std::vector<Object> result;
  const auto symbols = table.get(DT_SYMTAB);
  if (sought.empty() || !symbols) return result;
  const auto bytes = image.from(*symbols, count * sizeof(Sym));
  for (std::size_t at = sizeof(Sym); at + sizeof(Sym) <= bytes.size() && result.size() < max_objects;
       at += sizeof(Sym)) {
    Sym symbol;
    std::memcpy(&symbol, bytes.data() + at, sizeof(Sym));
    const auto name = sought.find(symbol.st_name);
    if (name != sought.end() && symbol.getType() == STT_OBJECT && symbol.st_shndx != SHN_UNDEF)
      result.push_back({name->second, symbol.st_value, symbol.st_size, std::nullopt});
  }
  return result;
}

// Only RELA records have an addend; elsewhere the place itself contains what the loader adds the base address to.
template <class ELFT>
void find_targets(const Image& image, const DynamicTable& table, std::uint32_t relative, std::vector<Object>& objects) {
  using Rela = typename ELFT::Rela;
  const auto start = table.get(DT_RELA);
  // The others are the texts themselves.
  const auto is_pointer = [](const Object& one) { return one.size == sizeof(typename ELFT::Addr); };
  if (!start || std::ranges::none_of(objects, is_pointer)) return;
  const std::uint64_t size = table.get(DT_RELASZ).value_or(0);
  image.walk(*start, size - size % sizeof(Rela), sizeof(Rela), [&](std::span<const std::byte> bytes) {
    for (std::size_t at = 0; at + sizeof(Rela) <= bytes.size(); at += sizeof(Rela)) {
      Rela record;
      std::memcpy(&record, bytes.data() + at, sizeof(Rela));
      if (record.getType(false) != relative) continue;
      for (Object& one : objects)
        if (one.address == record.r_offset) one.target = static_cast<std::uint64_t>(std::int64_t{record.r_addend});
    }
  });
}

// A line of printable ASCII with a digit that ends with a NUL within the bytes.
std::string_view version_text(std::span<const std::byte> bytes) {
  const std::string_view all = Bytes(bytes).as_text();
  const std::string_view text = all.substr(0, all.find('\0'));
  if (text.size() == all.size() || text.empty()) return {};
  const bool plain = std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
  return plain && std::ranges::any_of(text, is_digit) ? text : std::string_view();
}

}  // namespace

template <class ELFT>
std::vector<VersionVariable> read_version_objects(const Image& image, const DynamicTable& table, const Header& header,
                                                  std::uint64_t count, const DynamicFacts& facts,
                                                  const Strings& strings, StringPool& pool) {
  using Word = typename ELFT::Addr;
  std::vector<Object> objects = find_objects<ELFT>(image, table, count, facts, strings);
  find_targets<ELFT>(image, table, relative_type(header.machine), objects);
  std::set<VersionVariable> found;
  for (const Object& one : objects) {
    std::string_view text;
    if (!one.target) text = version_text(image.from(one.address, one.size));
    if (text.empty() && one.size == sizeof(Word)) {
      const auto word = one.target ? std::nullopt : image.read<Word>(one.address);
      const std::uint64_t target = one.target ? *one.target : word ? std::uint64_t{*word} : 0;
      if (target != 0) text = version_text(image.from(target, max_text + 1));
    }
    if (!text.empty()) found.insert({pool.add(one.name), pool.add(text)});
  }
  return {found.begin(), found.end()};
}

#define WHEELCHECK_FOR(ELFT)                                                                                           \
  template std::vector<VersionVariable> read_version_objects<ELFT>(const Image&, const DynamicTable&, const Header&,   \
                                                                   std::uint64_t, const DynamicFacts&, const Strings&, \
                                                                   StringPool&);
WHEELCHECK_FOR_EACH_ELF_TYPE(WHEELCHECK_FOR)
#undef WHEELCHECK_FOR

}  // namespace wheelcheck::elf
