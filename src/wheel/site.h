// Where a directory has its installed distributions: it is a site-packages itself, or the prefix of one.
#pragma once

#include <string>
#include <string_view>

#include "archive/folder.h"
#include "wheelcheck/result.h"

namespace wheelcheck::wheel {

struct Site {
  archive::Folder folder;  // the prefix where there is one, else the directory of the packages
  std::string below;       // the packages, below `folder`: lib/python3.11/site-packages; "" is the folder itself
  std::string python;      // "3.11"; empty: the path does not say
};

Result<Site> find_site(const std::string& directory);

}  // namespace wheelcheck::wheel
