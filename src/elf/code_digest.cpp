#include "elf/code_digest.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "elf/header.h"
#include "elf/llvm_types.h"

namespace wheelcheck::elf {
std::string code_digest(std::span<const std::byte> bytes, const ElfFacts& facts) {
  if (!facts.dynamic || !facts.has_sections) return "";
  const File file(bytes);
  Sha2 digest;
  bool has_code = false;
  const auto sections = as_elf(facts.bits == 64, facts.little_endian, [&]<class ELFT> {
    const auto header = read_header<ELFT>(file);
    return header ? read_sections<ELFT>(file, *header) : std::vector<Section>();
  });
  for (const std::string_view name : {".text", ".rodata"})
    for (const Section& section : sections) {
      if (section.name != name || section.type == llvm::ELF::SHT_NOBITS) continue;
      const auto content = file.slice(section.offset, section.size);
      if (!content || section.size == 0) continue;
      has_code = true;
      const std::string head = std::string(name) + ' ' + std::to_string(section.size) + '\n';
      digest.update(std::as_bytes(std::span(head)));
      digest.update(file.bytes(section.offset, section.size));
    }
  std::vector<std::string> names;
  for (const Export& symbol : facts.dynamic->exports) names.push_back(std::string(symbol.name) + '\n');
  for (const Import& symbol : facts.dynamic->imports) names.push_back(std::string(symbol.name) + '\n');
  if (!has_code || names.empty()) return "";
  std::ranges::sort(names);
  for (const std::string& name : names) digest.update(std::as_bytes(std::span(name)));
  return digest.hex();
}

}  // namespace wheelcheck::elf
