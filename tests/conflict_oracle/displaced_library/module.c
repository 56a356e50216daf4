/* An extension module that was linked against the one or the other release. */
#include "module.h"

int store_open(void);
int store_sync(void);

NUMBER(opened, store_open())
#if RELEASE > 1
NUMBER(synced, store_sync())
MODULE(_store, METHOD(opened), METHOD(synced))
#else
MODULE(_store, METHOD(opened))
#endif
