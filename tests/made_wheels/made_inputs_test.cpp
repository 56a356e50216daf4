// Tests that all inputs are opened before any is read: the callback for enabling the sandbox, and the reads after it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/wheel_recipe.h"
#include "tests/support/zip_builder.h"
#include "wheelcheck/conflict_report.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class Inputs : public testing::Test {
 protected:
  Inputs() {
    const MadeWheel made = read_made_wheel(made_recipe_paths().front());
    for (const char* const name : {"a", "b", "c"}) {
      fs::create_directory(directory_.path(name));
      paths_.push_back(write_file(directory_.path(name) + ("/" + made.file), made.bytes));
    }
    fs::create_directory(directory_.path("unpacked"));
    settings_.inputs_open = [this](const OpenedLater& later) -> Result<void> {
      later_.push_back(later);
      for (const std::string& path : to_remove_) fs::remove(path);
      return {};
    };
  }

  std::vector<std::string> unreadable(const Result<Report>& report) const {
    std::vector<std::string> out;
    for (const Report::Entry& entry : report->entries)
      if (entry.unreadable) out.push_back(entry.unreadable->path + ": " + entry.unreadable->error.message);
    return out;
  }

  TemporaryDirectory directory_;
  std::vector<std::string> paths_, to_remove_;
  std::vector<OpenedLater> later_;
  Settings settings_;
};

TEST_F(Inputs, AreReadWithoutTheirPaths) {
  to_remove_ = paths_;
  settings_.providers.push_back({"other", paths_.back()});
  settings_.verify_with_libarchive = true;
  const auto report = check(std::span(paths_).first(2), settings_);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(unreadable(report), IsEmpty());
  ASSERT_EQ(later_.size(), 1U);
  EXPECT_THAT(later_[0].read, IsEmpty());
  EXPECT_EQ(later_[0].cache, "");
}

TEST_F(Inputs, BesideEachOtherAsWell) {
  to_remove_ = paths_;
  const auto report = check_conflicts(std::span(paths_).first(1), {.settings = settings_});
  EXPECT_TRUE(report) << report.error().message;
  ASSERT_EQ(later_.size(), 1U);
  EXPECT_THAT(later_[0].read, IsEmpty());
}

TEST_F(Inputs, WhatIsOpenedLaterIsTold) {
  settings_.max_open = 1;
  settings_.cache = directory_.path("cache");
  std::vector<std::string> paths = paths_;
  paths.push_back(directory_.path("unpacked"));
  paths.push_back(directory_.path("missing"));
  to_remove_ = {paths_[0], paths_[2]};
  const auto report = check(paths, settings_);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(later_.size(), 1U);
  EXPECT_THAT(later_[0].read, ElementsAre(paths_[1], paths_[2], directory_.path("unpacked")));
  EXPECT_EQ(later_[0].files, 2U);
  EXPECT_EQ(later_[0].cache, directory_.path("cache"));
  EXPECT_TRUE(fs::is_directory(settings_.cache));
  EXPECT_THAT(unreadable(report),
              ElementsAre(paths_[2] + ": cannot be opened: no such file",
                          directory_.path("unpacked") + ": is a directory without a .dist-info, so no unpacked wheel",
                          directory_.path("missing") + ": cannot be opened: no such file"));
}

TEST_F(Inputs, AnErrorThenIsTheAnswer) {
  settings_.inputs_open = [](const OpenedLater&) -> Result<void> {
    return std::unexpected(Error{ErrorCode::Usage, "no room"});
  };
  EXPECT_EQ(check(paths_, settings_).error().message, "no room");
  EXPECT_EQ(check_conflicts(paths_, {.settings = settings_}).error().message, "no room");
}

}  // namespace
}  // namespace wheelcheck::test
