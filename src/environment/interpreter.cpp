#include "environment/interpreter.h"

#include <filesystem>
#include <string_view>

#include "environment/disk.h"

namespace wheelcheck::environment {
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
  constexpr int most_levels = 4;  // PREFIX/lib/python3.11/site-packages
  for (int level = 0; level < most_levels && directory.has_relative_path(); ++level) {
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
