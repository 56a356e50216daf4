// A walk: one load, in the order of the dynamic loader. A file is opened (dlopen) or run, and everything that it needs
// is mapped, breadth first. Each name is looked up among the loaded files first and then along the search paths (glibc
// elf/dl-deps.c and elf/dl-load.c; musl ldso/dynlink.c). Only files of the run are found.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "resolver/catalog.h"

namespace wheelcheck::resolver {

using MapIndex = Index<struct MapIndexTag>;  // a loaded file of a walk; 0 is the root

// The result for one name.
struct Outcome {
  Found found = Found::Outside;  // never Declared: a walk does not use --external
  How how = How::None;
  std::optional<FileIndex> provider, by;
  std::string_view element;
};
// One DT_NEEDED, DT_FILTER (`entry` continues after the needed ones) or DT_AUXILIARY that was found (after those).
struct Edge {
  FileIndex user;
  std::uint32_t entry = 0;
  Outcome outcome;
  bool own_search = true;  // false: already loaded, and a search would not have found it
};

class Walk {
 public:
  // A step of `work` is taken for every name and every directory. Without steps, walks end and find nothing new, so
  // that a wheel cannot make the run quadratic.
  Walk(const Catalog& catalog, std::uint64_t work);
  // Also searches for names that are already loaded, to set Edge::own_search.
  void explain() { explains_ = true; }

  void run(FileIndex root, LoaderKind loader_kind, bool program);
  LoaderKind loader_kind() const { return loader_kind_; }
  const Budget& work() const { return work_; }

  // --- results of the last run ------------------------------------------------------------------------------------
  std::span<const Edge> edges() const { return edges_; }
  std::span<const FileIndex> loaded() const { return loaded_; }  // root first, in the order of loading
  // True if the file was loaded and its own needs were processed.
  bool took_in(FileIndex file) const { return taken_in_[file.value] == run_; }
  // The loaded file with the name of a version need (elf/dl-version.c, find_needed); nullopt if it is not a file of the
  // run.
  std::optional<FileIndex> answering(NameIndex name) const;

 private:
  struct Map {
    std::optional<FileIndex> file;     // nullopt: it is provided by the process, the platform or another distribution
    std::optional<MapIndex> inherits;  // the file itself or its nearest loader with an inherited search path
    std::optional<MapIndex> above;     // the nearest such loader, without the file itself
    Outcome first;                     // of maps without a file: the result for its name
    bool listed = false;               // in `nodes_`
  };
  // An entry of the breadth-first list. The list is linked, because filtees are inserted before their filter.
  struct Node {
    MapIndex map;
    bool done = false;
    std::uint32_t next = 0;
  };
  // The map of a name or file in the run with this number; otherwise outdated.
  struct Slot {
    std::uint32_t run = 0;
    MapIndex map;
  };
  enum class Probe { Hit, Miss, Stop };

  void process(std::uint32_t node);
  void needed_by(MapIndex user, NameIndex name, std::uint32_t entry);
  void filtered_by(std::uint32_t& insert_at, MapIndex user, NameIndex name, std::uint32_t entry, bool optional);
  Outcome look_up(MapIndex user, NameIndex name, MapIndex& out);
  bool search_leads_to(FileIndex file, MapIndex user, NameIndex name);
  Outcome search(MapIndex user, NameIndex name);
  Probe probe(std::span<const SearchElement> elements, NameIndex name, Outcome& out);
  Outcome open_path(MapIndex user, NameIndex name);
  MapIndex map_file(FileIndex file, std::optional<MapIndex> loader);
  MapIndex map_outside(const Outcome& outcome);
  void bind(NameIndex name, MapIndex map);
  void move_before(MapIndex filtee, MapIndex filter);
  std::uint32_t rank(MapIndex map) const;
  const SearchPaths& paths(FileIndex file);

  const Catalog& catalog_;
  Budget work_;
  std::uint32_t run_ = 0;
  LoaderKind loader_kind_ = LoaderKind::Glibc;
  bool program_ = false, explains_ = false;
  FileIndex root_;
  std::vector<Map> maps_;
  std::vector<MapIndex> order_;  // the loader's list of loaded files, in which names are looked up
  std::vector<Node> nodes_;
  std::uint32_t tail_ = 0;
  std::vector<Edge> edges_;
  std::vector<FileIndex> loaded_;
  std::vector<Slot> map_of_file_, map_of_name_;
  std::vector<std::uint32_t> taken_in_;  // by file: the last run that processed its needs
  std::vector<std::optional<SearchPaths>> paths_;
  std::optional<LoaderKind> paths_loader_kind_;
};

}  // namespace wheelcheck::resolver
