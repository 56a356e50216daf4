// Random facts that no linker creates but that the format must store: every field, every kind, names with any bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/loader_oracle/dice.h"
#include "wheelcheck/elf.h"

namespace wheelcheck::test {

class RandomFacts {
 public:
  explicit RandomFacts(std::uint64_t seed) : dice_(seed) {}

  unsigned below(unsigned bound) { return dice_.below(bound); }
  std::string text() {
    std::string out;
    for (unsigned i = 0, n = below(12); i < n; ++i)
      out += static_cast<char>(dice_.one_in(6) ? 1 + below(255) : 'a' + below(26));
    return out;
  }
  ElfFacts facts() {
    pool_ = std::make_unique<StringPool>();
    ElfFacts out;
    out.kind = static_cast<ElfKind>(below(5));
    out.arch = static_cast<Arch>(below(11));
    out.machine = static_cast<std::uint16_t>(below(65536));
    out.bits = dice_.one_in(2) ? 32 : 64;
    out.little_endian = dice_.one_in(2);
    out.os_abi = static_cast<std::uint8_t>(dice_.one_in(2) ? 0 : below(256));
    out.debug_only = dice_.one_in(4);
    if (dice_.one_in(2)) out.interpreter = name();
    if (dice_.one_in(2)) out.build_id = "0123abcd";
    if (!dice_.one_in(8)) out.dynamic = dynamic();
    out.libc = static_cast<Libc>(below(4));
    out.use = static_cast<MachineUse>(below(2));
    out.machine_name = text();
    out.flags = below(1U << 31);
    out.has_sections = dice_.one_in(2);
    out.x86_isa_needed = below(16), out.x86_isa_used = below(16), out.x86_features = below(4);
    if (dice_.one_in(2)) out.abi_note = {.system = below(5), .major = below(9), .minor = below(99), .patch = below(99)};
    out.gil_slot = dice_.one_in(2);
    for (unsigned i = 0, n = below(3); i < n; ++i)
      out.loader_calls.push_back({.function = static_cast<LoaderCall::Function>(below(3)),
                                  .name = text(),
                                  .flags = below(0x110),
                                  .at_load = dice_.one_in(2)});
    for (unsigned i = 0, n = below(3); i < n; ++i)
      out.startup.push_back({.x86_level = below(5),
                             .address = below(1U << 31),
                             .entry = text(),
                             .function = text(),
                             .instruction = text(),
                             .feature = text(),
                             .certain = dice_.one_in(2)});
    out.startup_cut = dice_.one_in(2);
    if (dice_.one_in(2))
      out.vector_code = {.x86_level = below(5),
                         .count = below(99),
                         .address = below(1U << 31),
                         .function = text(),
                         .cut = dice_.one_in(2)};
    data(out);
    out.strings = std::move(pool_);
    return out;
  }

 private:
  std::string_view name() { return pool_->add(text()); }
  std::vector<std::string_view> names() {
    std::vector<std::string_view> out;
    for (unsigned i = 0, n = dice_.one_in(2) ? 0 : below(4); i < n; ++i) out.push_back(name());
    return out;
  }
  template <class Pair>
  std::vector<Pair> pairs() {
    std::vector<Pair> out;
    for (unsigned i = 0, n = below(3); i < n; ++i) out.push_back({name(), name()});
    return out;
  }
  template <class Table>
  std::uint32_t index_into(const Table& table) {
    return below(static_cast<unsigned>(table.size()));
  }

  // Sets the facts of the data, the segments and the sections.
  void data(ElfFacts& out) {
    Segments& segments = out.segments;
    if (dice_.one_in(2)) segments.executable_stack = dice_.one_in(2);
    segments.writable_code = dice_.one_in(2);
    segments.relro = static_cast<Relro>(below(3));
    segments.smallest_load_align = below(1U << 20);
    segments.misaligned_load = dice_.one_in(2);
    segments.largest_page = std::uint64_t{1} << below(20);
    segments.tls_size = below(5000);
    segments.tls_align = below(64);
    out.sections = {
        .comments = names(), .debug_bytes = below(1000), .symbol_bytes = below(1000), .sizes = {{name(), below(1000)}}};
    out.texts = {.libraries = names(),
                 .versions = names(),
                 .version_names = pairs<VersionVariable>(),
                 .build_paths = names(),
                 .certificate_files = names(),
                 .cut = dice_.one_in(2)};
    out.interfaces = {.numpy_messages = names(),
                      .numpy_modules = names(),
                      .numpy_feature = below(20),
                      .pybind11_ids = names(),
                      .nanobind_ids = names(),
                      .pybind11_types = names(),
                      .pybind11_status = dice_.one_in(2),
                      .eigen_matrices = below(99),
                      .module_slots = {1, below(4)},
                      .cython_messages = names(),
                      .cython_exports = pairs<CythonFunction>(),
                      .cython_imports = pairs<CythonFunction>(),
                      .cython_modules = names(),
                      .defined_types = {{name(), below(99), below(9)}},
                      .imported_types = {{name(), below(99), dice_.one_in(2), dice_.one_in(2)}},
                      .jemalloc_page = below(65536)};
    if (dice_.one_in(2)) out.trampolines = dice_.one_in(2);
    for (unsigned i = 0, n = below(3); i < n; ++i)
      out.device.images.push_back({static_cast<DeviceImage::Kind>(below(4)), text(), below(100),
                                   std::uint64_t{below(1U << 31)} << 20, below(1000)});
    out.device.bytes = below(1000);
    for (unsigned i = 0, n = below(3); i < n; ++i)
      out.flaws.push_back({static_cast<ElfArea>(below(8)), dice_.one_in(2), text()});
  }

  DynamicFacts dynamic() {
    DynamicFacts out;
    if (dice_.one_in(2)) out.soname = name();
    for (auto* list : {&out.needed, &out.filters, &out.auxiliaries, &out.search.rpath, &out.search.runpath})
      *list = names();
    LoaderFlags& flags = out.flags;
    for (bool* flag : {&flags.symbolic, &flags.bind_now, &flags.text_relocations, &flags.static_tls, &flags.global,
                       &flags.nodelete, &flags.noopen, &flags.pie, &flags.relr, &flags.read_only})
      *flag = dice_.one_in(2);
    for (unsigned i = 0, n = below(4); i < n; ++i)
      out.needs.push_back({name(), name(), static_cast<std::uint16_t>(below(65536)), dice_.one_in(3)});
    for (unsigned i = 0, n = below(4); i < n; ++i)
      out.provides.push_back({name(), static_cast<std::uint16_t>(below(65536)), dice_.one_in(3)});
    symbols(out);
    out.exports_at_zero = names();
    out.symbol_count = below(1000);
    if (dice_.one_in(2)) out.static_tls_relocations = below(1000), out.own_static_tls_relocations = below(1000);
    if (dice_.one_in(4)) out.own_tls_descriptors = below(1000);
    for (unsigned i = 0, n = below(3); i < n; ++i) out.types_not_in_musl.push_back(below(1000));
    return out;
  }

  void symbols(DynamicFacts& out) {
    for (unsigned i = 0, n = below(9); i < n; ++i) {
      Import symbol{.name = name(), .need = {}, .kind = static_cast<SymbolKind>(below(7))};
      if (!out.needs.empty() && dice_.one_in(2)) symbol.need = NeedIndex{index_into(out.needs)};
      symbol.visibility = static_cast<Visibility>(below(3));
      symbol.weak = dice_.one_in(3);
      symbol.canonical = dice_.one_in(4);
      out.imports.push_back(symbol);
    }
    for (unsigned i = 0, n = below(9); i < n; ++i) {
      Export symbol{.name = name(),
                    .version = {},
                    .copied_version = {},
                    .size = below(1U << 30) * std::uint64_t{below(1U << 30)}};
      symbol.kind = static_cast<SymbolKind>(below(7));
      symbol.binding = static_cast<Binding>(below(3));
      symbol.visibility = dice_.one_in(3) ? Visibility::Protected : Visibility::Default;
      symbol.default_version = !dice_.one_in(3);
      if (!out.provides.empty() && dice_.one_in(2))
        symbol.version = static_cast<std::uint16_t>(index_into(out.provides));
      if (!out.needs.empty() && dice_.one_in(3)) symbol.copied_version = NeedIndex{index_into(out.needs)};
      out.exports.push_back(symbol);
    }
    for (unsigned i = 0, n = below(12); i < n; ++i) {
      const bool own = dice_.one_in(2);
      if (own ? out.exports.empty() : out.imports.empty()) continue;
      const std::uint32_t symbol = own ? index_into(out.exports) : index_into(out.imports);
      const bool lazy = dice_.one_in(3);
      out.references.emplace_back(symbol, own, static_cast<LookUp>(below(3)), lazy);
      Bound& bound = own ? out.exports[symbol].bound : out.imports[symbol].bound;
      bound = std::max(bound, lazy ? Bound::AtFirstCall : Bound::AtLoad);
    }
  }

  oracle::Dice dice_;
  std::unique_ptr<StringPool> pool_;
};

}  // namespace wheelcheck::test
