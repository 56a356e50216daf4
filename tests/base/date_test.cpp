#include <gtest/gtest.h>

#include "wheelcheck/config.h"

namespace wheelcheck::test::date_test {
namespace {

TEST(Date, IsADayOfTheCalendar) {
  EXPECT_EQ(*parse_date("2027-01-31"), (Date{2027, 1, 31}));
  EXPECT_EQ(text_of(*parse_date("2028-02-29")), "2028-02-29");
  EXPECT_TRUE(parse_date("2000-02-29").has_value());
  for (const char* const text : {"", "2027-1-31", "2027-01-32", "2027-00-10", "2027-13-01", "2027-02-29", "1900-02-29",
                                 "2027-04-31", "2027-01-00", "20270131", "2027-01-31 ", "2027/01/31", "+027-01-31"})
    EXPECT_FALSE(parse_date(text).has_value()) << text;
}

TEST(Date, IsEarlierOrLater) {
  EXPECT_LT((Date{2026, 12, 31}), (Date{2027, 1, 1}));
  EXPECT_LT((Date{2027, 1, 31}), (Date{2027, 2, 1}));
}

}  // namespace
}  // namespace wheelcheck::test::date_test
