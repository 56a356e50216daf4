// The plain functions of libcrypto, which 3.0 calls deprecated: its EVP ones give the same digests by the same code,
// but look up providers first and read /etc/ssl/openssl.cnf of the machine.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "base/sha2.h"

#include <openssl/sha.h>

#include <array>
#include <cstddef>
#include <string_view>

namespace wheelcheck {

struct Sha2::State {
  Digest digest;
  union {
    SHA256_CTX narrow;
    SHA512_CTX wide;
  };
};

Sha2::Sha2(Digest digest) : state_(std::make_unique<State>()) {
  state_->digest = digest;
  if (digest == Digest::Sha256) SHA256_Init(&state_->narrow);
  if (digest == Digest::Sha384) SHA384_Init(&state_->wide);
  if (digest == Digest::Sha512) SHA512_Init(&state_->wide);
}
Sha2::~Sha2() = default;
Sha2::Sha2(Sha2&&) noexcept = default;
Sha2& Sha2::operator=(Sha2&&) noexcept = default;

void Sha2::update(std::span<const std::byte> bytes) {
  if (state_->digest == Digest::Sha256)
    SHA256_Update(&state_->narrow, bytes.data(), bytes.size());
  else  // SHA-384 differs in how it starts and in how much of the end is taken
    SHA512_Update(&state_->wide, bytes.data(), bytes.size());
}

std::string Sha2::hex() {
  std::array<unsigned char, SHA512_DIGEST_LENGTH> digest{};
  std::size_t size = SHA512_DIGEST_LENGTH;
  if (state_->digest == Digest::Sha256) {
    size = SHA256_DIGEST_LENGTH;
    SHA256_Final(digest.data(), &state_->narrow);
  } else {
    if (state_->digest == Digest::Sha384) size = SHA384_DIGEST_LENGTH;
    SHA512_Final(digest.data(), &state_->wide);
  }
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text(2 * size, '\0');
  for (std::size_t i = 0; i < size; ++i) {
    text[2 * i] = digits[digest[i] >> 4];
    text[2 * i + 1] = digits[digest[i] & 15];
  }
  return text;
}

std::string sha256_hex(std::span<const std::byte> bytes) {
  Sha2 hash;
  hash.update(bytes);
  return hash.hex();
}

}  // namespace wheelcheck
