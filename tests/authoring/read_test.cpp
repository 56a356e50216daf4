// Tests reading of roots: file systems, tar archives, packages of three distributions, and damaged ones.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/elf_recipe.h"
#include "wheelcheck/derive.h"

namespace wheelcheck {
namespace {

namespace fs = std::filesystem;
using test::ElfRecipe;
using testing::ElementsAre;
using testing::HasSubstr;

std::string library(const std::string& soname, const std::string& node = "", std::uint16_t machine = 62) {
  ElfRecipe recipe{.machine = machine, .soname = soname};
  if (machine == 22) recipe.big_endian = true;  // EM_S390
  if (!node.empty()) recipe.defines = {{.version = node, .symbols = {{.name = "with_version"}}}};
  recipe.exports = {{.name = "without"}};
  return test::make_elf(recipe);
}

using Files = std::vector<std::pair<std::string, std::string>>;  // path, bytes

// Archives are written by hand, because writing with Debian's libarchive.a needs libxml2.
using Filter = std::string (*)(const std::string&);
std::string plain(const std::string& bytes) { return bytes; }
std::string gzip(const std::string& bytes) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}
std::string xz(const std::string& bytes) {
  std::string out(lzma_stream_buffer_bound(bytes.size()), '\0');
  std::size_t used = 0;
  EXPECT_EQ(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC32, nullptr, reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                    bytes.size(), reinterpret_cast<std::uint8_t*>(out.data()), &used, out.size()),
            LZMA_OK);
  out.resize(used);
  return out;
}
std::string zstd(const std::string& bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t used = ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3);
  EXPECT_EQ(ZSTD_isError(used), 0U);
  out.resize(used);
  return out;
}

void pad_to(std::string& out, std::size_t unit, char with = '\0') {
  out.resize((out.size() + unit - 1) / unit * unit, with);
}
// POSIX ustar.
std::string tar(const Files& files, Filter filter = plain) {
  std::string out;
  for (const auto& [path, bytes] : files) {
    std::string header = path;
    header.resize(100, '\0');
    header += fmt::format("{:07o}{}{:07o}{}{:07o}{}{:011o}{}{:011o}{}", 0644, '\0', 0, '\0', 0, '\0', bytes.size(),
                          '\0', 0, '\0');
    const std::string rest = "0" + std::string(100, '\0') +
                             std::string(
                                 "ustar\0"
                                 "00",
                                 8);
    std::string sum_of = header + std::string(8, ' ') + rest;
    unsigned sum = 0;
    for (const char byte : sum_of) sum += static_cast<unsigned char>(byte);
    header += fmt::format("{:06o}{} ", sum, '\0') + rest;
    out += header;
    pad_to(out, 512);
    out += bytes;
    pad_to(out, 512);
  }
  return filter(out + std::string(1024, '\0'));
}
// ar(5), as in deb(5).
std::string deb(const std::string& data_name, const std::string& data) {
  std::string out = "!<arch>\n";
  const Files members = {{"debian-binary", "2.0\n"}, {"control.tar.xz", ""}, {data_name, data}};
  for (const auto& [name, bytes] : members) {
    out += fmt::format("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", name, 0, 0, 0, 100644, bytes.size()) + bytes;
    pad_to(out, 2, '\n');
  }
  return out;
}
// cpio(5), the "new" form.
std::string cpio(const Files& files) {
  std::string out;
  Files all = files;
  all.emplace_back("TRAILER!!!", "");
  for (const auto& [path, bytes] : all) {
    const unsigned mode = 0100644;
    out += fmt::format("070701{:08x}{:08x}{:08x}{:08x}{:08x}{:08x}{:08x}{:08x}{:08x}{:08x}{:08x}{:08x}{:08x}", 1, mode,
                       0, 0, 1, 0, bytes.size(), 0, 0, 0, 0, path.size() + 1, 0);
    out += path + '\0';
    pad_to(out, 4);
    out += bytes;
    pad_to(out, 4);
  }
  return out;
}
// A lead of 96 bytes, two headers without entries, and the payload.
std::string rpm(const std::string& payload) {
  const std::string lead = "\xed\xab\xee\xdb\x03" + std::string(91, '\0');
  const std::string header = "\x8e\xad\xe8\x01" + std::string(12, '\0');
  return lead + header + header + payload;
}

class Roots : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = fs::temp_directory_path() / "wheelcheck-roots-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    here_ = name;
  }
  void TearDown() override { fs::remove_all(here_); }

  std::string write(const std::string& name, const std::string& bytes) const {
    fs::create_directories((here_ / name).parent_path());
    std::ofstream(here_ / name, std::ios::binary) << bytes;
    return here_ / name;
  }
  static Result<Root> read(const std::vector<std::string>& paths) { return read_root("here", paths, Limits{}); }

  // Expects the same library in every kind of root.
  static void expect_library(const Result<Root>& root, const std::string& path) {
    ASSERT_TRUE(root) << root.error().message;
    ASSERT_TRUE(root->libraries.contains(Arch::x86_64));
    const auto& libraries = root->libraries.at(Arch::x86_64);
    ASSERT_TRUE(libraries.contains("libfoo.so.1"));
    const OfferedLibrary& found = libraries.at("libfoo.so.1");
    EXPECT_EQ(found.path, path);
    EXPECT_THAT(found.versions, ElementsAre("FOO_1"));
    EXPECT_THAT(found.symbols, ElementsAre(OfferedSymbol{"with_version", "FOO_1"}, OfferedSymbol{"without", ""}));
  }

  fs::path here_;
  const std::string foo_ = library("libfoo.so.1", "FOO_1");
};

TEST_F(Roots, ADebHoldsItsFilesInATarHoweverCompressed) {
  const Files files = {{"./usr/lib/x86_64-linux-gnu/libfoo.so.1.2", foo_}};
  const std::string path = "usr/lib/x86_64-linux-gnu/libfoo.so.1.2";
  expect_library(read({write("a.deb", deb("data.tar", tar(files)))}), path);
  expect_library(read({write("b.deb", deb("data.tar.gz", tar(files, gzip)))}), path);
  expect_library(read({write("c.deb", deb("data.tar.xz", tar(files, xz)))}), path);
  expect_library(read({write("d.deb", deb("data.tar.zst", tar(files, zstd)))}), path);
}

TEST_F(Roots, AnRpmHoldsACpioArchive) {
  const Files files = {{"./usr/lib64/libfoo.so.1.2", foo_}};
  for (const auto filter : {gzip, xz, zstd})
    expect_library(read({write("a.rpm", rpm(filter(cpio(files))))}), "usr/lib64/libfoo.so.1.2");
}

TEST_F(Roots, AnApkIsATarOfSeveralPieces) {
  // abuild-tar --cut: the first part lacks the two blocks of zeros at the end of a tar.
  std::string signature = tar({{".SIGN.RSA.key", "0"}});
  signature.resize(signature.size() - 1024);
  expect_library(read({write("a.apk", gzip(signature) + tar({{"lib/libfoo.so.1.2", foo_}}, gzip))}),
                 "lib/libfoo.so.1.2");
}

TEST_F(Roots, ATarOrADirectoryHoldsAFileSystem) {
  expect_library(read({write("root.tar.xz", tar({{"usr/lib64/libfoo.so.1", foo_}}, xz))}), "usr/lib64/libfoo.so.1");
  write("system/usr/lib64/libfoo.so.1", foo_);
  fs::create_directory_symlink("usr/lib64", here_ / "system/lib64");
  fs::create_symlink("libfoo.so.1", here_ / "system/usr/lib64/libfoo.so");
  expect_library(read({here_ / "system"}), "usr/lib64/libfoo.so.1");
}

TEST_F(Roots, ADirectoryOfPackagesIsOneRoot) {
  write("packages/amd64/a.deb", deb("data.tar", tar({{"usr/lib/x86_64-linux-gnu/libfoo.so.1", foo_}})));
  write("packages/s390x/b.deb",
        deb("data.tar", tar({{"usr/lib/s390x-linux-gnu/libfoo.so.1", library("libfoo.so.1", "FOO_1", 22)}})));
  write("packages/README", "not a package");
  const auto root = read({here_ / "packages"});
  expect_library(root, "usr/lib/x86_64-linux-gnu/libfoo.so.1");
  EXPECT_THAT(root->libraries.at(Arch::s390x).at("libfoo.so.1").versions, ElementsAre("FOO_1"));
}

TEST_F(Roots, OnlyLibrariesThatALoaderFindsCount) {
  const std::string other = library("libfoo.so.1", "FOO_2");
  const auto root = read({write("root.tar", tar({{"opt/foo/lib/libfoo.so.1", other},
                                                 {"usr/lib/x86_64-linux-gnu/glibc-hwcaps/x86-64-v3/libfoo.so.1", other},
                                                 {"usr/lib/libfoo.so.1", other},
                                                 {"lib/x86_64-linux-gnu/libfoo.so.1", foo_},
                                                 {"lib64/text.so", "INPUT(libfoo.so.1)" + std::string(100, ' ')}}))});
  expect_library(root, "lib/x86_64-linux-gnu/libfoo.so.1");
  EXPECT_EQ(root->libraries.at(Arch::x86_64).size(), 1U);
}

TEST_F(Roots, WhatCannotBeReadIsAnErrorWithItsName) {
  const auto message = [](const Result<Root>& root) { return root ? std::string("no error") : root.error().message; };
  EXPECT_THAT(message(read({here_ / "none.deb"})), HasSubstr("none.deb"));
  EXPECT_THAT(message(read({write("text.deb", "hello")})), HasSubstr("text.deb"));
  fs::create_directory(here_ / "empty");
  EXPECT_THAT(message(read({here_ / "empty"})), HasSubstr("neither a file system"));
  EXPECT_THAT(message(read({write("no-library.tar", tar({{"etc/passwd", "root"}}))})), HasSubstr("no shared library"));
  const std::string whole = deb("data.tar.xz", tar({{"usr/lib/libfoo.so.1", foo_}}, xz));
  for (const std::size_t left : {std::size_t{100}, whole.size() / 2, whole.size() - 20}) {
    const auto root = read({write("cut.deb", whole.substr(0, left))});
    EXPECT_FALSE(root) << left << " of " << whole.size() << " bytes";
  }
}

TEST_F(Roots, AnyByteMayBeAnything) {
  const std::string whole = deb("data.tar.gz", tar({{"usr/lib/libfoo.so.1", foo_}}, gzip));
  for (std::size_t at = 0; at < whole.size(); at += 7) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x5a);
    const auto root = read({write("changed.deb", changed)});
    if (!root) EXPECT_THAT(root.error().message, testing::Not(testing::IsEmpty()));
  }
}

TEST_F(Roots, MoreMembersThanTheLimitEndTheReading) {
  Limits limits;
  limits.members = 2;
  const std::string file = write("root.tar", tar({{"a", "1"}, {"b", "2"}, {"usr/lib/libfoo.so.1", foo_}}));
  const auto root = read_root("here", std::vector{file}, limits);
  ASSERT_FALSE(root);
  EXPECT_EQ(root.error().code, ErrorCode::OverLimit);
}

}  // namespace
}  // namespace wheelcheck
