// Opens a library in a process of musl, as CPython opens an extension module, and prints what the loader says.
#include <dlfcn.h>
#include <stdio.h>

int main(int count, char **arguments) {
  if (count != 2) return 2;
  if (dlopen(arguments[1], RTLD_NOW)) return puts("loaded"), 0;
  return puts(dlerror()), 1;
}
