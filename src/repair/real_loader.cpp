#include "repair/real_loader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <map>
#include <span>
#include <string_view>

#include "base/text.h"
#include "model/machines.h"
#include "rewrite/output_file.h"
#include "rewrite/zip_writer.h"

namespace wheelcheck::repair {
namespace {

constexpr int setup_failed = 126;
constexpr const char* mount_point = "/tmp";  // hidden by a tmpfs, in a namespace of its own

std::unexpected<Error> loader_error(std::string message) {
  return std::unexpected(Error{ErrorCode::Usage, std::move(message)});
}

std::string_view loader_name(Arch arch) { return base_name(machine_of(arch).glibc_loader); }

struct Placed {  // a file below the new root
  std::string path;
  std::string_view content;
};

bool write_text(const char* path, const std::string& text) {
  const rewrite::Descriptor file(::open(path, O_WRONLY | O_CLOEXEC));
  return file.value() >= 0 && ::write(file.value(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

bool place(const std::string& root, const Placed& file) {
  const std::string path = root + "/" + file.path;
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
    if (::mkdir(path.substr(0, slash).c_str(), 0755) != 0 && errno != EEXIST) return false;
  const rewrite::Descriptor out(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755));
  return out.value() >= 0 && rewrite::write_all(out.value(), std::as_bytes(std::span(file.content))).has_value();
}

// The namespace, and a root directory in it with the files. False: errno says why.
bool enter(const std::vector<Placed>& files, uid_t user, gid_t group) {
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  write_text("/proc/self/setgroups", "deny");
  if (!write_text("/proc/self/uid_map", fmt::format("0 {} 1", user)) ||
      !write_text("/proc/self/gid_map", fmt::format("0 {} 1", group)) ||
      ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      ::mount("tmpfs", mount_point, "tmpfs", MS_NOSUID | MS_NODEV, nullptr) != 0)
    return false;
  for (const Placed& file : files)
    if (!place(mount_point, file)) return false;
  return ::chroot(mount_point) == 0 && ::chdir("/") == 0;
}

// In the new root: ld.so --list for one file. The output goes to the descriptors 1 and 2.
int list(const std::string& path) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::execl("/lib/ld.so", "ld.so", "--library-path", "/lib", "--list", path.c_str(), nullptr);
    ::_exit(setup_failed);
  }
  int status = 0;
  while (child > 0 && ::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return setup_failed;
  if (child < 0 || !WIFEXITED(status)) return setup_failed;
  return WEXITSTATUS(status);
}

// The line that says what is missing; "" if none does. Excluded libraries come from elsewhere.
std::string missing_line(std::string_view text, const std::set<std::string>& excluded) {
  for (std::string_view line : split(text, '\n')) {
    line = trim(line);
    const bool missing =
        line.find("not found") != std::string_view::npos || line.find("cannot open") != std::string_view::npos;
    if (missing && !excluded.contains(std::string(line.substr(0, line.find(' '))))) return std::string(line);
  }
  return "";
}

// The libraries of the level that the files need, with their own needs, by DT_NEEDED.
using Libraries = std::map<std::string, const SystemLibrary*, std::less<>>;
Result<Libraries> allowed_libraries(const std::vector<LoaderFile>& files, const Policy& level,
                                    const std::set<std::string>& excluded, SystemRoot& root) {
  Libraries libraries;
  std::deque<const ElfFacts*> queue;
  const auto add = [&](std::string_view name, const ElfFacts& user) -> Result<void> {
    if (libraries.contains(name)) return {};
    auto found = root.find(name, user, Libc::Glibc, {});
    if (!found) return std::unexpected(std::move(found.error()));
    if (*found == nullptr) return {};
    libraries.emplace(name, *found);
    queue.push_back(&(*found)->facts);
    return {};
  };
  for (const LoaderFile& file : files)
    for (const std::string_view name : file.facts->dynamic->needed)
      if (level.libraries.contains(name) || excluded.contains(std::string(name)))
        if (auto done = add(name, *file.facts); !done) return std::unexpected(std::move(done.error()));
  while (!queue.empty()) {
    const ElfFacts& user = *queue.front();
    queue.pop_front();
    if (!user.dynamic) continue;
    for (const std::string_view name : user.dynamic->needed)
      if (auto done = add(name, user); !done) return std::unexpected(std::move(done.error()));
  }
  return libraries;
}

struct LoaderOutput {
  int code = 0;
  std::string text;
};
Result<LoaderOutput> list_in_namespace(const std::vector<LoaderFile>& files, const std::vector<Placed>& placed) {
  auto output = rewrite::memory_file();
  if (!output) return std::unexpected(std::move(output.error()));
  const uid_t user = ::getuid();
  const gid_t group = ::getgid();
  const pid_t child = ::fork();
  if (child == 0) {
    if (::dup2(output->value(), STDOUT_FILENO) < 0 || ::dup2(output->value(), STDERR_FILENO) < 0) ::_exit(setup_failed);
    if (!enter(placed, user, group)) {
      const std::string why = std::strerror(errno);
      if (::write(STDOUT_FILENO, why.data(), why.size()) < 0) ::_exit(setup_failed);
      ::_exit(setup_failed);
    }
    int worst = 0;
    for (const LoaderFile& file : files) worst = std::max(worst, list("/site/" + file.path));
    ::_exit(worst);
  }
  int status = 0;
  while (child > 0 && ::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return loader_error("--verify run: cannot wait for the loader");
  const auto bytes = rewrite::bytes_of(*output);
  return LoaderOutput{child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : setup_failed, bytes.value_or("")};
}

}  // namespace

Result<void> verify_with_loader(const std::vector<LoaderFile>& files, const Policy& level, Arch arch,
                                const std::set<std::string>& excluded, SystemRoot& root) {
  if (files.empty()) return {};  // static programs
  if (level.family != PlatformTag::Family::Manylinux || loader_name(arch).empty())
    return loader_error("--verify run requires a manylinux platform: there is no other loader to run");
  const auto loader = root.find(loader_name(arch), *files.front().facts, Libc::Glibc, {});
  if (!loader || *loader == nullptr)
    return loader_error(fmt::format("--verify run: there is no {} on this system", loader_name(arch)));
  const auto libraries = allowed_libraries(files, level, excluded, root);
  if (!libraries) return std::unexpected(libraries.error());
  std::vector<Placed> placed;
  for (const LoaderFile& file : files) placed.push_back({"site/" + file.path, file.content});
  for (const auto& [name, library] : *libraries) placed.push_back({"lib/" + name, library->content});
  placed.push_back({"lib/ld.so", (*loader)->content});

  const auto output = list_in_namespace(files, placed);
  if (!output) return std::unexpected(output.error());
  if (const std::string missing = missing_line(output->text, excluded); !missing.empty())
    return loader_error(fmt::format("nothing was written, because the loader reports: {}", escape(missing)));
  // With excluded libraries the loader ends with 1 although nothing else is missing.
  if (output->code > (excluded.empty() ? 0 : 1))
    return loader_error(fmt::format("--verify run: the loader cannot be run here: {}",
                                    escape(trim(std::string_view(output->text).substr(0, output->text.find('\n'))))));
  return {};
}

}  // namespace wheelcheck::repair
