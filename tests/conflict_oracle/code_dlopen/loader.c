/* Machine code that opens a library with RTLD_GLOBAL: in a constructor, in a function that PyInit calls, or when it is
   asked to. */
#include <dlfcn.h>

#include "module.h"

__attribute__((noinline)) static int open_it(void) { return dlopen("libhooks.so.1", RTLD_NOW | FLAGS) != NULL; }

#ifdef CONSTRUCTOR
__attribute__((constructor)) static void start(void) { open_it(); }
#endif
NUMBER(open, open_it())

MODULE(_load, METHOD(open))
