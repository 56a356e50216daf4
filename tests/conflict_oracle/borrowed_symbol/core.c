/* The library that the plug-in uses without being linked with it. */
int core_version(void) { return 7; }
