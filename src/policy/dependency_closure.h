// The files that are loaded together with one file. It determines which libraries the system must provide, and which
// symbols the wheel's own files define.
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "policy/requirements.h"

namespace wheelcheck::policy {

class Scope {
 public:
  Scope(const Subject& subject, ElfIndex file);

  // How a DT_NEEDED entry was found; Outside for other names.
  Found found(std::string_view needed) const;
  // True if the system must provide the versions of that library. A version need names a DT_NEEDED entry. If it names
  // none, a file with that soname that another entry found provides it, or else the system (glibc elf/dl-version.c
  // find_needed).
  bool requires_system(std::string_view library) const;
  // True if a file that is loaded because of this one defines the symbol; the file may be of this wheel or another of
  // the run.
  bool defines(std::string_view symbol) const;
  // True if the needed library that the version names is a file of these wheels with a definition of it.
  bool defines_version(const VersionNeed& need) const;

 private:
  const ElfMember* file_of(const ElfRef& ref) const;

  const Subject& subject_;
  ElfIndex file_;
  std::map<std::string_view, const NeededFound*> needed_;
  mutable std::optional<std::vector<ElfRef>> closure_;  // computed at first use, because few files need it
};

}  // namespace wheelcheck::policy
