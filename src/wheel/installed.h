// Reads the *.dist-info directories of an environment. Each describes one installed distribution: its name, its
// dependencies and its list of files.
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
  WheelName name;         // the name of its wheel, as far as known; it may have no tags
  std::vector<std::string> requires_dist;
  std::optional<std::vector<RecordRow>> record;
  std::vector<std::string> top_level;  // names in top_level.txt
  bool editable = false;               // from direct_url.json (PEP 610): the code is elsewhere
};

// Names of directories that describe a distribution. pip renames a directory that it is about to remove to
// ~oo-1.0.dist-info, which is not one.
bool is_dist_info(std::string_view directory);

// `files` are those of site-packages, sorted by path. Files that are absent or too long are ignored.
DistInfo read_dist_info(const archive::Folder& folder, std::span<const archive::Entry> files, std::string directory,
                        const Limits& limits);

// "numpy 2.4.6"
std::string shown_name(const WheelName& name);

// Finds the installed distributions below a directory, which is a site-packages directory or the prefix of one.

struct Site {
  archive::Folder folder;  // the prefix if there is one, else the directory of the packages
  // the directory of the packages, relative to `folder`: lib/python3.11/site-packages; "" for `folder` itself
  std::string below;
  std::string python;  // "3.11"; empty if the path does not contain it
};

Result<Site> find_site(const std::string& directory);

// The distributions that a set of them requires, in an order in which each can be imported.

// Indexes into `distributions`: those in `names` and the installed ones that they require through Requires-Dist, each
// after its requirements. A cycle is cut where it is entered. Without names, all distributions, sorted by project.
// `python` is "3.11", or empty. Error NotFound if a name is not installed.
Result<std::vector<std::size_t>> in_import_order(std::span<const DistInfo> distributions,
                                                 std::span<const std::string> names, const std::string& python);

}  // namespace wheelcheck::wheel
