#include "llvm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_OF(NUMBER) #NUMBER
#define WORDS(NUMBER) WORDS_OF(NUMBER)

namespace llvm {

raw_ostream::raw_ostream() = default;
raw_ostream::~raw_ostream() = default;
void raw_ostream::write_impl(const char*, unsigned long) {}
#if LLVM_MAJOR >= 17
void raw_ostream::reserveExtraSpace(unsigned long) {}
#endif

raw_svector_ostream::raw_svector_ostream(char* buffer) : at_(buffer) {}
raw_svector_ostream::~raw_svector_ostream() = default;
void raw_svector_ostream::write_impl(const char* text, unsigned long size) {
  memcpy(at_, text, size);
  at_ += size;
}

const char* getVersion() { return WORDS(LLVM_MAJOR) ".0.6"; }

// Each release assumes that a process has one registry.
void cl::AddLiteralOption(const char* name) {
  static const char* known[16];
  static unsigned count;
  for (unsigned i = 0; i < count; ++i) {
    if (strcmp(known[i], name) != 0) continue;
    fprintf(stderr, ": CommandLine Error: Option '%s' registered more than once!\n", name);
    fputs("LLVM ERROR: inconsistency in registered CommandLine options\n", stderr);
    abort();
  }
  if (count < 16) known[count++] = name;
}

#ifdef WITH_OPTIONS
static cl::Option debug_pass("debug-pass");
#endif

}  // namespace llvm
