#include "repair/system_root.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include "base/fail.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/text_file.h"
#include "elf/read.h"
#include "model/machines.h"
#include "rewrite/output_file.h"

namespace wheelcheck::repair {

namespace {

constexpr int max_links = 40;  // MAXSYMLINKS of Linux
constexpr std::uint64_t max_text = std::uint64_t{64} << 20;
constexpr std::size_t max_includes = 8;

void push_parts(std::string_view path, std::vector<std::string>& reversed) {
  const auto parts = split(path, '/');
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) reversed.emplace_back(*part);
}

// The path below `root` that the kernel would reach in a chroot there.
Result<std::string> resolve_below(const std::string& root, const std::string& path) {
  std::vector<std::string> rest;
  push_parts(path, rest);
  std::string done;
  int links = 0;
  while (!rest.empty()) {
    const std::string part = std::move(rest.back());
    rest.pop_back();
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      done.resize(done.empty() ? 0 : done.rfind('/'));
      continue;
    }
    const std::string here = root + done + '/' + part;
    struct stat status{};
    if (::lstat(here.c_str(), &status) != 0) return std::string();
    if (!S_ISLNK(status.st_mode)) {
      done += '/' + part;
      continue;
    }
    if (++links > max_links) return fail(ErrorCode::Usage, "{} is a loop of symbolic links", escape(path));
    std::error_code failed;
    const std::string target = std::filesystem::read_symlink(here, failed).string();
    if (failed) return std::string();
    if (target.starts_with('/')) done.clear();
    push_parts(target, rest);
  }
  return done.empty() ? "/" : done;
}

}  // namespace

std::optional<SystemLibrary> read_library(const std::string& file, const Limits& limits) {
  const rewrite::Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status{};
  if (descriptor.value() < 0 || ::fstat(descriptor.value(), &status) != 0 || !S_ISREG(status.st_mode) ||
      static_cast<std::uint64_t>(status.st_size) > limits.member_bytes)
    return std::nullopt;
  auto content = rewrite::bytes_of(descriptor);
  if (!content) return std::nullopt;
  const auto bytes = std::as_bytes(std::span(*content));
  if (!elf::has_elf_magic(bytes)) return std::nullopt;
  SystemLibrary out{.path = {},
                    .in_sysroot = true,
                    .mode = status.st_mode & 07777U,
                    .content = {},
                    .sha256 = sha256_hex(bytes),
                    .facts = elf::read_elf(bytes, limits)};
  out.content = std::move(*content);
  return out;
}

SystemRoot::SystemRoot(SystemRootOptions options) : options_(std::move(options)) {
  while (options_.sysroot.ends_with('/')) options_.sysroot.pop_back();
}

Result<std::string> SystemRoot::real_path(const std::string& path) const {
  return resolve_below(options_.sysroot, path);
}

std::optional<std::string> SystemRoot::text_of(const std::string& path) const {
  const auto real = real_path(path);
  if (!real || real->empty()) return std::nullopt;
  auto text = read_text_file(options_.sysroot + *real, max_text);
  if (!text) return std::nullopt;
  return std::move(*text);
}

std::vector<std::string> SystemRoot::names_in(const std::string& path) const {
  std::vector<std::string> out;
  const auto real = real_path(path);
  if (!real || real->empty()) return out;
  std::error_code failed;
  auto entries = std::filesystem::directory_iterator(options_.sysroot + *real, failed);
  for (; !failed && entries != std::filesystem::directory_iterator(); entries.increment(failed))
    out.push_back(entries->path().filename().string());
  std::ranges::sort(out);
  return out;
}

// ldconfig(8): one directory a line, comments, and `include PATTERN`, relative to the file.
void SystemRoot::read_ld_so_conf(const std::string& path, std::size_t depth, std::vector<std::string>& out) const {
  const auto text = depth > max_includes ? std::nullopt : text_of(path);
  if (!text) return;
  for (std::string_view line : split(*text, '\n')) {
    line = trim(line.substr(0, line.find('#')));
    if (line.starts_with("include ") || line.starts_with("include\t")) {
      std::string pattern(trim(line.substr(8)));
      if (!pattern.starts_with('/')) pattern = path.substr(0, path.rfind('/') + 1) + pattern;
      const std::string directory = pattern.substr(0, pattern.rfind('/') + 1);
      for (const std::string& name : names_in(directory))
        if (glob_match(base_name(pattern), name)) read_ld_so_conf(directory + name, depth + 1, out);
    } else if (line.starts_with('/')) {
      out.emplace_back(line.substr(0, line.find('=')));
    }
  }
}

const std::vector<std::string>& SystemRoot::default_directories(Libc libc, const ElfFacts& user) {
  const auto [place, is_new] = defaults_.try_emplace({libc, user.arch});
  std::vector<std::string>& out = place->second;
  if (!is_new) return out;
  if (options_.default_directories) return out = *options_.default_directories;
  if (libc == Libc::Musl) {
    // musl ldso/dynlink.c, load_library: /etc/ld-musl-ARCH.path, separated by ':' or line feeds.
    for (const std::string& name : names_in("/etc")) {
      if (!glob_match("ld-musl-*.path", name)) continue;
      std::string text = text_of("/etc/" + name).value_or("");
      std::ranges::replace(text, '\n', ':');
      for (const std::string_view element : split(text, ':'))
        if (element.starts_with('/')) out.emplace_back(element);
    }
    if (out.empty()) out = {"/lib", "/usr/local/lib", "/usr/lib"};
    return out;
  }
  read_ld_so_conf("/etc/ld.so.conf", 0, out);
  // The multiarch directory of Debian and its derivatives, which their ld.so searches without ld.so.conf.
  if (const std::string_view triplet = machine_of(user.arch).triplet; !triplet.empty())
    for (const char* const parent : {"/lib/", "/usr/lib/"}) out.push_back(parent + std::string(triplet));
  for (const char* const directory : {"/lib", "/usr/lib"}) {
    if (user.bits == 64) out.push_back(directory + std::string("64"));
    out.emplace_back(directory);
  }
  std::vector<std::string> distinct;
  for (std::string& directory : out)
    if (std::ranges::find(distinct, directory) == distinct.end()) distinct.push_back(std::move(directory));
  out = std::move(distinct);
  return out;
}

Result<const SystemLibrary*> SystemRoot::library(const std::string& directory, std::string_view name, bool in_sysroot) {
  const std::string root = in_sysroot ? options_.sysroot : std::string();
  const std::pair key(in_sysroot, directory + '/' + std::string(name));
  if (const auto known = searched_.find(key); known != searched_.end()) return known->second;
  auto real = resolve_below(root, key.second);
  if (!real) return std::unexpected(std::move(real.error()));
  if (real->empty()) return searched_[key] = nullptr;
  const auto [place, is_new] = libraries_.try_emplace({in_sysroot, *real});
  if (is_new) {
    if (auto read = read_library(root + *real, options_.limits)) {
      read->path = *real;
      read->in_sysroot = in_sysroot || options_.sysroot.empty();
      place->second = std::make_unique<const SystemLibrary>(std::move(*read));
    }
  }
  return searched_[key] = place->second.get();
}

Result<const SystemLibrary*> SystemRoot::find(std::string_view name, const ElfFacts& user, Libc libc,
                                              const std::vector<std::string>& directories) {
  const auto search = [&](const std::vector<std::string>& list, bool in_sysroot) -> Result<const SystemLibrary*> {
    for (const std::string& directory : list) {
      auto found = library(directory, name, in_sysroot);
      if (!found || (*found != nullptr && is_same_machine((*found)->facts, user))) return found;
    }
    return nullptr;
  };
  if (auto found = search(options_.library_paths, false); !found || *found != nullptr) return found;
  if (auto found = search(directories, true); !found || *found != nullptr) return found;
  return search(default_directories(libc, user), true);
}

Result<const SystemLibrary*> SystemRoot::at(const std::string& path, const ElfFacts& user) {
  auto found = library(path.substr(0, path.rfind('/')), base_name(path), true);
  if (found && *found != nullptr && !is_same_machine((*found)->facts, user)) return nullptr;
  return found;
}

namespace {

struct RunTimeFiles {
  std::vector<std::string> directories;  // that contain shared libraries: /usr/lib/x86_64-linux-gnu/ossl-modules
  std::vector<std::string> libraries;    // libxmlsec1-openssl.so
};

constexpr std::size_t longest = 4096;  // PATH_MAX

bool is_printable(char c) { return c > ' ' && c < 0x7F; }

// The strings, each between two bytes that are not printable, that contain `part`. Each once, sorted.
std::set<std::string_view> strings_with(std::string_view bytes, std::string_view part) {
  std::set<std::string_view> out;
  std::size_t end = 0;
  for (std::size_t at = bytes.find(part); at != std::string_view::npos; at = bytes.find(part, end)) {
    std::size_t begin = at;
    while (begin > end && is_printable(bytes[begin - 1])) --begin;
    end = at + part.size();
    while (end < bytes.size() && is_printable(bytes[end])) ++end;
    const bool is_whole = begin > 0 && bytes[begin - 1] == 0 && end < bytes.size() && bytes[end] == 0;
    if (is_whole && end - begin <= longest) out.insert(bytes.substr(begin, end - begin));
  }
  return out;
}

// libfoo.so, libfoo.so.1.2
bool is_library_name(std::string_view name) {
  const std::size_t at = name.find(".so");
  if (!name.starts_with("lib") || at <= 3 || at == std::string_view::npos) return false;
  const std::string_view rest = name.substr(at + 3);
  const auto is_of_version = [](char c) { return c == '.' || (c >= '0' && c <= '9'); };
  return name.find_first_of("/%$*") == std::string_view::npos && std::ranges::all_of(rest, is_of_version);
}

bool has_libraries(const std::vector<std::string>& names) {
  return std::ranges::any_of(names,
                             [](const std::string& one) { return one.ends_with(".so") || one.contains(".so."); });
}

// Plugins are in the directory or, sorted by kind, one level below (krb5/plugins/preauth, ImageMagick's coders).
bool is_plugin_directory(const std::string& path, const SystemRoot& root) {
  const std::vector<std::string> names = root.names_in(path);
  return has_libraries(names) || std::ranges::any_of(names, [&](const std::string& name) {
           return has_libraries(root.names_in(path + "/" + name));
         });
}

RunTimeFiles run_time_files(const SystemLibrary& library, const std::set<std::string, std::less<>>& known,
                            SystemRoot& root) {
  RunTimeFiles out;
  const Libc libc = library.facts.libc == Libc::None ? Libc::Glibc : library.facts.libc;
  const std::string own = library.path.substr(0, library.path.rfind('/'));
  std::set<std::string> usual = {own}, directories;
  for (const std::string& directory : root.default_directories(libc, library.facts))
    usual.insert(root.real_path(directory).value_or(""));
  for (const std::string_view text : strings_with(library.content, "/lib"))
    for (const std::string_view element : split(text, ':')) {
      if (!element.starts_with('/')) continue;
      const std::string directory = root.real_path(std::string(element)).value_or("");
      // One or two parts are /usr/lib, /lib64: directories for everything.
      if (std::ranges::count(directory, '/') >= 3 && !usual.contains(directory)) directories.insert(directory);
    }
  for (const std::string& directory : directories)
    if (is_plugin_directory(directory, root)) out.directories.push_back(directory);

  std::set<std::string_view> own_names{library.facts.dynamic->soname.value_or("")};
  own_names.insert(library.facts.dynamic->needed.begin(), library.facts.dynamic->needed.end());
  for (const std::string_view text : strings_with(library.content, ".so")) {
    if (!is_library_name(text) || known.contains(text) || own_names.contains(text)) continue;
    const auto found = root.find(text, library.facts, libc, {own});
    if (found && *found != nullptr && *found != &library) out.libraries.emplace_back(text);
  }
  return out;
}

}  // namespace

std::string run_time_note(const SystemLibrary& library, std::string_view name,
                          const std::set<std::string, std::less<>>& known, SystemRoot& root) {
  const RunTimeFiles opened = run_time_files(library, known, root);
  std::vector<std::string> parts;
  if (!opened.libraries.empty()) parts.push_back(escape(join(opened.libraries, ", ")));
  if (!opened.directories.empty()) parts.push_back("plugins of " + escape(join(opened.directories, ", ")));
  if (parts.empty()) return "";
  return fmt::format("{} can load {} when it runs; these are not bundled, and another system has others or none",
                     escape(name), join(parts, " and "));
}

}  // namespace wheelcheck::repair
