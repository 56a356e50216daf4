/* Executes its arguments in order and prints each result:
     FLAGS:NAME       dlopen; FLAGS are n now, l lazy, g global, o noload
     call:PATH:NAME   calls the function NAME from the file, through its PLT
   It then prints what each address in the tables of the loaded files belongs to, in the order of the loader's list. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

struct reference {
  const char *name; /* fN: a function that returns the name of its file; dN: an array that contains it */
  const void *address;
};

static const char *paths[64];
static int count;

static int list(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  (void)data;
  if (count < 64) paths[count++] = info->dlpi_name;
  return 0;
}

static const char *owner(const struct reference *of) {
  if (!of->address) return "null";
  if (of->name[0] == 'd') return of->address;
  return ((const char *(*)(void))of->address)();
}

static void call(char *path) {
  char *name = strchr(path, ':'), symbol[32];
  *name++ = 0;
  void *file = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  snprintf(symbol, sizeof symbol, "call_%s", name);
  const char *(*function)(void) = file ? (const char *(*)(void))dlsym(file, symbol) : 0;
  printf("call %s %s %s\n", path, name, function ? function() : "?");
}

int main(int arguments, char **argument) {
  setvbuf(stdout, 0, _IONBF, 0);
  for (int i = 1; i < arguments; ++i) {
    if (!strncmp(argument[i], "call:", 5)) {
      call(argument[i] + 5);
      continue;
    }
    int flags = 0;
    char *word = argument[i];
    for (; *word != ':'; ++word)
      flags |= *word == 'n' ? RTLD_NOW : *word == 'l' ? RTLD_LAZY : *word == 'g' ? RTLD_GLOBAL : RTLD_NOLOAD;
    if (dlopen(word + 1, flags))
      puts("opened");
    else
      printf("failed %s\n", dlerror());
  }
  dl_iterate_phdr(list, 0);
  for (int i = 1; i < count; ++i) {
    void *file = dlopen(paths[i], RTLD_LAZY | RTLD_NOLOAD);
    const struct reference *table = file ? dlsym(file, "table") : 0;
    if (!table) continue;
    printf("loaded %s\n", paths[i]);
    for (; table->name; ++table) printf("bound %s %s %s\n", paths[i], table->name, owner(table));
  }
  return 0;
}
