// Names, search paths and creation of maps.

#include "ldso/process_maps.h"

#include <fmt/format.h>

#include <algorithm>

namespace wheelcheck::resolver {

namespace {

std::vector<std::string_view> views(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

bool has_slash(std::string_view name) { return name.find('/') != std::string_view::npos; }

}  // namespace

LoadError given_up(const Budget& work) {
  return {.text = fmt::format("wheelcheck gives up here: more than {} steps for one process", work.steps()),
          .fatal = true,
          .given_up = true};
}

Maps::Maps(const ProcessFiles& files, const process::Plan& plan)
    : files_(files), program_(plan.main), environment_(plan.environment), maps_(files.size()), place_(files.size()) {
  library_path_ = files.directories(views(environment_.library_path), origin(program_));
  default_path_ = files.directories(views(files.platform().directories), "");
}

const DynamicFacts* Maps::dynamic(ObjectIndex object) const {
  const ElfFacts* const facts = files_.file(object).facts;
  return facts != nullptr && facts->dynamic ? &*facts->dynamic : nullptr;
}

std::string_view Maps::shown_name(ObjectIndex object) const {
  const Map& map = maps_[object.value];
  return map.name.empty() ? std::string_view(files_.file(object).path) : std::string_view(map.name);
}

std::string Maps::origin(ObjectIndex object) const {
  // The kernel provides the directory of the program (elf/dl-origin.c).
  return files_.origin(object == program_ ? files_.file(object).path : maps_[object.value].name);
}

std::optional<ObjectIndex> Maps::object_named(std::string_view name) const {
  const auto found = objects_by_name_.find(name);
  if (found == objects_by_name_.end() || found->second.empty()) return std::nullopt;
  files_.work().spend(found->second.size());
  return std::ranges::min(found->second, {}, [&](ObjectIndex object) { return place_[object.value]; });
}

bool Maps::is_named(ObjectIndex object, std::string_view name) const {
  const Map& map = maps_[object.value];
  files_.work().spend(map.names.size());
  if (map.name == name || std::ranges::find(map.names, name) != map.names.end()) return true;
  const DynamicFacts* const facts = dynamic(object);
  return map.soname_used && facts != nullptr && facts->soname == name;
}

std::optional<ObjectIndex> Maps::answering(std::string_view name) const {
  std::optional<ObjectIndex> first;
  if (const auto found = objects_by_name_.find(name); found != objects_by_name_.end())
    for (const ObjectIndex object : found->second)
      if (is_named(object, name) && (!first || place_[object.value] < place_[first->value])) first = object;
  return first;
}

void Maps::add_name(ObjectIndex object, std::string_view name) {
  std::vector<ObjectIndex>& objects = objects_by_name_.try_emplace(std::string(name)).first->second;
  files_.work().spend(objects.size());
  if (std::ranges::find(objects, object) == objects.end()) objects.push_back(object);
}

Loaded<std::optional<ObjectIndex>> Maps::request(std::optional<ObjectIndex> loader, std::string_view name,
                                                 const Request& how) {
  constexpr std::uint64_t steps_a_name = 8;  // cost of a look-up in a tree of texts
  files_.work().spend(steps_a_name);
  if (files_.work().is_spent()) return std::unexpected(given_up(files_.work()));
  if (const auto known = object_named(name)) {
    Map& map = maps_[known->value];
    if (!is_named(*known, name)) map.soname_used = true;
    return known;
  }
  const auto fails = [&](std::string_view why) {
    return std::unexpected(LoadError{std::string(name) + ": " + std::string(why)});
  };
  Opened opened = find(loader, name);
  if (files_.work().is_spent()) return std::unexpected(given_up(files_.work()));  // the search may be incomplete
  switch (opened.what) {
    case Opened::What::Refused:
      return std::unexpected(LoadError{std::move(opened.error)});
    case Opened::What::OtherClass:
      return fails(files_.facts(opened.file).bits == 32 ? "wrong ELF class: ELFCLASS32"
                                                        : "wrong ELF class: ELFCLASS64");
    case Opened::What::Nothing:
      if (const auto assumed = files_.assumed(name)) {
        opened = {.what = Opened::What::File, .file = *assumed, .path = std::string(name)};
        break;
      }
      return std::unexpected(
          LoadError{.text = std::string(name) + ": cannot open shared object file: No such file or directory",
                    .missing = loader ? std::optional(process::Missing{.from = *loader, .name = std::string(name)})
                                      : std::nullopt});
    case Opened::What::File:
      break;
  }
  if (maps_[opened.file.value].loaded) {
    if (!is_named(opened.file, name)) maps_[opened.file.value].names.emplace_back(name);
    add_name(opened.file, name);
    return opened.file;
  }
  if (how.noload) return std::nullopt;
  if (!files_.file(opened.file).assumed) {
    if (const auto why = files_.unmappable(opened.file)) return fails(*why);
    const bool dlopened = how.kind == MapKind::Opened;
    if (dlopened && dynamic(opened.file)->flags.noopen) return fails("shared object cannot be dlopen()ed");
  }
  if (how.only_search) loader.reset();
  return create(opened.file, std::move(opened.path), name, loader, how);
}

Opened Maps::find(std::optional<ObjectIndex> loader, std::string_view name) {
  if (!has_slash(name)) return search(loader, name);
  return files_.open(loader ? files_.expand(name, origin(*loader)) : std::string(name));
}

// The search order of elf/dl-load.c, _dl_map_object.
Opened Maps::search(std::optional<ObjectIndex> loader, std::string_view name) {
  using enum Opened::What;
  Opened other;
  const auto done = [&](Opened&& found) {
    if (found.what == File || found.what == Refused) return other = std::move(found), true;
    if (found.what == OtherClass) other = std::move(found);
    return false;
  };
  const DynamicFacts* const own = loader ? dynamic(*loader) : nullptr;
  const bool has_runpath = own != nullptr && !own->search.runpath.empty();
  if (!has_runpath) {
    bool program_seen = false;
    for (auto at = loader; at && !files_.work().is_spent(); at = maps_[at->value].loader) {
      files_.work().spend(1);
      if (done(files_.search(rpath(*at), name))) return other;
      program_seen = program_seen || *at == program_;
    }
    if (!program_seen && done(files_.search(rpath(program_), name))) return other;
  }
  if (done(files_.search(library_path_, name))) return other;
  if (loader && done(files_.search(runpath(*loader), name))) return other;
  done(files_.search(default_path_, name));
  return other;
}

const std::vector<std::string>& Maps::rpath(ObjectIndex object) {
  Map& map = maps_[object.value];
  if (!map.rpath) {
    const DynamicFacts* const facts = dynamic(object);
    // elf/get-dynamic-info.h ignores DT_RPATH if DT_RUNPATH is present.
    const bool counts = facts != nullptr && facts->search.runpath.empty();
    map.rpath = counts ? files_.directories(facts->search.rpath, origin(object)) : std::vector<std::string>{};
  }
  return *map.rpath;
}

const std::vector<std::string>& Maps::runpath(ObjectIndex object) {
  Map& map = maps_[object.value];
  if (!map.runpath) {
    const DynamicFacts* const facts = dynamic(object);
    map.runpath =
        facts != nullptr ? files_.directories(facts->search.runpath, origin(object)) : std::vector<std::string>{};
  }
  return *map.runpath;
}

ObjectIndex Maps::map_program() {
  Map& map = maps_[program_.value];
  map.loaded = map.global = map.kept = true;
  map.kind = MapKind::Program;
  map.scope = {{program_, false}};
  order_.push_back(program_);
  number_order();
  if (const DynamicFacts* const facts = dynamic(program_); facts != nullptr && facts->soname)
    add_name(program_, *facts->soname);
  return program_;
}

std::optional<ObjectIndex> Maps::map_interpreter() {
  const auto path = files_.facts(program_).interpreter;
  if (!path) return std::nullopt;
  Opened opened = files_.open(std::string(*path));
  if (opened.what != Opened::What::File) return std::nullopt;
  const ObjectIndex object = create(opened.file, std::string(*path), *path, program_, {.kind = MapKind::AtStart});
  maps_[object.value].soname_used = true;
  interpreter_ = object;
  return object;
}

void Maps::settle_interpreter(ObjectIndex interpreter) {
  std::erase(order_, interpreter);
  const auto at = std::ranges::find(global(), interpreter);
  if (at == global().end()) {
    maps_[interpreter.value] = {};
    for (auto& [name, objects] : objects_by_name_) std::erase(objects, interpreter);
  } else {
    order_.insert(std::ranges::find(order_, *(at - 1)) + 1, interpreter);
  }
  number_order();
}

// elf/dl-object.c, _dl_new_object, and the end of elf/dl-load.c, _dl_map_object_from_fd.
ObjectIndex Maps::create(ObjectIndex file, std::string path, std::string_view name, std::optional<ObjectIndex> loader,
                         const Request& how) {
  Map& map = maps_[file.value];
  map = {};
  map.loaded = true;
  map.kind = how.kind;
  map.name = std::move(path);
  map.names = {std::string(name)};
  map.loader = loader;
  ObjectIndex root = loader.value_or(file);
  for (; maps_[root.value].loader; files_.work().spend(1)) root = *maps_[root.value].loader;
  map.scope = {{program_, false}};
  if (root != program_) map.scope.insert(how.deepbind ? map.scope.begin() : map.scope.end(), {root, false});
  add_name(file, map.name);
  add_name(file, name);
  const DynamicFacts* const facts = dynamic(file);
  if (facts != nullptr && facts->soname) add_name(file, *facts->soname);
  if (facts != nullptr && facts->flags.symbolic && !how.deepbind) map.scope.insert(map.scope.begin(), {file, true});
  // Since glibc 2.31 DF_1_NODELETE takes effect only after the open has succeeded (l_nodelete_pending).
  if (facts != nullptr && facts->flags.nodelete && files_.platform().glibc < process::Glibc{2, 31}) map.kept = true;
  order_.push_back(file);
  place_[file.value] = static_cast<std::uint32_t>(order_.size() - 1);
  return file;
}

void Maps::unload(const std::vector<bool>& gone) {
  const auto is_gone = [&](ObjectIndex object) { return gone[object.value]; };
  files_.work().spend(objects_by_name_.size() + maps_.size());
  std::erase_if(order_, is_gone);
  std::erase_if(global(), is_gone);
  for (auto& [name, objects] : objects_by_name_) std::erase_if(objects, is_gone);
  for (std::uint32_t i = 0; i < maps_.size(); ++i)
    if (gone[i]) maps_[i] = {};
  number_order();
}

void Maps::move_before(ObjectIndex moved, ObjectIndex place) {
  std::erase(order_, moved);
  order_.insert(std::ranges::find(order_, place), moved);
  number_order();
}

void Maps::number_order() {
  files_.work().spend(order_.size());
  for (std::uint32_t i = 0; i < order_.size(); ++i) place_[order_[i].value] = i;
}

// --- the check of versions (glibc elf/dl-version.c) ---------------------------------------------------------------

namespace {

using process::Missing;

// match_symbol. A file without version definitions is accepted as one that was built without versions.
bool defines(const DynamicFacts& facts, std::string_view version) {
  return facts.provides.empty() ||
         std::ranges::find(facts.provides, version, &VersionDefinition::version) != facts.provides.end();
}

}  // namespace

Loaded<void> check_versions(const Maps& maps, ObjectIndex object) {
  const DynamicFacts* const facts = maps.dynamic(object);
  if (facts == nullptr || maps.files().file(object).reference) return {};
  std::string_view library;
  std::optional<ObjectIndex> needed;
  for (const VersionNeed& need : facts->needs) {
    maps.files().work().spend(1);
    if (maps.files().work().is_spent()) return std::unexpected(given_up(maps.files().work()));
    if (!needed || need.library != library) {
      library = need.library;
      needed = maps.answering(library);
    }
    if (!needed)
      return std::unexpected(LoadError{.text = "Inconsistency detected by ld.so: dl-version.c: _dl_check_map_versions: "
                                               "Assertion `needed != NULL' failed!",
                                       .fatal = true,
                                       .missing = Missing{.what = Missing::What::VersionOf,
                                                          .from = object,
                                                          .name = std::string(library),
                                                          .version = std::string(need.version)}});
    const DynamicFacts* const definer = maps.dynamic(*needed);
    if (definer == nullptr || need.weak || maps.files().file(*needed).reference) continue;
    maps.files().work().spend(definer->provides.size());
    if (defines(*definer, need.version)) continue;
    return std::unexpected(
        LoadError{.text = fmt::format("{}: version `{}' not found (required by {})", maps.shown_name(*needed),
                                      need.version, maps.shown_name(object)),
                  .missing = Missing{.what = Missing::What::Version,
                                     .from = object,
                                     .name = std::string(library),
                                     .version = std::string(need.version),
                                     .library = needed}});
  }
  return {};
}

LoadError inconsistent_version() {
  return {.text =
              "Inconsistency detected by ld.so: dl-lookup.c: check_match: Assertion `version->filename == NULL || ! "
              "_dl_name_match_p (version->filename, map)' failed!",
          .fatal = true};
}

}  // namespace wheelcheck::resolver
