// Included before the scanner of tree-sitter's Python grammar, so that the scanner uses tree-sitter's allocator. A
// parse that is aborted (src/python/syntax.cpp) then leaves no memory allocated.
#include <stdlib.h>

#include "alloc.h"

#define malloc ts_current_malloc
#define calloc ts_current_calloc
#define realloc ts_current_realloc
#define free ts_current_free
