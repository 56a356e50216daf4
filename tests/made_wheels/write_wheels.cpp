// made_wheels DIRECTORY: writes the wheels of wheels/made as files, for use outside of the tests.
#include <cstdio>

#include "tests/support/wheel_recipe.h"
#include "tests/support/zip_builder.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (const std::string& path : wheelcheck::test::made_recipe_paths()) {
    const wheelcheck::test::MadeWheel made = wheelcheck::test::read_made_wheel(path);
    wheelcheck::test::write_file(std::string(argv[1]) + "/" + made.file, made.bytes);
    std::puts(made.file.c_str());
  }
}
