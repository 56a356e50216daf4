/* An extension module that is compiled with -fopenmp and counts in parallel. */
#include "module.h"

void omp_set_num_threads(int number);
void GOMP_parallel(void (*body)(void*), void* data, unsigned number, unsigned flags);
void __kmpc_fork_call(void* where, int count, void (*body)(void*), void* data);

static void count(void* number) { ++*(int*)number; }

static int workers(void) {
  int number = 0;
#ifdef KMP
  __kmpc_fork_call(NULL, 1, count, &number);
#else
  GOMP_parallel(count, &number, 0, 0);
#endif
  return number;
}
static int limit(void) {
  omp_set_num_threads(1);
  return workers();
}

NUMBER(count, workers())
NUMBER(limit, limit())
MODULE(_parallel, METHOD(count), METHOD(limit))
