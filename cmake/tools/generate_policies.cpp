// generate_policies OUT FILE...: writes policies/*.json as C++ tables (src/policy/builtin.h). A build tool. It uses the
// same reader as for a user's policies, so an error in a file stops the build and names its location.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "literal.h"
#include "policy/validate.h"

namespace {

using namespace wheelcheck;
using namespace wheelcheck::policy;

Lists lists;

std::string list(const std::map<std::string, StringSet, std::less<>>& sets) {
  std::vector<std::string> rows;
  for (const auto& [key, texts] : sets) rows.push_back(fmt::format("{{{}, {}}}", literal(key), lists.add(texts)));
  return lists.add("BuiltinSet", rows);
}

std::string_view constant_of(PlatformTag::Family family) {
  if (family == PlatformTag::Family::Musllinux) return "Musllinux";
  return family == PlatformTag::Family::Android ? "Android" : "Manylinux";
}

std::string row(const Level& level, Arch arch, const Policy& policy) {
  return fmt::format("    {{{}, {}, PlatformTag::Family::{}, {{{{{}}}}}, Arch::{}, {}, {}, {}, {}}},\n",
                     literal(level.name), lists.add(level.aliases), constant_of(level.family),
                     fmt::join(level.libc.parts, ", "), name_of(arch), policy.allows_libpython,
                     lists.add(policy.libraries), list(policy.denied_symbols), list(policy.versions));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: generate_policies OUT FILE...\n", stderr);
    return 2;
  }
  std::string rows;
  for (int i = 2; i < argc; ++i) {
    std::ifstream in(argv[i], std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    Problems problems;
    const std::vector<Level> levels = read_levels(text, problems);
    if (!in || !problems.empty()) {
      fmt::print(stderr, "{}: {}\n", argv[i], in ? problems.summary() : "cannot be read");
      return 1;
    }
    for (const Level& level : levels)
      for (const auto& [arch, policy] : level.policies) rows += row(level, arch, policy);
  }
  std::ofstream out(argv[1], std::ios::binary | std::ios::trunc);
  out << "// Written by the build from policies/*.json.\n#include \"policy/builtin.h\"\n\nnamespace wheelcheck::policy "
         "{\n\n"
      << lists.definitions() << "\nconstexpr BuiltinPolicy policies[] = {\n"
      << rows
      << "};\nconst std::span<const BuiltinPolicy> builtin_policies = policies;\n\n}  // namespace "
         "wheelcheck::policy\n";
  out.close();
  if (out) return 0;
  fmt::print(stderr, "{}: cannot be written\n", argv[1]);
  return 1;
}
