// How a name leads to a loaded file in musl (ldso/dynlink.c). A loaded file is known by the name that a search found,
// or by device and inode; DT_SONAME has no meaning. DT_RPATH and DT_RUNPATH are one: that of the requiring file, then
// of the file that required it, and so on up. The C library is the loader itself.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "ldso/process_maps.h"

namespace wheelcheck::resolver {

void Maps::map_program_of_musl() {
  Map& map = maps_[program_.value];
  map.loaded = map.global = map.kept = true;
  map.kind = MapKind::Program;
  map.scope = {{program_, false}};
  map.searchlist.emplace(1, program_);
  order_.push_back(program_);
  number_order();
  const auto path = files_.facts(program_).interpreter;
  const Opened opened = path ? files_.open(std::string(*path)) : Opened{};
  if (opened.what == Opened::What::File) interpreter_ = opened.file;
}

ObjectIndex Maps::append(ObjectIndex file, std::string path, std::optional<ObjectIndex> loader) {
  Map& map = maps_[file.value];
  map = {};
  map.loaded = true;
  map.name = std::move(path);
  map.loader = loader;
  order_.push_back(file);
  place_[file.value] = static_cast<std::uint32_t>(order_.size() - 1);
  return file;
}

Loaded<std::optional<ObjectIndex>> Maps::request_of_musl(std::optional<ObjectIndex> loader, std::string_view name,
                                                         bool noload) {
  constexpr std::uint64_t steps_a_name = 8;  // cost of a look-up in a tree of texts
  files_.work().spend(steps_a_name);
  const auto fails = [&](std::string_view why, std::optional<process::Missing> missing = std::nullopt) {
    const std::string by = loader && loader != program_ ? fmt::format(" (needed by {})", shown_name(*loader)) : "";
    return std::unexpected(
        LoadError{.text = fmt::format("Error loading shared library {}: {}{}", name, why, by), .missing = missing});
  };
  if (files_.work().is_spent()) return std::unexpected(given_up(files_.work()));
  const bool is_path = name.find('/') != name.npos;
  const bool is_libc = in_process(name, files_.rules().kind, false) || name == files_.facts(program_).interpreter;
  if (!is_path && !is_libc)
    if (const auto known = object_named(name)) return known;
  Opened opened;
  if (is_libc && interpreter_)
    opened = {.what = Opened::What::File, .file = *interpreter_, .path = files_.file(*interpreter_).path};
  else
    opened = is_path ? files_.open(std::string(name)) : search_of_musl(loader, name);
  if (files_.work().is_spent()) return std::unexpected(given_up(files_.work()));  // the search may be incomplete
  if (opened.what == Opened::What::Nothing) {
    const auto assumed = files_.assumed(name);
    if (!assumed)
      return fails("No such file or directory",
                   process::Missing{.from = loader.value_or(program_), .name = std::string(name)});
    opened = {.what = Opened::What::File, .file = *assumed, .path = std::string(name)};
  }
  if (opened.what != Opened::What::File) return fails("Exec format error");
  Map& map = maps_[opened.file.value];
  const bool gets_name = !is_path && opened.file != interpreter_ && map.names.empty();
  if (!map.loaded) {
    if (noload) return std::nullopt;
    if (!files_.file(opened.file).assumed && files_.unmappable(opened.file)) return fails("Exec format error");
    append(opened.file, std::move(opened.path), loader);
  }
  if (gets_name) {
    map.names = {std::string(base_name(map.name))};
    add_name(opened.file, map.names.front());
  }
  return opened.file;
}

// path_open and fixup_rpath. Empty elements are skipped.
Opened Maps::search_of_musl(std::optional<ObjectIndex> loader, std::string_view name) {
  Opened found = files_.search(library_path_, name);
  for (auto at = loader; at && found.what == Opened::What::Nothing && !files_.work().is_spent();
       at = maps_[at->value].loader) {
    files_.work().spend(1);
    Map& map = maps_[at->value];
    if (!map.rpath) {
      const DynamicFacts* const facts = dynamic(*at);
      std::vector<std::string_view> elements;
      if (facts != nullptr) elements = facts->search.runpath.empty() ? facts->search.rpath : facts->search.runpath;
      std::erase(elements, "");
      if (std::ranges::any_of(elements, has_unknown_token_for_musl)) elements.clear();
      map.rpath = files_.directories(elements, origin(*at));
    }
    found = files_.search(*map.rpath, name);
  }
  return found.what == Opened::What::Nothing ? files_.search(default_path_, name) : found;
}

// load_direct_deps.
Loaded<void> Maps::request_direct_of_musl(ObjectIndex object) {
  if (std::exchange(maps_[object.value].has_dependencies, true)) return {};
  const DynamicFacts* const facts = object == interpreter_ ? nullptr : dynamic(object);
  std::vector<ObjectIndex> needed;
  if (object == program_) needed.assign(order_.begin() + 1, order_.end());  // LD_PRELOAD
  if (facts != nullptr)
    for (const std::string_view name : facts->needed) {
      const auto found = request_of_musl(object, name);
      if (!found) {
        maps_[object.value].has_dependencies = false;
        return std::unexpected(found.error());
      }
      needed.push_back(**found);
    }
  maps_[object.value].dependencies = std::move(needed);
  return {};
}

Loaded<void> Maps::request_dependencies_of_musl(ObjectIndex root) {
  if (!maps_[root.value].has_dependencies)
    for (std::size_t i = place_[root.value]; i < order_.size(); ++i)
      if (auto done = request_direct_of_musl(order_[i]); !done) return done;
  std::vector<ObjectIndex> list{root};
  std::vector<bool> listed(maps_.size());
  listed[root.value] = true;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto& needed = maps_[list[i].value].dependencies;
    files_.work().spend(1 + needed.size());
    for (const ObjectIndex object : needed)
      if (!listed[object.value]) {
        listed[object.value] = true;
        list.push_back(object);
      }
  }
  if (files_.work().is_spent()) return std::unexpected(given_up(files_.work()));
  maps_[root.value].searchlist = std::move(list);
  return {};
}

}  // namespace wheelcheck::resolver
