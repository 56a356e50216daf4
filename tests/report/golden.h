// Compares a text with a file of tests/report/golden. With WHEELCHECK_UPDATE=1 it writes the file instead.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace wheelcheck::test {

inline void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(WHEELCHECK_SOURCE_DIR) + "/tests/report/golden/" + name;
  if (std::getenv("WHEELCHECK_UPDATE") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path << " is missing: run once with WHEELCHECK_UPDATE=1 and read what it wrote";
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), text) << "see " << path;
}

}  // namespace wheelcheck::test
