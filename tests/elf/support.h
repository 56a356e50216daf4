// Common functions of the ELF tests: recipes for many machines, and functions that read facts and write them as text.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "elf/read.h"
#include "tests/support/elf_recipe.h"

namespace wheelcheck::elf {

using test::ElfRecipe;

// The facts of a file that is streamed in chunks through a page filter that keeps as little as possible. With chunk 0
// the filter sees nothing.
inline Result<ElfFacts> sieved_facts(const std::string& bytes, const Limits& limits, std::size_t chunk) {
  const auto all = std::as_bytes(std::span(bytes));
  auto pages = SparseBytes::reserve(all.size(), [=](std::uint64_t begin, std::uint64_t end, SparseBytes& into) {
    into.keep(begin, all.subspan(begin, end - begin));
    return Result<std::uint64_t>(end - begin);
  });
  PageFilter page_filter(0);
  if (chunk > 0) page_filter.start(*pages);
  for (std::size_t at = 0; chunk > 0 && at < all.size(); at += chunk)
    page_filter.take(all.subspan(at, std::min(chunk, all.size() - at)));
  return read_elf(std::move(pages), page_filter, limits);
}

// The texts and device code of the data as one text.
inline std::string told_of_data(const ElfFacts& facts) {
  std::string out = facts.gil_slot ? "slot\n" : "";
  const InterfaceFacts& interfaces = facts.interfaces;
  for (const auto* list :
       {&facts.texts.libraries, &facts.texts.versions, &facts.texts.build_paths, &facts.sections.comments,
        &interfaces.numpy_messages, &interfaces.numpy_modules, &interfaces.pybind11_ids, &interfaces.nanobind_ids,
        &interfaces.pybind11_types, &interfaces.cython_messages, &interfaces.cython_modules})
    for (const std::string_view text : *list) out += std::string(text) + '\n';
  for (const VersionVariable& variable : facts.texts.version_names)
    out += std::string(variable.name) + ' ' + std::string(variable.value) + '\n';
  out += std::to_string(interfaces.jemalloc_page) + ' ' + std::to_string(interfaces.numpy_feature) + '\n';
  out += facts.texts.cut ? "cut " : "";
  out += std::to_string(facts.sections.debug_bytes) + ' ' + std::to_string(facts.device.bytes) + '\n';
  for (const DeviceImage& image : facts.device.images)
    out += image.target + ' ' + std::to_string(image.count) + ' ' + std::to_string(image.bytes) + '\n';
  return out;
}

inline ElfFacts facts_of_bytes(const std::string& bytes, const Limits& limits = {});
inline ElfFacts facts_of(const ElfRecipe& recipe, const Limits& limits = {}) {
  return facts_of_bytes(test::make_elf(recipe), limits);
}

struct NamedMachine {
  const char* name;
  std::uint16_t machine;
  int bits;
  bool big_endian;
  Arch arch;
};
// Every class and byte order at least once, and every machine with a platform tag.
inline const std::vector<NamedMachine>& machines() {
  static const std::vector<NamedMachine> all = {
      {"x86_64", 62, 64, false, Arch::x86_64},
      {"i686", 3, 32, false, Arch::i686},
      {"aarch64", 183, 64, false, Arch::aarch64},
      {"armv7l", 40, 32, false, Arch::armv7l},
      {"ppc64le", 21, 64, false, Arch::ppc64le},
      {"ppc64", 21, 64, true, Arch::ppc64},
      {"s390x", 22, 64, true, Arch::s390x},
      {"riscv64", 243, 64, false, Arch::riscv64},
      {"loongarch64", 258, 64, false, Arch::loongarch64},
      {"powerpc32", 20, 32, true, Arch::Other},
  };
  return all;
}
inline ElfRecipe on(const NamedMachine& machine, ElfRecipe recipe) {
  recipe.machine = machine.machine;
  recipe.bits = machine.bits;
  recipe.big_endian = machine.big_endian;
  return recipe;
}

// A library that uses every table.
inline ElfRecipe rich_recipe() {
  ElfRecipe recipe;
  recipe.soname = "libmade.so.1";
  recipe.needed = {"libc.so.6", "libz.so.1"};
  recipe.runpath = "$ORIGIN/../made.libs::/opt/lib";
  recipe.needs = {{.library = "libc.so.6",
                   .version = "GLIBC_2.17",
                   .symbols = {{.name = "memcpy"}, {.name = "stdout", .kind = SymbolKind::Object}}},
                  {.library = "libz.so.1", .version = "ZLIB_1.2.9", .symbols = {{.name = "inflate", .weak = true}}},
                  {.library = "libc.so.6", .version = "GLIBC_2.34", .weak = true, .symbols = {{.name = "late"}}}};
  recipe.defines = {{.version = "MADE_1", .symbols = {{.name = "old", .default_version = false}}},
                    {.version = "MADE_2", .symbols = {{.name = "fresh"}}}};
  recipe.imports = {{.name = "PyInit", .kind = SymbolKind::NoType}, {.name = "__gmon_start__", .weak = true}};
  recipe.exports = {{.name = "table", .kind = SymbolKind::Object, .unique = true, .size = 24},
                    {.name = "guarded", .visibility = Visibility::Protected},
                    {.name = "secret", .visibility = Visibility::Hidden},
                    {.name = "spare", .weak = true, .bound = Bound::AtFirstCall}};
  recipe.build_id = "00ff10";
  return recipe;
}

// The facts of the dynamic section as one text, to compare two files.
inline std::string told(const ElfFacts& facts) {
  std::string out;
  const auto add = [&](auto&&... parts) {
    ((out += parts, out += ' '), ...);
    out += '\n';
  };
  const auto number = [](auto value) { return std::to_string(static_cast<std::uint64_t>(value)); };
  for (const Flaw& flaw : facts.flaws) add("flaw", name_of(flaw.area), flaw.fatal ? "fatal" : "odd", flaw.reason);
  add("libc", name_of(facts.libc), "kind", number(facts.kind), "id", facts.build_id.value_or("-"));
  if (!facts.dynamic) return out;
  const DynamicFacts& dynamic = *facts.dynamic;
  add("soname", dynamic.soname.value_or("-"), "symbols", number(dynamic.symbol_count));
  for (const auto name : dynamic.needed) add("needed", name);
  for (const auto element : dynamic.search.rpath) add("rpath", element);
  for (const auto element : dynamic.search.runpath) add("runpath", element);
  for (const VersionNeed& need : dynamic.needs)
    add("need", need.library, need.version, number(need.index), need.weak ? "weak" : "");
  for (const VersionDefinition& one : dynamic.provides) add("provides", one.version, number(one.index));
  for (const Import& one : dynamic.imports)
    add("import", one.name, one.need ? dynamic.needs.at(one.need->value).version : "-", number(one.kind),
        number(one.bound), number(one.visibility), one.weak ? "weak" : "");
  for (const Export& one : dynamic.exports)
    add("export", one.name, one.version ? dynamic.provides.at(*one.version).version : "-", number(one.size),
        number(one.kind), number(one.binding), number(one.visibility), number(one.bound),
        one.default_version ? "default" : "");
  return out;
}

// Reads each file in every way: as a whole, as a large member of an archive, and as a file of a directory.
inline ElfFacts facts_of_bytes(const std::string& bytes, const Limits& limits) {
  ElfFacts whole = read_elf(std::as_bytes(std::span(bytes)), limits);
  if (bytes.empty()) return whole;
  for (const std::size_t chunk : {std::size_t{0}, std::size_t{4096}, std::size_t{1} << 18}) {
    const auto filtered = sieved_facts(bytes, limits, chunk);
    EXPECT_TRUE(filtered) << filtered.error().message;
    if (!filtered) continue;
    EXPECT_EQ(told(*filtered), told(whole)) << "in chunks of " << chunk;
    EXPECT_EQ(told_of_data(*filtered), told_of_data(whole)) << "in chunks of " << chunk;
  }
  return whole;
}

inline std::vector<std::string> reasons(const ElfFacts& facts) {
  std::vector<std::string> out;
  for (const Flaw& flaw : facts.flaws) out.push_back((flaw.fatal ? "fatal: " : "odd: ") + flaw.reason);
  return out;
}
inline bool any_fatal(const ElfFacts& facts) {
  for (const Flaw& flaw : facts.flaws)
    if (flaw.fatal) return true;
  return false;
}

}  // namespace wheelcheck::elf
