#include "repair/plugins.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace wheelcheck::repair {
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
