/* The core's own module, and that of a plug-in which leaves its functions to the core. */
#include "module.h"

int core_version(void);

NUMBER(version, core_version())
#ifdef PLUGIN
MODULE(_plugin, METHOD(version))
#else
MODULE(_core, METHOD(version))
#endif
