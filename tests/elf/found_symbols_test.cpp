// Compares the exports with what dlsym and dlvsym find, for files with random symbols, hash tables and version tables.
#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "elf/hash_table.h"
#include "tests/elf/support.h"

namespace wheelcheck::elf {
namespace {

TEST(HashFunctions, AreThoseOfTheLoader) {
  // Values of binutils' and glibc's own tests.
  EXPECT_EQ(gnu_hash(""), 0x1505U);
  EXPECT_EQ(gnu_hash("printf"), 0x156B2BB8U);
  EXPECT_EQ(gnu_hash("exit"), 0x7C967E3FU);
  EXPECT_EQ(gnu_hash("syscall"), 0xBAC212A0U);
  EXPECT_EQ(gnu_hash("flapenguin.me"), 0x8AE9F18EU);
  EXPECT_EQ(sysv_hash(""), 0U);
  EXPECT_EQ(sysv_hash("printf"), 0x77905A6U);
  EXPECT_EQ(sysv_hash("isnan"), 0x070A47EU);
}

#if defined(__x86_64__) && defined(__GLIBC__)

constexpr std::size_t files = 8000, size = 0x4000;
constexpr std::array<const char*, 8> names = {"alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"};
constexpr std::array<const char*, 3> versions = {"BASE", "V_1", "V_2"};  // the indices 1 to 3

// A library of one segment with all tables at fixed places.
class Maker {
 public:
  explicit Maker(std::uint64_t seed) : dice_(seed), bytes_(size, '\0') {}

  bool has_versions() const { return versioned_; }
  bool has_local_symbols() const {
    return std::ranges::any_of(symbols_, [](const Symbol& symbol) {
      const unsigned binding = ELF64_ST_BIND(symbol.raw.st_info), visibility = symbol.raw.st_other & 3U;
      return (binding != STB_GLOBAL && binding != STB_WEAK && binding != STB_GNU_UNIQUE) || visibility == STV_HIDDEN ||
             visibility == STV_INTERNAL;
    });
  }

  std::string make() {
    write_strings();
    const std::size_t count = 1 + below(14);
    make_symbols(count);
    kind_ = below(5);  // 0, 1: DT_GNU_HASH, 2: DT_HASH, 3: both, 4: neither
    if (kind_ != 2 && kind_ != 4) write_gnu();
    if (kind_ == 2 || kind_ == 3) write_sysv();
    write_symbols();
    versioned_ = one_in(2);
    if (versioned_) write_versions();
    write_dynamic();
    write_headers();
    return bytes_;
  }

 private:
  static constexpr std::uint64_t strings = 0x400, gnu = 0x800, sysv = 0xC00, symtab = 0x1000, versym = 0x1800,
                                 verdef = 0x1A00, dynamic = 0x2000;

  std::uint64_t below(std::uint64_t end) { return dice_() % end; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  template <class T>
  void put(std::uint64_t at, const T& value) {
    std::memcpy(bytes_.data() + at, &value, sizeof(T));
  }

  void write_strings() {
    std::uint64_t at = strings + 1;
    for (const auto& list : {std::span<const char* const>(names), std::span<const char* const>(versions)})
      for (const char* const name : list) {
        string_at_.push_back(static_cast<std::uint32_t>(at - strings));
        std::memcpy(bytes_.data() + at, name, std::strlen(name));
        at += std::strlen(name) + 1;
      }
  }

  struct Symbol {
    std::size_t name;
    Elf64_Sym raw;
  };

  void make_symbols(std::size_t count) {
    constexpr std::array<unsigned char, 4> bindings = {STB_LOCAL, STB_WEAK, STB_GNU_UNIQUE, 5};
    constexpr std::array<unsigned char, 5> types = {STT_OBJECT, STT_SECTION, STT_FILE, STT_COMMON, 9};
    constexpr std::array<Elf64_Half, 3> sections = {SHN_UNDEF, SHN_ABS, SHN_COMMON};
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t name = below(names.size());
      Elf64_Sym raw{};
      raw.st_name = string_at_[name];
      const unsigned binding = one_in(4) ? bindings[below(bindings.size())] : STB_GLOBAL;
      raw.st_info = static_cast<unsigned char>(binding << 4 | (one_in(4) ? types[below(types.size())] : STT_FUNC));
      raw.st_other = one_in(8) ? static_cast<unsigned char>(below(4)) : 0;
      raw.st_shndx = one_in(4) ? sections[below(sections.size())] : 1;
      raw.st_value = one_in(5) ? 0 : 0x3000 + below(0x100);
      symbols_.push_back({name, raw});
    }
  }

  // Sorts the symbols by their bucket, as a linker does, except some times.
  void write_gnu() {
    const std::uint32_t buckets = one_in(20) ? 0 : 1 + static_cast<std::uint32_t>(below(5));
    const std::uint32_t masks = 1U << below(3), shift = static_cast<std::uint32_t>(below(40));
    const std::uint32_t first = 1 + static_cast<std::uint32_t>(below(one_in(2) ? 1 : symbols_.size()));
    const auto bucket_of = [&](const Symbol& s) { return gnu_hash(names[s.name]) % std::max(1U, buckets); };
    if (!one_in(10)) std::ranges::stable_sort(symbols_.begin() + first - 1, symbols_.end(), {}, bucket_of);
    put(gnu, std::array<std::uint32_t, 4>{buckets, first, masks, shift});
    std::vector<std::uint64_t> filter(masks);
    std::vector<std::uint32_t> heads(buckets), chain;
    for (std::size_t i = first - 1; i < symbols_.size(); ++i) {
      const std::uint32_t hash = gnu_hash(names[symbols_[i].name]);
      if (!one_in(30)) filter[(hash / 64) & (masks - 1)] |= 1ULL << (hash % 64) | 1ULL << ((hash >> (shift & 31)) % 64);
      if (buckets > 0 && heads[hash % buckets] == 0) heads[hash % buckets] = static_cast<std::uint32_t>(i + 1);
      const bool last = i + 1 == symbols_.size() || bucket_of(symbols_[i]) != bucket_of(symbols_[i + 1]);
      chain.push_back((hash & ~1U) | (last ? 1 : 0));
    }
    for (std::uint32_t& word : chain)
      if (one_in(30)) word ^= one_in(2) ? 1 : 1U << below(32);
    if (!chain.empty() && !one_in(4)) chain.back() |= 1;
    for (std::uint32_t& head : heads)
      if (one_in(15)) head = static_cast<std::uint32_t>(below(symbols_.size() + 2));
    std::uint64_t at = gnu + 16;
    for (const std::uint64_t word : filter) put(at, word), at += 8;
    for (const std::uint32_t word : heads) put(at, word), at += 4;
    for (const std::uint32_t word : chain) put(at, word), at += 4;
    put(at, 1U);  // every chain ends
  }

  void write_sysv() {
    const std::uint32_t buckets = one_in(20) ? 0 : 1 + static_cast<std::uint32_t>(below(5));
    std::vector<std::uint32_t> heads(buckets), chain(symbols_.size() + 1);
    for (std::uint32_t i = 0; i < symbols_.size() && buckets > 0; ++i) {
      std::uint32_t& head = heads[sysv_hash(names[symbols_[i].name]) % buckets];
      if (one_in(20)) continue;
      chain[i + 1] = head;
      head = i + 1;
    }
    for (std::uint32_t& word : heads)
      if (one_in(15)) word = static_cast<std::uint32_t>(below(symbols_.size() + 1));
    for (std::uint32_t& word : chain)
      if (one_in(30)) word = static_cast<std::uint32_t>(below(symbols_.size() + 1));
    const auto count = static_cast<std::uint32_t>(symbols_.size() + 1);
    put(sysv, std::array<std::uint32_t, 2>{buckets, one_in(6) ? static_cast<std::uint32_t>(below(20)) : count});
    std::uint64_t at = sysv + 8;
    for (const std::uint32_t word : heads) put(at, word), at += 4;
    for (const std::uint32_t word : chain) put(at, word), at += 4;
  }

  void write_symbols() {
    for (std::size_t i = 0; i < symbols_.size(); ++i) put(symtab + (i + 1) * sizeof(Elf64_Sym), symbols_[i].raw);
  }

  void write_versions() {
    for (std::size_t i = 1; i <= symbols_.size(); ++i)
      put(versym + 2 * i, static_cast<std::uint16_t>(below(4) | (one_in(4) ? 0x8000 : 0)));
    for (std::uint16_t i = 0; i < 3; ++i) {
      const std::uint64_t at = verdef + i * (sizeof(Elf64_Verdef) + sizeof(Elf64_Verdaux));
      const auto name = string_at_[names.size() + i];
      put(at, Elf64_Verdef{1, static_cast<Elf64_Half>(i == 0 ? VER_FLG_BASE : 0), static_cast<Elf64_Half>(i + 1), 1,
                           sysv_hash(versions[i]), sizeof(Elf64_Verdef),
                           i == 2 ? 0U : static_cast<Elf64_Word>(sizeof(Elf64_Verdef) + sizeof(Elf64_Verdaux))});
      put(at + sizeof(Elf64_Verdef), Elf64_Verdaux{name, 0});
    }
  }

  void write_dynamic() {
    std::vector<Elf64_Dyn> entries;
    const auto add = [&](std::int64_t tag, std::uint64_t value) { entries.push_back({tag, {value}}); };
    add(DT_STRTAB, strings), add(DT_STRSZ, 0x100), add(DT_SYMTAB, symtab), add(DT_SYMENT, sizeof(Elf64_Sym));
    if (kind_ != 2 && kind_ != 4) add(DT_GNU_HASH, gnu);
    if (kind_ == 2 || kind_ == 3) add(DT_HASH, sysv);
    if (versioned_) {
      // Some of them lie within the symbol table.
      add(DT_VERSYM, one_in(8) ? symtab + 24 * below(symbols_.size() + 1) : versym);
      add(DT_VERDEF, verdef), add(DT_VERDEFNUM, 3);
    }
    add(DT_NULL, 0);
    for (std::size_t i = 0; i < entries.size(); ++i) put(dynamic + i * sizeof(Elf64_Dyn), entries[i]);
  }

  void write_headers() {
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_DYN;
    header.e_machine = EM_X86_64;
    header.e_version = EV_CURRENT;
    header.e_phoff = header.e_ehsize = sizeof header;
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phnum = 3;
    put(0, header);
    put(sizeof header, std::array<Elf64_Phdr, 3>{{{PT_LOAD, PF_R | PF_W, 0, 0, 0, size, size, 0x1000},
                                                  {PT_DYNAMIC, PF_R | PF_W, dynamic, dynamic, dynamic, 0x200, 0x200, 8},
                                                  {PT_GNU_STACK, PF_R | PF_W, 0, 0, 0, 0, 0, 16}}});
  }

  std::mt19937_64 dice_;
  std::string bytes_;
  std::vector<std::uint32_t> string_at_;
  std::vector<Symbol> symbols_;
  std::uint64_t kind_ = 0;
  bool versioned_ = false;
};

// glibc elf/dl-lookup.c, check_match, for dlsym (`version` null) and dlvsym.
bool is_exported(const ElfFacts& facts, std::string_view name, const char* version) {
  if (!facts.dynamic) return false;
  std::size_t defaults = 0;
  const bool versioned = !facts.dynamic->provides.empty();
  for (const Export& symbol : facts.dynamic->exports) {
    if (symbol.name != name) continue;
    if (!versioned) return true;
    if (version != nullptr) {
      if (symbol.version && facts.dynamic->provides[*symbol.version].version == version) return true;
    } else if (!symbol.version) {
      return true;
    } else if (symbol.default_version) {
      ++defaults;
    }
  }
  return defaults == 1;
}

enum class Outcome : char { Died, Refused, Same, Other, Skipped };

bool finds(void* handle, const char* name, const char* version) {
  (void)dlerror();
  (void)(version == nullptr ? dlsym(handle, name) : dlvsym(handle, name, version));
  return dlerror() == nullptr;
}

Outcome open_one(std::size_t number) {
  Maker maker(number);
  const std::string bytes = maker.make();
  // Which of several versions such a symbol hides depends on the kind of the look-up.
  if (maker.has_versions() && maker.has_local_symbols()) return Outcome::Skipped;
  const ElfFacts facts = read_elf(std::as_bytes(std::span(bytes)), {});
  for (const Flaw& flaw : facts.flaws) {
    if (flaw.reason.find("has no end") != std::string::npos) return Outcome::Skipped;  // dlsym would not return
    // An index without a name is a version of its own.
    if (flaw.reason.find("version index above") != std::string::npos) return Outcome::Skipped;
  }
  const int fd = memfd_create("made", 0);
  if (write(fd, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) return Outcome::Other;
  // A library with a STB_GNU_UNIQUE symbol stays open, so each file needs a path of its own.
  std::string path = "/proc/self/fd";
  for (std::size_t bits = number; bits > 0; bits /= 2) path += bits % 2 == 0 ? "/" : "/.";
  void* const handle = dlopen((path + "/" + std::to_string(fd)).c_str(), RTLD_NOW);
  close(fd);
  if (handle == nullptr) return Outcome::Refused;
  bool same = true;
  for (const char* const name : names)
    for (const char* const version : {static_cast<const char*>(nullptr), versions[1], versions[2]}) {
      const bool theirs = finds(handle, name, version), ours = is_exported(facts, name, version);
      if (theirs == ours) continue;
      std::printf("file %zu: %s@%s: ld.so %d, ours %d\n", number, name, version == nullptr ? "" : version, theirs,
                  ours);
      same = false;
    }
  std::fflush(stdout);
  dlclose(handle);
  return same ? Outcome::Same : Outcome::Other;
}

TEST(FoundSymbols, AreTheExports) {
  auto* const outcomes =
      static_cast<Outcome*>(mmap(nullptr, files, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));  // NOLINT
  ASSERT_NE(outcomes, MAP_FAILED);
  for (std::size_t next = 0; next < files;) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      close(STDERR_FILENO);  // hides the message of glibc when it dies
      for (std::size_t i = next; i < files; ++i) {
        alarm(10);
        outcomes[i] = open_one(i);
      }
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) break;
    while (next < files && outcomes[next] != Outcome::Died) ++next;
    ++next;
  }
  std::array<std::size_t, 5> counts{};
  for (std::size_t i = 0; i < files; ++i) {
    ++counts[static_cast<std::size_t>(outcomes[i])];
    EXPECT_NE(outcomes[i], Outcome::Other) << "file " << i;
    if (outcomes[i] == Outcome::Same || outcomes[i] == Outcome::Skipped) continue;
    const std::string bytes = Maker(i).make();
    EXPECT_FALSE(read_elf(std::as_bytes(std::span(bytes)), {}).flaws.empty()) << "file " << i << " does not load";
  }
  munmap(outcomes, files);
  EXPECT_GT(counts[static_cast<std::size_t>(Outcome::Same)], files / 2);
  RecordProperty("died", static_cast<int>(counts[0]));
  RecordProperty("refused", static_cast<int>(counts[1]));
  RecordProperty("same", static_cast<int>(counts[2]));
}

#endif

}  // namespace
}  // namespace wheelcheck::elf
