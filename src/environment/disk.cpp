// Files are read side by side, but take their places in the order of their paths.
#include "environment/disk.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <span>

#include "base/parallel.h"
#include "base/text.h"
#include "elf/read.h"

namespace wheelcheck::environment {
namespace {

namespace fs = std::filesystem;

bool is_elf(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  char magic[4] = {};
  return in.read(magic, sizeof magic) && std::string_view(magic, 4) == std::string_view(
                                                                           "\x7f"
                                                                           "ELF",
                                                                           4);
}

// A file in memory as far as it is looked at: most of a large library is code, which no fact comes from.
class Mapped {
 public:
  Mapped(const fs::path& path, std::uint64_t limit) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat about{};
    if (fstat(file, &about) == 0 && about.st_size > 0 && static_cast<std::uint64_t>(about.st_size) <= limit) {
      size_ = static_cast<std::size_t>(about.st_size);
      start_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
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

std::unique_ptr<const ElfFacts> read_one(const fs::path& path, const Limits& limits) {
  const Mapped file(path, limits.member_bytes);
  return file.bytes().empty() ? nullptr : std::make_unique<const ElfFacts>(elf::read_elf(file.bytes(), limits));
}

}  // namespace

Result<void> Disk::read_directory(const fs::path& top) {
  std::error_code failed;
  std::vector<Candidate> found;
  auto entries = fs::recursive_directory_iterator(top, fs::directory_options::skip_permission_denied, failed);
  for (; !failed && entries != fs::recursive_directory_iterator(); entries.increment(failed)) {
    std::error_code odd;
    if (!entries->is_regular_file(odd)) continue;
    if (is_elf(entries->path())) found.push_back({entries->path(), entries->path().string()});
  }
  if (failed)
    return std::unexpected(Error{
        ErrorCode::NotFound, fmt::format("cannot read the directory {}: {}", escape(top.string()), failed.message())});
  if (found.size() > input_.limits.members)
    return std::unexpected(Error{ErrorCode::OverLimit, fmt::format("{} holds more than {} ELF files",
                                                                   escape(top.string()), input_.limits.members)});
  std::ranges::sort(found, {}, &Candidate::path);
  read_all(found);
  return {};
}

// A file that is met again, by a link, is the same file under one more path.
void Disk::read_all(const std::vector<Candidate>& candidates) {
  std::vector<fs::path> fresh;
  for (const Candidate& candidate : candidates) {
    std::error_code odd;
    const fs::path real = fs::canonical(candidate.on_disk, odd);
    if (odd) continue;
    const process::ObjectIndex next{static_cast<std::uint32_t>(out_.world.files.size())};
    const auto [place, is_new] = known_.try_emplace(real, next);
    if (is_new) {
      out_.world.files.push_back({.path = candidate.path});
      fresh.push_back(real);
    } else if (out_.world.files[place->second.value].path != candidate.path) {
      out_.world.files[place->second.value].aliases.push_back(candidate.path);
    }
  }
  const std::size_t first = out_.world.files.size() - fresh.size();
  out_.facts.resize(out_.world.files.size());
  parallel_for(fresh.size(), input_.jobs,
               [&](std::size_t i) { out_.facts[first + i] = read_one(fresh[i], input_.limits); });
  for (std::size_t i = first; i < out_.world.files.size(); ++i) out_.world.files[i].facts = out_.facts[i].get();
}

std::optional<process::ObjectIndex> Disk::read_file(const std::string& path, bool or_here) {
  std::vector<fs::path> places;
  if (!input_.sysroot.empty()) places.push_back(fs::path(input_.sysroot) / fs::path(path).relative_path());
  if (or_here) places.emplace_back(path);
  for (const fs::path& place : places) {
    std::error_code odd;
    if (!fs::is_regular_file(place, odd) || !is_elf(place)) continue;
    read_all({{place, path}});
    const auto found = known_.find(fs::canonical(place, odd));
    if (found != known_.end()) return found->second;
  }
  return std::nullopt;
}

std::optional<process::ObjectIndex> Disk::known_file(const std::string& path) const {
  std::vector<fs::path> places{path};
  if (!input_.sysroot.empty()) places.insert(places.begin(), fs::path(input_.sysroot) / fs::path(path).relative_path());
  for (const fs::path& place : places) {
    std::error_code odd;
    if (const auto found = known_.find(fs::canonical(place, odd)); found != known_.end()) return found->second;
  }
  return std::nullopt;
}

std::set<std::string> Disk::needed_names() const {
  std::set<std::string> names;
  for (const process::File& file : out_.world.files) {
    if (file.facts == nullptr || !file.facts->dynamic) continue;
    const DynamicFacts& dynamic = *file.facts->dynamic;
    for (const auto* list : {&dynamic.needed, &dynamic.filters, &dynamic.auxiliaries})
      for (const std::string_view name : *list)
        if (name.find('/') == std::string_view::npos) names.emplace(name);
  }
  return names;
}

void Disk::read_needed(const std::vector<std::string>& platform, const std::vector<std::string>& named,
                       const std::set<std::string>& wanted) {
  std::set<std::string> asked;
  for (bool more = true; more;) {
    more = false;
    std::set<std::string> names = needed_names();
    names.insert(wanted.begin(), wanted.end());
    for (const std::string& name : names) {
      if (!asked.insert(name).second) continue;
      more = true;
      for (const std::string& directory : named) read_file(directory + '/' + name, true);
      for (const std::string& directory : platform) read_file(directory + '/' + name, false);
    }
  }
}

}  // namespace wheelcheck::environment
