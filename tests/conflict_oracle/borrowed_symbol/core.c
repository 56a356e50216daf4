/* What the plug-in was not linked against. */
int core_version(void) { return 7; }
