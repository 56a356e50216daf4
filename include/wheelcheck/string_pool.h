// Memory for the texts that facts point into. Texts never move, so a view is valid as long as its pool exists.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace wheelcheck {

class StringPool {
 public:
  StringPool() = default;
  StringPool(const StringPool&) = delete;
  StringPool& operator=(const StringPool&) = delete;

  // Copies `text` into the pool. A large text gets a block of its own, so a whole string table is copied once.
  std::string_view add(std::string_view text) {
    if (text.empty()) return {};
    if (text.size() > left_) {
      const std::size_t block = std::clamp(bytes_, smallest_block, largest_block);
      if (text.size() > block / 4) {
        blocks_.push_back(std::make_unique_for_overwrite<char[]>(text.size()));
        std::memcpy(blocks_.back().get(), text.data(), text.size());
        bytes_ += text.size();
        return {blocks_.back().get(), text.size()};
      }
      blocks_.push_back(std::make_unique_for_overwrite<char[]>(block));
      next_ = blocks_.back().get();
      left_ = block;
    }
    char* const place = next_;
    std::memcpy(place, text.data(), text.size());
    next_ += text.size();
    left_ -= text.size();
    bytes_ += text.size();
    return {place, text.size()};
  }

  // Shares the ownership of other memory that the facts point to.
  void adopt(std::shared_ptr<const void> owner) { owners_.push_back(std::move(owner)); }

  std::size_t bytes() const { return bytes_; }  // size of the copied texts

 private:
  // Blocks grow with the pool, because a wheel may have hundreds of ELF files with a few texts each.
  static constexpr std::size_t smallest_block = 1024, largest_block = 16384;
  std::vector<std::unique_ptr<char[]>> blocks_;
  std::vector<std::shared_ptr<const void>> owners_;
  char* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace wheelcheck
