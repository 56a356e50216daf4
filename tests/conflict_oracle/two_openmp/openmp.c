/* A minimal OpenMP runtime. Each copy has its own number of threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int threads = 4;

void omp_set_num_threads(int number) { threads = number; }
int omp_get_max_threads(void) { return threads; }
int omp_get_num_threads(void) { return 1; }

#ifdef KMP
/* The runtimes of Intel and LLVM register themselves in an environment variable of the process, and end the process if
   another copy is registered already (kmp_runtime.cpp, __kmp_register_library_startup). */
const char kmp_version[] = "@(#) " VERSION;

static void register_library(void) {
  const char* const other = getenv("__KMP_REGISTERED_LIB");
  if (other && strcmp(other, KMP) != 0) {
    fprintf(stderr, "OMP: Error #15: Initializing " KMP ", but found %s already initialized.\n", other);
    abort();
  }
  setenv("__KMP_REGISTERED_LIB", KMP, 1);
}
void __kmpc_fork_call(void* where, int count, void (*body)(void*), void* data) {
  (void)where, (void)count;
  register_library();
  for (int i = 0; i < threads; ++i) body(data);
}
void __kmpc_barrier(void* where, int thread) { (void)where, (void)thread; }
int __kmpc_global_thread_num(void* where) { return where != NULL; }
#else
void GOMP_parallel(void (*body)(void*), void* data, unsigned number, unsigned flags) {
  (void)flags;
  for (int i = 0; i < (number ? (int)number : threads); ++i) body(data);
}
void GOMP_barrier(void) {}
#endif
