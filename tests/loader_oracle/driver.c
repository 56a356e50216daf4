/* Executes its arguments in order and prints each result:
     FLAGS:PATH    dlopen; FLAGS are n now, l lazy, g global, d deepbind, o noload, e nodelete
     call=NAME     finds the function NAME in the file that was opened last, and calls it
   It then lists the loaded files. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

static int show(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size;
  (void)data;
  printf("loaded %s\n", info->dlpi_name);
  return 0;
}

static int flags_of(const char* word, const char* end) {
  int flags = 0;
  for (; word != end; ++word) {
    if (*word == 'n') flags |= RTLD_NOW;
    if (*word == 'l') flags |= RTLD_LAZY;
    if (*word == 'g') flags |= RTLD_GLOBAL;
    if (*word == 'd') flags |= RTLD_DEEPBIND;
    if (*word == 'o') flags |= RTLD_NOLOAD;
    if (*word == 'e') flags |= RTLD_NODELETE;
  }
  return flags;
}

int main(int count, char** arguments) {
  void* handle = NULL;
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (int i = 1; i < count; ++i) {
    if (strncmp(arguments[i], "call=", 5) == 0) {
      void (*function)(void) = NULL;
      *(void**)&function = handle ? dlsym(handle, arguments[i] + 5) : NULL;
      if (function) function();
      continue;
    }
    const char* colon = strchr(arguments[i], ':');
    void* opened = dlopen(colon + 1, flags_of(arguments[i], colon));
    if (opened) handle = opened;
    const char* error = opened ? NULL : dlerror();
    printf(opened ? "opened\n" : "failed %s\n", error ? error : "");
  }
  return dl_iterate_phdr(show, NULL);
}
