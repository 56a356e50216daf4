// What to do when the system has no memory left. operator new does it by itself; allocators of C libraries and mmap
// need a check. And what AddressSanitizer should know of memory that is not from malloc.
#pragma once

#include <sanitizer/asan_interface.h>

#include <cstddef>
#include <new>

namespace wheelcheck {

// Calls the new-handler, as operator new does. The program installs one that ends it; in the library, which has none,
// this throws std::bad_alloc.
[[noreturn]] inline void out_of_memory() {
  if (const std::new_handler handler = std::get_new_handler()) handler();
  throw std::bad_alloc();
}

// `pointer`, which a C function returned, if it is not null.
template <class T>
T* allocated(T* pointer) {
  if (pointer == nullptr) out_of_memory();
  return pointer;
}

// For code that divides memory itself: tells AddressSanitizer that these bytes are not used, or used again. Other
// builds do nothing.
inline void mark_unused(const void* bytes, std::size_t size) { ASAN_POISON_MEMORY_REGION(bytes, size); }
inline void mark_used(const void* bytes, std::size_t size) { ASAN_UNPOISON_MEMORY_REGION(bytes, size); }

}  // namespace wheelcheck
