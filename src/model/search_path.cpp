#include "model/search_path.h"

#include <algorithm>

#include "base/text.h"

namespace wheelcheck {

EffectivePath effective_path(const ElfFacts& facts) {
  if (!facts.dynamic) return {};
  const SearchPath& search = facts.dynamic->search;
  EffectivePath path =
      search.runpath.empty() ? EffectivePath{"RPATH", search.rpath} : EffectivePath{"RUNPATH", search.runpath};
  const bool nothing = path.elements.empty() || (path.elements.size() == 1 && path.elements.front().empty());
  return nothing ? EffectivePath{} : path;
}

namespace {

// Names that musl's loader takes for itself (ldso/dynlink.c, load_library).
bool is_musl_itself(std::string_view name) { return name == "libc.so" || name.starts_with("libc.musl-"); }

}  // namespace

bool is_searched(const ElfMember& elf) {
  if (elf.facts.kind == ElfKind::Executable || !elf.facts.dynamic) return true;
  static constexpr std::string_view loaded[] = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2",
                                                "libutil.so.1"};
  const auto is_loaded = [](std::string_view name) {
    return std::ranges::find(loaded, name) != std::end(loaded) || name.starts_with("ld-linux") || is_musl_itself(name);
  };
  const DynamicFacts& dynamic = *elf.facts.dynamic;
  return !std::ranges::all_of(dynamic.needed, is_loaded) || !dynamic.filters.empty() || !dynamic.auxiliaries.empty() ||
         std::ranges::any_of(dynamic.imports,
                             [](const Import& symbol) { return symbol.name == "dlopen" || symbol.name == "dlmopen"; });
}

bool starts_at_origin(std::string_view element) {
  if (element.starts_with("${ORIGIN}")) return true;
  // glibc elf/dl-load.c, is_dst: a name without braces must not be followed by another name character.
  constexpr std::string_view origin = "$ORIGIN";
  if (!element.starts_with(origin)) return false;
  return element.size() == origin.size() || !(is_alnum(element[origin.size()]) || element[origin.size()] == '_');
}

std::string origin_path(std::string_view from_file, std::string_view to_file) {
  std::vector<std::string_view> from = split(from_file, '/');
  std::vector<std::string_view> to = split(to_file, '/');
  from.pop_back();
  to.pop_back();
  const auto [rest_from, rest_to] = std::ranges::mismatch(from, to);
  std::string result = "$ORIGIN";
  for (auto part = rest_from; part != from.end(); ++part) result += "/..";
  for (auto part = rest_to; part != to.end(); ++part) result.append("/").append(*part);
  return result;
}

bool names_a_file(std::string_view element) {
  const std::string_view name = base_name(element);
  return name.ends_with(".so") || name.find(".so.") != std::string_view::npos;
}

std::optional<std::vector<std::string_view>> directory_of(std::string_view installed, std::string_view element) {
  std::vector<std::string_view> parts = split(installed, '/');
  parts.pop_back();
  const std::size_t slash = element.find('/');
  if (slash == std::string_view::npos) return parts;
  for (const std::string_view part : split(element.substr(slash + 1), '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.push_back(part);
      continue;
    }
    if (parts.empty()) return std::nullopt;
    parts.pop_back();
  }
  return parts;
}

namespace {

// Directories that only build systems create: Bazel, conda-build.
bool is_of_a_build(std::string_view part) {
  return part.starts_with("_solib_") || part.ends_with(".runfiles") || part == "bazel-out" || part == "conda-bld" ||
         part == "_h_env_placehold_placehold_placehold";
}

// True below site-packages, and in a directory of the prefix for a wheel's data and scripts: lib, bin, share.
bool is_installed_to(const std::vector<std::string_view>& parts) {
  if (parts.size() < 2) return !parts.empty();
  const bool python = parts[0].starts_with("lib") && parts[1].starts_with("python");
  return !python || (parts.size() > 2 && (parts[2] == "site-packages" || parts[2] == "lib-dynload"));
}

}  // namespace

PathTarget target_of(const ElfMember& elf, std::string_view element) {
  if (!starts_at_origin(element) || elf.installed.empty()) return PathTarget::Inside;
  const auto parts = split(element, '/');
  if (std::ranges::any_of(parts, is_of_a_build)) return PathTarget::Build;
  const auto directory = directory_of(elf.installed, element);
  return directory && is_installed_to(*directory) ? PathTarget::Inside : PathTarget::Above;
}

std::string below_site_packages(std::string_view directory) {
  constexpr std::string_view site = "site-packages/";
  const std::size_t at = directory.find(site);
  return std::string(directory.substr(at == directory.npos ? 0 : at + site.size()));
}

}  // namespace wheelcheck
