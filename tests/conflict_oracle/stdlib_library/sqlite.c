/* What a wheel that has SQLite inside exports of it. */
const char* sqlite3_libversion(void) { return "3.99.0"; }
