// What to do when the system has no memory left. operator new does it by itself; allocators of C libraries and mmap
// need a check.
#pragma once

namespace wheelcheck {

// Calls the new-handler, as operator new does. The program installs one that ends it; in the library, which has none,
// this throws std::bad_alloc.
[[noreturn]] void out_of_memory();

// `pointer`, which a C function returned, if it is not null.
template <class T>
T* allocated(T* pointer) {
  if (pointer == nullptr) out_of_memory();
  return pointer;
}

}  // namespace wheelcheck
