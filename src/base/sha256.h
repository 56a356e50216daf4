// SHA-256 (FIPS 180-4) for RECORD, by OpenSSL: it uses the CPU's instructions, ten times faster than portable code.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace wheelcheck {

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;
  void update(std::span<const std::byte> bytes);
  std::string hex();  // lower case; call once, last

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string sha256_hex(std::span<const std::byte> bytes);

}  // namespace wheelcheck
