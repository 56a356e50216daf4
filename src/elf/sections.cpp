// Reads .comment and adds up the sections for debuggers.
#include "elf/sections.h"

#include <algorithm>
#include <set>
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

// Larger ones are of files whose debug information is not worth a second reading for one flag.
constexpr std::uint64_t most_string_bytes = std::uint64_t{4} << 20;
constexpr std::size_t most_marches = 100;

// "GNU C17 12.2.0 -march=haswell -O3": cc1, cc1plus and f951 write so (gcc/dwarf2out.cc, gen_producer_string).
bool is_gcc(std::string_view text) {
  return text.starts_with("GNU C") || text.starts_with("GNU Fortran") || text.starts_with("GNU F77");
}

void add_marches(std::string_view bytes, bool flags_alone, std::set<std::string_view>& out) {
  constexpr std::string_view flag = "-march=";
  while (!bytes.empty() && out.size() < most_marches) {
    const std::size_t end = std::min(bytes.find('\0'), bytes.size());
    const std::string_view text = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    if (!is_gcc(text) && !(flags_alone && text.starts_with(flag))) continue;
    const std::size_t at = text.find(flag);
    if (at == std::string_view::npos)
      out.insert(std::string_view());
    else
      out.insert(text.substr(at + flag.size(), text.find(' ', at) - at - flag.size()));
  }
}

}  // namespace

SectionFacts section_facts(const File& file, std::span<const Section> sections, StringPool& pool) {
  SectionFacts facts;
  std::uint64_t left = most_comment_bytes;
  std::set<std::string_view> marches;
  std::uint64_t strings_left = most_string_bytes;
  for (const Section& section : sections) {
    if (section.type == SHT_SYMTAB) facts.symbol_table = true;
    if (section.type == SHT_NOBITS || !file.contains(section.offset, section.size)) continue;
    // Sections that lie over each other hold no more than the file does.
    if (section.name.starts_with(".debug_") || section.name.starts_with(".zdebug_"))
      facts.debug_bytes = std::min<std::uint64_t>(facts.debug_bytes + section.size, file.size());
    const bool flags = section.name.starts_with(".GCC.command");  // as much of a name as is kept
    if ((flags || section.name == ".debug_str") && section.size <= strings_left &&
        (section.flags & SHF_COMPRESSED) == 0) {
      strings_left -= section.size;
      add_marches(file.slice(section.offset, section.size)->as_text(), flags, marches);
    }
    if (section.name != ".comment" || section.size > left) continue;
    left -= section.size;
    add_comments(file.slice(section.offset, section.size)->as_text(), facts.comments);
  }
  std::ranges::sort(facts.comments);
  const auto repeated = std::ranges::unique(facts.comments);
  facts.comments.erase(repeated.begin(), repeated.end());
  if (facts.comments.size() > most_comments) facts.comments.resize(most_comments);
  for (std::string_view& comment : facts.comments) comment = pool.add(comment);
  for (const std::string_view march : marches) facts.marches.push_back(pool.add(march));
  return facts;
}

}  // namespace wheelcheck::elf
