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

std::string words(const StringSet& set) { return fmt::format("{}", fmt::join(set, " ")); }

std::string lists(const std::map<std::string, StringSet, std::less<>>& map) {
  std::string result;
  for (const auto& [key, set] : map) {
    if (!result.empty()) result += '\n';
    result += key;
    if (!set.empty()) result += ' ' + words(set);
  }
  return result;
}

std::string_view constant_of(PlatformTag::Family family) {
  if (family == PlatformTag::Family::Musllinux) return "Musllinux";
  return family == PlatformTag::Family::Android ? "Android" : "Manylinux";
}

std::string row(const Level& level, Arch arch, const Policy& policy, Pieces& pieces) {
  const auto& part = level.libc.parts;
  return fmt::format("    {{{}, {}, PlatformTag::Family::{}, {{{{{}, {}, {}, {}}}}}, Arch::{}, {},{},{},{}}},\n",
                     pieces.add(level.name), pieces.add(fmt::format("{}", fmt::join(level.aliases, " "))),
                     constant_of(level.family), part[0], part[1], part[2], part[3], name_of(arch),
                     policy.allows_libpython, pieces.add(words(policy.libraries)),
                     pieces.add(lists(policy.denied_symbols)), pieces.add(lists(policy.versions)));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: generate_policies OUT FILE...\n", stderr);
    return 2;
  }
  std::string rows;
  Pieces pieces;
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
      for (const auto& [arch, policy] : level.policies) rows += row(level, arch, policy, pieces);
  }
  std::ofstream out(argv[1], std::ios::binary | std::ios::trunc);
  out << "// Written by the build from policies/*.json.\n#include \"policy/builtin.h\"\n\nnamespace wheelcheck::policy "
         "{\n\n"
      << pieces.definition() << "const std::string_view builtin_text{text, sizeof text - 1};\n\n"
      << "constexpr BuiltinRow builtin_rows[] = {\n"
      << rows
      << "};\nconst std::size_t builtin_row_count = std::size(builtin_rows);\n\n}  // namespace wheelcheck::policy\n";
  out.close();
  if (out) return 0;
  fmt::print(stderr, "{}: cannot be written\n", argv[1]);
  return 1;
}
