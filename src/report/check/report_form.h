// The facts of a report as JSON, from their descriptions (facts/json_form.h). It writes every field that has a meaning
// for readers of reports: absent values as null, texts safe to print, long lists cut, with the number of the items that
// were left out. For a key that the report computes itself it writes null, and the caller replaces it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "facts/describe_wheel.h"
#include "report/shared/json_text.h"

namespace wheelcheck::report {

inline constexpr std::size_t shown_items = 200;  // items of a list whose length depends on the wheel

// Adds `key`, an array of the first `most` items of `list`, and `more_key`, the number of the others.
template <class List, class Make>
void add_first(Json& out, std::string_view key, std::string_view more_key, const List& list, std::size_t max,
               Make make) {
  Json items = Json::array();
  const std::size_t count = std::min(list.size(), max);
  for (std::size_t i = 0; i < count; ++i) items.push_back(make(list[i]));
  out[std::string(key)] = std::move(items);
  out[std::string(more_key)] = list.size() - count;
}

class ReportForm {
 public:
  static constexpr bool writes = true, in_reports = true;
  explicit ReportForm(Json& out) : out_(out) {}

  void about(std::string_view, std::string_view) const {}
  void derived(std::string_view key) { out_[std::string(key)] = nullptr; }
  template <class T>
  void operator()(std::string_view, const T&) const {}
  template <class T>
  void operator()(std::string_view key, const T& value, std::string_view) {
    out_[std::string(key)] = json_of(value);
  }
  template <class T>
  void unless(std::string_view key, const T& value, std::type_identity_t<T>, std::string_view) {
    out_[std::string(key)] = json_of(value);
  }
  template <class T>
  void unless(std::string_view, const T&, std::type_identity_t<T>) const {}
  template <class Enum, std::size_t n>
  void word(std::string_view key, Enum value, const EnumTable<Enum, n>& words, std::string_view) {
    out_[std::string(key)] = name_in(words, value);
  }
  template <class Enum, std::size_t n>
  void word(std::string_view, Enum, const EnumTable<Enum, n>&) const {}
  template <class Enum, std::size_t n>
  void word_unless(std::string_view, Enum, const EnumTable<Enum, n>&, Enum) const {}
  template <std::size_t n>
  void bits(std::string_view key, std::uint32_t value, const facts::BitWords<n>& words, std::string_view) {
    Json& list = out_[std::string(key)] = Json::array();
    for (const auto& [bit, word] : words)
      if ((value & bit) != 0) list.push_back(word);
  }
  template <class T>
  void first(std::string_view key, std::string_view more_key, const std::vector<T>& list, std::string_view) {
    add_first(out_, key, more_key, list, shown_items, [](const T& item) { return json_of(item); });
  }
  template <class T>
  void inlined(std::string_view, const T& value) {
    using facts::describe;
    describe(*this, value);
  }

 private:
  template <class T>
  static Json json_of(const T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      return value;
    } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      return safe(value);
    } else if constexpr (std::is_same_v<T, PlatformTag>) {
      return safe(value.text);
    } else if constexpr (requires { value.has_value(); }) {
      return value ? json_of(*value) : Json(nullptr);
    } else if constexpr (requires { value.begin(); }) {
      Json out = Json::array();
      for (const auto& item : value) out.push_back(json_of(item));
      return out;
    } else {
      using facts::describe;
      Json out = Json::object();
      ReportForm form(out);
      describe(form, value);
      return out;
    }
  }

  Json& out_;
};

template <class T>
Json facts_json(const T& value) {
  using facts::describe;
  Json out = Json::object();
  ReportForm form(out);
  describe(form, value);
  return out;
}

}  // namespace wheelcheck::report
