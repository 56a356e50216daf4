/* The symbols that a wheel with a bundled SQLite exports. */
const char* sqlite3_libversion(void) { return "3.99.0"; }
