// Implements the walk. The comments name the function of the loader for each step.
//
// For most questions about one wheel no process is needed, but only where each DT_NEEDED leads. A walk loads one root
// as ld.so does, without symbols: breadth first, a name first among the loaded files by soname and file name, then in
// the DT_RPATH of the user and of the files that led to it, or else in its DT_RUNPATH. resolve.cpp starts one walk for
// each file that Python or a user would open, and keeps the worst answer for each entry, because a library that is
// found only if another module was loaded before is not found.
#include "resolver/walk.h"

#include <algorithm>
#include <utility>

namespace wheelcheck::resolver {
namespace {

constexpr std::uint32_t list_end = UINT32_MAX;

}  // namespace

Walk::Walk(const Catalog& catalog, std::uint64_t work)
    : catalog_(catalog),
      work_(work, "the search for needed libraries"),
      map_of_file_(catalog.size()),
      map_of_name_(catalog.names().size()),
      taken_in_(catalog.size()),
      paths_(catalog.size()) {}

void Walk::run(FileIndex root, LoaderKind loader_kind, bool program) {
  ++run_;
  root_ = root;
  loader_kind_ = loader_kind;
  program_ = program;
  maps_.clear();
  order_.clear();
  nodes_.clear();
  edges_.clear();
  loaded_.clear();
  if (paths_loader_kind_ != loader_kind) std::ranges::fill(paths_, std::nullopt);
  paths_loader_kind_ = loader_kind;

  const MapIndex first = map_file(root, std::nullopt);
  maps_[first.value].listed = true;
  nodes_.push_back({first, false, list_end});
  tail_ = 0;
  for (std::uint32_t at = 0; at != list_end;) {
    process(at);
    while (at != list_end && nodes_[at].done) at = nodes_[at].next;
    if (work_.is_spent()) break;
  }
}

std::optional<FileIndex> Walk::answering(NameIndex name) const {
  const Slot& slot = map_of_name_[name.value];
  return slot.run == run_ ? maps_[slot.map.value].file : std::nullopt;
}

// elf/dl-deps.c, _dl_map_object_deps. Linkers write DT_NEEDED first.
void Walk::process(std::uint32_t node) {
  nodes_[node].done = true;
  const MapIndex user = nodes_[node].map;
  const File& file = catalog_.file(*maps_[user.value].file);
  taken_in_[maps_[user.value].file->value] = run_;
  std::uint32_t entry = 0;
  for (const NameIndex name : file.needed) needed_by(user, name, entry++);
  if (loader_kind_ != LoaderKind::Glibc) return;  // the other loaders do not support filters
  std::uint32_t insert_at = node;
  for (const NameIndex name : file.filters) filtered_by(insert_at, user, name, entry++, false);
  for (const NameIndex name : file.auxiliaries) filtered_by(insert_at, user, name, entry++, true);
}

void Walk::needed_by(MapIndex user, NameIndex name, std::uint32_t entry) {
  MapIndex found;
  const Outcome outcome = look_up(user, name, found);
  const bool own_search = !explains_ || outcome.how != How::AlreadyLoaded || !outcome.provider ||
                          search_leads_to(*outcome.provider, user, name);
  edges_.push_back({*maps_[user.value].file, entry, outcome, own_search});
  Map& map = maps_[found.value];
  if (!map.file || map.listed) return;
  map.listed = true;
  const auto fresh = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({found, false, list_end});
  nodes_[tail_].next = fresh;
  tail_ = fresh;
}

// The filtee takes the node of the filter, and the filter gets a new node after it, so the filtee is reached first. A
// filtee that is later in the list is moved here; one that is earlier stays.
void Walk::filtered_by(std::uint32_t& insert_at, MapIndex user, NameIndex name, std::uint32_t entry, bool optional) {
  MapIndex found;
  const Outcome outcome = look_up(user, name, found);
  if (optional && outcome.found == Found::Outside) return;
  edges_.push_back({*maps_[user.value].file, entry, outcome});
  if (!maps_[found.value].file) return;
  if (maps_[found.value].listed) {
    std::uint32_t before = insert_at;
    while (nodes_[before].next != list_end && nodes_[nodes_[before].next].map != found && work_.spend())
      before = nodes_[before].next;
    const std::uint32_t late = nodes_[before].next;
    if (late == list_end || nodes_[late].map != found) return;
    if (tail_ == late) tail_ = before;
    nodes_[before].next = nodes_[late].next;
  }
  maps_[found.value].listed = true;
  const auto fresh = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back(nodes_[insert_at]);
  nodes_[insert_at] = {found, false, fresh};
  if (tail_ == insert_at) tail_ = fresh;
  insert_at = fresh;
  move_before(found, user);
}

// True if a search leads to the file itself or to another file of that name; either satisfies the need.
bool Walk::search_leads_to(FileIndex file, MapIndex user, NameIndex name) {
  // The file needs itself.
  if (catalog_.file(file).member == catalog_.file(*maps_[user.value].file).member) return true;
  const bool is_path = catalog_.names().text(name).find('/') != std::string_view::npos;
  return (is_path ? open_path(user, name) : search(user, name)).provider.has_value();
}

// elf/dl-load.c, _dl_map_object: first the loaded files by all of their names, then the search. musl knows a loaded
// file only by the names under which searches found it.
Outcome Walk::look_up(MapIndex user, NameIndex name, MapIndex& out) {
  work_.spend();
  const Slot& slot = map_of_name_[name.value];
  if (slot.run == run_) {
    out = slot.map;
    const Map& map = maps_[out.value];
    if (!map.file) return map.first;
    const bool own = catalog_.file(*map.file).ref.wheel.value == 0;
    return {own ? Found::InWheel : Found::InProvider, How::AlreadyLoaded, map.file, {}, {}};
  }
  const std::string_view text = catalog_.names().text(name);
  Outcome outcome;
  if (in_process(text, loader_kind_, program_)) {
    outcome.found = Found::InProcess;
    outcome.how = How::AlreadyLoaded;
  } else {
    outcome = text.find('/') == std::string_view::npos ? search(user, name) : open_path(user, name);
    if (!outcome.provider && loaded_in_programs(text, loader_kind_) && program_)
      outcome = {Found::InProcess, How::None, {}, {}, {}};
  }
  if (outcome.provider) {
    const bool own = catalog_.file(*outcome.provider).ref.wheel.value == 0;
    outcome.found = own ? Found::InWheel : Found::InProvider;
    const Slot& loaded = map_of_file_[outcome.provider->value];
    out = loaded.run == run_ ? loaded.map : map_file(*outcome.provider, user);
  } else {
    // Whatever provides it, it is loaded from now on. A later request for the name gets the same library, even if its
    // own search path leads to a copy in the wheel.
    out = map_outside(outcome);
  }
  bind(name, out);
  return outcome;
}

// elf/dl-load.c, _dl_map_object: DT_RPATH of the file and of its loaders, unless the file has DT_RUNPATH; then only
// DT_RUNPATH of the file. musl: ldso/dynlink.c, load_library.
Outcome Walk::search(MapIndex user, NameIndex name) {
  Outcome out;
  if (!catalog_.is_file_name(name)) return out;
  const FileIndex file = *maps_[user.value].file;
  if (!paths(file).own_only) {
    for (auto at = maps_[user.value].inherits; at;) {
      const FileIndex owner = *maps_[at->value].file;
      const SearchPaths& searched = paths(owner);
      out.how = searched.inherited_how;
      out.by = owner;
      const Probe result = probe(searched.inherited, name, out);
      if (result == Probe::Hit) return out;
      if (result == Probe::Stop || !work_.spend()) return {};
      at = maps_[at->value].above;
    }
  }
  out.how = How::Runpath;
  out.by = file;
  return probe(paths(file).own, name, out) == Probe::Hit ? out : Outcome{};
}

// elf/dl-load.c, open_path.
Walk::Probe Walk::probe(std::span<const SearchElement> elements, NameIndex name, Outcome& out) {
  for (const SearchElement& element : elements) {
    std::optional<FileIndex> first;
    bool everywhere = true;
    for (const DirectoryIndex directory : element.directories) {
      if (!work_.spend()) return Probe::Stop;
      const Entry* const entry = catalog_.directories().at(directory, name);
      const Fit fit = !entry ? Fit::Skipped : !*entry ? Fit::Refused : catalog_.fit(**entry, root_, loader_kind_);
      if (fit == Fit::Refused) return Probe::Stop;
      everywhere = everywhere && fit == Fit::Loads;
      if (fit == Fit::Loads && !first) first = **entry;
    }
    if (!first || !everywhere) continue;
    out.provider = first;
    out.element = element.text;
    return Probe::Hit;
  }
  return Probe::Miss;
}

// A name with a slash is not searched: it is opened after its tokens are replaced.
Outcome Walk::open_path(MapIndex user, NameIndex name) {
  Outcome out;
  for (const Entry* const place : catalog_.places(catalog_.names().text(name), *maps_[user.value].file, loader_kind_)) {
    if (!*place || catalog_.fit(**place, root_, loader_kind_) != Fit::Loads) return {};
    if (!out.provider) out.provider = **place;
  }
  if (out.provider) out.how = How::Path;
  return out;
}

MapIndex Walk::map_file(FileIndex file, std::optional<MapIndex> loader) {
  const MapIndex fresh{static_cast<std::uint32_t>(maps_.size())};
  const std::optional<MapIndex> above = loader ? maps_[loader->value].inherits : std::nullopt;
  const bool has_path = !paths(file).inherited.empty();
  maps_.push_back({.file = file, .inherits = has_path ? fresh : above, .above = above, .first = {}, .listed = false});
  order_.push_back(fresh);
  loaded_.push_back(file);
  map_of_file_[file.value] = {run_, fresh};
  const auto soname = catalog_.file(file).soname;
  if (soname && loader_kind_ != LoaderKind::Musl) bind(*soname, fresh);
  return fresh;
}

MapIndex Walk::map_outside(const Outcome& outcome) {
  const MapIndex fresh{static_cast<std::uint32_t>(maps_.size())};
  maps_.push_back({.file = {}, .inherits = {}, .above = {}, .first = outcome, .listed = false});
  order_.push_back(fresh);
  return fresh;
}

// Names are looked up in the order of loading, so a name stays bound to the first file.
void Walk::bind(NameIndex name, MapIndex map) {
  Slot& slot = map_of_name_[name.value];
  if (slot.run != run_) slot = {run_, map};
}

// The loader's list follows the breadth-first list, so the filtee's soname may now come before that of another file.
void Walk::move_before(MapIndex filtee, MapIndex filter) {
  work_.spend(order_.size());
  std::erase(order_, filtee);
  order_.insert(std::ranges::find(order_, filter), filtee);
  const auto soname = catalog_.file(*maps_[filtee.value].file).soname;
  if (!soname) return;
  Slot& slot = map_of_name_[soname->value];
  if (slot.run == run_ && rank(filtee) < rank(slot.map)) slot.map = filtee;
}

std::uint32_t Walk::rank(MapIndex map) const {
  return static_cast<std::uint32_t>(std::ranges::find(order_, map) - order_.begin());
}

const SearchPaths& Walk::paths(FileIndex file) {
  auto& slot = paths_[file.value];
  if (!slot) slot = catalog_.search_paths(file, loader_kind_);
  return *slot;
}

}  // namespace wheelcheck::resolver
