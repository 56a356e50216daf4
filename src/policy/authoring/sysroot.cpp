// Reads a root, whatever it lies in.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include "base/text.h"
#include "policy/authoring/packages.h"
#include "policy/authoring/provided_symbols.h"

namespace wheelcheck {
namespace sysroot {
namespace {

namespace fs = std::filesystem;

bool is_file_system(const fs::path& directory) {
  std::error_code none;
  return std::ranges::any_of(std::initializer_list<const char*>{"usr", "lib", "lib64"},
                             [&](const char* name) { return fs::is_directory(directory / name, none); });
}

// Regular files below a directory by path. Links to directories are not followed: lib is often one to usr/lib.
Result<std::vector<fs::path>> files_below(const fs::path& directory, const Limits& limits) {
  std::vector<fs::path> out;
  std::error_code failed;
  auto entries = fs::recursive_directory_iterator(directory, fs::directory_options::skip_permission_denied, failed);
  for (; !failed && entries != fs::recursive_directory_iterator(); entries.increment(failed)) {
    std::error_code odd;
    if (entries->is_symlink(odd) || !entries->is_regular_file(odd)) continue;
    out.push_back(entries->path());
    if (out.size() > limits.members)
      return std::unexpected(Error{ErrorCode::OverLimit, fmt::format("{} contains more than {} files",
                                                                     escape(directory.string()), limits.members)});
  }
  if (failed)
    return std::unexpected(Error{ErrorCode::NotFound, fmt::format("cannot read the directory {}: {}",
                                                                  escape(directory.string()), failed.message())});
  std::ranges::sort(out);
  return out;
}

// The directories alone where libraries lie: a file system holds a hundred thousand other files.
Result<void> read_file_system(const fs::path& top, const Limits& limits, Offers& offers) {
  for (const char* const name : {"lib", "lib32", "lib64", "usr/lib", "usr/lib32", "usr/lib64", "usr/local/lib"}) {
    std::error_code none;
    const fs::path directory = top / name;
    if (fs::is_symlink(directory, none) || !fs::is_directory(directory, none)) continue;
    const auto files = files_below(directory, limits);
    if (!files) return std::unexpected(files.error());
    for (const fs::path& file : *files) {
      const std::string path = file.lexically_relative(top).generic_string();
      const std::uintmax_t size = fs::file_size(file, none);
      if (none || !offers.wants(path, size)) continue;
      std::ifstream in(file, std::ios::binary);
      std::vector<std::byte> bytes(size);
      in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
      if (!in) return std::unexpected(Error{ErrorCode::Io, fmt::format("cannot read {}", escape(file.string()))});
      offers.add(path, bytes);
    }
  }
  return {};
}

Result<void> read_directory(const fs::path& directory, const Limits& limits, Offers& offers) {
  if (is_file_system(directory)) return read_file_system(directory, limits, offers);
  const auto files = files_below(directory, limits);
  if (!files) return std::unexpected(files.error());
  std::size_t packages = 0;
  for (const fs::path& file : *files) {
    if (!is_package(file.string())) continue;
    ++packages;
    if (auto done = read_package(file.string(), limits, offers); !done) return done;
  }
  if (packages == 0)
    return std::unexpected(Error{
        ErrorCode::NotFound, fmt::format("{} contains neither a file system (usr, lib) nor packages (.deb, .rpm, .apk)",
                                         escape(directory.string()))});
  return {};
}

}  // namespace
}  // namespace sysroot

Result<Root> read_root(const std::string& label, std::span<const std::string> paths, const Limits& limits) {
  sysroot::Offers offers(limits);
  for (const std::string& path : paths) {
    std::error_code none;
    if (!std::filesystem::exists(path, none))
      return std::unexpected(Error{ErrorCode::NotFound, fmt::format("there is no {}", escape(path))});
    auto done = std::filesystem::is_directory(path, none) ? sysroot::read_directory(path, limits, offers)
                                                          : sysroot::read_package(path, limits, offers);
    if (!done) return std::unexpected(std::move(done.error()));
  }
  Root root{label, offers.take()};
  if (root.libraries.empty())
    return std::unexpected(
        Error{ErrorCode::NotFound, fmt::format("{} has no shared library where a loader looks", escape(label))});
  return root;
}

}  // namespace wheelcheck
