// The file system that a process sees: paths to files, the directories that a search goes through, and what ld.so makes
// of a file that it comes across (glibc elf/dl-load.c: open_path, open_verify, fillin_rpath).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ldso/work.h"
#include "resolver/catalog.h"
#include "wheelcheck/process.h"

namespace wheelcheck::resolver {

// What a search or a path led to.
struct Opened {
  enum class What {
    Nothing,     // no such file, or one for another machine: a search goes on
    File,        // one that can be mapped
    OtherClass,  // 32 bits for 64 or the other way round: a search goes on, and its end has other words
    Refused,     // no file to map: the search ends, and so does the open
  };
  What what = What::Nothing;
  process::ObjectIndex file = {};
  std::string path = {};   // as ld.so spells it: the directory as the search path has it, and the name
  std::string error = {};  // for Refused
};

class ProcessFiles {
 public:
  // Files of another class or machine than the program's are passed over.
  ProcessFiles(const process::World& world, process::ObjectIndex main, std::string_view working_directory, Work& work);

  const process::File& file(process::ObjectIndex index) const { return world_.files[index.value]; }
  const ElfFacts& facts(process::ObjectIndex index) const;
  std::size_t size() const { return world_.files.size(); }
  const process::Platform& platform() const { return world_.platform; }
  Work& work() const { return work_; }

  Opened open(const std::string& path) const;
  // Each directory is tried with its glibc-hwcaps first.
  Opened search(const std::vector<std::string>& directories, std::string_view name) const;
  // Why a file that was opened cannot be mapped (elf/dl-load.c, _dl_map_object_from_fd).
  std::optional<std::string_view> unmappable(process::ObjectIndex index) const;
  std::optional<process::ObjectIndex> assumed(std::string_view name) const;

  // A search path with its tokens replaced: directories that end in '/'. `origin`: of the file that holds it.
  std::vector<std::string> directories(const std::vector<std::string_view>& elements, std::string_view origin) const;
  // A DT_NEEDED or a name for dlopen with its tokens replaced.
  std::string expand(std::string_view name, std::string_view origin) const;
  // The directory of a file as ld.so takes it from the path by which it was opened (elf/dl-object.c).
  std::string origin(std::string_view path) const;

 private:
  Opened judge(process::ObjectIndex file, const std::string& path) const;

  const process::World& world_;
  process::ObjectIndex main_;
  std::string working_directory_;
  Work& work_;
  Names names_;
  Directories tree_{names_};
  std::map<std::string_view, process::ObjectIndex> assumed_;
  std::set<std::string_view> base_names_;  // of all files: what is not there needs no search
};

}  // namespace wheelcheck::resolver
