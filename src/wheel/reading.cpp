#include "wheel/reading.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "wheel/python_files.h"

namespace wheelcheck::wheel {

Result<void> read_waiting(const archive::Source& source, std::span<Reading> readings, unsigned jobs) {
  const bool events =
      std::ranges::any_of(readings, [](const Reading& one) { return one.python && sets_global(*one.python); });
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < readings.size(); ++i)
    if (readings[i].waits) numbers.push_back(i);
  parallel_for(numbers.size(), jobs, [&](std::size_t at) {
    const MemberIndex member{numbers[at]};
    Reading& reading = readings[member.value];
    const auto read = [&](std::string_view text) {
      reading.python = read_python(text, member, events ? PythonReading::Events : PythonReading::Calls);
    };
    if (const auto text = std::move(reading.waiting)) return read(*text);
    auto content = source.read(source.entries()[member.value], {.keep = archive::Keep::Everything, .hash = false});
    if (content)
      read(text_of(content->bytes));
    else
      reading.error = std::make_unique<Error>(std::move(content.error()));
  });
  source.release();
  for (const std::uint32_t number : numbers)
    if (readings[number].error) return std::unexpected(std::move(*readings[number].error));
  return {};
}

}  // namespace wheelcheck::wheel
