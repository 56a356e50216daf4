// The catalog of a run: every ELF file of the wheel and its providers at its installed path, and the directories.
// Names, directories and search path elements are converted to small integers, so that a walk does not compare texts.
// The catalog is built once, and walks only read it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "resolver/libc_rules.h"
#include "wheelcheck/binding.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::resolver {

using NameIndex = Index<struct NameIndexTag>;            // a DT_NEEDED, DT_SONAME, file name or directory name
using DirectoryIndex = Index<struct DirectoryIndexTag>;  // a directory below the installation prefix
using FileIndex = Index<struct FileIndexTag>;            // an ELF file of any wheel of the run

// A hash for two indices combined into one key.
struct PairHash {
  std::size_t operator()(std::uint64_t key) const {
    key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9;
    key = (key ^ (key >> 27)) * 0x94d049bb133111eb;
    return key ^ (key >> 31);
  }
};
template <class Value>
using PairMap = std::unordered_map<std::uint64_t, Value, PairHash>;
constexpr std::uint64_t pair_key(std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; }

// Numbers texts in the order of their first use. It is an ordered map, because texts are untrusted and could be chosen
// to collide in a hash table.
class Names {
 public:
  NameIndex add(std::string_view text);
  std::optional<NameIndex> find(std::string_view text) const;
  std::string_view text(NameIndex name) const { return texts_[name.value]; }
  std::size_t size() const { return texts_.size(); }

 private:
  std::map<std::string_view, NameIndex> index_;
  std::vector<std::string_view> texts_;
};

// The entry of a directory: an ELF file, or another file (nullopt).
using Entry = std::optional<FileIndex>;

// The directories below the installation prefix. Paths are followed as the kernel does without symbolic links: the
// directory before ".." must exist. Nothing is known above the prefix.
class Directories {
 public:
  explicit Directories(Names& names) : names_(names) {}
  static constexpr DirectoryIndex prefix{0};
  // Adds the directories of a clean path below `base`.
  DirectoryIndex add(DirectoryIndex base, std::string_view path);
  std::optional<DirectoryIndex> find(std::string_view path) const;
  std::string path(DirectoryIndex directory) const;
  // An existing entry is kept, so that the wheel's own files take precedence over those of providers.
  void put(DirectoryIndex directory, NameIndex name, Entry entry) {
    entries_.emplace(pair_key(directory.value, name.value), entry);
  }
  const Entry* at(DirectoryIndex directory, NameIndex name) const {
    const auto found = entries_.find(pair_key(directory.value, name.value));
    return found == entries_.end() ? nullptr : &found->second;
  }

 private:
  struct Directory {
    DirectoryIndex parent;
    NameIndex name;
  };
  Names& names_;
  std::vector<Directory> directories_{Directory{prefix, NameIndex{}}};
  PairMap<DirectoryIndex> children_;
  PairMap<Entry> entries_;
};

// One element of a search path.
struct SearchElement {
  std::string_view text;                    // as written
  std::vector<DirectoryIndex> directories;  // one for each meaning of its tokens; never empty
};
// The search paths of a file for one kind of loader. Elements that lead to no directory of a wheel are omitted.
struct SearchPaths {
  // Used for the file and for everything that it loads: DT_RPATH; with musl also DT_RUNPATH.
  std::vector<SearchElement> inherited;
  How inherited_how = How::Rpath;
  std::vector<SearchElement> own;  // used only for the file itself: DT_RUNPATH
  bool own_only = false;           // the file has DT_RUNPATH, so no DT_RPATH is used for its needs
};

// The version needs of a file for one library.
struct VersionedLibrary {
  NameIndex library;
  std::vector<NeedIndex> needs;  // without weak ones, which may be unmet
};
struct File {
  // An ELF file of a wheel of the run.
  ElfRef ref;
  const ElfMember* member = nullptr;
  std::uint32_t machine = 0;  // the same number for files of the same class, byte order and machine
  DirectoryIndex directory;
  NameIndex base;
  std::optional<NameIndex> soname;
  std::vector<NameIndex> needed, filters, auxiliaries;
  std::vector<VersionedLibrary> versioned;
};

// What a loader does with a file that it finds in a search (glibc elf/dl-load.c, open_verify).
enum class Fit {
  Loads,
  Skipped,  // for another machine: the search continues in the next directory
  Refused,  // cannot be loaded: the search ends, and the load fails
};

class Catalog {
 public:
  Catalog(const WheelFacts& wheel, std::span<const WheelFacts> providers);

  const File& file(FileIndex index) const { return files_[index.value]; }
  std::size_t size() const { return files_.size(); }
  // The wheel's own files are first, in the order of WheelFacts::elfs.
  static FileIndex of_wheel(ElfIndex elf) { return {elf.value}; }
  const Names& names() const { return names_; }
  const Directories& directories() const { return directories_; }
  // Files with that base name or soname, the wheel's own first.
  std::span<const FileIndex> called(NameIndex name) const { return called_[name.value]; }
  // True if a search for the name can find a file.
  bool is_file_name(NameIndex name) const { return is_file_name_[name.value]; }
  // How the loader treats `file` as a dependency. `process` is the file that was started or opened first.
  Fit fit(FileIndex file, FileIndex process, LoaderKind loader_kind) const;
  SearchPaths search_paths(FileIndex file, LoaderKind loader_kind) const;
  // The entries that a DT_NEEDED with a slash leads to, for each meaning of its tokens; empty if it leads out of the
  // wheels.
  std::vector<const Entry*> places(std::string_view name, FileIndex user, LoaderKind loader_kind) const;

 private:
  void add_elf(const ElfMember& member, ElfRef ref, std::string_view site);
  void add_members(const WheelFacts& wheel);
  void put_other(DirectoryIndex directory, NameIndex name);
  void index_names();
  std::vector<SearchElement> elements(const std::vector<std::string_view>& texts, const File& file,
                                      LoaderKind loader_kind) const;

  Names names_;
  Directories directories_{names_};
  // site-packages, one for all wheels, because they are for the same interpreter.
  DirectoryIndex site_ = Directories::prefix;
  std::vector<File> files_;
  std::map<std::tuple<unsigned, bool, unsigned>, std::uint32_t> machines_;  // ELF class, byte order, e_machine
  std::vector<std::vector<FileIndex>> called_;
  std::vector<bool> is_file_name_;
};

}  // namespace wheelcheck::resolver
