// Tests the cache directory: permissions, size limit, obstructing files, and many writers.
#include "cache/directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/environment/folder.h"

namespace wheelcheck::cache {
namespace {

namespace fs = std::filesystem;

std::string name(char c) { return std::string(64, c) + "-0123456789abcdef.jsonl.gz"; }

mode_t rights(const fs::path& path) {
  struct stat about{};
  EXPECT_EQ(::stat(path.c_str(), &about), 0) << path;
  return about.st_mode & 0777;
}

void age(const fs::path& path, int hours) {
  fs::last_write_time(path, fs::last_write_time(path) - std::chrono::hours(hours));
}

std::size_t files_in(const fs::path& path) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(path), fs::directory_iterator()));
}

TEST(Directory, WhatIsWrittenIsReadAndBelongsToItsUser) {
  const test::Folder folder;
  const Directory directory(folder.path() / "a" / "b", 1000);
  EXPECT_FALSE(directory.read(name('a')));
  directory.write(name('a'), "one");
  EXPECT_EQ(directory.read(name('a')), "one");
  directory.write(name('a'), "another");
  EXPECT_EQ(directory.read(name('a')), "another");
  EXPECT_EQ(rights(folder.path() / "a"), 0700U);
  EXPECT_EQ(rights(folder.path() / "a" / "b"), 0700U);
  EXPECT_EQ(rights(folder.path() / "a" / "b" / name('a')), 0600U);
  EXPECT_EQ(files_in(folder.path() / "a" / "b"), 1U) << "no temporary file is left";
}

TEST(Directory, TheOnesThatWereNotUsedForLongestGo) {
  const test::Folder folder;
  const Directory directory(folder.path(), 250);
  const std::string hundred(100, 'x');
  folder.write("notes.txt", std::string(1000, 'x'));
  for (const char c : {'a', 'b'}) {
    directory.write(name(c), hundred);
    age(folder.path() / name(c), c == 'a' ? 2 : 1);
  }
  EXPECT_TRUE(directory.read(name('a'))) << "used just now";
  directory.write(name('c'), hundred);
  EXPECT_TRUE(directory.read(name('a')));
  EXPECT_FALSE(directory.read(name('b')));
  EXPECT_TRUE(directory.read(name('c')));
  EXPECT_TRUE(fs::exists(folder.path() / "notes.txt"));
}

TEST(Directory, WhatAWriterThatDiedLeftGoesToo) {
  const test::Folder folder;
  const std::string left = name('a') + ".x9Y8z7";
  folder.write(left, std::string(200, 'x'));
  age(folder.path() / left, 1);
  const Directory directory(folder.path(), 250);
  directory.write(name('b'), std::string(100, 'x'));
  EXPECT_FALSE(fs::exists(folder.path() / left));
  EXPECT_TRUE(directory.read(name('b')));
}

TEST(Directory, AnEntryLargerThanAllTogetherMayBeIsNotWritten) {
  const test::Folder folder;
  Directory(folder.path(), 1000).write(name('a'), std::string(101, 'x'));
  const Directory directory(folder.path(), 100);
  EXPECT_FALSE(directory.read(name('a')));
  directory.write(name('b'), std::string(101, 'x'));
  EXPECT_FALSE(fs::exists(folder.path() / name('b')));
}

TEST(Directory, WhatIsInTheWayIsNoError) {
  const test::Folder folder;
  folder.write("file", "");
  const Directory below_a_file(folder.path() / "file" / "below", 1000);
  below_a_file.write(name('a'), "one");
  EXPECT_FALSE(below_a_file.read(name('a')));

  const Directory directory(folder.path(), 1000);
  fs::create_directory(folder.path() / name('d'));
  directory.write(name('d'), "one");
  EXPECT_FALSE(directory.read(name('d')));
  fs::create_symlink("/etc/hostname", folder.path() / name('e'));
  EXPECT_FALSE(directory.read(name('e'))) << "a link is not followed";
  ASSERT_EQ(::mkfifo((folder.path() / name('f')).c_str(), 0600), 0);
  EXPECT_FALSE(directory.read(name('f'))) << "nobody waits for a pipe";
  EXPECT_EQ(files_in(folder.path()), 4U) << "no temporary file is left";
}

// Each reader sees a complete entry of one writer.
TEST(Directory, ManyMayReadAndWriteAtOnce) {
  const test::Folder folder;
  const Directory directory(folder.path(), std::size_t{1} << 24);
  directory.write(name('a'), std::string(100'000, '0'));
  std::vector<std::thread> threads;
  std::vector<int> mixed(4);
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 50; ++i) {
        directory.write(name('a'), std::string(100'000, static_cast<char>('1' + thread)));
        const auto read = directory.read(name('a'));
        const bool whole = read && read->size() == 100'000 && read->find_first_not_of(read->front()) == read->npos;
        mixed[static_cast<std::size_t>(thread)] += whole ? 0 : 1;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(mixed, testing::Each(0));
  EXPECT_EQ(files_in(folder.path()), 1U);
}

}  // namespace
}  // namespace wheelcheck::cache
