// The policies of the user's files and directories, in order.
#include "policy/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "policy/validate.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {
namespace policy {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest = 16 << 20;  // bytes; all built-in policies together are 0.2 MB

std::unexpected<Error> bad(std::string_view file, std::string_view what) {
  return std::unexpected(Error{ErrorCode::BadPolicy, fmt::format("policy {}: {}", escape(file), what)});
}

Result<std::string> text_of(const std::string& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) return bad(file, "there is no such file; give a file or a directory");
  if (!fs::is_regular_file(status)) return bad(file, "is neither a file nor a directory");
  const std::uintmax_t size = fs::file_size(file, error);
  if (error) return bad(file, fmt::format("cannot be read: {}", error.message()));
  if (size > largest) return bad(file, fmt::format("is {} bytes long; at most {} are read", size, largest));
  std::ifstream stream(file, std::ios::binary);
  std::string text(static_cast<std::size_t>(size), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(size));
  if (!stream) return bad(file, "cannot be read; check its permissions");
  return text;
}

// A directory's *.json, by name; a file itself.
Result<std::vector<std::string>> documents_of(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return std::vector{path};
  std::vector<std::string> files;
  fs::directory_iterator at(path, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    if (at->path().extension() == ".json" && at->path().filename().native()[0] != '.' && !fs::is_directory(at->path()))
      files.push_back(at->path().string());
  }
  if (error) return bad(path, fmt::format("cannot be listed: {}", error.message()));
  if (files.empty()) return bad(path, "holds no *.json; give the directory of the policy files");
  std::ranges::sort(files, NaturalLess{});
  return files;
}

}  // namespace

Result<std::vector<Level>> levels_of_text(std::string_view file, std::string_view text) {
  Problems problems;
  std::vector<Level> levels = read_levels(text, problems);
  if (!problems.empty()) return bad(file, problems.summary());
  if (levels.empty()) return bad(file, "holds no policy but linux; add one, or leave the file out");
  return levels;
}

}  // namespace policy

Result<PolicySet> load_policies(std::span<const std::string> files) {
  std::vector<policy::Level> levels;
  for (const std::string& path : files) {
    const Result<std::vector<std::string>> documents = policy::documents_of(path);
    if (!documents) return std::unexpected(documents.error());
    for (const std::string& file : *documents) {
      const Result<std::string> text = policy::text_of(file);
      if (!text) return std::unexpected(text.error());
      Result<std::vector<policy::Level>> more = policy::levels_of_text(file, *text);
      if (!more) return std::unexpected(more.error());
      std::ranges::move(*more, std::back_inserter(levels));
    }
  }
  return PolicySet(std::move(levels));
}

}  // namespace wheelcheck
