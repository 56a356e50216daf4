// SHA-2 digests (FIPS 180-4), which RECORD uses for the files of a wheel, and name-based UUIDs. OpenSSL computes the
// digests: it uses the CPU's SHA instructions, which are ten times faster than portable code.
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
  std::string hex();  // lower case; call once, after the last update()

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string sha256_hex(std::span<const std::byte> bytes);

// UUIDs that are derived from a text. The same text gives the same UUID on every machine.

// A UUID of version 5 (RFC 9562, section 5.5) in the namespace of URLs.
std::string uuid5(std::string_view name);

}  // namespace wheelcheck
