// Reads files in parallel; their order is that of their paths.
#include "environment/disk.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/fail.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "elf/read.h"

namespace wheelcheck::environment {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t elf_header_bytes = 64;  // of a 64-bit file

// A file mapped into memory, because only a part of it is read: most of a large library is code, which the facts do not
// depend on.
class Mapped {
 public:
  Mapped(const fs::path& path, std::uint64_t limit) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat about{};
    if (fstat(file, &about) == 0 && about.st_size > 0 && static_cast<std::uint64_t>(about.st_size) <= limit) {
      size_ = static_cast<std::size_t>(about.st_size);
      start_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
      if (start_ == MAP_FAILED && errno == ENOMEM) out_of_memory();
    }
    ::close(file);
  }
  ~Mapped() {
    if (start_ != MAP_FAILED) munmap(start_, size_);
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

  std::span<const std::byte> bytes() const {
    if (start_ == MAP_FAILED) return {};
    return {static_cast<const std::byte*>(start_), size_};
  }

 private:
  void* start_ = MAP_FAILED;
  std::size_t size_ = 0;
};

// Null if it is not an ELF file.
std::unique_ptr<const ElfFacts> read_one(const fs::path& path, const Limits& limits) {
  const Mapped file(path, limits.member_bytes);
  return file.bytes().size() < elf_header_bytes || !elf::has_elf_magic(file.bytes())
             ? nullptr
             : std::make_unique<const ElfFacts>(elf::read_elf(file.bytes(), limits));
}

}  // namespace

bool is_elf_file(const fs::path& path) {
  std::error_code none;
  if (!fs::is_regular_file(path, none)) return false;  // a pipe would block
  std::array<char, 4> head{};
  std::ifstream file(path, std::ios::binary);
  return file.read(head.data(), head.size()) && std::string_view(head.data(), head.size()) == "\177ELF";
}

Result<void> Disk::read_directory(const fs::path& top) {
  std::error_code failed;
  std::vector<Candidate> found;
  auto entries = fs::recursive_directory_iterator(top, failed);
  for (; !failed && entries != fs::recursive_directory_iterator(); entries.increment(failed)) {
    std::error_code odd;
    if (!entries->is_regular_file(odd)) continue;
    const fs::path& path = entries->path();
    // ld.so stops at a text file with the name of a library (a linker script, or a link that was packed as text).
    if (path.filename().string().find(".so") != std::string::npos || is_elf_file(path))
      found.push_back({path, path.string(), entries->is_symlink(odd)});
  }
  if (failed)
    return fail(ErrorCode::NotFound, "cannot read the directory {}: {}", escape(top.string()), failed.message());
  if (found.size() > input_.limits.members)
    return fail(ErrorCode::OverLimit, "{} contains more than {} ELF files", escape(top.string()),
                input_.limits.members);
  // The path of a file is its own, not that of a link to it.
  std::ranges::sort(found, {}, [](const Candidate& each) { return std::tie(each.link, each.path); });
  read_all(found);
  return {};
}

std::optional<Disk::Identity> Disk::identity(const fs::path& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return Identity{status.st_dev, status.st_ino};
}

// A file that is found again through a symbolic or hard link is the same file with another path.
void Disk::read_all(const std::vector<Candidate>& candidates) {
  std::vector<fs::path> fresh;
  for (const Candidate& candidate : candidates) {
    std::error_code odd;
    const fs::path real = fs::canonical(candidate.on_disk, odd);
    const auto file = identity(candidate.on_disk);
    if (odd || !file) continue;
    const process::ObjectIndex next{static_cast<std::uint32_t>(world_.files.size())};
    const auto [place, is_new] = inodes_.try_emplace(*file, next);
    known_.try_emplace(real, place->second);
    if (is_new) {
      world_.files.push_back({.path = candidate.path});
      fresh.push_back(real);
    } else if (world_.files[place->second.value].path != candidate.path) {
      world_.files[place->second.value].aliases.push_back(candidate.path);
    }
  }
  const std::size_t first = world_.files.size() - fresh.size();
  const std::size_t kept = facts_.size();
  facts_.resize(kept + fresh.size());
  parallel_for(fresh.size(), input_.jobs, [&](std::size_t i) { facts_[kept + i] = read_one(fresh[i], input_.limits); });
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    process::File& file = world_.files[first + i];
    file.facts = facts_[kept + i].get();
    std::error_code odd;
    file.too_short = file.facts == nullptr && fs::file_size(fresh[i], odd) < elf_header_bytes;
  }
}

std::vector<fs::path> Disk::places(const std::string& path, bool or_here) const {
  std::vector<fs::path> out;
  if (!input_.sysroot.empty()) out.push_back(fs::path(input_.sysroot) / fs::path(path).relative_path());
  if (or_here) out.emplace_back(path);
  return out;
}

std::optional<process::ObjectIndex> Disk::read_file(const std::string& path, bool or_here) {
  for (const fs::path& place : places(path, or_here)) {
    std::error_code odd;
    if (!fs::is_regular_file(place, odd) || !is_elf_file(place)) continue;
    read_all({{place, path}});
    const auto found = known_.find(fs::canonical(place, odd));
    if (found != known_.end()) return found->second;
  }
  return std::nullopt;
}

std::optional<process::ObjectIndex> Disk::read_program(const std::string& path) {
  const auto program = read_file(path, true);
  if (!program) return std::nullopt;
  for (const fs::path& place : places(path, true)) {
    std::error_code odd;
    const fs::path real = fs::canonical(place, odd);
    const auto found = known_.find(real);
    if (odd || found == known_.end() || found->second != *program) continue;
    // Below the sysroot if the path leads there, otherwise where the user has it.
    const fs::path root = input_.sysroot.empty() ? fs::path() : fs::canonical(input_.sysroot, odd);
    const fs::path below = root.empty() ? fs::path() : real.lexically_relative(root);
    const bool inside = !below.empty() && *below.begin() != "..";
    process::File& file = world_.files[program->value];
    const std::string seen = inside ? "/" + below.string() : real.string();
    if (file.path == seen) break;
    std::erase(file.aliases, seen);
    // If a file below the sysroot was named by its path on this machine, that path does not exist in the process.
    const bool named_from_outside = inside && place == fs::path(path) && root != root.root_path();
    if (!named_from_outside) file.aliases.push_back(file.path);
    file.path = seen;
    break;
  }
  return program;
}

std::vector<std::string> Disk::names_in(const std::string& directory) const {
  for (const fs::path& place : places(directory, true)) {
    std::error_code failed;
    std::vector<std::string> out;
    auto entries = fs::directory_iterator(place, failed);
    for (; !failed && entries != fs::directory_iterator(); entries.increment(failed))
      out.push_back(entries->path().filename().string());
    std::ranges::sort(out);
    if (!out.empty()) return out;
  }
  return {};
}

std::optional<process::ObjectIndex> Disk::known_file(const std::string& path) const {
  for (const fs::path& place : places(path, true)) {
    std::error_code odd;
    if (const auto found = known_.find(fs::canonical(place, odd)); found != known_.end()) return found->second;
  }
  return std::nullopt;
}

std::set<std::string> Disk::needed_names() const {
  std::set<std::string> names;
  for (const process::File& file : world_.files) {
    if (file.facts == nullptr || !file.facts->dynamic) continue;
    const DynamicFacts& dynamic = *file.facts->dynamic;
    for (const auto* list : {&dynamic.needed, &dynamic.filters, &dynamic.auxiliaries})
      for (const std::string_view name : *list)
        if (name.find('/') == std::string_view::npos) names.emplace(name);
  }
  return names;
}

void Disk::read_needed(const std::vector<std::string>& platform, const std::vector<std::string>& named,
                       const std::set<std::string>& to_find) {
  std::set<std::string> requested;
  for (bool more = true; more;) {
    more = false;
    std::set<std::string> names = needed_names();
    names.insert(to_find.begin(), to_find.end());
    for (const std::string& name : names) {
      if (!requested.insert(name).second) continue;
      more = true;
      for (const std::string& directory : named) read_file(directory + '/' + name, true);
      for (const std::string& directory : platform) read_file(directory + '/' + name, false);
    }
  }
}

namespace {

namespace fs = std::filesystem;

// venv writes pyvenv.cfg (PEP 405), conda the directory conda-meta.
bool is_environment(const fs::path& directory) {
  std::error_code none;
  return fs::is_regular_file(directory / "pyvenv.cfg", none) || fs::is_directory(directory / "conda-meta", none);
}

}  // namespace

std::string interpreter_of(const std::string& site_packages) {
  std::error_code failed;
  fs::path directory = fs::canonical(site_packages, failed);
  if (failed) return {};
  constexpr int max_levels = 4;  // PREFIX/lib/python3.11/site-packages
  for (int level = 0; level < max_levels && directory.has_relative_path(); ++level) {
    if (is_environment(directory)) {
      for (const char* const name : {"python3", "python"}) {
        const fs::path program = fs::canonical(directory / "bin" / name, failed);
        if (!failed && is_elf_file(program)) return program.string();
      }
      return {};
    }
    directory = directory.parent_path();
  }
  return {};
}

}  // namespace wheelcheck::environment
