// Dates in configuration files. They are compared with each other and with a given date, never with the clock.
#include <fmt/format.h>

#include "base/text.h"
#include "wheelcheck/config.h"

namespace wheelcheck {
namespace {

bool is_leap(unsigned year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

unsigned days_of(unsigned year, unsigned month) {
  if (month == 2) return is_leap(year) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

}  // namespace

std::optional<Date> parse_date(std::string_view text) {
  const auto parts = split(text, '-');
  std::uint64_t year = 0, month = 0, day = 0;
  if (text.size() != 10 || parts.size() != 3 || parts[0].size() != 4 || parts[1].size() != 2) return std::nullopt;
  if (!parse_number(parts[0], year) || !parse_number(parts[1], month) || !parse_number(parts[2], day))
    return std::nullopt;
  const Date date{static_cast<unsigned>(year), static_cast<unsigned>(month), static_cast<unsigned>(day)};
  if (date.month < 1 || date.month > 12 || date.day < 1 || date.day > days_of(date.year, date.month))
    return std::nullopt;
  return date;
}

std::string text_of(const Date& date) { return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day); }

}  // namespace wheelcheck
