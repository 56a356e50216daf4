// The smallest program that uses an installed wheelcheck library.
#include <wheelcheck/wheelcheck.h>

#include <algorithm>
#include <iostream>

int main() {
  const std::string paths[] = {"/nonexistent/a-1-py3-none-any.whl"};
  const auto report = wheelcheck::check(paths, {});
  if (!report) return 1;
  const auto unreadable =
      std::ranges::count_if(report->entries, [](const auto& entry) { return entry.unreadable.has_value(); });
  std::cout << "wheelcheck " << wheelcheck::version() << ": " << unreadable << " unreadable, exit "
            << wheelcheck::exit_code(*report) << '\n';
}
