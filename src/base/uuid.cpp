// The plain functions of libcrypto, for the reason that sha2.cpp gives; SHA1(), in one call, is EVP's as well, and
// would bring all of it into the program. Nobody is kept out by this digest.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "base/uuid.h"

#include <openssl/sha.h>

#include <array>
#include <cstddef>

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
