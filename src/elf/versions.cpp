// Walks the chains of Verneed and Verdef records by address. Each step must go forward by at least one record, so every
// chain ends. The number of records is limited as well, because many chains may share one tail.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "elf/hash_table.h"
#include "elf/llvm_types.h"
#include "elf/symbols.h"

namespace wheelcheck::elf {
namespace {

using namespace llvm::ELF;

template <class ELFT>
class Walk {
 public:
  Walk(const Image& image, Strings& strings, const Limits& limits, Flaws& flaws)
      : image_(image), strings_(strings), flaws_(flaws), left_(limits.version_records) {}

  void needs(std::uint64_t address, std::optional<std::uint64_t> declared) {
    using Verneed = typename ELFT::Verneed;
    std::uint64_t files = 0;
    for (bool more = true; more;) {
      const auto record = take<Verneed>(address, "DT_VERNEED");
      if (!record) break;
      ++files;
      if (record->vn_version != VER_NEED_CURRENT) return refuse_version("Verneed", record->vn_version);
      const auto library = strings_.named(record->vn_file);
      if (const auto aux = step(address, record->vn_aux, 0, "vn_aux"); aux && library)
        need_of(*library, *aux, record->vn_cnt);
      more = record->vn_next != 0;
      if (!more) break;
      const auto next = step(address, record->vn_next, sizeof(Verneed), "vn_next");
      if (!next) break;
      address = *next;
    }
    compare("DT_VERNEEDNUM", declared, files);
  }

  void definitions(std::uint64_t address, std::optional<std::uint64_t> declared) {
    using Verdef = typename ELFT::Verdef;
    std::uint64_t count = 0;
    for (;;) {
      const auto record = take<Verdef>(address, "DT_VERDEF");
      if (!record) break;
      ++count;
      if (record->vd_version != VER_DEF_CURRENT) return refuse_version("Verdef", record->vd_version);
      if (const auto aux = step(address, record->vd_aux, 0, "vd_aux")) define(*record, *aux);
      if (record->vd_next == 0) break;
      const auto next = step(address, record->vd_next, sizeof(Verdef), "vd_next");
      if (!next) break;
      address = *next;
    }
    compare("DT_VERDEFNUM", declared, count);
  }

  Versions take_all() { return std::move(out_); }

 private:
  void need_of(std::string_view library, std::uint64_t address, std::uint16_t declared) {
    using Vernaux = typename ELFT::Vernaux;
    std::uint64_t count = 0;
    for (;;) {
      const auto record = take<Vernaux>(address, "DT_VERNEED");
      if (!record) break;
      ++count;
      // The loader would continue and find that indices are used twice.
      if (out_.needs.size() > VERSYM_VERSION) {
        flaws_.fatal(ElfArea::Versions, "there are more version needs than indices for them");
      } else if (const auto name = strings_.named(record->vna_name); name && strings_.may_name(library.size())) {
        check_hash(*name, record->vna_hash);
        if (name->empty() && (record->vna_flags & VER_FLG_WEAK) == 0)
          flaws_.fatal(ElfArea::Versions, "a version without a name is required: no library defines it");
        if ((record->vna_other & VERSYM_HIDDEN) != 0)
          flaws_.odd(ElfArea::Versions,
                     "vna_other marks a version need as hidden: no definition without a version meets it");
        const auto index = static_cast<std::uint16_t>(record->vna_other & VERSYM_VERSION);
        give(index).need = static_cast<std::int32_t>(out_.needs.size());
        out_.needs.push_back({library, *name, index, (record->vna_flags & VER_FLG_WEAK) != 0});
      }
      if (record->vna_next == 0) break;
      const auto next = step(address, record->vna_next, sizeof(Vernaux), "vna_next");
      if (!next) break;
      address = *next;
    }
    if (count != declared)
      flaws_.odd(ElfArea::Versions, "vn_cnt is not the number of records; the loader follows vna_next");
  }

  void define(const typename ELFT::Verdef& record, std::uint64_t address) {
    const auto index = static_cast<std::uint16_t>(record.vd_ndx & VERSYM_VERSION);
    const auto aux = take<typename ELFT::Verdaux>(address, "DT_VERDEF");
    const auto name = aux ? strings_.named(aux->vda_name) : std::nullopt;
    if (!name) return;
    // The base entry is the name of the file. It is never looked up, and patchelf leaves another name there.
    if ((record.vd_flags & VER_FLG_BASE) != 0 || out_.provides.size() > 0xFFFF) return;
    check_hash(*name, record.vd_hash);
    if (index <= VER_NDX_GLOBAL)
      flaws_.odd(ElfArea::Versions, "a version is defined with the index of the symbols that have none");
    give(index).provided = static_cast<std::int32_t>(out_.provides.size());
    out_.provides.push_back({*name, index, (record.vd_flags & VER_FLG_WEAK) != 0});
  }

  Versions::Meaning& give(std::uint16_t index) {
    if (index >= out_.meanings.size()) out_.meanings.resize(std::size_t{index} + 1);
    Versions::Meaning& meaning = out_.meanings[index];
    // 0 and 1 are VER_NDX_LOCAL and VER_NDX_GLOBAL, which no symbol can require.
    if (index > 1 && (meaning.need != Versions::none || meaning.provided != Versions::none) &&
        !std::exchange(said_twice_, true))
      flaws_.fatal(ElfArea::Versions, fmt::format("version index {} is given out twice", index));
    out_.highest = std::max(out_.highest, index);
    return meaning;
  }

  template <class Record>
  std::optional<Record> take(std::uint64_t address, const char* table) {
    if (left_ == 0) {
      flaws_.fatal(ElfArea::Versions,
                   "there are more version records than are read; raise it with --limit version-records=N");
      return std::nullopt;
    }
    --left_;
    const auto record = image_.read<Record>(address);
    if (!record) flaws_.fatal(ElfArea::Versions, fmt::format("{} leads out of what is mapped", table));
    return record;
  }

  std::optional<std::uint64_t> step(std::uint64_t from, std::uint32_t by, std::uint64_t least, const char* field) {
    const std::uint64_t limit = ELFT::Is64Bits ? ~std::uint64_t{0} : 0xFFFFFFFFU;
    if (by >= least && by <= limit - from) return from + by;
    flaws_.fatal(ElfArea::Versions, fmt::format("{} is {}: the records overlap or run in circles", field, by));
    return std::nullopt;
  }

  void refuse_version(const char* record, unsigned version) {
    flaws_.fatal(ElfArea::Versions, fmt::format("the version of a {} record is {}, not 1", record, version));
  }
  void check_hash(std::string_view name, std::uint32_t hash) {
    // The loader compares the hash before the name (glibc elf/dl-version.c, match_symbol).
    if (sysv_hash(name) != hash)
      flaws_.fatal(ElfArea::Versions, "the hash of a version is not that of its name, so the loader will not find it");
  }
  void compare(const char* tag, std::optional<std::uint64_t> declared, std::uint64_t count) {
    if (declared && *declared != count)
      flaws_.odd(ElfArea::Versions, fmt::format("{} is {}, but the loader follows {} records", tag, *declared, count));
  }

  const Image& image_;
  Strings& strings_;
  Flaws& flaws_;
  std::uint64_t left_;
  bool said_twice_ = false;  // of an index, which one
  Versions out_;
};

}  // namespace

template <class ELFT>
Versions read_versions(const Image& image, const DynamicTable& table, Strings& strings, const Limits& limits,
                       Flaws& flaws) {
  Walk<ELFT> walk(image, strings, limits, flaws);
  if (const auto address = table.get(DT_VERNEED)) walk.needs(*address, table.get(DT_VERNEEDNUM));
  if (const auto address = table.get(DT_VERDEF)) walk.definitions(*address, table.get(DT_VERDEFNUM));
  Versions versions = walk.take_all();
  // glibc takes the address of the index table as soon as there is a version, also if it is only the base.
  if (table.get(DT_VERDEF) && !table.get(DT_VERSYM))
    flaws.fatal(ElfArea::Versions, "versions are defined but there is no DT_VERSYM");
  return versions;
}

#define WHEELCHECK_FOR(ELFT) \
  template Versions read_versions<ELFT>(const Image&, const DynamicTable&, Strings&, const Limits&, Flaws&);
WHEELCHECK_FOR_EACH_ELF_TYPE(WHEELCHECK_FOR)
#undef WHEELCHECK_FOR

}  // namespace wheelcheck::elf
