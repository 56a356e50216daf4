// A bounded reader for untrusted bytes. Every access is checked against the size, with arithmetic that cannot overflow.
// All parsers of ELF and ZIP structures read through it.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

namespace wheelcheck {

// a + b; nothing if the sum overflows.
constexpr std::optional<std::uint64_t> checked_add(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t sum = a + b;
  return sum < a ? std::nullopt : std::optional(sum);
}
constexpr std::optional<std::uint64_t> checked_multiply(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::nullopt : std::optional(product);
}

class Bytes {
 public:
  constexpr Bytes() = default;
  constexpr explicit Bytes(std::span<const std::byte> data, std::endian order = std::endian::little)
      : data_(data), order_(order) {}

  std::uint64_t size() const { return data_.size(); }
  std::span<const std::byte> data() const { return data_; }
  bool contains(std::uint64_t offset, std::uint64_t length) const {
    return offset <= data_.size() && length <= data_.size() - offset;
  }
  std::optional<Bytes> slice(std::uint64_t offset, std::uint64_t length) const {
    if (!contains(offset, length)) return std::nullopt;
    return Bytes(data_.subspan(offset, length), order_);
  }
  template <std::unsigned_integral T>
  std::optional<T> read(std::uint64_t offset) const {
    if (!contains(offset, sizeof(T))) return std::nullopt;
    T value{};
    std::memcpy(&value, data_.data() + offset, sizeof(T));
    if constexpr (sizeof(T) > 1)
      if (order_ != std::endian::native) value = std::byteswap(value);
    return value;
  }
  // The NUL-terminated text at `offset`, without its NUL; nothing if no NUL follows.
  std::optional<std::string_view> text(std::uint64_t offset) const {
    if (offset >= data_.size()) return std::nullopt;
    const auto* const begin = reinterpret_cast<const char*>(data_.data()) + offset;
    const auto* const end = static_cast<const char*>(std::memchr(begin, 0, data_.size() - offset));
    if (end == nullptr) return std::nullopt;
    return std::string_view(begin, end);
  }
  std::string_view as_text() const { return {reinterpret_cast<const char*>(data_.data()), data_.size()}; }

 private:
  std::span<const std::byte> data_;
  std::endian order_ = std::endian::little;
};

}  // namespace wheelcheck
