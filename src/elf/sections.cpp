// Reads .comment and adds up the sections for debuggers.
#include "elf/sections.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "elf/llvm_types.h"

namespace wheelcheck::elf {
namespace {

using namespace llvm::ELF;

// A linker keeps each entry once; files of 30 KB were seen, written by linkers that did not.
constexpr std::uint64_t most_comment_bytes = std::uint64_t{1} << 20;
constexpr std::size_t most_comments = 1000;

void add_comments(std::string_view bytes, std::vector<std::string_view>& out) {
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\0'), bytes.size());
    if (end > 0) out.push_back(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
}

}  // namespace

SectionFacts section_facts(const File& file, std::span<const Section> sections, StringPool& pool) {
  SectionFacts facts;
  std::uint64_t left = most_comment_bytes;
  for (const Section& section : sections) {
    if (section.type == SHT_SYMTAB) facts.symbol_table = true;
    if (section.type == SHT_NOBITS || !file.contains(section.offset, section.size)) continue;
    // Sections that lie over each other hold no more than the file does.
    if (section.name.starts_with(".debug_") || section.name.starts_with(".zdebug_"))
      facts.debug_bytes = std::min<std::uint64_t>(facts.debug_bytes + section.size, file.size());
    if (section.name != ".comment" || section.size > left) continue;
    left -= section.size;
    add_comments(file.slice(section.offset, section.size)->as_text(), facts.comments);
  }
  std::ranges::sort(facts.comments);
  const auto repeated = std::ranges::unique(facts.comments);
  facts.comments.erase(repeated.begin(), repeated.end());
  if (facts.comments.size() > most_comments) facts.comments.resize(most_comments);
  for (std::string_view& comment : facts.comments) comment = pool.add(comment);
  return facts;
}

}  // namespace wheelcheck::elf
