// SHA-2 (FIPS 180-4) for RECORD, by OpenSSL: it uses the CPU's instructions, ten times faster than portable code.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace wheelcheck {

enum class Digest { Sha256, Sha384, Sha512 };

class Sha2 {
 public:
  explicit Sha2(Digest digest = Digest::Sha256);
  ~Sha2();
  Sha2(Sha2&&) noexcept;
  Sha2& operator=(Sha2&&) noexcept;
  void update(std::span<const std::byte> bytes);
  std::string hex();  // lower case; call once, last

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string sha256_hex(std::span<const std::byte> bytes);

// UUIDs that follow from a text: the same text, the same UUID, on every machine.

// Version 5 (RFC 9562, 5.5) in the namespace of URLs.
std::string uuid5(std::string_view name);

}  // namespace wheelcheck
