// Reads the policies of the user's files and directories, in order.
#include "policy/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "base/text_file.h"
#include "policy/builtin.h"
#include "policy/validate.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {
namespace policy {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest = 16 << 20;  // bytes; all built-in policies together have 0.2 MB

std::unexpected<Error> bad(std::string_view file, std::string_view what) {
  return std::unexpected(Error{ErrorCode::BadPolicy, fmt::format("policy {}: {}", escape(file), what)});
}

Result<std::string> text_of(const std::string& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) return bad(file, "no such file; give a file or a directory");
  if (!fs::is_regular_file(status)) return bad(file, "is neither a file nor a directory");
  auto text = read_text_file(file, largest);
  if (!text) return bad(file, text.error());
  return std::move(*text);
}

// The *.json files of a directory, by name; or the file itself.
Result<std::vector<std::string>> files_of(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return std::vector{path};
  std::vector<std::string> files;
  fs::directory_iterator at(path, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    std::error_code odd;
    if (at->path().extension() == ".json" && at->path().filename().native()[0] != '.' && !at->is_directory(odd))
      files.push_back(at->path().string());
  }
  if (error) return bad(path, fmt::format("cannot be listed: {}", error.message()));
  if (files.empty()) return bad(path, "contains no *.json; give the directory of the policy files");
  std::ranges::sort(files, NaturalLess{});
  return files;
}

}  // namespace

Result<std::vector<Document>> documents_of(std::span<const std::string> paths) {
  std::vector<Document> out;
  for (const std::string& path : paths) {
    const Result<std::vector<std::string>> files = files_of(path);
    if (!files) return std::unexpected(files.error());
    for (const std::string& file : *files) {
      Result<std::string> text = text_of(file);
      if (!text) return std::unexpected(text.error());
      out.push_back({file, std::move(*text)});
    }
  }
  return out;
}

Result<std::vector<Level>> levels_of_text(std::string_view file, std::string_view text) {
  Problems problems;
  std::vector<Level> levels = read_levels(text, problems);
  if (!problems.empty()) return bad(file, problems.summary());
  if (levels.empty()) return bad(file, "contains no policy but linux; add one, or leave the file out");
  return levels;
}

namespace {

Result<std::vector<Level>> levels_of_files(std::span<const std::string> paths) {
  const Result<std::vector<Document>> documents = documents_of(paths);
  if (!documents) return std::unexpected(documents.error());
  std::vector<Level> levels;
  for (const Document& document : *documents) {
    Result<std::vector<Level>> more = levels_of_text(document.file, document.text);
    if (!more) return std::unexpected(more.error());
    std::ranges::move(*more, std::back_inserter(levels));
  }
  return levels;
}

bool is_called(const Level& level, std::string_view name) {
  return level.name == name || std::ranges::find(level.aliases, name) != level.aliases.end();
}

}  // namespace
}  // namespace policy

Result<PolicySet> load_policies(std::span<const std::string> files) {
  Result<std::vector<policy::Level>> levels = policy::levels_of_files(files);
  if (!levels) return std::unexpected(levels.error());
  return PolicySet(std::move(*levels));
}

Result<std::vector<policy::Level>> load_levels(std::span<const std::string> files) {
  Result<std::vector<policy::Level>> added = policy::levels_of_files(files);
  if (!added) return std::unexpected(added.error());
  std::vector<policy::Level> levels = policy::builtin_levels();
  std::ranges::move(*added, std::back_inserter(levels));
  return policy::in_order(std::move(levels));
}

Result<std::vector<policy::Level>> load_level_files(std::span<const std::string> files) {
  return policy::levels_of_files(files);
}

Result<policy::Level> find_level(std::span<const policy::Level> levels, const std::string& name) {
  for (const policy::Level& level : levels)
    if (policy::is_called(level, name)) return level;
  std::error_code error;
  if (!std::filesystem::exists(name, error))
    return std::unexpected(Error{
        ErrorCode::BadPolicy,
        fmt::format("no level and no file is called {}; `wheelcheck policy list` names the levels", escape(name))});
  Result<std::vector<policy::Level>> found = policy::levels_of_files(std::span(&name, 1));
  if (!found) return std::unexpected(found.error());
  if (found->size() > 1) return policy::bad(name, fmt::format("contains {} levels; name one of them", found->size()));
  return std::move(found->front());
}

}  // namespace wheelcheck
