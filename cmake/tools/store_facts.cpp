// store_facts interpreter|platform ABOUT PYTHON SYSROOT [NAME...]: writes an interpreter with its modules, or the
// platform's libraries that it and the names need, in the form of
// data/reference (src/environment/reference.h), which it generates.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "elf/read.h"
#include "facts/cache_format.h"
#include "wheelcheck/installation.h"

namespace {

using namespace wheelcheck;

// The facts that the model of the loader uses.
ElfFacts read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  ElfFacts facts = elf::read_elf(std::as_bytes(std::span(bytes)), Limits{});
  facts.texts = {};
  facts.interfaces = {};
  facts.sections = {};
  facts.device = {};
  facts.loader_calls.clear();
  facts.flaws.clear();
  return facts;
}

}  // namespace

int main(int argc, char** argv) {
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
  const auto around = add_runtime(world, {.python = words[2], .sysroot = words[3], .promised = {}, .limits = {}});
  if (!around) {
    std::fprintf(stderr, "%s\n", around.error().message.c_str());
    return 1;
  }
  std::map<std::string, bool> paths;  // without the '/' at the start; whether it is a file and not a link to one
  for (std::size_t i = 0; i < around->origins.size(); ++i) {
    const bool platform = around->origins[i].kind == Origin::Kind::Platform;
    const process::File& file = world.files[i + 1];
    if (file.assumed && platform) std::fprintf(stderr, "assumed: %s\n", file.path.c_str());
    if (file.assumed || platform != (words[0] == "platform")) continue;
    paths[file.path.substr(1)] = true;
    for (const std::string& alias : file.aliases) paths[alias.substr(1)] = false;
  }
  WheelFacts files{.file = words[1]};
  for (const auto& [path, is_file] : paths) {
    const MemberIndex member{static_cast<std::uint32_t>(files.members.size())};
    files.members.push_back({.path = MemberPath::parse(path).value()});
    if (is_file)
      files.elfs.push_back({.member = member, .role = PlainLibrary{}, .facts = read_file(words[3] + "/" + path)});
  }
  facts::write_lines({.file = words[1]}, files,
                     [](std::string_view line) { std::printf("%.*s\n", static_cast<int>(line.size()), line.data()); });
  return std::fflush(stdout) == 0 ? 0 : 1;
}
