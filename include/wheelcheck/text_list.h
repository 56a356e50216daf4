// A list of short texts, as the lines of one constant. The program contains many such lists; they need no memory and no
// initialisation. The list is a view and does not own the text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace wheelcheck {

class TextList {
 public:
  class iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = std::string_view;
    using difference_type = std::ptrdiff_t;
    using pointer = const value_type*;
    using reference = value_type;

    iterator() = default;
    explicit iterator(std::string_view rest) : rest_(rest), size_(line_size(rest)) {}
    std::string_view operator*() const { return rest_.substr(0, size_); }
    iterator& operator++() {
      rest_.remove_prefix(std::min(size_ + 1, rest_.size()));
      size_ = line_size(rest_);
      return *this;
    }
    iterator operator++(int) {
      const iterator before = *this;
      ++*this;
      return before;
    }
    // Both must be of the same list.
    bool operator==(const iterator& other) const { return rest_.size() == other.rest_.size(); }

   private:
    static std::size_t line_size(std::string_view rest) { return std::min(rest.find('\n'), rest.size()); }

    std::string_view rest_;
    std::size_t size_ = 0;  // size of the first line of `rest_`, bytes
  };
  using const_iterator = iterator;
  using value_type = std::string_view;

  TextList() = default;
  // "a\nb" is a list of a and b. An item must not be empty or contain a line feed.
  explicit constexpr TextList(std::string_view lines) : lines_(lines) {}

  iterator begin() const { return iterator(lines_); }
  iterator end() const { return iterator(lines_.substr(lines_.size())); }
  bool empty() const { return lines_.empty(); }
  friend bool operator==(const TextList&, const TextList&) = default;

 private:
  std::string_view lines_;
};

}  // namespace wheelcheck
