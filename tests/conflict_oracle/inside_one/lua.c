/* An extension module that contains a version of a library and exports its symbols. */
#include "module.h"

int lua_table[ENTRIES] = {RELEASE};
int lua_release(void) { return lua_table[0]; }

NUMBER(release, lua_release())
#if RELEASE == 53
MODULE(_lua53, METHOD(release))
#else
MODULE(_lua54, METHOD(release))
#endif
