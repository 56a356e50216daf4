/* The module of the core, and that of a plug-in that uses the core's functions. */
#include "module.h"

int core_version(void);

NUMBER(version, core_version())
#ifdef PLUGIN
MODULE(_plugin, METHOD(version))
#else
MODULE(_core, METHOD(version))
#endif
