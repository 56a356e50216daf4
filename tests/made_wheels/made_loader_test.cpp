// Compares the loader's behaviour in each recipe with the real ld.so, on the same bytes, installed as by an installer
// and run from another working directory.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>

#include "tests/support/wheel_recipe.h"
#include "tests/support/zip_builder.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::test {
namespace {

// Calls dlopen in a child process, so that nothing remains mapped. An empty result means that the file was loaded.
std::string dlopen_error(const std::string& path) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    std::string error = chdir("/") == 0 ? "" : "chdir failed";
    if (error.empty() && dlopen(path.c_str(), RTLD_NOW) == nullptr) error = dlerror();
    const ssize_t written = write(ends[1], error.data(), error.size());
    _exit(written < 0 ? 1 : 0);
  }
  close(ends[1]);
  std::string error;
  std::array<char, 512> part{};
  for (ssize_t n = 0; (n = ::read(ends[0], part.data(), part.size())) > 0;)
    error.append(part.data(), static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) error += " (child died)";
  return error;
}

std::string install(const WheelFacts& facts, const MadeWheel& made, const std::string& prefix,
                    const std::string& wanted) {
  std::string found;
  for (const ElfMember& elf : facts.elfs) {
    const std::string& path = facts.members[elf.member.value].path.text();
    const std::string place = prefix + "/" + elf.installed;
    std::filesystem::create_directories(std::filesystem::path(place).parent_path());
    for (const MadeMember& member : made.members)
      if (member.path == path) write_file(place, member.bytes);
    if (path == wanted) found = place;
  }
  return found;
}

class MadeWheelsInTheRealLoader : public testing::TestWithParam<std::string> {};

TEST_P(MadeWheelsInTheRealLoader, LoadOrFailAsTheRecipeSays) {
  const MadeWheel made = read_made_wheel(GetParam());
  const TemporaryDirectory directory;
  const auto facts = wheelcheck::read(write_file(directory.path(made.file), made.bytes), {}, 1);
  ASSERT_TRUE(facts) << facts.error().message;
  const std::string path = install(*facts, made, directory.path("prefix"), made.loader->open);
  ASSERT_FALSE(path.empty()) << "no member " << made.loader->open;
  const std::string error = dlopen_error(path);
  if (made.loader->loads) {
    EXPECT_EQ(error, "");
  } else {
    EXPECT_NE(error.find(made.loader->message), std::string::npos) << error;
    EXPECT_NE(error, "");
  }
}

std::vector<std::string> recipes_with_loader() {
  std::vector<std::string> paths;
  for (const std::string& path : made_recipe_paths())
    if (read_made_wheel(path).loader) paths.push_back(path);
  return paths;
}

INSTANTIATE_TEST_SUITE_P(Recipes, MadeWheelsInTheRealLoader, testing::ValuesIn(recipes_with_loader()),
                         [](const auto& recipe) { return std::filesystem::path(recipe.param).stem().string(); });

}  // namespace
}  // namespace wheelcheck::test
