// Texts that exist until the end of the tests, for tables that contain only views.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wheelcheck::test {

inline std::string_view kept(std::string text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(std::move(text));
}

inline std::span<const std::string_view> kept_list(const std::vector<std::string>& items) {
  static std::deque<std::vector<std::string_view>> lists;
  std::vector<std::string_view>& list = lists.emplace_back();
  for (const std::string& item : items) list.push_back(kept(item));
  return list;
}

}  // namespace wheelcheck::test
