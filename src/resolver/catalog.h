// Every file that a search may meet: the ELF files of the wheel and of its providers at the place where they get
// installed, the directories between them, and their names and search paths as small numbers, so that a walk compares
// no text. Built once a run; walks only read it.
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

using NameIndex = Index<struct NameIndexTag>;            // a DT_NEEDED, DT_SONAME, file or directory name
using DirectoryIndex = Index<struct DirectoryIndexTag>;  // a directory below the installation prefix
using FileIndex = Index<struct FileIndexTag>;            // an ELF file of any wheel of the run

// Sequential numbers of two tables as one key.
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

// Texts as numbers, in order of first sight. An ordered map: strangers choose the texts, and could choose them to
// collide.
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

// A place in a directory is taken by an ELF file, or by something that is none (nullopt).
using Entry = std::optional<FileIndex>;

// The directories below the installation prefix. Paths are followed as the kernel does where there are no symbolic
// links: what stands before a ".." must exist, and nothing is known above the prefix.
class Directories {
 public:
  explicit Directories(Names& names) : names_(names) {}
  static constexpr DirectoryIndex prefix{0};
  // A clean path below `base`: every part gets a directory.
  DirectoryIndex add(DirectoryIndex base, std::string_view path);
  std::optional<DirectoryIndex> find(std::string_view path) const;
  std::string path(DirectoryIndex directory) const;
  // The first taker keeps the place, so that the wheel's own files come before those of providers.
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

struct SearchElement {
  std::string_view text;                    // as written
  std::vector<DirectoryIndex> directories;  // one for each meaning of its tokens, never empty
};
// A file's search paths as one dialect sees them; elements that can find nothing in any wheel are left out.
struct SearchPaths {
  std::vector<SearchElement> inherited;  // serves the file and all that it led to: DT_RPATH; with musl, DT_RUNPATH too
  How inherited_how = How::Rpath;
  std::vector<SearchElement> own;  // serves the file's own needs only: DT_RUNPATH
  bool own_only = false;           // the file has DT_RUNPATH, so no DT_RPATH serves its needs
};

struct VersionedLibrary {
  NameIndex library;
  std::vector<NeedIndex> needs;  // those that must be met: weak ones are left out
};
struct File {
  ElfRef ref;
  const ElfMember* member = nullptr;
  std::uint32_t machine = 0;  // files of one class, byte order and machine have the same number
  DirectoryIndex directory;
  NameIndex base;
  std::optional<NameIndex> soname;
  std::vector<NameIndex> needed, filters, auxiliaries;
  std::vector<VersionedLibrary> versioned;
};

// What a loader does with a file that it comes across in a search (glibc elf/dl-load.c, open_verify).
enum class Fit {
  Loads,
  Skipped,  // for another machine: the search goes on in the next directory
  Refused,  // not loadable at all: the search ends, and the load fails
};

class Catalog {
 public:
  Catalog(const WheelFacts& wheel, std::span<const WheelFacts> providers);

  const File& file(FileIndex index) const { return files_[index.value]; }
  std::size_t size() const { return files_.size(); }
  // The wheel's own files come first, in the order of WheelFacts::elfs.
  static FileIndex of_wheel(ElfIndex elf) { return {elf.value}; }
  const Names& names() const { return names_; }
  const Directories& directories() const { return directories_; }
  // Files with that base name or that soname, the wheel's own first.
  std::span<const FileIndex> called(NameIndex name) const { return called_[name.value]; }
  // Whether a search for the name could meet anything.
  bool is_file_name(NameIndex name) const { return is_file_name_[name.value]; }
  // How `process` (the file that the process was started for or that was opened first) takes `file` as a dependency.
  Fit fit(FileIndex file, FileIndex process, LoaderKind loader_kind) const;
  SearchPaths search_paths(FileIndex file, LoaderKind loader_kind) const;
  // Where a DT_NEEDED with a slash leads, for each meaning of its tokens; empty if out of the wheels.
  std::vector<const Entry*> places(std::string_view name, FileIndex user, LoaderKind loader_kind) const;

 private:
  void add_elf(const ElfMember& member, ElfRef ref, std::string_view site);
  void add_members(const WheelFacts& wheel);
  void index_names();
  std::vector<SearchElement> elements(const std::vector<std::string_view>& texts, const File& file,
                                      LoaderKind loader_kind) const;

  Names names_;
  Directories directories_{names_};
  DirectoryIndex site_ = Directories::prefix;  // site-packages, one for all wheels: they serve the same interpreter
  std::vector<File> files_;
  std::map<std::tuple<unsigned, bool, unsigned>, std::uint32_t> machines_;  // class, byte order, e_machine
  std::vector<std::vector<FileIndex>> called_;
  std::vector<bool> is_file_name_;
};

}  // namespace wheelcheck::resolver
