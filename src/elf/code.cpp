#include "elf/code.h"

#include <algorithm>

namespace wheelcheck::elf {

std::vector<Code> code_of(const File& file, const Image& image, std::span<const Segment> segments,
                          const Header& header) {
  using namespace llvm::ELF;
  constexpr std::size_t max_codes = 16;
  std::vector<Code> codes;
  const bool arm = header.machine == EM_AARCH64 && header.little_endian;
  if ((!is_x86_64(header) && !arm) || file.size() > max_code_bytes) return codes;
  std::uint64_t left = file.size();
  for (const Segment& segment : segments) {
    if (segment.type != PT_LOAD || (segment.flags & PF_X) == 0 || codes.size() == max_codes) continue;
    codes.push_back({segment.address, image.from(segment.address, std::min(segment.file_size, left))});
    left -= codes.back().bytes.size();
  }
  return codes;
}

std::vector<std::uint64_t> function_starts(const Image& image, std::span<const Segment> segments) {
  std::vector<std::uint64_t> starts;
  const auto header = std::ranges::find(segments, std::uint32_t{llvm::ELF::PT_GNU_EH_FRAME}, &Segment::type);
  if (header == segments.end()) return starts;
  const auto bytes = image.from(header->address, header->memory_size);
  const Code table{header->address, bytes};
  if (bytes.size() < 12 || table.at(0) != 1 || table.at(2) != 0x03 || table.at(3) != 0x3B) return starts;
  for (std::size_t at = 12; at + 8 <= bytes.size() && starts.size() < table.word(8); at += 8)
    starts.push_back(header->address +
                     static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(table.word(at))}));
  image.done(header->address, header->memory_size);
  if (!std::ranges::is_sorted(starts)) std::ranges::sort(starts);  // linkers sort it
  return starts;
}

bool tests_processor(const DynamicFacts& facts) {
  return std::ranges::any_of(facts.imports, [](const Import& import) {
    const std::string_view name = import.name;
    return name == "__cpu_model" || name == "__cpu_indicator_init" || name == "getauxval" ||
           name == "__get_cpuid_count" || name.starts_with("__x86_get_cpu") || name.starts_with("cpuinfo_");
  });
}

void each_code_symbol(const Image& image, const DynamicTable& table, std::uint32_t count,
                      const std::function<void(const CodeSymbol&)>& visit) {
  using Symbol = llvm::object::ELF64LE::Sym;
  const auto start = table.get(llvm::ELF::DT_SYMTAB), names = table.get(llvm::ELF::DT_STRTAB);
  if (!start || !names) return;
  const auto bytes = image.from(*start, (std::uint64_t{count} + 1) * sizeof(Symbol));
  const auto strings = image.from(*names, table.get(llvm::ELF::DT_STRSZ).value_or(0));
  const std::string_view text = Bytes(strings).as_text();
  for (std::uint32_t i = 1; (std::size_t{i} + 1) * sizeof(Symbol) <= bytes.size(); ++i) {
    Symbol symbol;
    std::memcpy(&symbol, bytes.data() + std::size_t{i} * sizeof symbol, sizeof symbol);
    if (symbol.st_name >= text.size()) continue;
    visit({.index = i,
           .tail = text.substr(symbol.st_name),
           .value = symbol.st_value,
           .size = symbol.st_size,
           .type = symbol.getType(),
           .defined = symbol.st_shndx != llvm::ELF::SHN_UNDEF});
  }
}

}  // namespace wheelcheck::elf
