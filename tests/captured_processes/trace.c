/* A preloaded library that writes each dlopen, with its flags and its caller, into the log of LD_DEBUG_OUTPUT, so that
   one file contains all events in order. ld.so's log has neither the flags that Python sets nor the opens that
   constructors make.

   A dlopen called from here would search the RUNPATH of this file instead of the caller's. The real dlopen is therefore
   called so that it returns to a `ret` instruction inside of the caller, which returns here. For x86-64 only. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void* (*real_dlopen)(const char*, int);
static char* (*real_dlerror)(void);  /* looked up at the start, because dlsym clears the error */
static __attribute__((constructor)) void find_real(void) {
  *(void**)&real_dlopen = dlsym(RTLD_NEXT, "dlopen");
  *(void**)&real_dlerror = dlsym(RTLD_NEXT, "dlerror");
}

static __thread unsigned depth;
static __thread char pending[4096];  /* the error of the last failed open, for dlerror */
static __thread int has_pending;

static void note(const char* format, ...) {
  const char* log = getenv("LD_DEBUG_OUTPUT");
  char path[4096], line[9000];
  if (!log || snprintf(path, sizeof path, "%s.%d", log, (int)getpid()) >= (int)sizeof path) return;
  int length = snprintf(line, sizeof line, "%10d:\ttrace ", (int)getpid());
  va_list arguments;
  va_start(arguments, format);
  length += vsnprintf(line + length, sizeof line - (size_t)length, format, arguments);
  va_end(arguments);
  if (length >= (int)sizeof line) length = sizeof line - 1;
  for (int i = 0; i < length; ++i)
    if (line[i] == '\n') line[i] = ' ';
  line[length++] = '\n';
  const int file = open(path, O_WRONLY | O_APPEND);
  if (file < 0) return;
  if (write(file, line, (size_t)length) < 0) abort();
  close(file);
}

/* Finds the first `ret` after `address` in its segment. */
struct search {
  uintptr_t address, ret;
};
static int find_ret(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size;
  struct search* search = data;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* segment = &info->dlpi_phdr[i];
    const uintptr_t from = info->dlpi_addr + segment->p_vaddr, to = from + segment->p_memsz;
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) || search->address < from || search->address >= to)
      continue;
    for (uintptr_t at = search->address; at < to && !search->ret; ++at)
      if (*(const unsigned char*)at == 0xc3) search->ret = at;
    return 1;
  }
  return 0;
}

/* Calls dlopen(file, mode) at `target` with `ret` as its return address. */
void* call_through(const char* file, int mode, void* target, uintptr_t ret);
__asm__(
    ".text\n.hidden call_through\n.globl call_through\n.type call_through, @function\n"
    "call_through:\n"
    "  lea 1f(%rip), %rax\n"
    "  push %rax\n"
    "  push %rcx\n"
    "  jmp *%rdx\n"
    "1:\n"
    "  ret\n"
    ".size call_through, .-call_through\n");

__attribute__((visibility("default"))) void* dlopen(const char* file, int mode) {
  void* const caller = __builtin_return_address(0);
  if (!real_dlerror) find_real();
  struct search search = {(uintptr_t)caller, 0};
  dl_iterate_phdr(find_ret, &search);
  Dl_info of_caller = {0};
  dladdr(caller, &of_caller);
  const unsigned level = depth++;
  note("open %u %d %s\t%s", level, mode, of_caller.dli_fname ? of_caller.dli_fname : "", file ? file : "");
  void* const handle =
      search.ret ? call_through(file, mode, (void*)(uintptr_t)real_dlopen, search.ret) : real_dlopen(file, mode);
  depth = level;
  has_pending = 0;
  if (!handle) {
    const char* const error = real_dlerror();
    has_pending = error != NULL;
    snprintf(pending, sizeof pending, "%s", error ? error : "");
    note("failed %u %s", level, pending);
  } else {
    note("opened %u", level);
  }
  return handle;
}

__attribute__((visibility("default"))) char* dlerror(void) {
  if (!real_dlerror) find_real();
  char* const error = real_dlerror();
  if (error || !has_pending) return error;
  has_pending = 0;
  return pending;
}
