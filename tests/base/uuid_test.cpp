// Compares UUIDs with those of other programs.
#include <gtest/gtest.h>

#include "base/hash.h"

namespace wheelcheck::test::uuid_test {
namespace {

// python3 -c 'import uuid; print(uuid.uuid5(uuid.NAMESPACE_URL, "https://www.example.com"))'
TEST(Uuid, IsTheOneThatPythonMakes) {
  EXPECT_EQ(uuid5("https://www.example.com"), "a0787afd-c170-5773-8d60-02739168de9f");
  EXPECT_EQ(uuid5(""), "1b4db7eb-4057-5ddf-91e0-36dec72071f5");
}

}  // namespace
}  // namespace wheelcheck::test::uuid_test
