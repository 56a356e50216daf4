/* Opens the file in its argument as Python opens an extension module. Prints the error, or every file that is then
   loaded. Without an argument it prints the files that are loaded at the start. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>

static int show(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size;
  (void)data;
  printf("loaded %s\n", info->dlpi_name);
  return 0;
}

int main(int count, char** arguments) {
  if (count > 1 && !dlopen(arguments[1], RTLD_NOW)) {
    printf("error %s\n", dlerror());
    return 0;
  }
  return dl_iterate_phdr(show, NULL);
}
