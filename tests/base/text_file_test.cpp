#include "base/text_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <string>

#include "tests/environment/folder.h"

namespace wheelcheck::test::text_file_test {
namespace {

std::string said(const std::string& path, std::uint64_t largest) {
  const auto text = read_text_file(path, largest);
  return text ? "read" : text.error();
}

TEST(ReadTextFile, TakesEveryByte) {
  const test::Folder folder;
  EXPECT_EQ(read_text_file(folder.write("file", ""), 10), "");
  std::string text(200'000, 'x');
  text[70'000] = '\0';
  EXPECT_EQ(read_text_file(folder.write("file", text), 1 << 20), text);
  const std::string piece(1 << 16, 'y');  // the size of one read
  EXPECT_EQ(read_text_file(folder.write("file", piece), 1 << 20), piece);
}

TEST(ReadTextFile, StopsAtItsLimit) {
  const test::Folder folder;
  EXPECT_EQ(read_text_file(folder.write("file", "12345"), 5), "12345");
  EXPECT_EQ(said(folder.write("file", "123456"), 5), "is too long: at most 5 bytes are read");
  EXPECT_EQ(said("/dev/zero", 100'000), "is too long: at most 100000 bytes are read");
}

TEST(ReadTextFile, ReadsPipes) {  // `--plan <(command)`
  std::array<int, 2> ends = {};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ASSERT_EQ(::write(ends[1], "piped", 5), 5);
  ::close(ends[1]);
  EXPECT_EQ(read_text_file("/proc/self/fd/" + std::to_string(ends[0]), 10), "piped");
  ::close(ends[0]);
}

TEST(ReadTextFile, SaysWhatIsWrong) {
  EXPECT_EQ(said("/no/such/file", 10), "no such file");
  EXPECT_EQ(said("/", 10), "cannot be read: Is a directory");
}

}  // namespace
}  // namespace wheelcheck::test::text_file_test
