// SHA-2 (FIPS 180-4) for RECORD, by OpenSSL: it uses the CPU's instructions, ten times faster than portable code.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

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

}  // namespace wheelcheck
