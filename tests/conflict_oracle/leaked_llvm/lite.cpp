// A library with LLVM inside and a C interface for ctypes.
#include "llvm.h"

#define EXPORTED extern "C" __attribute__((visibility("default")))

static char emitted[16];

// Like every user of the class, it finds the function by its place in the vtable that its own headers tell.
__attribute__((noipa)) static void emit(llvm::raw_ostream& out) { out.write_impl("define", 6); }

EXPORTED const char* LITE_version() { return llvm::getVersion(); }
EXPORTED const char* LITE_emit() {
  llvm::raw_svector_ostream out(emitted);
  emit(out);
  return emitted;
}
