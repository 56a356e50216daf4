#include "cli/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_in(const fs::path& directory, std::string_view pattern, const std::string& prefix) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    std::error_code ignored;
    if (glob_match(pattern, name) && !it->is_directory(ignored)) files.push_back(prefix + name);
  }
  std::ranges::sort(files);
  return files;
}

void add_all(std::vector<Input>& inputs, std::vector<std::string> files, const std::string& word, const char* problem) {
  if (files.empty()) inputs.push_back({word, problem});
  for (std::string& file : files) inputs.push_back({std::move(file), ""});
}

// "-" is replaced by the lines of stdin.
std::vector<std::string> with_stdin(std::span<const std::string> words) {
  std::vector<std::string> out;
  for (const std::string& word : words) {
    if (word != "-") {
      out.push_back(word);
      continue;
    }
    const std::size_t before = out.size();
    for (std::string line; std::getline(std::cin, line);) {
      if (line.ends_with('\r')) line.pop_back();
      if (!line.empty()) out.push_back(line);
    }
    if (out.size() == before) out.push_back(word);
  }
  return out;
}

}  // namespace

std::vector<Input> expand(std::span<const std::string> words, bool elf_files) {
  std::vector<Input> inputs;
  for (const std::string& word : with_stdin(words)) {
    std::error_code error;
    if (word == "-") {
      inputs.push_back({word, "no line of stdin names a wheel"});
    } else if (fs::is_directory(word, error)) {
      const std::string prefix = word.ends_with('/') ? word : word + "/";
      std::vector<std::string> wheels = files_in(word, "*.whl", prefix);
      if (wheels.empty() && elf_files) {
        inputs.push_back({word, ""});
      } else if (const std::string advice = advice_for_other_input(word); wheels.empty() && !advice.empty()) {
        inputs.push_back({word, advice});
      } else if (wheels.empty() && is_unpacked_wheel(word)) {
        inputs.push_back({word, ""});
      } else {
        add_all(inputs, std::move(wheels), word, "the directory contains no *.whl file");
      }
    } else if (!fs::exists(fs::symlink_status(word, error)) && word.find_first_of("*?[") != std::string::npos) {
      const std::size_t slash = word.rfind('/');
      const std::string prefix = slash == std::string::npos ? "" : word.substr(0, slash + 1);
      add_all(inputs, files_in(prefix.empty() ? "." : prefix, word.substr(prefix.size()), prefix), word,
              "no file matches the pattern");
    } else if (elf_files && kind_of_input(word, true) == InputKind::ElfFiles) {
      inputs.push_back({word, ""});
    } else if (const std::string advice = advice_for_other_input(word); !advice.empty()) {
      inputs.push_back({word, advice});
    } else if (!fs::exists(fs::symlink_status(word, error))) {
      const std::string missing = advice_for_missing_input(word, words.size() == 1);
      inputs.push_back({word, missing.empty() ? "" : "no such file; " + missing});
    } else {
      inputs.push_back({word, ""});
    }
  }
  return inputs;
}

Result<std::vector<std::string>> expand_all(std::span<const std::string> words, bool elf_files) {
  std::vector<std::string> paths;
  for (Input& input : expand(words, elf_files)) {
    if (!input.problem.empty())
      return std::unexpected(Error{ErrorCode::NotFound, escape(input.path) + ": " + input.problem});
    paths.push_back(std::move(input.path));
  }
  return paths;
}

Result<std::string> expand_one(const std::string& word, bool elf_files) {
  auto paths = expand_all(std::span(&word, 1), elf_files);
  if (!paths) return std::unexpected(std::move(paths.error()));
  if (paths->size() == 1) return std::move(paths->front());
  for (std::string& path : *paths) path = escape(path);
  return std::unexpected(
      Error{ErrorCode::Usage, fmt::format("{} names {} wheels, but one is compared or shown at a time: {}",
                                          escape(word), paths->size(), list_of(*paths, 3))});
}

std::vector<Input> expand_facts(std::span<const std::string> directories) {
  std::vector<Input> inputs;
  for (const std::string& directory : directories) {
    std::vector<std::string> files;
    std::error_code error;
    for (fs::recursive_directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
      std::error_code ignored;
      std::string path = it->path().string();
      if (path.ends_with(facts_extension) && it->is_regular_file(ignored)) files.push_back(std::move(path));
    }
    std::ranges::sort(files);
    if (error)
      inputs.push_back({directory, "the directory cannot be read: " + error.message()});
    else
      add_all(inputs, std::move(files), directory, "the directory contains no *.jsonl.gz file");
  }
  return inputs;
}

}  // namespace wheelcheck::cli
