// Tests when a wheel is read and when the cached facts of an earlier run are used. The wheels are files with arbitrary
// bytes; "reading" them returns random facts.
#include "cache/cache.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cache/packed.h"
#include "facts/cache_format.h"
#include "tests/environment/folder.h"
#include "tests/facts/random_wheel.h"
#include "tests/facts/shown.h"

namespace wheelcheck::cache {
namespace {

namespace fs = std::filesystem;

// The version in the first line, and the next one.
const std::string version = "\"version\":" + std::to_string(facts::cache_version);
const std::string next_version = "\"version\":" + std::to_string(facts::cache_version + 1);

std::optional<std::vector<std::string>> lines_of(std::string_view entry) {
  std::vector<std::string> lines;
  const bool whole = unpack(entry, [&](std::string_view line) {
    lines.emplace_back(line);
    return true;
  });
  return whole ? std::optional(lines) : std::nullopt;
}

// The entry with another first line and a correct seal.
std::string with_header(std::vector<std::string> lines, const std::string& from, const std::string& to) {
  const std::size_t at = lines.front().find(from);
  EXPECT_NE(at, std::string::npos) << from;
  lines.front().replace(at, from.size(), to);
  Packer packer;
  for (const std::string& line : lines) packer.add(line);
  return packer.finish().value_or("");
}

class Cache : public testing::Test {
 protected:
  static constexpr const char* wheel_name = "foo-1.0-py3-none-any.whl";

  Cache() : wheel_(folder_.write(wheel_name, "the bytes of a wheel")) {}

  // The facts, and whether the wheel was read.
  std::string read(const std::string& path, const Limits& limits = {}) {
    read_ = false;
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const auto facts = cache::read({path, file}, limits, place_, [&]() -> Result<WheelFacts> {
      read_ = true;
      if (meanwhile_) meanwhile_();
      WheelFacts wheel = test::RandomWheel(seed_).wheel();
      wheel.file = fs::path(path).filename().string();
      wheel.path = path;
      wheel.size = fs::file_size(path);
      return wheel;
    });
    if (file >= 0) ::close(file);
    return facts ? test::Shown::of(*facts) : "";
  }
  bool was_read() const { return read_; }
  std::vector<fs::path> entries() const {
    std::vector<fs::path> found;
    if (fs::is_directory(place_.directory))
      for (const auto& entry : fs::directory_iterator(place_.directory)) found.push_back(entry.path());
    return found;
  }
  std::string bytes_of(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  test::Folder folder_;
  std::string wheel_;
  cache::CacheLocation place_{folder_.path() / "cache", std::uint64_t{1} << 30};
  std::uint64_t seed_ = 3;
  std::function<void()> meanwhile_;

 private:
  bool read_ = false;
};

TEST_F(Cache, TheSecondTimeNothingIsRead) {
  const std::string first = read(wheel_);
  EXPECT_TRUE(was_read());
  EXPECT_EQ(read(wheel_), first);
  EXPECT_FALSE(was_read());
  EXPECT_EQ(entries().size(), 1U);
}

TEST_F(Cache, OtherBytesAreAnotherWheel) {
  read(wheel_);
  folder_.write(wheel_name, "the Bytes of a wheel");
  read(wheel_);
  EXPECT_TRUE(was_read());
  folder_.write(wheel_name, "the bytes of a wheel");
  read(wheel_);
  EXPECT_FALSE(was_read());
}

// The name contains the claimed tags; the path is that of this run.
TEST_F(Cache, TheSameBytesUnderAnotherNameAreAnotherWheel) {
  const std::string first = read(wheel_);
  const std::string other = folder_.write("foo-1.0-py2-none-any.whl", "the bytes of a wheel");
  read(other);
  EXPECT_TRUE(was_read());
  const std::string elsewhere = folder_.write(std::string("elsewhere/") + wheel_name, "the bytes of a wheel");
  const std::string shown = read(elsewhere);
  EXPECT_FALSE(was_read());
  EXPECT_NE(shown.find("'" + elsewhere + "'"), shown.npos);
  EXPECT_NE(shown, first) << "the paths differ";
}

TEST_F(Cache, EachLimitCounts) {
  read(wheel_);
  const auto changed = [](auto Limits::* field) {
    Limits limits;
    limits.*field =
        static_cast<std::remove_reference_t<decltype(limits.*field)>>(limits.*field ? limits.*field - 1 : 1);
    return limits;
  };
  for (const Limits& limits :
       {changed(&Limits::member_bytes), changed(&Limits::total_bytes), changed(&Limits::members),
        changed(&Limits::ratio), changed(&Limits::ratio_floor), changed(&Limits::name_bytes),
        changed(&Limits::record_bytes), changed(&Limits::metadata_bytes), changed(&Limits::wheel_bytes),
        changed(&Limits::symbols), changed(&Limits::dynamic_entries), changed(&Limits::version_records),
        changed(&Limits::note_bytes), changed(&Limits::texts), changed(&Limits::source_bytes), changed(&Limits::hashes),
        changed(&Limits::imports)}) {
    read(wheel_, limits);
    EXPECT_TRUE(was_read());
    read(wheel_, limits);
    EXPECT_FALSE(was_read());
  }
  EXPECT_EQ(entries().size(), 18U);
}

TEST_F(Cache, ABrokenEntryIsReplaced) {
  const std::string first = read(wheel_);
  const fs::path entry = entries().front();
  const std::string good = bytes_of(entry);
  for (const std::string& bad : {std::string(), std::string("no gzip"), good.substr(0, good.size() / 2), good + good,
                                 good.substr(0, good.size() - 1)}) {
    std::ofstream(entry, std::ios::binary) << bad;
    EXPECT_EQ(read(wheel_), first);
    EXPECT_TRUE(was_read());
    EXPECT_EQ(bytes_of(entry), good);
    EXPECT_EQ(read(wheel_), first);
    EXPECT_FALSE(was_read());
  }
}

// A correct seal does not show which wheel the facts are of, or which version read them.
TEST_F(Cache, TheEntryOfAnotherWheelOrReaderIsNotTaken) {
  const std::string first = read(wheel_);
  const fs::path entry = entries().front();
  const auto lines = *lines_of(bytes_of(entry));
  const auto is_read_with = [&](const std::string& from, const std::string& to) {
    std::ofstream(entry, std::ios::binary) << with_header(lines, from, to);
    EXPECT_EQ(read(wheel_), first);
    return was_read();
  };
  EXPECT_FALSE(is_read_with(version, version));
  EXPECT_TRUE(is_read_with(version, next_version));
  EXPECT_TRUE(is_read_with("\"reader\":\"", "\"reader\":\"x"));
  EXPECT_TRUE(is_read_with("\"sha256\":\"", "\"sha256\":\"0"));
  EXPECT_TRUE(is_read_with("foo-1.0", "foo-1.1"));
  EXPECT_TRUE(is_read_with("\"symbols\":4", "\"symbols\":5"));
}

// For readers of facts files: facts of another version of the program are accepted, those of another format are not.
TEST_F(Cache, WhatAnEntryHoldsIsToldWhoeverReadIt) {
  read(wheel_);
  const auto lines = *lines_of(bytes_of(entries().front()));
  const auto told = [&](const std::string& from, const std::string& to) {
    const auto facts = facts_of(with_header(lines, from, to));
    return facts ? test::Shown::of(*facts) : "";
  };
  WheelFacts wheel = test::RandomWheel(seed_).wheel();
  wheel.file = wheel_name;
  wheel.size = fs::file_size(wheel_);
  EXPECT_EQ(told("\"reader\":\"", "\"reader\":\"x"), test::Shown::of(wheel));
  EXPECT_EQ(told(version, next_version), "");
  EXPECT_FALSE(facts_of(""));
}

TEST_F(Cache, AWheelThatChangesWhileItIsReadIsNotKept) {
  meanwhile_ = [&] { folder_.write(wheel_name, "other bytes, and more of them"); };
  read(wheel_);
  EXPECT_TRUE(entries().empty());
  meanwhile_ = [&] {
    fs::remove(wheel_);
    folder_.write(wheel_name, "other bytes, and more of them");
  };
  read(wheel_);
  EXPECT_TRUE(entries().empty());
  meanwhile_ = {};
  read(wheel_);
  EXPECT_EQ(entries().size(), 1U);
}

TEST_F(Cache, WhatCannotBeReadIsNotKept) {
  const auto unreadable = [&](const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const auto facts = cache::read({path, file}, {}, place_, []() -> Result<WheelFacts> {
      return std::unexpected(Error{ErrorCode::Rejected, "so it is"});
    });
    if (file >= 0) ::close(file);
    EXPECT_EQ(facts.error().message, "so it is");
  };
  unreadable(wheel_);
  unreadable(folder_.path() / "missing.whl");
  unreadable(folder_.path());
  EXPECT_TRUE(entries().empty());
}

TEST_F(Cache, ADirectoryThatTakesNothingIsNoError) {
  folder_.write("cache", "a file is in the way");
  const std::string first = read(wheel_);
  EXPECT_TRUE(was_read());
  EXPECT_EQ(read(wheel_), first);
  EXPECT_TRUE(was_read());
}

// What was hashed once is not hashed again as long as the file system says that nothing changed.
TEST_F(Cache, TheDigestOfFilesInTheSameStateIsTaken) {
  const std::string hash(64, 'a'), other(64, 'b');
  int computed = 0;
  const auto digest = [&](const FileState& state) {
    return cache::digest(state, place_, [&]() -> Result<std::string> { return ++computed, hash; }).value_or("");
  };
  const auto always = [] { return true; };
  const FileState old{.sha256 = other, .changed = 0, .is_unchanged = always};
  EXPECT_EQ(digest(old), hash);
  EXPECT_EQ(digest(old), hash);
  EXPECT_EQ(computed, 1);
  EXPECT_EQ(digest({.sha256 = hash, .changed = 0, .is_unchanged = always}), hash);
  EXPECT_EQ(computed, 2);

  // Files that could change again without another time, and those that changed while they were hashed.
  const FileState fresh{.sha256 = std::string(64, 'c'), .changed = ::time(nullptr), .is_unchanged = always};
  const FileState moving{.sha256 = std::string(64, 'd'), .changed = 0, .is_unchanged = [] { return false; }};
  for (const FileState& state : {fresh, fresh, moving, moving}) EXPECT_EQ(digest(state), hash);
  EXPECT_EQ(computed, 6);

  // An entry that is no digest.
  ASSERT_EQ(entries().size(), 2U);
  for (const std::string& line : {std::string("x"), std::string(64, 'A'), hash + '0'}) {
    Packer packer;
    packer.add(line);
    for (const fs::path& entry : entries()) std::ofstream(entry, std::ios::binary) << packer.finish().value_or("");
    computed = 0;
    EXPECT_EQ(digest(old), hash);
    EXPECT_EQ(computed, 1);
  }
}

}  // namespace
}  // namespace wheelcheck::cache
