#include "tests/fuzz/mutate.h"

namespace wheelcheck::fuzz {

void mutate_bytes(std::string& bytes, std::size_t room) {
  const std::size_t size = bytes.size();
  bytes.resize(size + room);
  bytes.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes.data()), size, bytes.size()));
}

}  // namespace wheelcheck::fuzz
