// An archive from bytes, and what its refusal must say.
#pragma once

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archive/archive.h"
#include "tests/support/zip_builder.h"

namespace wheelcheck::archive {

using test::make_zip;
using test::Zip64End;
using test::ZipEnd;
using test::ZipHeader;
using test::ZipMember;
using test::ZipOptions;

inline Result<Archive> open_bytes(std::string_view bytes, const Limits& limits = {}) {
  const test::TemporaryDirectory directory;  // the file may go: it is open
  return Archive::open(test::write_file(directory.path("x.whl"), bytes), limits);
}

// The first Error on the way from the file to the last byte of every member.
inline std::optional<Error> error_of(std::string_view bytes, const Limits& limits = {}) {
  const auto archive = open_bytes(bytes, limits);
  if (!archive) return archive.error();
  for (const Entry& entry : archive->entries())
    if (const auto content = archive->read(entry, {.keep = Keep::Nothing}); !content) return content.error();
  return std::nullopt;
}

inline std::vector<std::string> warnings_of(std::string_view bytes) {
  std::vector<std::string> out;
  const auto archive = open_bytes(bytes);
  if (!archive) return {"refused: " + archive.error().message};
  for (const Warning& warn : archive->warnings()) out.push_back(warn.subject + ": " + warn.reason);
  return out;
}

inline std::string_view text_of_buffer(std::span<const std::byte> buffer) {
  return {reinterpret_cast<const char*>(buffer.data()), buffer.size()};
}

// `text` is a part of the message.
inline void expect_refused(std::string_view bytes, std::string_view text, ErrorCode code = ErrorCode::Rejected,
                           const Limits& limits = {}) {
  const auto error = error_of(bytes, limits);
  ASSERT_TRUE(error) << "accepted, but should say: " << text;
  EXPECT_NE(error->message.find(text), std::string::npos) << error->message;
  EXPECT_EQ(error->code, code) << error->message;
  EXPECT_EQ(error->message.find('\n'), std::string::npos) << error->message;
}
inline void expect_accepted(std::string_view bytes) {
  const auto error = error_of(bytes);
  EXPECT_FALSE(error) << error->message;
}

}  // namespace wheelcheck::archive
