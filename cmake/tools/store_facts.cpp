// store_facts interpreter|platform ABOUT PYTHON SYSROOT [NAME...]: writes an interpreter with its modules, or the
// platform's libraries that it and the names need, as JSON (src/facts/process_facts.h). It generates data/reference.
#include <algorithm>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "facts/process_facts.h"
#include "wheelcheck/installation.h"

int main(int argc, char** argv) {
  using namespace wheelcheck;
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 4 || (words[0] != "interpreter" && words[0] != "platform")) {
    std::fputs("usage: store_facts interpreter|platform ABOUT PYTHON SYSROOT [NAME...]\n", stderr);
    return 2;
  }
  ElfFacts asking;
  asking.bits = 64;
  asking.machine = 62;
  asking.dynamic.emplace().needed.assign(words.begin() + 4, words.end());
  process::World world;
  world.files.push_back({.path = "/asking", .facts = &asking});
  const auto around = furnish(world, {.python = words[2], .sysroot = words[3], .promised = {}, .limits = {}});
  if (!around) {
    std::fprintf(stderr, "%s\n", around.error().message.c_str());
    return 1;
  }
  std::vector<process::File> files;
  for (std::size_t i = 0; i < around->origins.size(); ++i) {
    const bool platform = around->origins[i].kind == Origin::Kind::Platform;
    const process::File& file = world.files[i + 1];
    if (!file.assumed && platform == (words[0] == "platform")) files.push_back(file);
    if (file.assumed && platform) std::fprintf(stderr, "assumed: %s\n", file.path.c_str());
  }
  std::ranges::sort(files, {}, &process::File::path);
  const std::string text = facts::write(words[1], files);
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 1;
}
