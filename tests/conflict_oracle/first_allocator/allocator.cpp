// Defines operator new and delete, which reject memory of other allocators.
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {
struct Header {
  unsigned long mark, pad;
};
constexpr unsigned long mine = 0x5eed5eed5eed5eedUL;
}  // namespace

void* operator new(std::size_t size) {
  auto* const header = static_cast<Header*>(std::malloc(size + sizeof(Header)));
  header->mark = mine;
  return header + 1;
}
void operator delete(void* object) noexcept {
  if (object == nullptr) return;
  Header* const header = static_cast<Header*>(object) - 1;
  if (header->mark != mine) std::abort();
  header->mark = 0;
  std::free(header);
}
void operator delete(void* object, std::size_t) noexcept { operator delete(object); }
