#include "repair/library_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>

#include "base/fail.h"
#include "base/parallel.h"
#include "base/text.h"
#include "base/text_file.h"
#include "elf/code_digest.h"
#include "json/json.h"
#include "repair/packages.h"
#include "repair/system_root.h"

namespace wheelcheck::repair {
namespace {

namespace fs = std::filesystem;

constexpr int format_version = 1;
constexpr std::uint64_t max_index = std::uint64_t{256} << 20;

bool is_library_file(const fs::directory_entry& entry) {
  std::error_code none;
  const std::string name = entry.path().filename().string();
  return (name.ends_with(".so") || name.find(".so.") != std::string::npos) && !entry.is_symlink(none) &&
         entry.is_regular_file(none);
}

// Paths below the root of the files that are named as libraries are. Symbolic links are not followed.
std::vector<std::string> library_files(const std::string& root) {
  std::vector<std::string> out;
  std::error_code failed;
  const fs::path top(root.empty() ? "/" : root);
  auto entry = fs::recursive_directory_iterator(top, fs::directory_options::skip_permission_denied, failed);
  for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
    if (entry.depth() == 0 && entry->is_directory(failed))
      for (const char* const skipped : {"dev", "proc", "run", "sys", "tmp"})
        if (entry->path().filename() == skipped) entry.disable_recursion_pending();
    if (is_library_file(*entry)) out.push_back("/" + entry->path().lexically_relative(top).string());
  }
  std::ranges::sort(out);
  return out;
}

Result<void> add_root(const std::string& path, const std::string& program_path, const Limits& limits, unsigned jobs,
                      std::vector<IndexedLibrary>& libraries, std::size_t& unowned) {
  const SystemRoot root({.sysroot = path, .limits = limits});
  const std::vector<std::string> files = library_files(root.sysroot());
  std::vector<std::optional<IndexedLibrary>> found(files.size());
  parallel_for(files.size(), jobs, [&](std::size_t i) {
    const auto library = read_library(root.sysroot() + files[i], limits);
    if (!library || !library->facts.dynamic) return;
    std::string code = elf::code_digest(std::as_bytes(std::span(library->content)), library->facts);
    if (code.empty()) return;
    found[i] = {.code = std::move(code),
                .build_id = library->facts.build_id.value_or(""),
                .purl = {},
                .name = {},
                .version = {},
                .path = files[i]};
  });
  std::vector<std::string> paths;
  for (const auto& one : found)
    if (one) paths.push_back(one->path);
  const PackageDatabase packages(root, program_path, paths);
  const std::size_t before = libraries.size();
  for (auto& one : found) {
    if (!one) continue;
    const auto package = packages.package_of(one->path);
    if (!package) {
      ++unowned;
      continue;
    }
    one->purl = package->purl();
    one->name = package->name;
    one->version = package->version;
    libraries.push_back(std::move(*one));
  }
  if (libraries.size() == before)
    return fail(ErrorCode::Usage, "{}: no library belongs to a package of dpkg, rpm or apk", escape(path));
  return {};
}

}  // namespace

Result<IndexedRoots> index_libraries(const std::vector<std::string>& roots, const std::string& program_path,
                                     const Limits& limits, unsigned jobs) {
  IndexedRoots out;
  std::vector<IndexedLibrary> libraries;
  for (const std::string& root : roots) {
    std::error_code none;
    if (!fs::is_directory(root, none)) return fail(ErrorCode::Usage, "{} is not a directory", escape(root));
    if (auto done = add_root(root, program_path, limits, jobs, libraries, out.unowned); !done)
      return std::unexpected(std::move(done.error()));
  }
  std::ranges::sort(libraries);
  const auto repeated = std::ranges::unique(libraries);
  libraries.erase(repeated.begin(), repeated.end());
  out.text = fmt::format("{{\"library_index\": {}, \"libraries\": [\n", format_version);
  for (const IndexedLibrary& one : libraries) {
    const nlohmann::ordered_json line = {{"code", one.code}, {"build_id", one.build_id}, {"purl", one.purl},
                                         {"name", one.name}, {"version", one.version},   {"path", one.path}};
    out.text += line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    out.text += &one == &libraries.back() ? "\n" : ",\n";
  }
  out.text += "]}\n";
  return out;
}

Result<LibraryIndex> LibraryIndex::read(const std::string& path) {
  const auto text = read_text_file(path, max_index);
  if (!text) return fail(ErrorCode::Usage, "{}: {}", escape(path), text.error());
  const auto document = json::parse(*text);
  if (!document) return fail(ErrorCode::Usage, "{}: {}", escape(path), document.error().front());
  const auto bad = [&] {
    return fail(ErrorCode::Usage, "{}: is not an index that `wheelcheck library-index` wrote", escape(path));
  };
  if (!document->is_object() || document->value("library_index", nlohmann::json()) != format_version) return bad();
  const auto list = document->find("libraries");
  if (list == document->end() || !list->is_array()) return bad();
  LibraryIndex out;
  for (const nlohmann::json& one : *list) {
    IndexedLibrary library;
    for (const auto& [key, to] : {std::pair{"code", &library.code},
                                  {"build_id", &library.build_id},
                                  {"purl", &library.purl},
                                  {"name", &library.name},
                                  {"version", &library.version},
                                  {"path", &library.path}}) {
      const auto value = one.is_object() ? one.find(key) : one.end();
      if (!one.is_object() || value == one.end() || !value->is_string()) return bad();
      *to = value->get<std::string>();
    }
    if (!library.purl.starts_with("pkg:")) return bad();
    out.libraries_.push_back(std::move(library));
  }
  std::ranges::sort(out.libraries_);
  return out;
}

const IndexedLibrary* LibraryIndex::find(std::string_view code, std::string_view build_id) const {
  if (code.empty()) return nullptr;
  const IndexedLibrary* found = nullptr;
  const auto same = std::ranges::equal_range(libraries_, code, {}, &IndexedLibrary::code);
  for (const IndexedLibrary& one : same) {
    if (!one.build_id.empty() && !build_id.empty() && one.build_id != build_id) continue;
    if (found != nullptr && found->purl != one.purl) return nullptr;
    found = &one;
  }
  return found;
}

}  // namespace wheelcheck::repair
