// One load as the dynamic loader does it: a file is opened (dlopen) or run, and all that it needs is mapped, breadth
// first, each name looked up among what is mapped already and then along search paths (glibc elf/dl-deps.c and
// elf/dl-load.c; musl ldso/dynlink.c). Answers only what the files of the run can tell.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "resolver/catalog.h"

namespace wheelcheck::resolver {

using MapIndex = Index<struct MapIndexTag>;  // a loaded file of one walk; 0 is the root

struct Outcome {
  Found found = Found::Outside;  // never Declared: a walk does not know of --external
  How how = How::None;
  std::optional<FileIndex> provider, by;
  std::string_view element;
};
// One DT_NEEDED, DT_FILTER (`entry` counts on behind the needed ones) or found DT_AUXILIARY (behind those).
struct Edge {
  FileIndex user;
  std::uint32_t entry = 0;
  Outcome outcome;
  bool own_search = true;  // false: already loaded, and a search for it would not have led there
};

class Walk {
 public:
  // `work` is counted down for every name looked up and every place tried; at 0, walks end at the root's own entries
  // and find nothing new, so that no wheel can make the whole run quadratic.
  Walk(const Catalog& catalog, std::uint64_t work);
  // Also searches for what is loaded already, to say in Edge::own_search what the search would have found.
  void explain() { explains_ = true; }

  void run(FileIndex root, LoaderKind loader_kind, bool program);
  LoaderKind loader_kind() const { return loader_kind_; }
  bool out_of_work() const { return work_ == 0; }

  // Of the last run.
  std::span<const Edge> edges() const { return edges_; }
  std::span<const FileIndex> loaded() const { return loaded_; }  // root first, in the order of loading
  // Loaded, and its own needs were followed.
  bool took_in(FileIndex file) const { return taken_in_[file.value] == run_; }
  // The loaded file that answers to the name, as a version need names it (elf/dl-version.c, find_needed); nullopt if it
  // is none of the run's files.
  std::optional<FileIndex> answering(NameIndex name) const;

 private:
  struct Map {
    std::optional<FileIndex> file;     // nullopt: the process, the platform or another distribution has it
    std::optional<MapIndex> inherits;  // itself or the nearest loader above it that has an inherited search path
    std::optional<MapIndex> above;     // the nearest such loader above it
    Outcome first;                     // for maps without a file: what its name gave
    bool listed = false;               // in `nodes_`
  };
  struct Node {  // the breadth-first list; filtees are inserted before their filter, so it is a linked one
    MapIndex map;
    bool done = false;
    std::uint32_t next = 0;
  };
  struct Slot {  // of a name or file; belongs to an earlier run if the number differs
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
  bool spend(std::uint64_t steps = 1);

  const Catalog& catalog_;
  std::uint64_t work_;
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
  std::vector<std::uint32_t> taken_in_;  // the last run that did
  std::vector<std::optional<SearchPaths>> paths_;
  std::optional<LoaderKind> paths_loader_kind_;
};

}  // namespace wheelcheck::resolver
