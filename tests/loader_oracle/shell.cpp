// Implements shell.h with posix_spawn and streams.
#include "tests/loader_oracle/shell.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "elf/read.h"

namespace wheelcheck::oracle {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!out) throw std::runtime_error("cannot write " + path.string());
}

ElfFacts facts_of(const fs::path& path) {
  const std::string bytes = contents(path);
  return elf::read_elf(std::as_bytes(std::span(bytes)), Limits{});
}

Scratch::Scratch() {
  std::string name = (fs::temp_directory_path() / "wheelcheck-oracle-XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("cannot make a temporary directory");
  path_ = fs::canonical(name);
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string run(std::vector<std::string> words, const fs::path& output, std::vector<std::string> environment) {
  environment.insert(environment.begin(), {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C"});
  const auto pointers = [](std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (std::string& text : texts) out.push_back(text.data());
    out.push_back(nullptr);
    return out;
  };
  const std::vector<char*> argv = pointers(words), envp = pointers(environment);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  posix_spawn_file_actions_addchdir_np(&actions, "/");
  pid_t child = 0;
  const int failed = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failed != 0 || waitpid(child, &status, 0) != child) throw std::runtime_error("cannot run " + words[0]);
  std::string text = contents(output);
  if (!WIFEXITED(status))
    text += "\nerror killed by a signal\n";
  else if (WEXITSTATUS(status) != 0)
    text += "\nerror exit status " + std::to_string(WEXITSTATUS(status)) + '\n';
  return text;
}

void run_or_throw(const std::vector<std::string>& words, const fs::path& output) {
  const std::string said = run(words, output);
  if (said.find("error") != said.npos) throw std::runtime_error(words[0] + ": " + said);
}

}  // namespace wheelcheck::oracle
