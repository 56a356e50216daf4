// ELF files that are in no wheel: one file, or the files below a directory, as `show`, `tree` and `symbols` take them.
#include <string>
#include <utility>

#include "archive/folder.h"
#include "wheel/read.h"

namespace wheelcheck {
namespace {

Result<std::pair<archive::Folder, archive::Listing>> list(const std::string& path, const Limits& limits) {
  auto folder = archive::Folder::open(path);
  if (!folder) return archive::Folder::open_file(path);
  auto listing = folder->walk("", limits.members, limits);
  if (!listing) return std::unexpected(std::move(listing.error()));
  return std::pair(std::move(*folder), std::move(*listing));
}

std::string shown_name(const archive::Folder& folder, const archive::Listing& listing, bool one_file) {
  if (one_file) return std::string(listing.entries.front().path.name());
  const std::string& place = folder.place();
  return place.substr(place.rfind('/') + 1);
}

}  // namespace

Result<WheelFacts> read_elf_files(const std::string& path, const Limits& limits, unsigned jobs,
                                  const Progress& progress) {
  auto files = list(path, limits);
  if (!files) return std::unexpected(std::move(files.error()));
  auto& [folder, listing] = *files;
  WheelFacts facts;
  facts.file = shown_name(folder, listing, !archive::Folder::open(path));
  facts.path = path;
  facts.name.distribution = facts.file;
  const archive::FolderSource source(folder, std::move(listing), limits);
  auto read = wheel::read_source(source, std::move(facts), limits, jobs, progress);
  if (!read) return read;
  if (read->elfs.empty()) return std::unexpected(Error{ErrorCode::NotAWheel, "contains no ELF file and no wheel"});
  // What only a wheel has is not missing here.
  std::erase_if(read->flaws, [](const WheelFlaw& flaw) { return flaw.area != WheelArea::Member; });
  return read;
}

}  // namespace wheelcheck
