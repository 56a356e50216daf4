// A directory that contains the files of a distribution: an unpacked wheel, or an environment into which wheels are
// installed. It is read like an archive, through Source. No file outside the directory is opened, whatever its links
// and lists contain.
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
  std::vector<Entry> entries;     // sorted by path
  std::vector<Warning> warnings;  // sorted by subject: files that are skipped, and why
};

// What changes if a file is written, replaced, renamed, added or removed.
struct State {
  std::string text;
  std::int64_t changed = 0;  // when the last change was, in seconds since the epoch, by the clock of the file system
  bool operator==(const State&) const = default;
};

class Folder {
 public:
  // `path` may be a symbolic link; it is resolved once, and everything below is opened by the real path.
  static Result<Folder> open(const std::string& path);

  // The directory of a regular file, and the file alone as its listing. A link is followed; its target gives the name.
  static Result<std::pair<Folder, Listing>> open_file(const std::string& path);

  const std::string& place() const { return root_; }  // absolute, without symbolic links
  // The same files, seen from `levels` directories further up.
  Folder above(unsigned levels) const;
  // The names of the directories in `below` ("" is the folder itself), sorted. Symbolic links are left out.
  std::vector<std::string> directories(std::string_view below) const;
  // All regular files below `below`, with paths relative to it. A symbolic link is followed only to a file of this
  // folder. Bytecode in __pycache__ is left out. Error OverLimit if there are more than `most` files.
  Result<Listing> walk(std::string_view below, std::uint64_t max, const Limits& limits) const;
  // The regular file at `place`, listed as `path`. Symbolic links are not followed.
  std::optional<Entry> find(const MemberPath& place, MemberPath path) const;
  // Reads a file that walk or find returned. Nothing is hashed. If the bytes are not kept, only four bytes are read; of
  // a large ELF file, only the requested pages.
  Result<Content> read(const Entry& entry, const ReadOptions& options, const Limits& limits) const;
  // The SHA-256 of a file that walk or find returned, in lower-case hex. It is read in pieces.
  Result<std::string> sha256(const Entry& entry) const;

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
  std::span<const Warning> warnings() const override { return listing_.warnings; }
  std::uint64_t size() const override { return 0; }
  Result<Content> read(const Entry& entry, const ReadOptions& options) const override {
    return folder_.read(entry, options, limits_);
  }
  // The SHA-256 of everything that can be read: the warnings, and the name, size, mode and bytes of each file.
  Result<std::string> sha256(unsigned jobs) const;
  // The same from what the file system says of them, without reading them: the inode and times instead of the bytes.
  State state() const;

 private:
  // The warnings, and the name, size and mode of each file with what `bytes_of` says of its bytes.
  template <typename BytesOf>
  std::string described(const BytesOf& bytes_of) const;

  const Folder& folder_;
  Listing listing_;
  const Limits& limits_;
};

}  // namespace wheelcheck::archive
