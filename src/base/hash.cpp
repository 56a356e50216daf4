// Uses libcrypto's low-level functions, which OpenSSL 3.0 marks as deprecated. The EVP functions give the same digests
// with the same code, but first look up providers and read the machine's /etc/ssl/openssl.cnf.

#define OPENSSL_SUPPRESS_DEPRECATED
#include "base/hash.h"

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
  else  // SHA-384 differs only in its initial values and in the length of its output
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

// Uses libcrypto's low-level functions, for the reason given at Sha2. The one-call function SHA1() uses EVP too and
// would link all of EVP into the program. SHA-1 has no security purpose here.

#define OPENSSL_SUPPRESS_DEPRECATED

namespace wheelcheck {
namespace {

constexpr std::string_view url_namespace("\x6b\xa7\xb8\x11\x9d\xad\x11\xd1\x80\xb4\x00\xc0\x4f\xd4\x30\xc8", 16);

}  // namespace

std::string uuid5(std::string_view name) {
  const std::string text = std::string(url_namespace).append(name);
  std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
  SHA_CTX hash;
  SHA1_Init(&hash);
  SHA1_Update(&hash, text.data(), text.size());
  SHA1_Final(digest.data(), &hash);
  digest[6] = static_cast<unsigned char>((digest[6] & 0x0F) | 0x50);  // version
  digest[8] = static_cast<unsigned char>((digest[8] & 0x3F) | 0x80);  // variant
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    out += digits[digest[i] >> 4];
    out += digits[digest[i] & 15];
  }
  return out;
}

}  // namespace wheelcheck
