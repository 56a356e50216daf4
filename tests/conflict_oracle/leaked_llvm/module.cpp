// An extension module with LLVM linked in.
#include "module.h"

#include "llvm.h"

TEXT(version, llvm::getVersion())
#ifdef FRAME
MODULE(_native, METHOD(version))
#else
MODULE(_kernels, METHOD(version))
#endif
