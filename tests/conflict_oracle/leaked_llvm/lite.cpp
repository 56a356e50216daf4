// A library with LLVM linked in and a C interface for ctypes.
#include "llvm.h"

#define EXPORTED extern "C" __attribute__((visibility("default")))

static char emitted[16];

// Like every user of the class, it calls the function by its index in the vtable of its own headers.
__attribute__((noipa)) static void emit(llvm::raw_ostream& out) { out.write_impl("define", 6); }

EXPORTED const char* LITE_version() { return llvm::getVersion(); }
EXPORTED const char* LITE_emit() {
  llvm::raw_svector_ostream out(emitted);
  emit(out);
  return emitted;
}
