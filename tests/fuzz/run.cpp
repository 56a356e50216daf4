// Runs a fuzz target on every given file, and on the files of every given directory. It replays inputs that caused
// errors in the past, without libFuzzer.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "tests/fuzz/fuzz.h"

int main(int count, char** words) {
  namespace fs = std::filesystem;
  std::set<fs::path> files;
  for (int i = 1; i < count; ++i) {
    if (!fs::is_directory(words[i])) {
      files.insert(words[i]);
      continue;
    }
    for (const fs::directory_entry& each : fs::recursive_directory_iterator(words[i]))
      if (each.is_regular_file()) files.insert(each.path());
  }
  std::size_t bytes = 0;
  for (const fs::path& file : files) {
    std::fprintf(stderr, "%s\n", file.c_str());
    std::ifstream in(file, std::ios::binary);
    const std::string input{std::istreambuf_iterator<char>(in), {}};
    if (!in) return 2;
    bytes += input.size();
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  }
  std::printf("%zu inputs of %zu bytes\n", files.size(), bytes);
  return files.empty() ? 2 : 0;  // no input is an error
}
