// Fuzz target: any bytes as an ELF file. The facts must be the same for every way of reading, as a whole or through the
// page filter. The facts for the loader must not depend on section headers, which the loader does not read.
//
// By design these depend on them: SectionFacts and has_sections; the ranges of data, and thus TextFacts, DeviceCode and
// gil_slot; ARM's build attributes, and thus the architecture of ARM files; and whether a file that the loader cannot
// use is split debug information. Nothing else may depend on them, and no flaw.
#include <cstdint>
#include <memory>
#include <string>

#include "elf/read.h"
#include "tests/facts/shown.h"
#include "tests/fuzz/fuzz.h"

namespace wheelcheck::fuzz {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

// Reads through a page filter that keeps as little as possible. With chunk 0 the filter sees nothing of the file.
std::string sieved(const std::string& file, std::size_t chunk) {
  const auto all = bytes_of(file);
  auto pages = SparseBytes::reserve(all.size(), [=](std::uint64_t begin, std::uint64_t end, SparseBytes& into) {
    into.keep(begin, all.subspan(begin, end - begin));
    return Result<std::uint64_t>(end - begin);
  });
  elf::PageFilter sieve(0);
  if (chunk > 0) sieve.start(*pages);
  for (std::size_t at = 0; chunk > 0 && at < all.size(); at += chunk)
    sieve.take(all.subspan(at, std::min(chunk, all.size() - at)));
  const auto facts = elf::read_elf(std::move(pages), sieve, {});
  if (!facts) return "error: " + facts.error().message;
  return test::Shown::of(*facts);
}

struct SectionFields {
  std::size_t offset, offset_bytes, entry_size, count;  // e_shoff, e_shentsize, e_shnum; e_shstrndx follows
};
SectionFields fields_of(const std::string& file) {
  return file[4] == 2 ? SectionFields{40, 8, 58, 60} : SectionFields{32, 4, 46, 48};  // EI_CLASS
}

// The file without section headers: the fields are filled with bytes `filler`, and e_shoff points nowhere.
std::string without_sections(std::string file, char filler) {
  const SectionFields fields = fields_of(file);
  file.replace(fields.offset, fields.offset_bytes, fields.offset_bytes, filler);
  file.replace(fields.count, 4, 4, filler);
  return file;
}

// The same fields, but with an entry size that no section header has.
std::string with_odd_sections(std::string file) {
  file.replace(fields_of(file).entry_size, 2, 2, '\x7E');
  return file;
}

// The same fields, but with an offset outside of the file.
std::string with_lost_sections(std::string file) {
  const SectionFields fields = fields_of(file);
  file.replace(fields.offset, fields.offset_bytes, fields.offset_bytes, '\x7E');
  return file;
}

struct OfLoader {
  std::string text;
  bool debug_only = false;
};
OfLoader told_to_loader(const std::string& file) {
  ElfFacts facts = elf::read_elf(bytes_of(file), {});
  constexpr std::uint16_t arm = 40;
  facts.has_sections = false;
  facts.sections = {};
  facts.texts = {};
  facts.device = {};
  facts.gil_slot = false;
  if (facts.machine == arm) {
    facts.arch = Arch::Other;
    facts.machine_name.clear();
  }
  return {test::Shown::of(facts), facts.debug_only};
}

// If a table overlaps the header, its fields also have another meaning. Then different fillers give different facts; or
// no filler has the original meaning, but with another entry size or offset the file still has the original facts.
void demand_no_sections_needed(const std::string& file) {
  const OfLoader zeros = told_to_loader(without_sections(file, '\0'));
  for (const char filler : {'\xFF', '\xA5', '\x7E'})
    if (told_to_loader(without_sections(file, filler)).text != zeros.text) return;
  const OfLoader whole = told_to_loader(file);
  if (whole.debug_only && !zeros.debug_only) return;
  if (whole.text == zeros.text || told_to_loader(with_odd_sections(file)).text == whole.text ||
      told_to_loader(with_lost_sections(file)).text == whole.text)
    return;
  demand_same(whole.text, zeros.text, "without section headers the file says the same to the loader");
}

}  // namespace
}  // namespace wheelcheck::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wheelcheck;
  const std::string file(fuzz::text_of(data, size));
  const std::string whole = test::Shown::of(elf::read_elf(fuzz::bytes_of(file), {}));
  if (file.size() < 64) return 0;  // no header, or an incomplete one
  for (const std::size_t chunk : {std::size_t{0}, std::size_t{4096}, std::size_t{1} << 18})
    fuzz::demand_same(fuzz::sieved(file, chunk), whole, "a file is the same read whole and in pieces");
  fuzz::demand_no_sections_needed(file);
  return 0;
}
