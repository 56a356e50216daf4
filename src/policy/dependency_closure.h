// What one file finds in its wheel and beside it: which of its libraries the system must give, and which names the
// files of the wheel that are loaded with it define.
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

  // How a DT_NEEDED entry was found; Outside for a name that is none.
  Found found(std::string_view needed) const;
  // True if versions of that library are the system's to give. A version need names a DT_NEEDED entry; one that does
  // not is given by a file of that soname that another entry found, else by the system (glibc elf/dl-version.c
  // find_needed).
  bool requires_system(std::string_view library) const;
  // True if a file that is loaded because of this one, from this wheel or another of the run, defines the name.
  bool defines(std::string_view symbol) const;

 private:
  const ElfMember* file_of(const ElfRef& ref) const;
  std::vector<const ElfMember*> closure() const;

  const Subject& subject_;
  ElfIndex file_;
  std::map<std::string_view, const NeededFound*> needed_;
  mutable std::optional<std::vector<const ElfMember*>> closure_;  // made when first asked for: few files ever ask
};

}  // namespace wheelcheck::policy
