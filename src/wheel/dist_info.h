// What a *.dist-info directory on disk says of its distribution, before any other file of it is read.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "archive/folder.h"
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

}  // namespace wheelcheck::wheel
