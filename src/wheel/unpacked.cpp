// An unpacked wheel: what `wheel unpack` or unzip leaves, perhaps changed since.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "archive/folder.h"
#include "base/text.h"
#include "wheel/dist_info.h"
#include "wheel/read.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {

Result<WheelFacts> read_unpacked(const std::string& path, const Limits& limits, unsigned jobs,
                                 const Progress& progress) {
  const auto no_wheel = [](std::string message) {
    return std::unexpected(Error{ErrorCode::NotAWheel, std::move(message)});
  };
  const Result<archive::Folder> folder = archive::Folder::open(path);
  if (!folder) return std::unexpected(folder.error());
  std::vector<std::string> found = folder->directories("");
  std::erase_if(found, [](const std::string& name) { return !name.ends_with(".dist-info"); });
  if (found.empty()) return no_wheel("is a directory without a .dist-info, so no unpacked wheel");
  if (found.size() > 1)
    return no_wheel(fmt::format("is a directory with {} .dist-info, '{}' and '{}'; an unpacked wheel has one",
                                found.size(), escape(found[0]), escape(found[1])));
  Result<archive::Listing> listing = folder->walk("", limits.members, limits);
  if (!listing) return std::unexpected(std::move(listing.error()));

  wheel::DistInfo info = wheel::read_dist_info(*folder, listing->entries, found.front(), limits);
  if (info.name.platforms.empty())
    return no_wheel(fmt::format("has no Tag in {}/WHEEL, so its claims are unknown", escape(info.directory)));
  WheelFacts facts;
  facts.file = wheel::shown_name(info.name);
  facts.path = path;
  facts.name = std::move(info.name);
  facts.dist_info = std::move(info.directory);
  const archive::FolderSource source(*folder, std::move(*listing), limits);
  return wheel::read_source(source, std::move(facts), limits, jobs, progress);
}

}  // namespace wheelcheck
