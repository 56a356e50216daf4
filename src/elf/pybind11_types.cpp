// pybind11/pybind11.h, the constructor of class_<T>, fills a detail::type_record on the stack:
//    record.scope = scope; record.name = name; record.type = &typeid(T); record.default_holder = ...;
// The record is {scope, name, type, ...}; a byte of flags follows, of which bit 3 is default_holder and bit 4 is
// module_local (pybind11/attr.h). A type is believed if the address of a std::type_info is stored on the stack, and
// bits of the byte at the distance of the flags are set or cleared nearby.
#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "elf/code.h"
#include "elf/interfaces.h"

namespace wheelcheck::elf {
namespace {

using namespace llvm::ELF;

constexpr std::size_t max_registered = 4096, longest_mangled = 512;
constexpr std::size_t max_loads = 16'384;  // of addresses of std::type_info objects
constexpr std::size_t store_window = 48, flags_before = 192, flags_behind = 256;  // bytes of code
// From type_record::type to the flags, since 2.8 (with custom_type_setup_callback) and before.
constexpr std::int64_t flag_distances[] = {0x70, 0x50};
constexpr std::uint8_t default_holder = 8, module_local = 16;

bool has_internals(const InterfaceFacts& facts) {
  return std::ranges::any_of(facts.pybind11_ids,
                             [](std::string_view id) { return id.starts_with("v4_") || id.starts_with("v5_"); });
}

using Rela = llvm::object::ELF64LE::Rela;

// std::type_info objects by address, and the words of memory that hold such an address.
class TypeInfos {
 public:
  TypeInfos(const Image& image, const DynamicTable& table, std::uint32_t symbols) : image_(image) {
    each_code_symbol(image, table, symbols, [&](const CodeSymbol& symbol) {
      if (!symbol.tail.starts_with("_ZT")) return;
      const std::string_view name = symbol.tail.substr(0, symbol.tail.substr(0, longest_mangled).find('\0'));
      if (name.size() <= 4) return;
      const std::string_view of = name.substr(4);
      if (name.starts_with("_ZTVN10__cxxabiv1")) vtables_.insert(symbol.index);
      if (name.starts_with("_ZTS")) texts_.emplace(symbol.index, of);
      if (name.starts_with("_ZTI")) infos_.emplace(symbol.index, of);
      if (name.starts_with("_ZTI") && symbol.defined) names.emplace(symbol.value, of);
    });
    std::set<std::uint64_t> objects;
    each_relocation(image, table, [&](const Rela& one) {
      const std::uint32_t type = one.getType(false), symbol = one.getSymbol(false);
      if (type == R_X86_64_64 && vtables_.contains(symbol) && objects.size() < max_registered)
        objects.insert(one.r_offset);
      if (const auto info = infos_.find(symbol); type == R_X86_64_GLOB_DAT && info != infos_.end())
        pointers.emplace(one.r_offset, info->second);
    });
    each_relocation(image, table, [&](const Rela& one) {
      if (one.r_offset < 8 || !objects.contains(one.r_offset - 8)) return;
      const std::uint32_t type = one.getType(false);
      if (type == R_X86_64_RELATIVE) name(one.r_offset - 8, static_cast<std::uint64_t>(std::int64_t{one.r_addend}));
      if (const auto text = texts_.find(one.getSymbol(false)); type == R_X86_64_64 && text != texts_.end())
        names.emplace(one.r_offset - 8, text->second);
    });
    // DT_RELR: the address is in the word itself.
    for (const std::uint64_t object : objects)
      if (const auto word = image.read<std::uint64_t>(object + 8); word && *word != 0) name(object, *word);
  }

  std::map<std::uint64_t, std::string_view> names;     // of the object there
  std::map<std::uint64_t, std::string_view> pointers;  // of the object to which the word there points

 private:
  void name(std::uint64_t object, std::uint64_t address) {
    const std::string_view text = image_.text(address, longest_mangled).value_or("");
    if (!text.empty()) names.emplace(object, text);
  }

  const Image& image_;
  std::set<std::uint32_t> vtables_;                          // symbols
  std::map<std::uint32_t, std::string_view> texts_, infos_;  // by symbol
};

// The operand [base + displacement] of an instruction, from its ModRM byte on.
struct Operand {
  std::uint8_t base = 0;
  std::int32_t displacement = 0;
  std::size_t length = 0;  // of ModRM, SIB and displacement
};
std::optional<Operand> operand(const Code& code, std::size_t at) {
  if (at + 6 > code.bytes.size()) return std::nullopt;
  const std::uint8_t modrm = code.at(at), mode = modrm >> 6;
  if (mode != 1 && mode != 2) return std::nullopt;
  const bool sib = (modrm & 7) == 4;
  if (sib && code.at(at + 1) != 0x24) return std::nullopt;  // an index
  const std::size_t start = at + (sib ? 2 : 1);
  const auto near = static_cast<std::int8_t>(code.at(start));
  return Operand{static_cast<std::uint8_t>(modrm & 7), mode == 1 ? near : static_cast<std::int32_t>(code.word(start)),
                 start - at + (mode == 1 ? 1U : 4U)};
}

class Registrations {
 public:
  Registrations(const TypeInfos& notes, std::set<std::string_view>& found) : infos_(notes), found_(found) {}

  void read(const Code& code) {
    for (std::size_t at = 0; at + 16 <= code.bytes.size() && found_.size() < max_registered && loads_ < max_loads;
         ++at) {
      // lea r64, [rip + disp32], or mov r64, [rip + disp32] of a word of the global offset table
      const std::uint8_t second = code.at(at + 1);
      if ((code.at(at) | 4) != 0x4C || (second != 0x8D && second != 0x8B) || (code.at(at + 2) & 0xC7) != 5) continue;
      const auto& known = second == 0x8D ? infos_.names : infos_.pointers;
      const auto type = known.find(code.relative(at + 3));
      if (type == known.end()) continue;
      ++loads_;
      if (is_registered(code, at)) found_.insert(type->second);
    }
  }

 private:
  // mov [base + displacement], reg, of the register that the instruction before set
  static std::optional<Operand> store(const Code& code, std::size_t load) {
    const std::uint8_t high = code.at(load) & 4, reg = code.at(load + 2) & 0x38;
    for (std::size_t at = load + 7; at < load + store_window && at + 9 <= code.bytes.size(); ++at)
      if ((code.at(at) & 0xFE) == (0x48 | high) && code.at(at + 1) == 0x89 && (code.at(at + 2) & 0x38) == reg)
        if (const auto to = operand(code, at + 2)) return to;
    return std::nullopt;
  }

  static bool is_registered(const Code& code, std::size_t load) {
    const auto type = store(code, load);
    if (!type) return false;
    bool seen = false;
    const std::size_t end =
        std::min(load + flags_behind, code.bytes.size() - std::min<std::size_t>(9, code.bytes.size()));
    for (std::size_t at = load - std::min(load, flags_before); at < end; ++at) {
      // or byte [flags], imm8 and and byte [flags], imm8
      const std::uint8_t kind = code.at(at) == 0x80 ? code.at(at + 1) & 0x38 : 0xFF;
      if (kind != 0x08 && kind != 0x20) continue;
      const auto flags = operand(code, at + 1);
      if (!flags || flags->base != type->base) continue;
      const std::int64_t distance = std::int64_t{flags->displacement} - type->displacement;
      if (std::ranges::find(flag_distances, distance) == std::end(flag_distances)) continue;
      const std::uint8_t bits = code.at(at + 1 + flags->length);
      if (kind == 0x08 && (bits & module_local) != 0) return false;
      seen = seen || (kind == 0x08 ? bits == default_holder : bits == static_cast<std::uint8_t>(~default_holder));
    }
    return seen;
  }

  const TypeInfos& infos_;
  std::set<std::string_view>& found_;
  std::size_t loads_ = 0;
};

}  // namespace

std::vector<std::string_view> read_pybind11_types(const File& file, const Image& image,
                                                  std::span<const Segment> segments, const DynamicTable& table,
                                                  const Header& header, const ElfFacts& facts, StringPool& pool) {
  if (!is_x86_64(header) || file.size() > max_code_bytes || !facts.dynamic || !has_internals(facts.interfaces))
    return {};
  std::set<std::string_view> found;
  const TypeInfos notes(image, table, facts.dynamic->symbol_count);
  if (notes.names.empty() && notes.pointers.empty()) return {};
  Registrations registrations(notes, found);
  for (const Code& code : code_of(file, image, segments, header)) registrations.read(code);
  std::vector<std::string_view> names;
  for (const std::string_view name : found) names.push_back(pool.add(name));
  return names;
}

}  // namespace wheelcheck::elf
