// Texts that exist until the end of the tests, for tables that contain only views.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wheelcheck/text_list.h"

namespace wheelcheck::test {

inline std::string_view kept(std::string text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(std::move(text));
}

inline TextList kept_list(const std::vector<std::string>& items) {
  std::string lines;
  for (const std::string& item : items) lines += (lines.empty() ? "" : "\n") + item;
  return TextList(kept(std::move(lines)));
}

}  // namespace wheelcheck::test
