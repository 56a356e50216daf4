// The loaded files of a process (glibc's list of link maps), and how a name leads to a loaded file: first by the names
// of the loaded files, then by a search, then by device and inode (glibc elf/dl-load.c, elf/dl-object.c,
// elf/dl-deps.c). A file is mapped at most once, so the index of a file also identifies its map.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ldso/process_files.h"
#include "wheelcheck/process.h"

namespace wheelcheck::resolver {

using process::ObjectIndex;

struct LoadError {
  std::string text;
  bool fatal = false;  // an assertion or a crash of ld.so: the process ends
  bool given_up = false;
  std::optional<process::Missing> missing = {};
};
LoadError given_up(const Budget& work);
template <class T>
using Loaded = std::expected<T, LoadError>;

// An entry of l_scope of a map: the searchlist of a map, or one map alone (DT_SYMBOLIC). The searchlist of the program
// is the global scope.
struct ScopeEntry {
  ObjectIndex of;
  bool alone = false;
  bool operator==(const ScopeEntry&) const = default;
};

enum class MapKind { Program, AtStart, Opened };  // lt_executable, lt_library, lt_loaded

// The fields of glibc's struct link_map that affect the result (include/link.h).
struct Map {
  bool loaded = false;
  MapKind kind = MapKind::Opened;
  std::string name;                // l_name: the path by which it was opened
  std::vector<std::string> names;  // l_libname: the names by which it was requested
  bool soname_used = false;        // l_soname_added: its DT_SONAME is one of those names
  std::optional<ObjectIndex> loader;
  std::vector<ScopeEntry> scope;
  std::optional<std::vector<ObjectIndex>> searchlist;  // only of the program and of files that were opened themselves
  // l_initfini: the file itself and what it needs; sorted if there is a searchlist. musl: what it needs.
  std::vector<ObjectIndex> dependencies;
  bool has_dependencies = false;  // musl: they were requested
  std::uint32_t opened = 0;       // l_direct_opencount
  bool global = false, relocated = false, initialised = false, versions_checked = false;
  bool kept = false;                                       // l_nodelete_active
  std::optional<std::vector<std::string>> rpath, runpath;  // computed at first use
};

// How a file is requested.
struct Request {
  MapKind kind = MapKind::Opened;
  bool deepbind = false, noload = false;
  // __RTLD_CALLMAP: use the search paths of `loader`, but do not make it the loader of the new map.
  bool only_search = false;
};

class Maps {
 public:
  Maps(const ProcessFiles& files, const process::Plan& plan);

  const ProcessFiles& files() const { return files_; }
  Map& operator[](ObjectIndex object) { return maps_[object.value]; }
  const Map& operator[](ObjectIndex object) const { return maps_[object.value]; }
  const DynamicFacts* dynamic(ObjectIndex object) const;  // null for a file without facts
  ObjectIndex program() const { return program_; }
  std::optional<ObjectIndex> interpreter() const { return interpreter_; }  // ld.so; musl: the C library
  // ld.so's list of loaded files.
  std::span<const ObjectIndex> order() const { return order_; }
  std::vector<ObjectIndex>& global() { return *maps_[program_.value].searchlist; }
  std::string_view shown_name(ObjectIndex object) const;  // DSO_FILENAME

  // elf/dl-load.c, _dl_map_object. nullopt: not loaded, and not to be loaded (RTLD_NOLOAD).
  Loaded<std::optional<ObjectIndex>> request(std::optional<ObjectIndex> loader, std::string_view name,
                                             const Request& how);
  // elf/dl-deps.c, _dl_map_object_deps. Sets searchlist and dependencies of `root`, also on failure.
  Loaded<void> request_dependencies(ObjectIndex root, std::span<const ObjectIndex> preloaded, const Request& how);
  // The loaded file with the name that a version need contains (elf/dl-version.c, find_needed).
  std::optional<ObjectIndex> answering(std::string_view name) const;
  bool is_named(ObjectIndex object, std::string_view name) const;  // elf/dl-misc.c, _dl_name_match_p

  ObjectIndex map_program();
  // ld.so is loaded before all other files. It is removed from the list if no file needs it (elf/rtld.c).
  std::optional<ObjectIndex> map_interpreter();
  void settle_interpreter(ObjectIndex interpreter);
  // Removes these files from the list. No other map may refer to them.
  void unload(const std::vector<bool>& gone);

  // --- musl ldso/dynlink.c --------------------------------------------------------------------------------------
  void map_program_of_musl();
  // load_library.
  Loaded<std::optional<ObjectIndex>> request_of_musl(std::optional<ObjectIndex> loader, std::string_view name,
                                                     bool noload = false);
  // load_deps and extend_bfs_deps. Sets the searchlist of `root`: the file itself and what it needs, breadth first.
  Loaded<void> request_dependencies_of_musl(ObjectIndex root);

 private:
  class Breadth;

  ObjectIndex create(ObjectIndex file, std::string path, std::string_view name, std::optional<ObjectIndex> loader,
                     const Request& how);
  Opened find(std::optional<ObjectIndex> loader, std::string_view name);
  Opened search(std::optional<ObjectIndex> loader, std::string_view name);
  std::string origin(ObjectIndex object) const;
  const std::vector<std::string>& rpath(ObjectIndex object);
  const std::vector<std::string>& runpath(ObjectIndex object);
  std::optional<ObjectIndex> object_named(std::string_view name) const;
  void add_name(ObjectIndex object, std::string_view name);
  void move_before(ObjectIndex moved, ObjectIndex place);
  void number_order();
  Opened search_of_musl(std::optional<ObjectIndex> loader, std::string_view name);
  ObjectIndex append(ObjectIndex file, std::string path, std::optional<ObjectIndex> loader);
  Loaded<void> request_direct_of_musl(ObjectIndex object);

  const ProcessFiles& files_;
  ObjectIndex program_;
  std::optional<ObjectIndex> interpreter_;
  const process::Environment& environment_;
  std::vector<std::string> library_path_, default_path_;
  std::vector<Map> maps_;
  std::vector<ObjectIndex> order_;
  std::vector<std::uint32_t> place_;                                              // position in order_, by object
  std::map<std::string, std::vector<ObjectIndex>, std::less<>> objects_by_name_;  // by name, path or DT_SONAME
};

// elf/dl-sort-maps.c: each file before those that it needs. The first function is the algorithm of glibc 2.35 and
// later.
void sort_depth_first(const Maps& maps, std::vector<ObjectIndex>& objects);
void sort_as_before_2_35(const Maps& maps, std::span<ObjectIndex> objects);

// --- the check of versions before relocation ----------------------------------------------------------------------

// elf/dl-version.c, _dl_check_map_versions, for one loaded file: the first error, which stops the load.
Loaded<void> check_versions(const Maps& maps, ObjectIndex object);

// The error of glibc before 2.41 if a version need names a library without versions: an assertion fails and the process
// ends.
LoadError inconsistent_version();

}  // namespace wheelcheck::resolver
