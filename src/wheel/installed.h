// What a *.dist-info directory on disk says of its distribution, before any other file of it is read.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "archive/folder.h"
#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::wheel {

struct DistInfo {
  std::string directory;  // foo-1.0.dist-info
  std::string project;    // normalised: foo
  WheelName name;         // as its wheel was named, as far as that can be told; there may be no tags
  std::vector<std::string> requires_dist;
  std::optional<std::vector<RecordRow>> record;
  std::vector<std::string> top_level;  // names of top_level.txt
  bool editable = false;               // direct_url.json says so (PEP 610): the code lies elsewhere
};

// Directories that describe a distribution. pip renames what it is about to take away to ~oo-1.0.dist-info.
bool is_dist_info(std::string_view directory);

// `files`: of the site-packages, by path. Files that are absent or too long say nothing here.
DistInfo read_dist_info(const archive::Folder& folder, std::span<const archive::Entry> files, std::string directory,
                        const Limits& limits);

// "numpy 2.4.6"
std::string shown_name(const WheelName& name);

// Where a directory has its installed distributions: it is a site-packages itself, or the prefix of one.

struct Site {
  archive::Folder folder;  // the prefix where there is one, else the directory of the packages
  std::string below;       // the packages, below `folder`: lib/python3.11/site-packages; "" is the folder itself
  std::string python;      // "3.11"; empty: the path does not say
};

Result<Site> find_site(const std::string& directory);

// Which installed distributions a set of them needs, in an order in which each can be imported.

// Indices into `distributions`: `names` and what Requires-Dist asks for of what is installed, each after what it needs;
// a circle is cut where it is entered. Without names all, by project. `python`: "3.11", or empty. Error NotFound: a
// name that is not installed.
Result<std::vector<std::size_t>> in_import_order(std::span<const DistInfo> distributions,
                                                 std::span<const std::string> names, const std::string& python);

}  // namespace wheelcheck::wheel
