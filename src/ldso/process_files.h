// The file system of a modelled process: which file a path leads to, how a search path is searched, and what ld.so does
// with the file that it finds (glibc elf/dl-load.c: open_path, open_verify, fillin_rpath).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "ldso/loader_rules.h"
#include "resolver/catalog.h"
#include "wheelcheck/process.h"

namespace wheelcheck::resolver {

// The result of opening a path or of a search.
struct Opened {
  enum class What {
    Nothing,     // no such file, or a file for another machine: the search continues
    File,        // a file that can be mapped
    OtherClass,  // another ELF class (32 or 64 bits): the search continues, and the final error text is different
    Refused,     // a file that cannot be mapped: the search ends and the open fails
  };
  What what = What::Nothing;
  process::ObjectIndex file = {};
  std::string path = {};   // as ld.so prints it: the directory as in the search path, and the name
  std::string error = {};  // for Refused
};

class ProcessFiles {
 public:
  // Files of another class or machine than that of the program are skipped.
  ProcessFiles(const process::World& world, process::ObjectIndex main, std::string_view working_directory,
               Budget& work);

  const process::File& file(process::ObjectIndex index) const { return world_.files[index.value]; }
  const ElfFacts& facts(process::ObjectIndex index) const;
  std::size_t size() const { return world_.files.size(); }
  const process::Platform& platform() const { return world_.platform; }
  const LoaderRules& rules() const { return rules_of(world_.platform.loader); }
  Budget& work() const { return work_; }

  Opened open(const std::string& path) const;
  // In each directory the glibc-hwcaps subdirectories are searched first.
  Opened search(const std::vector<std::string>& directories, std::string_view name) const;
  // The reason why an opened file cannot be mapped (elf/dl-load.c, _dl_map_object_from_fd); nullopt if it can.
  std::optional<std::string_view> unmappable(process::ObjectIndex index) const;
  std::optional<process::ObjectIndex> assumed(std::string_view name) const;

  // Replaces the tokens of a search path. The results are directories that end in '/'. `origin` is that of the file
  // with the search path.
  std::vector<std::string> directories(const std::vector<std::string_view>& elements, std::string_view origin) const;
  // Replaces the tokens of a DT_NEEDED entry or of a name for dlopen.
  std::string expand(std::string_view name, std::string_view origin) const;
  // The directory of a file, which ld.so derives from the path by which the file was opened (elf/dl-object.c).
  std::string origin(std::string_view path) const;

 private:
  Opened judge(process::ObjectIndex file, const std::string& path) const;

  const process::World& world_;
  process::ObjectIndex main_;
  std::string working_directory_;
  Budget& work_;
  Names names_;
  Directories tree_{names_};
  std::map<std::string_view, process::ObjectIndex> assumed_;
  std::set<std::string_view> base_names_;  // of all files: a name that is not in the set does not need a search
};

}  // namespace wheelcheck::resolver
