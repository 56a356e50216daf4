/* The wheel's own module. */
#include "module.h"

const char* sqlite3_libversion(void);

TEXT(sqlite, sqlite3_libversion())
MODULE(_frames, METHOD(sqlite))
