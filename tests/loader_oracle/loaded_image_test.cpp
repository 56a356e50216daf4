// Compares the memory that this machine's ld.so creates for files with random program headers with elf/image.h, byte
// for byte, and the name of the file that is found there. A file without flaws must load.
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <random>

#include "elf/image.h"
#include "tests/elf/support.h"

namespace wheelcheck::elf {
namespace {

#if defined(__x86_64__) && defined(__GLIBC__)

constexpr std::uint64_t file_pages = 12;
constexpr std::size_t files = 10000;

struct MadeFile {
  std::string bytes;
  std::vector<Segment> segments;
  std::uint64_t end = 0;  // the page after the last PT_LOAD
};

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : dice_(seed) {}

  MadeFile make() {
    MadeFile made;
    const std::uint64_t table_page = below(6);
    made.bytes.assign(file_pages * page_size + (one_in(2) ? below(page_size) : 0), '\0');
    for (char& c : made.bytes) c = static_cast<char>(dice_());
    for (std::uint64_t page = 0; page < file_pages; ++page) write_tables(made.bytes, page, table_page);
    loads(made);
    made.segments.push_back({PT_DYNAMIC, PF_R, 0x800, table_page * page_size + 0x800, 7 * 16, 7 * 16, 8});
    made.segments.push_back({PT_GNU_STACK, PF_R | PF_W, 0, 0, 0, 0, 16});
    write_headers(made);
    return made;
  }

 private:
  std::uint64_t below(std::uint64_t end) { return dice_() % end; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  template <class T>
  static void put(std::string& bytes, std::uint64_t at, const T& value) {
    std::memcpy(bytes.data() + at, &value, sizeof(T));
  }

  // Each page of the file has the tables of a whole library for the same address, with a different name. Any page that
  // the loader maps there works.
  static void write_tables(std::string& bytes, std::uint64_t page, std::uint64_t table_page) {
    const std::uint64_t at = page * page_size, address = table_page * page_size;
    const std::array<std::uint64_t, 14> entries = {
        DT_STRTAB, address + 0x900, DT_SYMTAB,       address + 0xA00, DT_STRSZ, 16,      DT_SYMENT,
        24,        DT_HASH,         address + 0xB00, DT_SONAME,       1,        DT_NULL, 0};
    put(bytes, at + 0x800, entries);
    put(bytes, at + 0x900, std::array<char, 16>{'\0', 'p', 'a', 'g', 'e', static_cast<char>('a' + page), '\0'});
    put(bytes, at + 0xA00, std::array<char, 24>{});
    put(bytes, at + 0xB00, std::array<std::uint32_t, 4>{1, 1, 0, 0});
  }

  void loads(MadeFile& made) {
    const std::uint64_t count = 1 + below(5);
    std::uint64_t next = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t within = one_in(2) ? 0 : below(page_size);
      if (i > 0 && one_in(4)) next += below(3);
      if (next > 0 && one_in(4)) --next;
      Segment load{.type = PT_LOAD, .flags = PF_R, .align = page_size};
      load.flags |= one_in(2) ? PF_W : one_in(2) ? PF_X : 0U;
      load.offset = below(file_pages) * page_size + within;
      load.address = next * page_size + within;
      load.file_size = one_in(4) ? 0 : one_in(2) ? below(page_size) : below(4 * page_size);
      load.memory_size =
          one_in(6) ? below(load.file_size + 1) : load.file_size + (one_in(2) ? 0 : below(2 * page_size));
      made.segments.push_back(load);
      next = (load.address + std::max(load.memory_size, load.file_size) + page_size - 1) / page_size;
      made.end = (load.address + load.memory_size + page_size - 1) / page_size;
    }
  }

  static void write_headers(MadeFile& made) {
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
    header.e_phnum = static_cast<Elf64_Half>(made.segments.size());
    put(made.bytes, 0, header);
    for (std::size_t i = 0; i < made.segments.size(); ++i) {
      const Segment& s = made.segments[i];
      put(made.bytes, sizeof header + i * sizeof(Elf64_Phdr),
          Elf64_Phdr{s.type, s.flags, s.offset, s.address, s.address, s.file_size, s.memory_size, s.align});
    }
  }

  std::mt19937_64 dice_;
};

enum class Outcome : char { Died, Refused, Same, Other };

bool same_memory(const MadeFile& made, const link_map& map) {
  const File file(std::as_bytes(std::span(made.bytes)));
  const Image image(file, made.segments, true);
  std::uint64_t first = 0;
  for (const Segment& s : made.segments)
    if (s.type == PT_LOAD) {
      first = s.address / page_size;
      break;
    }
  for (std::uint64_t page = first; page < made.end; ++page) {
    std::array<std::byte, page_size> real{};
    const iovec into{real.data(), real.size()};
    const iovec from{reinterpret_cast<void*>(map.l_addr + page * page_size), real.size()};
    const bool there = process_vm_readv(getpid(), &into, 1, &from, 1, 0) == static_cast<ssize_t>(page_size);
    const auto ours = image.bytes(page * page_size, page_size);
    if (there != ours.has_value() || (there && std::memcmp(ours->data(), real.data(), page_size) != 0)) {
      std::printf("page %lu: ld.so %d, ours %d\n", static_cast<unsigned long>(page), there, ours.has_value());
      return false;
    }
  }
  return true;
}

// The name as the loader reads it, from the tables in memory; the loader does not relocate them if PT_DYNAMIC is
// read-only.
std::optional<std::string> name_in_memory(const link_map& map) {
  std::uint64_t strings = 0;
  std::optional<std::uint64_t> name;
  for (const Elf64_Dyn* entry = map.l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) strings = entry->d_un.d_ptr;
    if (entry->d_tag == DT_SONAME) name = entry->d_un.d_val;
  }
  if (!name) return std::nullopt;
  return reinterpret_cast<const char*>(map.l_addr + strings + *name);
}

Outcome open_one(const MadeFile& made) {
  const int fd = memfd_create("made", 0);
  if (write(fd, made.bytes.data(), made.bytes.size()) != static_cast<ssize_t>(made.bytes.size())) return Outcome::Other;
  void* const handle = dlopen(("/proc/self/fd/" + std::to_string(fd)).c_str(), RTLD_NOW);
  close(fd);
  if (handle == nullptr) return Outcome::Refused;
  link_map* map = nullptr;
  dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map));
  bool same = same_memory(made, *map);
  const ElfFacts facts = read_elf(std::as_bytes(std::span(made.bytes)), {});
  // The memory after the file may be that of another library, in which the loader finds a table by chance.
  const std::uint64_t tables = reinterpret_cast<std::uint64_t>(map->l_ld) - map->l_addr;
  if (tables / page_size >= made.end) {
    dlclose(handle);
    return same ? Outcome::Same : Outcome::Other;
  }
  const auto name = name_in_memory(*map);
  const auto ours = facts.dynamic ? facts.dynamic->soname : std::nullopt;
  if (name != (ours ? std::optional<std::string>(*ours) : std::nullopt)) {
    std::printf("DT_SONAME: ld.so %s, ours %s\n", name.value_or("-").c_str(), std::string(ours.value_or("-")).c_str());
    same = false;
  }
  std::fflush(stdout);
  dlclose(handle);
  return same ? Outcome::Same : Outcome::Other;
}

#if defined(__SANITIZE_ADDRESS__)
#define WHEELCHECK_UNDER_ASAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WHEELCHECK_UNDER_ASAN
#endif
#endif

TEST(LoadedImage, IsWhatTheLoaderMaps) {
#ifdef WHEELCHECK_UNDER_ASAN
  GTEST_SKIP() << "the sanitizer's own mappings are where some of the files are to be loaded";
#endif
  auto* const outcomes =
      static_cast<Outcome*>(mmap(nullptr, files, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));  // NOLINT
  ASSERT_NE(outcomes, MAP_FAILED);
  for (std::size_t next = 0; next < files;) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      close(STDERR_FILENO);  // hides the message of glibc when it dies
      for (std::size_t i = next; i < files; ++i) {
        outcomes[i] = Outcome::Died;
        outcomes[i] = open_one(Maker(i).make());
        if (i + 1 < files) outcomes[i + 1] = Outcome::Died;
      }
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) break;
    // It died in the first file without another outcome.
    while (next < files && outcomes[next] != Outcome::Died) ++next;
    ++next;
  }
  std::array<std::size_t, 4> counts{};
  for (std::size_t i = 0; i < files; ++i) {
    ++counts[static_cast<std::size_t>(outcomes[i])];
    EXPECT_NE(outcomes[i], Outcome::Other) << "file " << i;
    if (outcomes[i] == Outcome::Same) continue;
    const std::string bytes = Maker(i).make().bytes;
    EXPECT_FALSE(read_elf(std::as_bytes(std::span(bytes)), {}).flaws.empty()) << "file " << i << " does not load";
  }
  munmap(outcomes, files);
  EXPECT_GT(counts[static_cast<std::size_t>(Outcome::Same)], files / 4) << "too few load to say much";
  RecordProperty("died", static_cast<int>(counts[0]));
  RecordProperty("refused", static_cast<int>(counts[1]));
  RecordProperty("same", static_cast<int>(counts[2]));
}

#endif

}  // namespace
}  // namespace wheelcheck::elf
