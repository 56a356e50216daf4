// A directory as the place where a distribution's files lie: a wheel that was unpacked, or an environment into which
// wheels were installed. Nothing outside of it is ever opened, whatever its links and lists say.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archive/archive.h"

namespace wheelcheck::archive {

struct Listing {
  std::vector<Entry> entries;   // by path
  std::vector<Remark> remarks;  // by subject: what is passed over, and why
};

class Folder {
 public:
  // `path` may be a link; what lies below it is asked for by its real place.
  static Result<Folder> open(const std::string& path);

  // The directory of a regular file, and the file alone as its listing. A link is followed; its target gives the name.
  static Result<std::pair<Folder, Listing>> open_file(const std::string& path);

  const std::string& place() const { return root_; }  // absolute, without links
  // The same files, seen from `levels` directories further up.
  Folder above(unsigned levels) const;
  // Names of the directories in `below` ("" is the folder itself), sorted. Links are left out.
  std::vector<std::string> directories(std::string_view below) const;
  // Every regular file below `below`, with paths that start there. A link is followed to a file of this folder only;
  // bytecode in __pycache__ is left out. Error OverLimit at more than `most` files.
  Result<Listing> walk(std::string_view below, std::uint64_t most, const Limits& limits) const;
  // The regular file at `place`, shown as `path`. Nothing is found through links.
  std::optional<Entry> find(const MemberPath& place, MemberPath path) const;
  // Reads a file that walk or find gave. Nothing is hashed; of a file whose bytes are not kept four bytes are read, of
  // a large ELF file what is asked for.
  Result<Content> read(const Entry& entry, const Wish& wish, const Limits& limits) const;

 private:
  explicit Folder(std::string root) : root_(std::move(root)) {}
  std::string root_;
};

// Some files of a folder as one distribution.
class FolderSource final : public Source {
 public:
  FolderSource(const Folder& folder, Listing listing, const Limits& limits)
      : folder_(folder), listing_(std::move(listing)), limits_(limits) {}

  std::span<const Entry> entries() const override { return listing_.entries; }
  std::span<const Remark> remarks() const override { return listing_.remarks; }
  std::uint64_t size() const override { return 0; }
  Result<Content> read(const Entry& entry, const Wish& wish) const override {
    return folder_.read(entry, wish, limits_);
  }

 private:
  const Folder& folder_;
  Listing listing_;
  const Limits& limits_;
};

}  // namespace wheelcheck::archive
