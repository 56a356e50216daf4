// Included before the scanner of tree-sitter's Python grammar: its memory comes from tree-sitter's allocator too, so that
// a parse that is ended early (src/python/syntax.cpp) leaves none behind.
#include <stdlib.h>

#include "alloc.h"

#define malloc ts_current_malloc
#define calloc ts_current_calloc
#define realloc ts_current_realloc
#define free ts_current_free
