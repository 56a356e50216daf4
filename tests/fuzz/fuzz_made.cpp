// Writes the wheels of wheels/made and the facts file of each, for seeds.py: fuzz_made FOLDER.
#include <cstdio>
#include <filesystem>
#include <string>

#include "facts/cache_format.h"
#include "tests/support/wheel_recipe.h"
#include "tests/support/zip_builder.h"
#include "wheelcheck/wheelcheck.h"

int main(int count, char** words) {
  using namespace wheelcheck;
  if (count != 2) return 2;
  const std::filesystem::path folder = words[1];
  for (const std::string& recipe : test::made_recipe_paths()) {
    const test::MadeWheel made = test::read_made_wheel(recipe);
    std::filesystem::create_directories(folder / made.stem);
    const std::string path = test::write_file((folder / made.stem / made.file).string(), made.bytes);
    const auto wheel = read(path, {.imports = true}, 1);
    if (!wheel) continue;
    std::string lines;
    const facts::CacheHeader header{
        .reader = "made", .file = made.file, .sha256 = std::string(64, '0'), .size = made.bytes.size()};
    facts::write_lines(header, *wheel, [&](std::string_view line) { lines += std::string(line) + '\n'; });
    test::write_file((folder / made.stem / "kept").string(), lines);
  }
  return 0;
}
