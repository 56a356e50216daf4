#include "tests/fuzz/memory_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>

#include "tests/fuzz/fuzz.h"

namespace wheelcheck::fuzz {

MemoryFile::MemoryFile()
    : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)),
      path_("/proc/self/fd/" + std::to_string(descriptor_)),
      folder_((std::filesystem::temp_directory_path() / "wheelcheck-fuzz-XXXXXX").string()) {
  demand(descriptor_ >= 0 && mkdtemp(folder_.data()) != nullptr, "a file in memory can be made");
}

MemoryFile::~MemoryFile() {
  if (!link_.empty()) unlink(link_.c_str());
  rmdir(folder_.c_str());
  close(descriptor_);
}

void MemoryFile::write(std::string_view bytes) {
  demand(ftruncate(descriptor_, 0) == 0, "a file in memory can be emptied");
  while (!bytes.empty()) {
    const ssize_t done = pwrite(descriptor_, bytes.data(), bytes.size(), lseek(descriptor_, 0, SEEK_END));
    demand(done > 0, "a file in memory can be written");
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

std::string MemoryFile::path_as(std::string_view name) {
  std::string wanted = folder_ + "/" + std::string(name);
  if (wanted == link_) return wanted;
  if (!link_.empty()) unlink(link_.c_str());
  link_.clear();
  const bool possible = !name.empty() && name != "." && name != ".." && name.find('/') == name.npos &&
                        name.find('\0') == name.npos && symlink(path_.c_str(), wanted.c_str()) == 0;
  if (possible) link_ = wanted;
  return wanted;
}

}  // namespace wheelcheck::fuzz
