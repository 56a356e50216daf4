// Outputs that are inputs of the same run, or that are named twice, are refused before anything is written.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/text.h"
#include "cli/inputs.h"
#include "cli/options.h"

namespace wheelcheck::cli {
namespace {

namespace fs = std::filesystem;

struct NamedFile {
  std::string option, path;
};

struct FilesOfRun {
  std::vector<NamedFile> written, read;
};

bool names_output(const CLI::Option& option) {
  constexpr std::string_view names[] = {"output-file", "output", "write-baseline", "evidence", "embed"};
  return std::ranges::any_of(option.get_lnames(),
                             [&](const auto& name) { return std::ranges::find(names, name) != std::end(names); });
}

void add_files(const CLI::App& command, FilesOfRun& files) {
  for (const CLI::Option* const option : command.get_options()) {
    const std::string name = option->get_name();
    for (const std::string& word : option->results()) {
      const bool output = names_output(*option);
      // NAME=FILE: a report of --format, and a wheel of --provider
      const std::size_t equals = word.find('=');
      if (equals != std::string::npos && !output)
        (name == "--format" ? files.written : files.read).push_back({name, word.substr(equals + 1)});
      if (name != "--format") (output ? files.written : files.read).push_back({name, word});
    }
  }
  for (const CLI::App* const nested : command.get_subcommands()) add_files(*nested, files);
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code none;
  return fs::equivalent(a, b, none);
}

// Whether a command that is given the directory reads a file of this name in it.
bool has_name_of_input(const std::string& name, const NamedFile& directory) {
  const bool policies = directory.option.starts_with("--policy") || directory.option.starts_with("--against") ||
                        directory.option == "FILE" || directory.option == "POLICY";
  return name.ends_with(".whl") || name.ends_with(".jsonl.gz") || name.ends_with(".so") ||
         name.find(".so.") != name.npos || (policies && name.ends_with(".json"));
}

// Also true for a file that does not exist yet in a directory: it would be created before the directory is read.
bool reads(const NamedFile& input, const std::string& output) {
  std::error_code none;
  if (same_file(input.path, output)) return true;
  if (!fs::is_directory(input.path, none)) {
    if (input.path.find_first_of("*?[") == std::string::npos) return false;
    const std::vector<std::string> pattern{input.path};
    return std::ranges::any_of(expand(pattern), [&](const Input& file) { return same_file(file.path, output); });
  }
  const fs::path directory = fs::canonical(input.path, none), file = fs::weakly_canonical(output, none);
  const bool below = std::ranges::mismatch(directory, file).in1 == directory.end();
  return below && has_name_of_input(file.filename().string(), input);
}

std::unexpected<Error> refuse(const std::string& path, const char* reason) {
  return std::unexpected(Error{ErrorCode::Usage, fmt::format("the output {} is {}", escape(path), reason)});
}

constexpr const char* also_read = "an input of this run too; write to another file";

}  // namespace

Result<void> refuse_outputs(const CLI::App& command) {
  FilesOfRun files;
  add_files(command, files);
  for (auto output = files.written.begin(); output != files.written.end(); ++output) {
    // `fix` replaces wheels only when it has the whole result, and compares the paths then.
    std::error_code none;
    if (output->path == "-" || fs::is_directory(output->path, none)) continue;
    const auto clashes = [&](const NamedFile& input) {
      // A run may renew its baseline, which it reads completely first.
      if (input.option == "--baseline" && output->option == "--write-baseline") return false;
      return reads(input, output->path);
    };
    if (std::ranges::any_of(files.read, clashes)) return refuse(output->path, also_read);
    const std::string place = fs::weakly_canonical(output->path, none).string();
    const auto twice = std::find_if(output + 1, files.written.end(), [&](const NamedFile& other) {
      return fs::weakly_canonical(other.path, none).string() == place || same_file(other.path, output->path);
    });
    struct stat about{};
    const bool device = ::stat(output->path.c_str(), &about) == 0 && !S_ISREG(about.st_mode);
    if (twice != files.written.end() && !device) return refuse(output->path, "named twice; write to two files");
  }
  return {};
}

Result<void> refuse_outputs(const Options& options, std::span<const Input> inputs) {
  std::vector<std::string> outputs{options.output_file, options.write_baseline};
  for (const std::string& word : options.formats)
    if (const std::size_t equals = word.find('='); equals != word.npos) outputs.push_back(word.substr(equals + 1));
  for (const std::string& output : outputs)
    if (std::ranges::any_of(inputs, [&](const Input& input) { return same_file(input.path, output); }))
      return refuse(output, also_read);
  return {};
}

}  // namespace wheelcheck::cli
