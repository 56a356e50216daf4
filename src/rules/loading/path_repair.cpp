#include "rules/loading/path_repair.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/installed_files.h"
#include "model/unprovided.h"

namespace wheelcheck::rules {
namespace {

struct Provider {
  ElfIndex file;
  std::string_view needed, file_name;
  std::string directory;  // $ORIGIN/../foo.libs
};

std::optional<Provider> provider_in_wheel(const WheelView& view, ElfIndex index, const NeededFound& found) {
  if (found.found != Found::Outside || is_libpython(found.name)) return std::nullopt;
  std::optional<ElfIndex> file;
  if (found.unreached && found.unreached->wheel.value == 0) file = found.unreached->elf;
  if (!found.unreached) file = bundled_copy(view, found.name);
  if (!file) return std::nullopt;
  const ElfMember& provider = view.wheel.elfs[file->value];
  if (view.wheel.members[provider.member.value].path.name() != found.name && is_ambiguous(view.wheel, found.name))
    return std::nullopt;
  return Provider{.file = *file,
                  .needed = found.name,
                  .file_name = view.wheel.members[provider.member.value].path.name(),
                  .directory = origin_path(view.wheel.elfs[index.value].installed, provider.installed)};
}

}  // namespace

std::optional<ElfIndex> bundled_copy(const WheelView& view, std::string_view library) {
  constexpr std::size_t hash_size = 8;
  const std::size_t dot = library.find('.');
  if (dot == std::string_view::npos || dot == 0 || library.find('/') != std::string_view::npos) return std::nullopt;
  for (std::uint32_t i = 0; i < view.wheel.elfs.size(); ++i) {
    if (!is_host_code(view.wheel.elfs[i])) continue;
    std::string_view name = base_name(path_of(view, ElfIndex{i}));
    if (name.size() < library.size() + 1 + hash_size || !name.starts_with(library.substr(0, dot))) continue;
    name.remove_prefix(dot);
    // auditwheel takes the name of the file to which the soname is a link: libtbb.so.12 -> libtbb-0d8fc6d2.so.12.2.
    const std::string_view hash = name.substr(1, hash_size), rest = name.substr(1 + hash_size);
    if (name.front() == '-' && std::ranges::all_of(hash, is_lower_hex) && rest.starts_with(library.substr(dot)) &&
        (rest.size() == library.size() - dot || rest[library.size() - dot] == '.'))
      return ElfIndex{i};
  }
  return std::nullopt;
}

std::string advice_to_move(const WheelView& view, ElfIndex user, std::optional<ElfIndex> library) {
  const ElfMember& file = view.wheel.elfs[user.value];
  if (library && is_in_site_packages(file))
    return fmt::format("move {} into the package; no search path leads from site-packages to it on every system",
                       path_of(view, *library));
  if (std::holds_alternative<Program>(file.role) || is_script(path_of(view, user)))
    return "move the program into the package, beside the libraries, and start it from an entry point "
           "([project.scripts]); no search path leads from its directory to site-packages on every system";
  return "move the file into the package, beside the libraries; no search path leads from its directory to "
         "site-packages on every system";
}

std::string path_repair(const WheelView& view, ElfIndex index, const std::vector<std::string>& more) {
  const ElfMember& elf = view.wheel.elfs[index.value];
  const EffectivePath path = effective_path(elf.facts);
  std::string command = "patchelf";
  std::vector<std::string> elements;
  const auto add = [&](std::string_view element) {
    if (std::ranges::find(elements, element) == elements.end()) elements.emplace_back(element);
  };
  if (index.value < view.resolution.needed.size())
    for (const NeededFound& found : view.resolution.needed[index.value]) {
      const std::optional<Provider> provider = provider_in_wheel(view, index, found);
      if (!provider) continue;
      if (is_in_site_packages(elf) != is_in_site_packages(view.wheel.elfs[provider->file.value]))
        return advice_to_move(view, index, provider->file);
      add(provider->directory);
      if (provider->file_name != provider->needed)
        command +=
            fmt::format(" --replace-needed {} {}", shell_word(provider->needed), shell_word(provider->file_name));
    }
  for (const std::string& element : more) add(element);
  const std::size_t added = elements.size();
  bool inherited = false;  // an element of the RPATH is kept, which also applies to the needed libraries
  const bool keep_system = std::ranges::any_of(path.elements, is_of_a_system) &&
                           !unprovided(view.resolution, view.assessments, index).empty();
  for (const std::string_view element : path.elements) {
    const bool own =
        starts_at_origin(element) && !names_a_file(element) && target_of(elf, element) == PathTarget::Inside;
    if (!own && !(keep_system && is_of_a_system(element))) continue;
    add(element);
    inherited = true;
  }
  if (elements.size() > shown_items)
    return fmt::format("name each directory once, and only directories of the wheel: wheelcheck fix {}",
                       shell_word(view.wheel.file));
  const std::string file = shell_word(path_of(view, index));
  if (elements.empty()) return fmt::format("{} --remove-rpath {}", command, file);
  const bool rpath = path.kind == "RPATH" && (inherited || added == 0);
  return fmt::format("{}{} --set-rpath {} {}", command, rpath ? " --force-rpath" : "", shell_word(join(elements, ":")),
                     file);
}

}  // namespace wheelcheck::rules
