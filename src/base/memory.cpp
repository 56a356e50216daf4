#include "base/memory.h"

#include <new>

namespace wheelcheck {

void out_of_memory() {
  if (const std::new_handler handler = std::get_new_handler()) handler();
  throw std::bad_alloc();
}

}  // namespace wheelcheck
